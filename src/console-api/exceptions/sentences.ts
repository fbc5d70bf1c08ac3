import type { StoredException } from "#/console-api/exceptions/exceptions.cross-client.ts";
import type { ExceptionType } from "#/console-api/exceptions/types.ts";
import { documentNameOf } from "#/console-api/feeds/document-name.ts";
import { failureInWords } from "#/console-api/webhooks/failure-words.ts";

type Facts = StoredException["facts"];
type Sentence = (facts: Facts, exception: StoredException) => string;

/** Event, meaning and remedy, for an operator who has not seen this type before. */
export const sentenceOf = (exception: StoredException): string => sentences[exception.type](exception.facts, exception);

const sentences: Readonly<Record<ExceptionType, Sentence>> = {
  FEED_REJECTED: (facts) => {
    const more = Number(facts.errors ?? 0) - 1;
    const reasons = textOf(facts.error) ?? "The reasons are in its ACK";
    const rest = more > 0 ? ` (and ${more} more ${more === 1 ? "error" : "errors"})` : "";
    return `${documentOf(facts)} was rejected: ${stop(reasons)}${rest} It had no effect. The client must correct and resend it, or you reprocess it when the cause is gone.`;
  },
  FEED_PARKED: (facts) => {
    const skus = listOf(facts.missingSkus);
    return `${documentOf(facts)} is parked: it names SKUs that are in no CAT${skus === "" ? "" : ` (${skus})`}. It is processed automatically when a CAT contains them; ask the client for the CAT.`;
  },
  FEED_OVERDUE: (facts) =>
    `${documentOf(facts)} was accepted and has no outcome after its deadline. Processing is late, nothing is lost; check that the workers run.`,
  FEED_FAILED: (facts) =>
    `${documentOf(facts)} was accepted, and its processing failed. The client was notified; retry it when the cause is gone.`,
  ORDER_HELD: (facts, { objectId }) => {
    const holds = Array.isArray(facts.holds) ? (facts.holds as { type?: unknown; reason?: unknown }[]) : [];
    const reasons = holds
      .map(({ type, reason }) => `${wordsOf(type)}${textOf(reason) ? ` (${textOf(reason)})` : ""}`)
      .join(", ");
    return `Order ${objectId} is held: ${reasons}. It does not leave until every hold is released.`;
  },
  ORDER_BACKORDERED: (facts, { objectId }) => {
    const lines = Array.isArray(facts.lines) ? (facts.lines as { sku: string; qty: number }[]) : [];
    const named = lines
      .slice(0, 3)
      .map(({ sku, qty }) => `${Number(qty)} × ${sku}`)
      .join(", ");
    return `Order ${objectId} waits for stock${named === "" ? "" : `: ${named}`}${lines.length > 3 ? " and more" : ""}. It continues automatically when stock arrives; check the expected stock, or cancel the rest.`;
  },
  ORDER_AT_RISK: (facts, { objectId }) =>
    `Order ${objectId} is ${wordsOf(facts.status)} and is due to leave within the hour. Check in the warehouse what delays it.`,
  ORDER_LATE: (facts, { objectId }) =>
    `Order ${objectId} is ${wordsOf(facts.status)} and has missed its despatch time. Check in the warehouse what delays it.`,
  CANCEL_UNANSWERED: (_facts, { objectId, facilityCode }) =>
    `The warehouse ${facilityCode ?? ""} has not answered the cancel request of order ${objectId} for two hours. Until it answers, the order may still leave; contact the warehouse.`,
  SHORT_PICK: (facts, { objectId, facilityCode }) => {
    const batch = textOf(facts.batchRef);
    return `A pick did not find ${Number(facts.qty)} of SKU ${objectId}${batch ? `, batch ${batch},` : ""} in ${facilityCode}. They are on hold and cannot be sold until a count finds them.`;
  },
  COUNT_DIFFERENCE: (facts, { facilityCode }) => {
    const line = facts.line as { sku?: unknown; batchRef?: unknown; expected?: unknown; counted?: unknown } | null;
    const batch = textOf(line?.batchRef);
    const lot = `SKU ${line?.sku}${batch ? `, batch ${batch},` : ""}`;
    const [found, expected] = [Number(line?.counted) / 1000, Number(line?.expected) / 1000];
    if (facts.cause === "ADJUSTMENT") {
      const name = textOf(facts.by)?.replace(/^user:/, "");
      return `${name} adjusts ${lot} in ${facilityCode} from ${expected} to ${found}. That is above the tolerance, so nothing is booked yet. Another user approves or rejects the adjustment.`;
    }
    const more = Number(facts.lines) - 1;
    const others = more > 0 ? `, and ${more} more ${more === 1 ? "lot differs" : "lots differ"}` : "";
    return `A count in ${facilityCode} found ${found} of ${lot} instead of ${expected}${others}. That is above the tolerance, so nothing is booked yet. Approve the difference, or reject it and ask for a recount.`;
  },
  RECEIPT_DISCREPANCY: (facts, { objectId }) => {
    if (facts.kind !== "CLOSED_SHORT")
      return `${stop(textOf(facts.summary) ?? "")} Accept the goods by releasing the stock, or send them back.`;
    const lines = Number(facts.lines);
    return `Purchase order ${objectId} is closed, and ${lines === 1 ? `SKU ${facts.sku} of it` : `${lines} of its lines`} arrived short or damaged. Inform the client, or receive the goods within 30 days, which reopens the order.`;
  },
  RECEIPT_UNIDENTIFIED: (facts, { facilityCode }) => {
    const number = textOf(facts.sscc) ?? textOf(facts.trackingNumber);
    const packages = Number(facts.packages);
    return `${packages === 1 ? "1 package" : `${packages} packages`}${number === undefined ? "" : ` (${number})`} came to ${facilityCode} without a known purchase order and are outside the stock. Bind them to their purchase order, which books the receipt, or close them with what became of them.`;
  },
  BLIND_RETURN: (facts) =>
    `${stop(textOf(facts.summary) ?? "")} Ask the client about the owner of the goods and what to do with them.`,
  REPORT_REFUSED: (facts, { facilityCode }) => {
    const repeats = Number(facts.repeats ?? 0);
    const repeated = repeats > 0 ? ` It was sent ${repeats + 1} times.` : "";
    return `The ${wordsOf(facts.report)} report of ${facilityCode ?? "a carrier"} was refused: ${stop(textOf(facts.summary) ?? "")}${repeated} Correct the cause, then retry the report.`;
  },
  CARRIER_EXCEPTION: (facts, { objectId }) => {
    const where = `Parcel ${objectId} of order ${facts.orderId}, carried by ${textOf(facts.carrierCode) ?? "an unknown carrier"},`;
    if (facts.status === "LOST")
      return `${where} is lost. Claim it from the carrier and agree with the client on a replacement.`;
    const code = carrierCodes[Number(facts.code)];
    return `${where} does not move${code === undefined ? "" : `: ${code}`}. Contact the carrier; the next moving code ends this exception.`;
  },
  LABEL_FAILED: (facts, { objectId }) => {
    const reason = stop(textOf(facts.error) ?? "no reason was given");
    if (facts.status === "FAILED")
      return `The label of parcel ${objectId} of order ${facts.orderId} was not bought; ${facts.sourceCode}: ${reason} The parcel waits: correct the cause and buy again, or void the parcel and pack it for another service.`;
    return `The label of parcel ${objectId} is not needed, and ${facts.sourceCode} does not take it back: ${reason} Void it again, or claim its price from the source.`;
  },
  DELIVERY_FAILED: (facts) =>
    `${textOf(facts.topicName)} of ${facts.objectType} ${facts.objectId} was given up after ${attemptsOf(facts)}: ${failureOf(facts)} The client was not notified; replay it when the receiver works.`,
  SUBSCRIPTION_UNREADABLE: (facts) =>
    `The signing secret or the headers of the ${pushOf(facts)} for ${topicsOf(facts)} to ${hostOf(facts.url)} cannot be opened: nothing is sent, and nothing that waits is lost. Compare the master keys of the nodes. If they are the same, rotate the secret and set the headers again; the first delivery ends this.`,
  SUBSCRIPTION_DISABLED: (facts) =>
    `The ${pushOf(facts)} for ${topicsOf(facts)} to ${hostOf(facts.url)} is disabled: nothing is sent, and waiting deliveries were given up. Contact the receiver, enable it, then resend the missed deliveries.`,
  OUTBOUND_FAILED: (facts) =>
    `Outbound document ${textOf(facts.topicName)} of ${facts.objectId} was given up after ${attemptsOf(facts)} to ${hostOf(facts.url)}: ${failureOf(facts)} Replay it when the receiver works.`,
  OUTBOUND_NOT_TAKEN: (facts, { clientId }) =>
    `Client ${clientId} has not ${facts.channel === "SFTP" ? "collected outbound documents from its SFTP folder" : "fetched and acknowledged its outbound documents"} for more than 24 hours; the oldest is ${facts.type}. Ask whether its collection runs, or set another delivery method.`,
  STOCK_CHECK: (facts) =>
    `The nightly stock check found a difference: ${stop(textOf(facts.summary) ?? "")} Check the ledger of the SKU; a count corrects the stock.`,
  EVENT_CHECK: (facts, { clientId }) =>
    `The nightly check of events found a fault: ${stop(textOf(facts.summary) ?? "")} \`crossdock events check --client ${clientId}\` lists every fault; the operator's handbook says how each is repaired. The next check that finds none ends this exception.`,
  WAREHOUSE_SILENT: (facts, { objectId }) =>
    `The warehouse ${objectId} has not read its tasks for half an hour; the ${wordsOf(facts.type)} of ${facts.objectId} has waited longest. Check that its system runs and reaches the port.`,
};

/** The name of an exception's object for people: an id of the platform is replaced by the object that it stands for. */
export function objectNameOf({ objectType, objectId: id, facts }: StoredException): string {
  switch (objectType) {
    case "feed":
      return documentOf(facts);
    case "count":
      return textOf((facts.line as { sku?: unknown } | null)?.sku) ?? id;
    case "delivery":
    case "outbound":
      return `${textOf(facts.topicName) ?? ""} ${textOf(facts.objectId) ?? id}`.trim();
    case "unidentifiedReceipt":
      return textOf(facts.receiptId) ?? id;
    case "webhook":
      return hostOf(facts.url);
    default:
      return id;
  }
}

/** Event codes that are exceptions (lifecycle.md §9). */
export const carrierCodes: Readonly<Record<number, string>> = {
  148: "held by customs",
  165: "delayed",
  170: "delivery was attempted",
  180: "held by the carrier",
  185: "a problem with the address",
  190: "damaged",
  220: "refused by the recipient",
  230: "undeliverable",
  390: "tracking has expired",
  399: "a code of the carrier that is not mapped",
};

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** Ends a sentence with exactly one full stop. */
export const stop = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** `DO_NOT_SHIP`, `parcelVoid` in readable words. */
export function wordsOf(value: unknown): string {
  const text = typeof value === "string" ? value : "unknown";
  return text
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
}

export const documentOf = ({ feedType, objectId }: Facts): string => documentNameOf(String(feedType), textOf(objectId));

/** Why the last attempt to reach a receiver failed, as the end of a sentence. */
export function failureOf({ lastError, url }: Facts): string {
  const error = textOf(lastError);
  if (error === undefined) return "the receiver did not accept it.";
  return stop(failureInWords(error, URL.parse(textOf(url) ?? "")?.host));
}

function listOf(value: unknown): string {
  if (!Array.isArray(value)) return "";
  return value.slice(0, 3).join(", ") + (value.length > 3 ? ` and ${value.length - 3} more` : "");
}

function attemptsOf({ tries: attempts }: Facts): string {
  const count = Number(attempts ?? 0);
  return count === 1 ? "one attempt" : `${count} attempts`;
}

const pushOf = ({ kind }: Facts): string => (kind === "OUTBOUND" ? "push" : "webhook");

const topicsOf = ({ topicName, additionalTopicNames }: Facts): string =>
  listOf([topicName, ...(Array.isArray(additionalTopicNames) ? additionalTopicNames : [])]);

/** Only the host of a URL: the rest may be secret. */
export function hostOf(url: unknown): string {
  return URL.parse(textOf(url) ?? "")?.host ?? "its receiver";
}
