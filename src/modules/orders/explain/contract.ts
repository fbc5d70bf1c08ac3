import Type, { type Static } from "typebox";
import { closed, identifier, maybeText, moment, nullable, quantity } from "#/http/routes/schema.ts";
import { routingRules } from "#/intake/feeds/intake/definition.ts";
import { flatDutyFields } from "#/modules/carriers/index.ts";
import { customsDestination, lackFields } from "#/modules/catalogue/index.ts";
import { conditions } from "#/modules/inventory/index.ts";
import { correctedFields } from "#/modules/labels/index.ts";
import { addressVerdicts } from "#/modules/orders/addresses/verdicts.ts";
import { routingReasons } from "#/modules/orders/order.ts";
import { hold, status } from "#/modules/orders/rest/contract.ts";

/** The explanation of an order (contract rest.md §3). Every field is always present; an unknown value is `null`. */

/** Subjects of a refusal, in the order in which allocation considers them. */
export const refusalScopes = ["ORDER", "ITEM", "POOL", "LOT", "FACILITY"] as const;

/** Why no stock is allocated to a line, with its meaning. */
export const refusalMeanings = {
  HOLD: "The order is on hold; no stock is allocated to it.",
  UNKNOWN_ITEM: "The catalogue has no such item.",
  INACTIVE: "The item is inactive.",
  NO_STOCK: "The pool has no stock, or the other facility has none that may be allocated.",
  CONDITION: "The lot is not GOOD.",
  RESERVED: "The whole lot is allocated to orders and work orders.",
  EXPIRED: "The lot has expired.",
  SHELF_LIFE: "The lot expires before the item's MinShelfLifeDays.",
  POOL: "The line takes no stock from this pool.",
  COMPONENT: "A component of the kit has too little free stock for more kits.",
  PENDING: "The lot has free stock; allocation serves the waiting orders in their order.",
  OTHER_FACILITY: "Another facility has free stock; the order is fulfilled by its own facility.",
} as const;

export type RefusalCode = keyof typeof refusalMeanings;

const refusalCodes = Object.keys(refusalMeanings) as RefusalCode[];

const refusal = Type.Object(
  {
    scope: Type.Enum([...refusalScopes], {
      type: "string",
      title: "RefusalScope",
      description: "What the refusal is about.",
      examples: ["LOT"],
    }),
    code: Type.Enum(refusalCodes, {
      type: "string",
      title: "RefusalCode",
      description: "Why nothing is allocated from it.",
      examples: ["SHELF_LIFE"],
    }),
    text: Type.String({
      description: "The reason in a sentence.",
      examples: ["The lot expires on 2026-12-01; the item needs 30 more days, until 2026-12-22."],
    }),
    release: maybeText("What would change it.", "A lot that expires on or after 2026-12-22."),
    facilityCode: maybeText("Facility; null: the refusal is about the order or the item.", "DC1"),
    stockPool: maybeText("Stock pool.", "DEFAULT"),
    batchRef: maybeText("Batch; null for none.", "B-2026-11"),
    expiryDate: nullable(
      Type.String({ format: "date", description: "Expiry of the lot; null for none.", examples: ["2026-12-01"] }),
    ),
    condition: nullable(
      Type.Enum([...conditions], {
        type: "string",
        title: "StockCondition",
        description: "Condition of the lot.",
        examples: ["GOOD"],
      }),
    ),
    qty: nullable(quantity("Quantity of the lot, or free quantity of the other facility, in stock units.")),
    since: nullable(moment("Since when: the hold, or the last movement of the lot.")),
  },
  { ...closed, title: "StockRefusal", description: "Why no stock is allocated from a place." },
);

const expectedReceipt = Type.Object(
  {
    poNumber: identifier("Purchase order.", "PO-7001"),
    vendorOrderId: Type.String({ description: "The vendor's order; empty for none.", examples: ["V-1"] }),
    qty: quantity("Quantity that it still expects, in stock units."),
    announcedAt: moment("When the purchase order was received."),
    expectedDate: maybeText(
      "Expected date, as the purchase order names it (extended attribute ExpectedDate).",
      "2026-11-30",
    ),
  },
  { ...closed, title: "ExpectedReceipt", description: "Goods that an open purchase order expects." },
);

const explainedLine = Type.Object(
  {
    lineNumber: Type.Integer({ description: "Number of the line within the order.", examples: [1] }),
    distributionCentre: identifier("Facility that fulfils the line.", "DC1"),
    sku: identifier("Product.", "MUG-BLUE-330"),
    status: status("line"),
    uom: Type.String({ description: "Stock unit of the quantities.", examples: ["EA"] }),
    stockPool: Type.String({ description: "Stock pool of the line.", examples: ["DEFAULT"] }),
    qtyOrdered: quantity("Ordered, less cancelled."),
    qtyAllocated: quantity("Reserved in the warehouse."),
    qtyBackordered: quantity("Waiting for stock."),
    qtyShort: quantity("Without stock: back-ordered, or not yet allocated."),
    promisedOn: nullable(
      Type.String({
        format: "date",
        description: "Day on which open purchase orders bring it, behind all orders before it; null: none says.",
        examples: ["2026-11-30"],
      }),
    ),
    refusals: Type.Array(refusal, {
      description: "Who refused, in the order of allocation; empty where nothing is short.",
    }),
    refusalsOmitted: Type.Integer({ description: "Lots that the list leaves out.", examples: [0] }),
    expectedReceipts: Type.Array(expectedReceipt, {
      description: "Open purchase orders at the facility of the order, the oldest first, at most 5.",
    }),
  },
  { ...closed, title: "ExplainedLine", description: "A line of which a part has not left." },
);

const routingCandidate = Type.Object(
  {
    distributionCentre: identifier("Facility.", "DC2"),
    lacks: maybeText(
      "The first SKU of the order that it could not fill; null: it could fill all lines.",
      "MUG-BLUE-330",
    ),
    measure: maybeText("What the rule compared; null: the rule knows nothing of the facility.", "4.35 GBP"),
  },
  { ...closed, title: "RoutingCandidate", description: "A facility that the rule looked at." },
);

const routing = Type.Object(
  {
    distributionCentre: identifier("Facility that fulfils the order; of a split order, the most lines.", "DC1"),
    by: nullable(
      Type.Enum([...routingReasons], {
        type: "string",
        title: "RoutingReason",
        description:
          "The order named it, it was the first that could fill all lines, the client's rule chose it, several fill the lines together, it is the first of the client, or another one lacked stock.",
        examples: ["FILLS"],
      }),
    ),
    text: Type.String({
      description: "The decision in a sentence.",
      examples: ["DC1 was the first facility that could fill all lines."],
    }),
    rule: nullable(
      Type.Enum([...routingRules], {
        type: "string",
        title: "RoutingRule",
        description: "The rule that chose among several facilities; null: none did.",
        examples: ["CHEAPEST"],
      }),
    ),
    candidates: Type.Array(routingCandidate, {
      description: "The facilities of the client, in its order, that the rule looked at.",
    }),
  },
  { ...closed, title: "RoutingDecision", description: "The choice of the facility." },
);

const carrier = Type.Object(
  {
    decisionId: Type.String({
      format: "uuid",
      description: "The decision; `carrier/decision/{decisionId}` has all of it.",
      examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"],
    }),
    olpnId: maybeText("Parcel of the decision; null: the whole order.", "106141412345678908"),
    decidedAt: moment("When."),
    carrierCode: maybeText("Chosen carrier; null: no service fits.", "RM"),
    serviceCode: maybeText("Chosen service.", "RM48"),
    despatchDate: nullable(Type.String({ format: "date", description: "Day of despatch.", examples: ["2026-11-23"] })),
    estimatedDelivery: nullable(
      Type.String({ format: "date", description: "Day of delivery.", examples: ["2026-11-25"] }),
    ),
    rejected: Type.Integer({ description: "Number of services that did not fit.", examples: [3] }),
  },
  { ...closed, title: "ExplainedCarrier", description: "The latest carrier decision of the order." },
);

const address = Type.Object(
  {
    verdict: Type.Enum([...addressVerdicts], {
      type: "string",
      title: "AddressVerdict",
      description: "What the verifier says; CHECKING: it has not answered yet, UNCHECKED: it gave no answer in time.",
      examples: ["CORRECTED"],
    }),
    reason: maybeText("Why, in words of the verifier.", "The house number is missing."),
    correction: nullable(
      Type.Object(
        Object.fromEntries(
          correctedFields.map((field) => [
            field,
            Type.Optional(Type.String({ description: "As the verifier writes it.", examples: ["SW1Y 4JH"] })),
          ]),
        ),
        {
          ...closed,
          title: "AddressCorrection",
          description: "Fields that the verifier writes otherwise; null: none. The address of the order stays.",
        },
      ),
    ),
    sourceCode: maybeText("The verifier.", "ADDRESSES"),
    checkedAt: nullable(moment("When it answered; an answer from the cache has its moment.")),
  },
  { ...closed, title: "ExplainedAddress", description: "What a verifier says of the ship-to address." },
);

const customs = Type.Object(
  {
    destination: customsDestination,
    isComplete: Type.Boolean({ description: "Whether no line lacks anything.", examples: [false] }),
    lacks: Type.Array(
      Type.Object(
        {
          lineNumber: Type.Integer({ description: "Line of the order.", examples: [1] }),
          sku: identifier("Product; of a kit its component.", "MUG-BLUE-330"),
          ...lackFields,
        },
        { ...closed, title: "CustomsLack", description: "Data that a line lacks." },
      ),
      { description: "At most 100." },
    ),
    lacksOmitted: Type.Integer({ description: "Entries that the list leaves out.", examples: [0] }),
    goodsValue: maybeText("Net value of all goods, in currency; null: a line has no price.", "32.23"),
    currency: maybeText("Currency of the order, ISO 4217.", "EUR"),
    flatDuty: nullable(
      Type.Object(
        {
          tariffLines: flatDutyFields.tariffLines,
          withoutHsCode: Type.Integer({
            description: "Lines without a tariff number, each counted as another tariff line.",
            examples: [0],
          }),
          eur: flatDutyFields.eur,
          paidBy: flatDutyFields.paidBy,
        },
        {
          ...closed,
          title: "FlatDuty",
          description:
            "Of goods up to 150 EUR to a consumer in the European Union; null: it does not apply, or no value is known.",
        },
      ),
    ),
  },
  {
    ...closed,
    title: "ExplainedCustoms",
    description: "Customs data of the goods, the order as one consignment; null: it crosses no customs border.",
  },
);

export const explanation = Type.Object(
  {
    orderId: identifier("Identifier of the order, the client's own.", "WEB-100045"),
    clientId: Type.String({ description: "Client.", examples: ["DEMO"] }),
    asOf: moment("Time of the answer."),
    status: status("order"),
    statusReason: maybeText("Reason of the state, where there is one.", "inactive in the catalogue: MUG-BLUE-330"),
    isShipped: Type.Boolean({
      description: "Whether everything that is not cancelled has left.",
      examples: [false],
    }),
    summary: Type.String({
      description: "Why the order has not shipped, in a sentence.",
      examples: ["Line 1 waits for 3 EA of MUG-BLUE-330 at DC1: the pool DEFAULT has no stock."],
    }),
    next: maybeText("What happens next.", "Purchase order PO-7001 expects 10."),
    holds: Type.Array(hold, { description: "Holds of the order." }),
    lines: Type.Array(explainedLine, {
      description: "Lines of which a part has not left: those that are short first, at most 100.",
    }),
    linesOmitted: Type.Integer({ description: "Lines that the list leaves out.", examples: [0] }),
    routing,
    carrier: nullable(carrier),
    customs: nullable(customs),
    address: Type.Optional(nullable(address)),
    backorderedSince: nullable(moment("Since when some quantity is back-ordered.")),
    backorderEndsAt: nullable(moment("When back-ordered quantity is cancelled, by the client's `backorderDays`.")),
    shipAfter: nullable(moment("The order must not leave before this time.")),
    shipBy: nullable(moment("The order must leave by this time.")),
    deliverBy: nullable(moment("The order should be delivered by the day of this time.")),
    despatchBy: nullable(
      moment("Despatch deadline: shipBy, or else the cut-off of the facility; null where it has neither."),
    ),
    nextCutOffAt: nullable(
      moment("The next cut-off of the facility; null for a shipped or cancelled order, and without a cut-off time."),
    ),
  },
  {
    ...closed,
    title: "OrderExplanation",
    description: "Why an order has not shipped, and what happens next.",
  },
);

export type OrderExplanation = Static<typeof explanation>;
export type ExplainedLine = OrderExplanation["lines"][number];
export type StockRefusal = ExplainedLine["refusals"][number];
