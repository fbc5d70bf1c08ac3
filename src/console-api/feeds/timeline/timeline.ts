import type { TimelineEvent } from "#/console-api/feeds/contract.ts";
import {
  type FeedFile,
  type FeedOutbound,
  listFeedFiles,
  listFeedOutbound,
  type StoredFeed,
} from "#/console-api/feeds/record-repository.ts";
import { failureInWords } from "#/console-api/webhooks/failure-words.ts";
import { outboundObjectTypes } from "#/delivery/outbound/index.ts";
import { dayMs, minuteMs } from "#/kernel/values/durations.ts";
import { idBoundary, timeOfId } from "#/kernel/values/ids.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

const eachMax = 50;
/** The immediate effects of an order's document are published with it, or by the allocation that follows directly. */
const causedWithinMs = 5_000;

/** The history of a document, from its receipt to the outbound data that it caused, in chronological order. */
export async function readTimeline(tx: ClientTx, feed: StoredFeed): Promise<TimelineEvent[]> {
  const { token, type, objectId } = feed;
  const span = spanOf(feed);
  const [files, outbound, deliveries, audits, caused] = await Promise.all([
    listFeedFiles(tx, token, eachMax),
    listFeedOutbound(tx, token, eachMax),
    listFeedDeliveries(tx, token, eachMax),
    listFeedAudits(tx, token, eachMax),
    type === "NO" && objectId !== null && span ? listCausedEvents(tx, objectId, span, eachMax) : [],
  ]);
  const messageIds = outbound.map(({ messageId }) => messageId);
  const [first] = messageIds;
  const pushes = first === undefined ? [] : await listFeedPushes(tx, messageIds, since(first), eachMax);
  const events: TimelineEvent[] = [
    ...ofReceipt(feed),
    ...audits.map((audit) => ofAudit(audit, feed)),
    ...ofVerdict(feed, audits),
    ...files.map(ofFile),
    ...caused.map(({ topic, object_id, occurred_at }) => ({
      ...line(occurred_at, "event", `${topic}: ${object_id}`, "moving"),
      objectId: object_id,
    })),
    ...ofOutcome(feed),
    ...outbound.flatMap(ofOutbound),
    ...deliveries.map((delivery) => ofDelivery(delivery, "Webhook for")),
    ...pushes.map((delivery) => ofDelivery(delivery, "Pushed:")),
  ];
  // Events of the same moment stay in the order of their causes.
  return events
    .map((event, i) => ({ event, i }))
    .sort((left, right) => Date.parse(left.event.at) - Date.parse(right.event.at) || left.i - right.i)
    .map(({ event }) => event);
}

function line(
  at: string,
  kind: TimelineEvent["kind"],
  text: string,
  tone: TimelineEvent["tone"],
  actor: string | null = null,
): TimelineEvent {
  return { at, kind, text, tone, actor, objectId: null, webhookId: null };
}

const channelTexts: Readonly<Record<string, string>> = {
  HTTP: "by HTTP",
  SFTP: "as a file by SFTP",
  CLI: "by the command line",
  CONSOLE: "by the console",
};

function ofReceipt({ receivedAt, healedAt, channel, size }: StoredFeed): TimelineEvent[] {
  const text = `Received ${channelTexts[channel] ?? channel}, ${size.toLocaleString("en-GB")} bytes`;
  return [
    line(receivedAt, "received", text, "moving"),
    ...(healedAt === null ? [] : [line(receivedAt, "validated", "Rejected on receipt", "waiting")]),
  ];
}

function ofVerdict(feed: StoredFeed, audits: readonly FeedAudit[]): TimelineEvent[] {
  const { receivedAt, settledAt, healedAt, state, findings } = feed;
  if (state === "REJECTED") {
    const errors = (findings?.errors?.length ?? 0) + (findings?.errorsOmitted ?? 0);
    const many = errors === 1 ? "1 error" : `${errors} errors`;
    return [line(settledAt ?? receivedAt, "validated", `Rejected: ${many}`, "failed")];
  }
  if (state === "PARKED") {
    const missing = (findings?.missingSkus ?? []).slice(0, 5).join(", ");
    return [line(receivedAt, "parked", `Parked until a catalogue contains ${missing || "its SKUs"}`, "waiting")];
  }
  if (healedAt === null) return [line(receivedAt, "accepted", "Accepted", "moving")];
  // The operator who did it has a separate line.
  if (audits.some(hasAccepted)) return [];
  return [line(healedAt, "accepted", "Reprocessed and accepted, after a catalogue contained its SKUs", "moving")];
}

const hasAccepted = ({ action, detail }: FeedAudit) => action === "reprocess" && detail.state === "ACCEPTED";

function ofOutcome({ overdueAt, settledAt, state }: StoredFeed): TimelineEvent[] {
  const events: TimelineEvent[] = [];
  if (overdueAt !== null) events.push(line(overdueAt, "overdue", "No outcome within its deadline", "failed"));
  if (settledAt !== null && state === "PROCESSED") {
    events.push(line(settledAt, "published", "Processed: its effect is published", "done"));
  }
  if (settledAt !== null && state === "FAILED") {
    events.push(line(settledAt, "failed", "Failed: processing was given up after three attempts", "failed"));
  }
  return events;
}

/** Far later than any moment at which a delivery may be made. */
const farMs = 10 * 366 * dayMs;

/** Ids from a document's on; the clocks of nodes differ a little. */
function since(messageId: string) {
  const ms = timeOfId(messageId);
  return { from: idBoundary(ms - minuteMs), to: idBoundary(ms + farMs) };
}

/** The time span of its events; undefined while it has none. */
function spanOf({ state, receivedAt, healedAt, settledAt }: StoredFeed) {
  if (state !== "PROCESSED" && state !== "ACCEPTED" && state !== "FAILED") return undefined;
  const fromMs = Date.parse(healedAt ?? receivedAt);
  const toMs = Math.max(fromMs, settledAt === null ? 0 : Date.parse(settledAt)) + causedWithinMs;
  return { from: idBoundary(fromMs), to: idBoundary(toMs) };
}

const deeds: Readonly<Record<string, string>> = {
  send: "Sent by an operator",
  reprocess: "Reprocessed by an operator",
  park: "Parked by an operator",
  retry: "Processing retried by an operator",
};

const verdictTones: Readonly<Record<string, TimelineEvent["tone"]>> = { REJECTED: "failed", PARKED: "waiting" };

function ofAudit(audit: FeedAudit, { healedAt }: StoredFeed): TimelineEvent {
  const { audit_id, actor, action, detail } = audit;
  const verdict = action === "reprocess" ? detail.state : undefined;
  const text = (deeds[action] ?? action) + (verdict === undefined ? "" : `: ${verdict.toLowerCase()}`);
  const at = new Date(timeOfId(audit_id)).toISOString();
  const tone = verdictTones[verdict ?? ""] ?? "moving";
  // The effect has the moment of the validation, and the line has the moment at which it was written.
  return hasAccepted(audit)
    ? line(healedAt ?? at, "accepted", text, tone, actor)
    : line(at, "operator", text, tone, actor);
}

function ofFile({ name, is_accepted, processed_at, archive_name }: FeedFile): TimelineEvent {
  const folder = is_accepted ? "/archive" : "/rejected";
  const where = archive_name === null ? "its content is not stored" : `filed as ${folder}/${archive_name}`;
  return line(processed_at, "file", `File ${name}: ${where}, ACK as /acks/${name}.ack.xml`, "moving");
}

function ofOutbound({ messageId, type, ...when }: FeedOutbound): TimelineEvent[] {
  const at = (moment: string | null, text: string, tone: TimelineEvent["tone"]) =>
    moment === null ? [] : [{ ...line(moment, "outbound" as const, `${type} ${text}`, tone), objectId: messageId }];
  return [
    ...at(when.createdAt, "created for the client", "moving"),
    ...at(when.readAt, "read by SFTP", "moving"),
    ...at(when.collectedAt, "collected by SFTP", "done"),
    ...at(when.acknowledgedAt, "acknowledged by the client", "done"),
  ];
}

function ofDelivery(delivery: FeedDelivery, words: string): TimelineEvent {
  const { delivery_id, webhook_id, topic_name, status, attempts, completed_at, last_error } = delivery;
  const many = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  const why = status !== "DELIVERED" && last_error !== null ? `: ${failureInWords(last_error)}` : "";
  const tone =
    status === "DELIVERED" ? "done" : status === "FAILED" ? "failed" : status === "SKIPPED" ? "ended" : "waiting";
  const at = completed_at ?? new Date(timeOfId(delivery_id)).toISOString();
  return {
    ...line(at, "delivery", `${words} ${topic_name}: ${status.toLowerCase()}, ${many}${why}`, tone),
    objectId: delivery_id,
    webhookId: webhook_id,
  };
}

export interface CausedEvent {
  readonly topic: string;
  readonly object_id: string;
  readonly occurred_at: string;
}

/** The events of an order within a span of event ids (`idBoundary`), in the order of the ids. */
export function listCausedEvents(
  tx: ClientTx,
  orderId: string,
  span: { readonly from: string; readonly to: string },
  limit: number,
): Promise<CausedEvent[]> {
  return tx.query(sql`select topic, object_id, occurred_at from event
      where client_id = ${tenant} and object_type = 'order' and topic <> 'carrier:trackAndTrace' and object_id = ${orderId}
        and event_id >= ${span.from}::uuid and event_id < ${span.to}::uuid
      order by event_id limit ${limit}`);
}

export interface FeedDelivery {
  readonly delivery_id: string;
  readonly webhook_id: string;
  readonly topic_name: string;
  readonly status: string;
  readonly attempts: number;
  readonly completed_at: string | null;
  readonly last_error: string | null;
}

/** The webhook deliveries about a document. */
export function listFeedDeliveries(tx: ClientTx, token: string, limit: number): Promise<FeedDelivery[]> {
  return tx.query(sql`select delivery_id, webhook_id, topic_name, status, attempts, completed_at, last_error from webhook_delivery
      where client_id = ${tenant} and object_id = ${token} and object_id > '' and object_type = 'feed'
      order by delivery_id limit ${limit}`);
}

/**
 * The pushes of the outbound documents. @param span delivery ids that contain them: no delivery is older than its
 * document.
 */
export function listFeedPushes(
  tx: ClientTx,
  messageIds: readonly string[],
  span: { readonly from: string; readonly to: string },
  limit: number,
): Promise<FeedDelivery[]> {
  return tx.query(sql`select delivery_id, webhook_id, topic_name, status, attempts, completed_at, last_error from webhook_delivery
      where client_id = ${tenant} and event_id = any(${messageIds}::uuid[])
        and delivery_id >= ${span.from}::uuid and delivery_id < ${span.to}::uuid
        and object_type in ${outboundObjectTypes}
      order by delivery_id limit ${limit}`);
}

export interface FeedAudit {
  readonly audit_id: string;
  readonly actor: string;
  readonly action: string;
  readonly detail: { readonly state?: string; readonly from?: string };
}

/** The actions of operators on a document. */
export function listFeedAudits(tx: ClientTx, token: string, limit: number): Promise<FeedAudit[]> {
  return tx.query(sql`select audit_id, actor, action, detail from audit_log
      where client_id = ${tenant} and object_id = ${token} and object_id > '' and object_type = 'feed'
      order by audit_id limit ${limit}`);
}
