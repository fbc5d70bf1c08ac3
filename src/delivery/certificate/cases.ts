// The cases of going live (docs/going-live.md) as data. A case is judged by documents, events, requests and receivers, not by
// a statement of the brand.
import type { Evidence, SeenDocument, SeenRequest } from "#/delivery/certificate/evidence.ts";

/** NOT_NEEDED: the client does not use this part. */
export const caseStatuses = ["PASSED", "OPEN", "FAILED", "NOT_NEEDED"] as const;

export interface Verdict {
  readonly status: (typeof caseStatuses)[number];
  /** When it was seen; null where nothing was. */
  readonly seenAt: string | null;
  /** The row that shows it, or what is missing. */
  readonly evidence: string;
}

export interface CertificateCase {
  readonly caseId: string;
  readonly title: string;
  /** The instruction for the brand. */
  readonly task: string;
  judge(evidence: Evidence): Verdict;
}

const passed = (seenAt: string, evidence: string): Verdict => ({ status: "PASSED", seenAt, evidence });
const open = (evidence: string): Verdict => ({ status: "OPEN", seenAt: null, evidence });
const failed = (seenAt: string | null, evidence: string): Verdict => ({ status: "FAILED", seenAt, evidence });

const isTaken = ({ state }: SeenDocument) => state === "ACCEPTED" || state === "PROCESSED";

/** The newest document of a type whose work has ended well. */
function judgeProcessed({ documents }: Evidence, feedType: string): Verdict {
  const document = documents.find((seen) => seen.feedType === feedType && seen.state === "PROCESSED");
  return document
    ? passed(document.receivedAt, `document ${document.token} is processed`)
    : open(`no ${feedType} is processed`);
}

/** A change of an order by its client: an event of the order, and a document or a request about it after the first. */
function judgeChange({ documents, events, requests }: Evidence, topics: readonly string[], path: string): Verdict {
  const sent = Map.groupBy(
    documents.filter((seen) => seen.feedType === "NO" && isTaken(seen)),
    ({ objectId }) => objectId,
  );
  const requested = new Set(
    requests.flatMap((seen) => (seen.path.includes(path) && isSuccess(seen) ? seen.objectId : [])),
  );
  const event = events.find(
    ({ topic, objectId }) =>
      topics.includes(topic) && ((sent.get(objectId)?.length ?? 0) > 1 || requested.has(objectId)),
  );
  return event
    ? passed(event.occurredAt, `order ${event.objectId}: ${event.topic}`)
    : open("the client has changed no order in this way");
}

const isSuccess = ({ status }: SeenRequest) => status !== null && status < 400;

function judgeResend({ documents, requests }: Evidence): Verdict {
  const replayed = requests.find(({ outcome }) => outcome === "replayed");
  if (replayed) return passed(replayed.at, `request ${replayed.requestId} got the first answer again`);
  const duplicate = documents.find(({ firstError }) => firstError?.startsWith("[DUPLICATE]"));
  if (duplicate) return passed(duplicate.receivedAt, `document ${duplicate.token} was refused as [DUPLICATE]`);
  return open("no document came twice");
}

/** The order was refused for its SKU, and taken later. */
function judgeUnknownSku({ documents }: Evidence): Verdict {
  const orders = documents.filter(({ feedType }) => feedType === "NO");
  // The newest document of an order that was taken; a map keeps the last of its entries.
  const taken = new Map(
    orders
      .filter(isTaken)
      .map((seen) => [seen.objectId, seen] as const)
      .toReversed(),
  );
  const refused = orders.filter(({ hasMissingSkus }) => hasMissingSkus);
  for (const document of refused) {
    const { objectId, receivedAt, token } = document;
    if (isTaken(document)) return passed(receivedAt, `order ${objectId} was parked until its SKU came`);
    const later = taken.get(objectId);
    if (later && later.token > token)
      return passed(later.receivedAt, `order ${objectId} was refused, and taken after the catalogue`);
  }
  const newest = refused[0];
  return newest
    ? open(`order ${newest.objectId} waits for its SKU and for the resend`)
    : open("no order had an unknown SKU");
}

/** More answers of 429 than this within a minute: the program sends on without waiting. */
const refusalsMax = 20;
const minuteMs = 60_000;
const retryAfterMsMin = 1_000;

function judgeRateLimit({ requests }: Evidence): Verdict {
  const limited = requests.filter(({ status }) => status === 429);
  const [newest] = limited;
  if (!newest) return open("no request got a 429");
  const newestMs = Date.parse(newest.at);
  const within = limited.filter(({ at }) => newestMs - Date.parse(at) < minuteMs).length;
  if (within > refusalsMax) return failed(newest.at, `${within} answers of 429 within a minute: wait for Retry-After`);
  const next = requests.find(
    (seen) => seen.path === newest.path && isSuccess(seen) && Date.parse(seen.at) - newestMs >= retryAfterMsMin,
  );
  return next
    ? passed(next.at, `${within} answers of 429, then request ${next.requestId} succeeded`)
    : open(`request ${newest.requestId} got a 429 and was not sent again`);
}

function judgeSignatures({ receivers }: Evidence): Verdict {
  if (receivers.length === 0) return { status: "NOT_NEEDED", seenAt: null, evidence: "there is no active webhook" };
  const deaf = receivers.find(({ error }) => error !== null);
  if (deaf) return failed(deaf.at, `webhook ${deaf.webhookId} does not take a signed test: ${deaf.error}`);
  const credulous = receivers.find(({ forgedStatus }) => !(forgedStatus && forgedStatus >= 400 && forgedStatus < 500));
  if (credulous) {
    const answer = credulous.forgedStatus ?? "nothing";
    return failed(credulous.at, `webhook ${credulous.webhookId} answered ${answer} to a wrong signature, not 4xx`);
  }
  return passed(receivers[0]?.at as string, `${receivers.length} of ${receivers.length} refuse a wrong signature`);
}

/** Documents that wait for longer than this are not taken any more. */
const untakenMsMax = 60 * minuteMs;

function judgeAcknowledgement({ outbound, atMs }: Evidence): Verdict {
  const taken = outbound.find(({ takenAt }) => takenAt !== null);
  if (!taken)
    return open(outbound.length === 0 ? "no document waited for the client" : "the client has taken no document");
  const late = outbound.findLast((seen) => seen.takenAt === null && atMs - Date.parse(seen.createdAt) > untakenMsMax);
  if (late) return failed(late.createdAt, `${late.type} ${late.messageId} has waited since ${late.createdAt}`);
  return passed(
    taken.takenAt as string,
    `${taken.type} ${taken.messageId} is acknowledged, and none waits for an hour`,
  );
}

export const certificateCases: readonly CertificateCase[] = [
  {
    caseId: "CATALOGUE",
    title: "Catalogue",
    task: "Send a CAT that is processed.",
    judge: (evidence) => judgeProcessed(evidence, "CAT"),
  },
  {
    caseId: "ORDER",
    title: "Order",
    task: "Send a NO that is processed.",
    judge: (evidence) => judgeProcessed(evidence, "NO"),
  },
  {
    caseId: "RESEND",
    title: "Resend",
    task: "Send one document twice, with the same Idempotency-Key or without one: it counts once.",
    judge: judgeResend,
  },
  {
    caseId: "UPDATE",
    title: "Update of an order",
    task: "Change an order before it is picked, by a NO with UPDATE or by order/update.",
    judge: (evidence) => judgeChange(evidence, ["order:updated"], "/order/update/"),
  },
  {
    caseId: "CANCEL",
    title: "Cancellation of an order",
    task: "Cancel an order, by a NO with CANCEL or by order/cancel.",
    judge: (evidence) => judgeChange(evidence, ["order:cancelled", "order:cancelRequested"], "/order/cancel/"),
  },
  {
    caseId: "UNKNOWN_SKU",
    title: "Unknown SKU",
    task: "Send an order of a new SKU, then its CAT, and the order again where it is not parked.",
    judge: judgeUnknownSku,
  },
  {
    caseId: "RATE_LIMIT",
    title: "Too many requests",
    task: "Send more than your rate until a 429, wait for Retry-After, and send it again.",
    judge: judgeRateLimit,
  },
  {
    caseId: "SIGNATURE",
    title: "Signature of webhooks",
    task: "Let your receivers take a signed test, and refuse one with a wrong signature, by 400, 401 or 403.",
    judge: judgeSignatures,
  },
  {
    caseId: "ACKNOWLEDGEMENT",
    title: "Acknowledgement of outbound documents",
    task: "Acknowledge each outbound document within an hour, over HTTP or by SFTP.",
    judge: judgeAcknowledgement,
  },
];
