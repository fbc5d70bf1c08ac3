/** The settings of a client in words, by topic and in the order in which they are shown. */
import type { SettingWords } from "#/kernel/config/setting-words.ts";
import type { SettingName } from "#/modules/clients/settings.ts";

type Shown = Omit<SettingWords, "group">;

const isSwitch = (title: string): Shown => ({ title, kind: "switch" });
const isNumber = (title: string, unit: string): Shown => ({ title, kind: "number", unit });
const isText = (title: string): Shown => ({ title, kind: "text" });
const isChoice = (title: string, choices: Readonly<Record<string, string>>): Shown => ({
  title,
  kind: "choice",
  choices,
});

const refuse = "Refuse the order";
const hold = "Hold the order (ADDRESS_INVALID)";
const warn = "Accept with a warning";

const groups: Readonly<Record<string, Readonly<Partial<Record<SettingName, Shown>>>>> = {
  Feeds: {
    parkUnknownSkus: isSwitch("Park documents with unknown SKUs"),
    identicalResend: isChoice("Identical document sent again", {
      REJECT: "Reject as a duplicate",
      REPLAY: "Answer with the original ACK",
    }),
    catMode: isChoice("Elements that a catalogue leaves out", {
      REPLACE: "Clear the field",
      MERGE: "Keep the field",
    }),
    rejectedFeedStatus: isChoice("HTTP status of a rejected document", {
      200: "200: as for an accepted document",
      422: "422: for clients that check the status",
    }),
    feedDeadlineMinutes: isNumber("Document overdue without an outcome after", "minutes"),
  },
  "Addresses and holds": {
    namelessAddress: isChoice("Address without name and company", { REFUSE: refuse, HOLD: hold, WARN: warn }),
    doubtfulAddress: isChoice("Doubtful address", { WARN: warn, HOLD: hold, REFUSE: refuse }),
    addressCheck: isChoice("Verification of addresses", {
      OFF: "Off",
      WARN: "Verify, and only note the answer",
      HOLD: "Hold doubtful and undeliverable addresses (ADDRESS_INVALID)",
      REFUSE: "Hold doubtful addresses, refuse undeliverable ones",
    }),
    useCorrectedAddress: isSwitch("Corrected address on labels and papers"),
    holdRules: { title: "Hold rules", kind: "lines" },
  },
  "Orders and allocation": {
    routingRule: isChoice("Facility of an order that names none", {
      ORDER: "The first that can fill it",
      FEWEST_PARCELS: "The one with the fewest parcels",
      NEAREST: "The nearest",
      CHEAPEST: "The cheapest",
      SOONEST: "The one with the soonest cut-off",
    }),
    splitOrders: isSwitch("Split orders over facilities"),
    backorder: isChoice("Order that stock fills in part", {
      WAIT: "Wait until all of it is in stock",
      SHIP_AND_WAIT: "Ship what is in stock, back-order the rest",
      SHIP_AND_CANCEL: "Ship what is in stock, cancel the rest",
    }),
    backorderDays: isNumber("Back-ordered rest cancelled after", "days"),
    rerouteHours: isNumber("Order without stock moved to another facility after", "hours"),
  },
  Stock: {
    availablePools: isText("Pools that count as available"),
    stockPools: isText("Other pools that may be named"),
    countTolerance: isNumber("Count difference booked without approval, share", "%"),
    countToleranceUnits: isNumber("Count difference booked without approval, quantity", "units"),
    countShortPicks: isSwitch("Count after a short pick"),
    countZeroBalance: isSwitch("Count when the last unit leaves"),
    countAbc: isSwitch("Regular counts by ABC class"),
    workOrderAdjustments: isSwitch("Adjustments (ADJ) of work orders"),
  },
  "Receipts and returns": {
    overReceiptTolerance: isNumber("Over-receipt allowed", "%"),
    underReceiptTolerance: isNumber("Under-receipt that still closes a purchase order", "%"),
    purchaseOrderDays: isNumber("Purchase order without a change closed after", "days"),
    rmaDays: isNumber("Return authorisation expires after", "days"),
  },
  "Customs and papers": {
    customsDestinations: isText("Destinations that need customs data"),
    reasonForExport: isChoice("Reason for export", {
      SALE: "Sale",
      GIFT: "Gift",
      SAMPLE: "Sample",
      RETURN: "Return",
      REPAIR: "Repair",
    }),
    exporterEori: isText("EORI number of the exporter"),
    exporterVatNumber: isText("VAT number of the exporter"),
    iossNumber: isText("IOSS number"),
  },
  "Outbound feeds": {
    goodsReceiptVersion: isChoice("Version of the goods receipt (GR)", {
      "1.0": "1.0",
      1.2: "1.2: with the quantity on hold, lineId and altSku of each line",
    }),
    orderStatusVersion: isChoice("Version of the order status (OS)", {
      "1.0": "1.0",
      1.1: "1.1: with the holds of the order, and an OS for each change of them",
      1.2: "1.2: with holds, and with the components of kits",
    }),
    returnStatusVersion: isChoice("Version of the return status (RS)", {
      1.1: "1.1",
      "1.0": "1.0: without reasons and lots, and without returns that have no RMA",
    }),
    outboundEmailList: isText("Mail addresses for failing outbound feeds"),
  },
  "Access and limits": {
    rateLimit: isText("Rate limit of each credential"),
    agentTools: isText("Tools of agents without an approval"),
  },
  "Retention and logs": {
    requestLogBodies: isSwitch("Bodies of failed requests in the request log"),
    feedRetentionDays: isNumber("Raw feeds kept for", "days"),
    personalDataDays: isNumber("Personal data erased after", "days"),
  },
};

/** In the order in which they are shown. */
export const settingWords = Object.fromEntries(
  Object.entries(groups).flatMap(([group, settings]) =>
    Object.entries(settings).map(([name, shown]) => [name, { group, ...shown }]),
  ),
) as Readonly<Record<SettingName, SettingWords>>;
