// Blanks what was published about orders: events, outbound documents, receivers' responses to webhooks, REST responses.
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { table, updateOf } from "#/store/db/table.ts";
import { listObjectsWaiting } from "#/store/outbox/repository.ts";
import { packBytes, packing, packJson, unpackBytes, unpackJson } from "#/store/packed/packed.ts";

// Columns of sent documents and responses that are blanked, each listed once with its type.

export const event = table("event", ["event_id"], { event_id: "uuid", data: "json" });

export const outbox = table("outbox", ["outbox_id"], { outbox_id: "uuid", data: "json", outbound: "json?" });

export const restIdempotency = table("rest_idempotency", ["idempotency_key"], {
  idempotency_key: "text",
  answer: "json",
});

export const outboundDocument = table("outbound_document", ["message_id"], {
  message_id: "uuid",
  size: "integer",
  payload: "bytea",
});

const setEventData = updateOf(event, { set: ["data"] });
const setUnpublished = updateOf(outbox, { set: ["data", "outbound"] });
const setAnswer = updateOf(restIdempotency, { set: ["answer"] });
// Citus accepts a function of a column in an update only if it is immutable. decode is, convert_to is not.
const setPayload = updateOf(outboundDocument, {
  set: ["size"],
  with: { payload_base64: "text" },
  also: { payload: sql`decode(given.payload_base64, 'base64')` },
});

export interface PublishedEvent {
  readonly event_id: string;
  readonly data: unknown;
}

/** Events of orders, except those from carriers. @param first only events with a later id are returned. */
export async function listOrderEvents(
  tx: ClientTx,
  orderIds: readonly string[],
  first: string,
): Promise<PublishedEvent[]> {
  const events = await tx.query<PublishedEvent>(sql`select event_id, data from event
      where client_id = ${tenant} and object_id = any(${orderIds}::text[]) and event_id > ${first}::uuid
        and object_type = 'order' and topic <> 'carrier:trackAndTrace' limit 100000`);
  return events.map(unpacked);
}

const unpacked = <Row extends { readonly data: unknown }>(row: Row): Row => ({ ...row, data: unpackJson(row.data) });

/** Events of one object that were written between two times. */
export async function listEventsAround(
  tx: ClientTx,
  objectId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<PublishedEvent[]> {
  const events = await tx.query<PublishedEvent>(sql`select event_id, data from event
      where client_id = ${tenant} and event_id >= ${from}::uuid and event_id < ${to}::uuid and object_id = ${objectId}
      limit 10000`);
  return events.map(unpacked);
}

export function replaceEvents(tx: ClientTransaction, events: readonly PublishedEvent[]): void {
  setEventData.send(
    tx,
    events.map(({ event_id, data }) => ({
      event_id,
      data: packJson(tx, data, packing.event),
    })),
  );
}

/** The events of a facility about these tasks. @param first only events with a later id are returned. */
export async function listTaskEvents(
  tx: ClientTx,
  taskIds: readonly string[],
  first: string,
): Promise<PublishedEvent[]> {
  const events = await tx.query<PublishedEvent>(sql`select event_id, data from event
      where client_id = ${tenant} and object_id = any(${taskIds}::text[]) and event_id > ${first}::uuid
        and object_type = 'task' limit 100000`);
  return events.map(unpacked);
}

export interface UnpublishedEvent {
  readonly outbox_id: string;
  readonly data: unknown;
  readonly outbound: unknown;
}

/** Outbox rows in state FAILED. They are not published until an operator retries them. */
export async function listFailedEvents(tx: ClientTx, objectIds: readonly string[]): Promise<UnpublishedEvent[]> {
  const events = await tx.query<UnpublishedEvent>(sql`select outbox_id, data, outbound from outbox
      where client_id = ${tenant} and state = 'FAILED' and object_id = any(${objectIds}::text[]) limit 10000`);
  return events.map((event) => ({ ...unpacked(event), outbound: unpackJson(event.outbound) }));
}

/** Stores them as a row of one event is appended: not packed. */
export function replaceUnpublished(tx: ClientTransaction, events: readonly UnpublishedEvent[]): void {
  setUnpublished.send(tx, events);
}

/**
 * Whether an event of these objects waits to be published, or so many events that they are not read. Publishing it after
 * the erasure discloses the blanked data again.
 */
export async function hasPending(tx: ClientTx, objectIds: readonly string[]): Promise<boolean> {
  const waiting = await listObjectsWaiting(tx, objectIds);
  return waiting === undefined || waiting.length > 0;
}

export interface OutboundOf {
  readonly message_id: string;
  readonly payload: Buffer;
}

/** Outbound documents about these objects, and those that answer these feed documents. */
export async function listOutboundOf(
  tx: ClientTx,
  { objectIds, tokens }: { readonly objectIds: readonly string[]; readonly tokens: readonly string[] },
): Promise<OutboundOf[]> {
  const documents = await tx.query<OutboundOf>(sql`select d.message_id, d.payload from outbound_document d
        where d.client_id = ${tenant} and d.object_id = any(${objectIds}::text[]) and d.object_id > ''
          and d.type in ('OS', 'RS')
      union all select a.message_id, a.payload from outbound_document a
        where a.client_id = ${tenant} and a.feed_token = any(${tokens}::uuid[]) and a.feed_token is not null
          and a.type = 'ACK'
      limit 100000`);
  return documents.map(({ message_id, payload }) => ({ message_id, payload: unpackBytes(payload) }));
}

export function replaceOutbound(tx: ClientTransaction, documents: readonly OutboundOf[]): void {
  const rows = documents.map(({ message_id, payload }) => ({
    message_id,
    size: payload.byteLength,
    payload_base64: packBytes(tx, payload, packing.outboundDocument).toString("base64"),
  }));
  setPayload.send(tx, rows);
}

/** Receivers' responses may echo the request. Returns the deliveries. */
export async function blankAttempts(tx: ClientTransaction, objectIds: readonly string[]): Promise<string[]> {
  const deliveries = await tx.query<{ delivery_id: string }>(sql`select delivery_id from webhook_delivery
      where client_id = ${tenant} and object_id = any(${objectIds}::text[]) and object_id > '' limit 100000`);
  const ids = deliveries.map(({ delivery_id }) => delivery_id);
  if (ids.length > 0) {
    tx.send(sql`update webhook_attempt set body = null, headers = null
        where client_id = ${tenant} and delivery_id = any(${ids}::uuid[]) and state > ''
          and (body is not null or headers is not null)`);
  }
  return ids;
}

export interface KeptAnswer {
  readonly idempotency_key: string;
  readonly answer: unknown;
  /** The order that the response is about, if any. */
  readonly order_id: string | null;
}

/** Responses to REST writes, by idempotency key. They are kept seven days, and the key is their only index. */
export function listAnswers(tx: ClientTx, after: string, limit: number): Promise<KeptAnswer[]> {
  return tx.query(sql`select idempotency_key, answer, answer -> 'body' ->> 'orderId' as order_id from rest_idempotency
      where client_id = ${tenant} and idempotency_key > ${after} order by idempotency_key limit ${limit}`);
}

export function replaceAnswers(tx: ClientTransaction, answers: readonly KeptAnswer[]): void {
  setAnswer.send(
    tx,
    answers.map(({ idempotency_key, answer }) => ({ idempotency_key, answer })),
  );
}
