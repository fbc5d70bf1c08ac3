import { hashOf, readCauseId } from "#/console-api/exceptions/causes.ts";
import { examinedMax, listCauses } from "#/console-api/exceptions/reading.ts";
import { hostOf, wordsOf } from "#/console-api/exceptions/sentences.ts";
import { type ExceptionType, exceptionTypes, severeTypes } from "#/console-api/exceptions/types.ts";
import { listFailingReceivers, listLowStock } from "#/console-api/notifications/conditions.cross-client.ts";
import type { Condition, ConditionScope, Current } from "#/delivery/notifications/index.ts";
import type { Database, Tx } from "#/store/db/database.ts";

/** The kinds of conditions: those of exceptions, and what is none. */
export const conditionKinds = [...exceptionTypes, "RECEIVER_FAILING", "LOW_STOCK"] as const;
/** Kinds of something that failed or is late. */
export const isSevere = (kind: string): boolean =>
  kind === "RECEIVER_FAILING" || (severeTypes as ReadonlySet<string>).has(kind);

type ConditionKind = (typeof conditionKinds)[number];

type Cause = Awaited<ReturnType<typeof listCauses>>["items"][number];

/** Kinds of one receiver: they are one condition, whose first kind here is reported. */
const ofReceiver: readonly ConditionKind[] = [
  "SUBSCRIPTION_DISABLED",
  "SUBSCRIPTION_UNREADABLE",
  "DELIVERY_FAILED",
  "OUTBOUND_FAILED",
  "RECEIVER_FAILING",
];

/**
 * The present conditions, by cause, as the console shows it: snoozed and resolved exceptions are left out. The newest 500 rows
 * of each kind are read. @param kinds an empty set: all
 */
export async function findConditions(
  database: Database,
  at: string,
  scope: ConditionScope,
  kinds: ReadonlySet<string>,
): Promise<Current> {
  const isAsked = (kind: ConditionKind) => kinds.size === 0 || kinds.has(kind);
  const types = exceptionTypes.filter(isAsked);
  const limit = examinedMax + 1;
  const found = await database.transaction(async (tx) => [
    ...(await causesOf(tx, at, scope, types)),
    ...(isAsked("RECEIVER_FAILING") ? (await listFailingReceivers(tx, scope, limit)).map(ofFailing) : []),
    ...(isAsked("LOW_STOCK") ? (await listLowStock(tx, scope, limit)).map(ofLowStock) : []),
  ]);
  const counts = new Map<string, number>();
  for (const { kind, count } of found) counts.set(kind, (counts.get(kind) ?? 0) + count);
  const rankOf = ({ kind }: Condition) => (ofReceiver as readonly string[]).indexOf(kind);
  return {
    conditions: found.toSorted((a, b) => rankOf(a) - rankOf(b)),
    cutKinds: new Set([...counts].flatMap(([kind, count]) => (count >= examinedMax ? kind : []))),
  };
}

async function causesOf(tx: Tx, at: string, scope: ConditionScope, types: readonly ExceptionType[]) {
  if (types.length === 0) return [];
  const { items } = await listCauses(tx, { ...scope, types, isSnoozed: false }, { at, sort: "severity" });
  return items.map(ofCause);
}

function ofCause({
  causeId,
  count,
  isMore,
  objectType,
  objectId,
  objectName,
  summary,
  oldest,
  newest,
}: Cause): Condition {
  const { type, clientId, facilityCode, exceptionId } = newest;
  const isReceiver = (ofReceiver as readonly string[]).includes(type);
  const hash = causeId === null ? hashOf([objectId]) : (readCauseId(causeId)?.hash ?? "");
  const query = new URLSearchParams(
    causeId === null
      ? { rows: "each", text: objectName, client: clientId }
      : { rows: "each", cause: causeId, of: objectName, client: clientId },
  );
  return {
    key:
      isReceiver && (causeId !== null || objectType === "webhook")
        ? receiverKey(clientId, hash)
        : hashOf([causeId ?? exceptionId]),
    kind: type,
    isSevere: isSevere(type),
    clientId,
    facilityCode,
    since: oldest,
    count,
    isMore,
    title: `${capital(wordsOf(type))}: ${count}${isMore ? " or more" : ""}, ${objectName}`,
    summary,
    path: `/exceptions?${query}`,
  };
}

/** Of a webhook; the hash is that of the cause which its deliveries share. */
const receiverKey = (clientId: string, hash: string) => hashOf(["receiver", clientId, hash]);

function ofFailing(row: Awaited<ReturnType<typeof listFailingReceivers>>[number]): Condition {
  const { clientId, webhookId, facilityCode, kind, url, openedAtMs } = row;
  const host = hostOf(url);
  return {
    key: receiverKey(clientId, hashOf([webhookId])),
    kind: "RECEIVER_FAILING",
    isSevere: true,
    clientId,
    facilityCode,
    since: new Date(openedAtMs).toISOString(),
    count: 1,
    isMore: false,
    title: `Receiver failing: ${host}`,
    summary: `The receiver ${host} does not accept ${kind === "OUTBOUND" ? "outbound documents" : "events"}. They wait and are retried.`,
    path: `/webhooks/${encodeURIComponent(clientId)}/${webhookId}`,
  };
}

function ofLowStock({ clientId, facilityCode, sku }: Awaited<ReturnType<typeof listLowStock>>[number]): Condition {
  return {
    key: hashOf(["LOW_STOCK", clientId, facilityCode, sku]),
    kind: "LOW_STOCK",
    isSevere: false,
    clientId,
    facilityCode,
    since: null,
    count: 1,
    isMore: false,
    title: `Low stock: ${sku} in ${facilityCode}`,
    summary: `The available quantity of SKU ${sku} of ${clientId} in ${facilityCode} is at its threshold or below.`,
    path: `/inventory/${encodeURIComponent(clientId)}/${encodeURIComponent(sku)}`,
  };
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
