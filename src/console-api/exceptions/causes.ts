import { createHash } from "node:crypto";
import type { StoredException } from "#/console-api/exceptions/exceptions.cross-client.ts";
import { carrierCodes, failureOf, hostOf, stop, textOf, wordsOf } from "#/console-api/exceptions/sentences.ts";
import { type ExceptionObject, type ExceptionType, exceptionTypes } from "#/console-api/exceptions/types.ts";
import { feedWordOf } from "#/console-api/feeds/document-name.ts";

/** A common cause of several exceptions of one client: its fix ends all of them. */
export interface Cause {
  /** Opaque, and constant as long as the cause is the same. */
  readonly causeId: string;
  readonly objectType: ExceptionObject;
  readonly objectId: string;
  /** The name of the object for people. */
  readonly objectName: string;
  /** The event behind so many exceptions, and the remedy. */
  sentence(count: string): string;
}

interface Shared {
  /** The values that are equal for all exceptions of the cause. */
  readonly parts: readonly unknown[];
  readonly object: readonly [type: ExceptionObject, id: string, name?: string];
  readonly sentence: (count: string) => string;
}

/** The cause of an exception that it can share with others; undefined where no other exception can share it. */
export function causeOf(exception: StoredException): Cause | undefined {
  const shared = sharedOf(exception);
  if (shared === undefined) return undefined;
  const [objectType, objectId, objectName = objectId] = shared.object;
  return {
    causeId: causeIdOf({ ...exception, hash: hashOf(shared.parts) }),
    objectType,
    objectId,
    objectName,
    sentence: shared.sentence,
  };
}

function sharedOf({ type, clientId, facilityCode: facility, facts }: StoredException) {
  switch (type) {
    case "FEED_REJECTED":
      return rejected(clientId, facts);
    case "FEED_PARKED":
      return parked(facts);
    case "FEED_OVERDUE":
    case "FEED_FAILED":
      return unprocessed(type, clientId, facts);
    case "ORDER_HELD":
      return held(clientId, facts);
    case "ORDER_BACKORDERED":
      return backordered(facility, facts);
    case "ORDER_AT_RISK":
    case "ORDER_LATE":
    case "CANCEL_UNANSWERED":
      return facility === null ? undefined : ordersAt(type, facility);
    case "REPORT_REFUSED":
      return facility === null ? undefined : refusedReports(facility, facts);
    case "CARRIER_EXCEPTION":
      return stuckParcels(clientId, facts);
    case "DELIVERY_FAILED":
    case "OUTBOUND_FAILED":
      return deadReceiver(type, facts);
    default:
      return undefined;
  }
}

type Facts = StoredException["facts"];

function rejected(clientId: string, facts: Facts): Shared | undefined {
  const error = textOf(facts.error);
  if (error === undefined) return undefined;
  const { feedType } = facts;
  const word = feedWordOf(String(feedType));
  return {
    parts: [feedType, error],
    object: ["client", clientId, `${word} documents of ${clientId}`],
    sentence: (count) =>
      `${count} ${word.toLowerCase()} documents were rejected for the same reason and had no effect. ${stop(error)} The client must correct and resend them, or you reprocess them when the cause is gone.`,
  };
}

function parked({ missingSkus }: Facts): Shared | undefined {
  const sku = Array.isArray(missingSkus) ? textOf(missingSkus[0]) : undefined;
  if (sku === undefined) return undefined;
  return {
    parts: [sku],
    object: ["sku", sku],
    sentence: (count) =>
      `${count} documents are parked: SKU ${sku} is in no CAT. They are processed automatically when a CAT contains it; ask the client for the CAT.`,
  };
}

function unprocessed(type: "FEED_OVERDUE" | "FEED_FAILED", clientId: string, facts: Facts): Shared {
  const word = feedWordOf(String(facts.feedType));
  return {
    parts: [facts.feedType],
    object: ["client", clientId, `${word} documents of ${clientId}`],
    sentence: (count) =>
      type === "FEED_OVERDUE"
        ? `${count} ${word.toLowerCase()} documents were accepted and have no outcome after their deadline. Processing is late, nothing is lost; check that the workers run.`
        : `${count} ${word.toLowerCase()} documents were accepted, and their processing failed. The client was notified; retry them when the cause is gone.`,
  };
}

function held(clientId: string, { holds }: Facts): Shared | undefined {
  const hold = Array.isArray(holds) ? (holds.at(-1) as { type?: unknown } | undefined) : undefined;
  if (typeof hold?.type !== "string") return undefined;
  const word = wordsOf(hold.type);
  return {
    parts: [hold.type],
    object: ["client", clientId],
    sentence: (count) =>
      `${count} orders of ${clientId} are held: ${word}. They do not leave until every hold is released.`,
  };
}

function backordered(facility: string | null, { lines }: Facts): Shared | undefined {
  const line = Array.isArray(lines) ? (lines[0] as { sku?: unknown } | undefined) : undefined;
  const sku = textOf(line?.sku);
  if (sku === undefined) return undefined;
  return {
    parts: [facility, sku],
    object: ["sku", sku],
    sentence: (count) =>
      `${count} orders wait for SKU ${sku}${facility === null ? "" : ` in ${facility}`}. They continue automatically when stock arrives; check the expected stock.`,
  };
}

function ordersAt(type: "ORDER_AT_RISK" | "ORDER_LATE" | "CANCEL_UNANSWERED", facility: string): Shared {
  const sentences = {
    ORDER_AT_RISK: (count: string) =>
      `${count} orders in ${facility} are due to leave within the hour. Check in the warehouse what delays them.`,
    ORDER_LATE: (count: string) =>
      `${count} orders in ${facility} have missed their despatch time. Check in the warehouse what delays them.`,
    CANCEL_UNANSWERED: (count: string) =>
      `The warehouse ${facility} has not answered the cancel requests of ${count} orders for two hours. Until it answers, they may still leave; contact the warehouse.`,
  };
  return { parts: [facility], object: ["facility", facility], sentence: sentences[type] };
}

function refusedReports(facility: string, { report }: Facts): Shared {
  return {
    parts: [facility, report],
    object: ["facility", facility],
    sentence: (count) =>
      `${count} ${wordsOf(report)} reports of ${facility} were refused. Correct the causes, then retry the reports.`,
  };
}

function stuckParcels(clientId: string, { status, carrierCode, code }: Facts): Shared {
  const carrier = textOf(carrierCode) ?? "an unknown carrier";
  const isLost = status === "LOST";
  const event = isLost ? undefined : carrierCodes[Number(code)];
  return {
    parts: [carrierCode, status, isLost ? null : code],
    object: ["client", clientId, `${carrier} for ${clientId}`],
    sentence: (count) =>
      isLost
        ? `${count} parcels carried by ${carrier} are lost. Claim them from the carrier and agree with the client on replacements.`
        : `${count} parcels carried by ${carrier} do not move${event === undefined ? "" : `: ${event}`}. Contact the carrier; the next moving code of each ends its exception.`,
  };
}

function deadReceiver(type: "DELIVERY_FAILED" | "OUTBOUND_FAILED", facts: Facts): Shared | undefined {
  const webhookId = textOf(facts.webhookId);
  if (webhookId === undefined) return undefined;
  const host = hostOf(facts.url);
  const what = type === "DELIVERY_FAILED" ? "deliveries" : "outbound documents";
  return {
    parts: [webhookId],
    object: ["webhook", webhookId, host],
    sentence: (count) =>
      `${count} ${what} to ${host} were given up. The newest error: ${failureOf(facts)} Replay them when the receiver works.`,
  };
}

export interface CauseKey {
  readonly type: ExceptionType;
  readonly clientId: string;
  readonly hash: string;
}

export const hashOf = (parts: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 22);

const causeIdOf = ({ type, clientId, hash }: CauseKey): string =>
  Buffer.from(JSON.stringify([type, clientId, hash])).toString("base64url");

/** The key that an id encodes; undefined for an invalid id. */
export function readCauseId(id: string): CauseKey | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(id, "base64url").toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || parts.length !== 3) return undefined;
  const [type, clientId, hash] = parts as unknown[];
  const known = exceptionTypes.find((exceptionType) => exceptionType === type);
  if (known === undefined || typeof clientId !== "string" || typeof hash !== "string") return undefined;
  return clientId.includes("\u0000") ? undefined : { type: known, clientId, hash };
}
