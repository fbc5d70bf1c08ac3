import { packPayload, type StoredPayload } from "#/intake/feeds/payload.ts";
import { ended, type FeedState } from "#/intake/feeds/states.ts";
import { feedDocument, feedIdempotency } from "#/intake/feeds/tables.ts";
import type { Finding } from "#/kernel/feed-codes.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { insertInto } from "#/store/db/table.ts";

export interface Findings {
  readonly errors?: readonly string[];
  readonly errorsOmitted?: number;
  readonly warnings?: readonly Finding[];
  readonly missingSkus?: readonly string[];
  /** The object of a parked document, so that a resend for the same object replaces it. */
  readonly parkKey?: string | undefined;
}

export interface NewDocument {
  readonly token: string;
  readonly feedType: FeedType;
  readonly channel: string;
  readonly state: FeedState;
  readonly objectId: string | undefined;
  readonly receivedAt: string;
  readonly bodySha256: Buffer;
  readonly bodyBytes: number;
  readonly ack: Buffer;
  readonly findings: Findings | undefined;
}

const insertAll = insertInto(feedDocument, {
  except: ["body_sha256", "ack"],
  with: { body_sha256: "text", ack: "text" },
  also: { body_sha256: sql`decode(given.body_sha256, 'hex')`, ack: sql`convert_to(given.ack, 'UTF8')` },
});

export function insertDocuments(tx: ClientTransaction, documents: readonly NewDocument[]): void {
  const rows = documents.map((document) => ({
    token: document.token,
    feed_type: document.feedType,
    channel: document.channel,
    state: document.state,
    object_id: document.objectId,
    received_at: document.receivedAt,
    completed_at: document.state === "REJECTED" ? document.receivedAt : undefined,
    body_sha256: document.bodySha256.toString("hex"),
    body_bytes: document.bodyBytes,
    ack: document.ack.toString(),
    findings: document.findings,
  }));
  insertAll.send(tx, rows);
}

/** Whether the client has its root row: without it the inserts of the root form silently insert nothing. */
export async function hasTenant(tx: ClientTx): Promise<boolean> {
  const rows = await tx.query(sql`select client_id from tenant where client_id = ${tenant} limit 1`);
  return rows.length === 1;
}

export interface NewPayload extends StoredPayload {
  readonly token: string;
  readonly contentType: string;
}

/**
 * All payloads of a batch are sent as one binary parameter, which the server splits: an array is sent as hexadecimal
 * text.
 */
export function insertPayloads(tx: ClientTransaction, given: readonly NewPayload[]): void {
  if (given.length === 0) return;
  const payloads = given.map((payload) => packPayload(tx, payload));
  let offset = 1;
  const rows = payloads.map(({ token, contentType, encoding, bytes }) => {
    const row = { token, content_type: contentType, encoding, start: offset, size: bytes.byteLength };
    offset += bytes.byteLength;
    return row;
  });
  // A single payload is neither copied nor split.
  const bytes =
    payloads.length === 1
      ? asBuffer((payloads[0] as NewPayload).bytes)
      : Buffer.concat(payloads.map((payload) => payload.bytes));
  tx.send(sql`insert into feed_payload as target (client_id, token, content_type, encoding, payload)
      select ${tenant}::text, given.token, given.content_type, given.encoding,
        substr(${bytes}::bytea, given.start, given.size)
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as given(token uuid, content_type text, encoding text, start integer, size integer)`);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A key, and the accepted document to which it belongs. */
export interface BoundKey {
  readonly feedType: FeedType;
  readonly key: string;
  readonly token: string;
  readonly bodySha256: Buffer;
}

/** Written so that no index matches: the look-up uses the key, and must not scan all keys that have not expired. */
const isExpired = (at: string) => sql`(expires_at - ${at}::timestamptz <= interval '0')`;

export function findIdempotencyKeys(tx: ClientTx, keys: readonly string[], at: string): Promise<BoundKey[]> {
  return tx.query(sql`select feed_type as "feedType", idempotency_key as key, token, body_sha256 as "bodySha256" from feed_idempotency
      where client_id = ${tenant} and idempotency_key = any(${keys}::text[]) and ${isExpired(at)} is false
      limit 1000`);
}

const insertKeys = insertInto(feedIdempotency, {
  columns: ["feed_type", "idempotency_key", "token", "expires_at"],
  with: { body_sha256: "text" },
  also: { body_sha256: sql`decode(given.body_sha256, 'hex')` },
});

/**
 * The primary key decides: a key that another transaction bound first fails this transaction, which is then retried.
 */
export function bindIdempotencyKeys(
  tx: ClientTransaction,
  at: string,
  expiresAt: string,
  rows: readonly BoundKey[],
): void {
  if (rows.length === 0) return;
  const bound = rows.map((row) => ({
    feed_type: row.feedType,
    idempotency_key: row.key,
    token: row.token,
    body_sha256: row.bodySha256.toString("hex"),
    expires_at: expiresAt,
  }));
  const keys = rows.map(({ key }) => key);
  tx.send(sql`delete from feed_idempotency
      where client_id = ${tenant} and idempotency_key = any(${keys}::text[]) and ${isExpired(at)}`);
  insertKeys.send(tx, bound);
}

export function findAcks(tx: ClientTx, tokens: readonly string[]): Promise<{ token: string; ack: Buffer }[]> {
  return tx.query(
    sql`select token, ack from feed_document where client_id = ${tenant} and token = any(${tokens}::uuid[]) limit 1000`,
  );
}

export interface Origin {
  readonly token: string;
  readonly receivedAt: string;
  readonly bodySha256: Buffer;
  readonly unparkedAt: string | null;
}

/** The facts about the first document that a `[DUPLICATE]` sentence reports. */
export function findOrigins(tx: ClientTx, tokens: readonly string[]): Promise<Origin[]> {
  return tx.query(sql`select token, received_at as "receivedAt", body_sha256 as "bodySha256", unparked_at as "unparkedAt" from feed_document
      where client_id = ${tenant} and token = any(${tokens}::uuid[]) limit 1000`);
}

export interface StoredDocument {
  readonly token: string;
  readonly feedType: FeedType;
  readonly objectId: string | null;
  readonly state: FeedState;
  readonly receivedAt: string;
  readonly processedAt: string | null;
  readonly channel: string;
  readonly bodyBytes: number;
  readonly findings: Findings | null;
}

export async function findDocument(tx: ClientTx, token: string): Promise<StoredDocument | undefined> {
  const rows =
    await tx.query<StoredDocument>(sql`select token, feed_type as "feedType", object_id as "objectId", state, received_at as "receivedAt", completed_at as "processedAt",
        channel, body_bytes as "bodyBytes", findings
      from feed_document where client_id = ${tenant} and token = ${token}::uuid limit 1`);
  return rows[0];
}

/** Parked documents in the order of their receipt, after the given token. */
export function listParked(
  tx: ClientTx,
  after: string,
  limit: number,
): Promise<{ token: string; findings: Findings | null }[]> {
  return tx.query(sql`select token, findings from feed_document
      where client_id = ${tenant} and state = 'PARKED' and token > ${after}::uuid order by token limit ${limit}`);
}

/** Whether the bytes of a document are stored: a document with a card number has none. */
export async function hasPayload(tx: ClientTx, token: string): Promise<boolean> {
  const rows = await tx.query(
    sql`select token from feed_payload where client_id = ${tenant} and token = ${token}::uuid limit 1`,
  );
  return rows.length === 1;
}

/** Replaces a parked document by a newer one about the same object. */
export function replaceParked(
  tx: ClientTransaction,
  at: string,
  objects: readonly { feedType: FeedType; objectId: string; parkKey: string; token: string }[],
): void {
  if (objects.length === 0) return;
  const rows = objects.map((object) => ({
    feed_type: object.feedType,
    object_id: object.objectId,
    park_key: object.parkKey,
    token: object.token,
  }));
  tx.send(sql`update feed_document d set state = 'REJECTED', completed_at = ${at}::timestamptz
      from (
        select feed_type, object_id, park_key, token from json_to_recordset(${JSON.stringify(rows)}::json)
          as given(feed_type text, object_id text, park_key text, token uuid) limit ${rows.length}
      ) given
      where d.client_id = ${tenant} and d.state = 'PARKED' and d.feed_type = given.feed_type
        and d.object_id = given.object_id and d.findings ->> 'parkKey' = given.park_key and d.token < given.token`);
}

/** Settles ACCEPTED documents whose asynchronous work has ended. */
export function settleAccepted(
  tx: ClientTransaction,
  at: string,
  state: "PROCESSED" | "FAILED",
  tokens: readonly string[],
): void {
  tx.send(sql`update feed_document set state = ${state}, completed_at = ${at}::timestamptz
      where client_id = ${tenant} and token = any(${tokens}::uuid[]) and state = 'ACCEPTED'`);
}

/** Returns the documents that were marked now; a document that has its outcome, or was reported, is not among them. */
export function markOverdue(tx: ClientTx, at: string, tokens: readonly string[]): Promise<{ token: string }[]> {
  return tx.query(sql`update feed_document set overdue_at = ${at}::timestamptz
      where client_id = ${tenant} and token = any(${tokens}::uuid[]) and state = 'ACCEPTED' and overdue_at is null
      returning token`);
}

/** Sets the moment of documents that became overdue after `most`, by a clock that was ahead. */
export async function clampOverdue(
  tx: ClientTx,
  { at, most }: { readonly at: string; readonly most: string },
  tokens: readonly string[],
): Promise<void> {
  await tx.query(sql`update feed_document set overdue_at = ${at}::timestamptz
      where client_id = ${tenant} and token = any(${tokens}::uuid[]) and state = 'ACCEPTED'
        and overdue_at > ${most}::timestamptz`);
}

/** Removes keys past their seven days, the oldest first. @returns how many; fewer than `limit`: none are left. */
export async function purgeIdempotencyKeys(tx: ClientTx, at: string, limit = 2_000): Promise<number> {
  const rows = await tx.query(sql`delete from feed_idempotency f
      where f.client_id = ${tenant} and f.ctid = any(array(
        select o.ctid from feed_idempotency o
        where o.client_id = ${tenant} and o.expires_at > '-infinity' and o.expires_at < ${at}::timestamptz
        order by o.expires_at limit ${limit}))
      returning f.feed_type`);
  return rows.length;
}

/**
 * Removes settled documents with their bytes that were received before a token, the oldest first. It applies to a
 * client that keeps its feeds for a shorter time than the months that contain them. A document that is being
 * reprocessed stays.
 * @returns how many.
 */
export async function purgeDocuments(tx: ClientTransaction, before: string, limit = 1_000): Promise<number> {
  const rows = await tx.query<{ token: string }>(sql`select token from feed_document
      where client_id = ${tenant} and token < ${before}::uuid and state in ${ended}
      order by token limit ${limit} for update skip locked`);
  const tokens = rows.map(({ token }) => token);
  if (tokens.length === 0) return 0;
  // The files of the documents leave their folders together with the bytes, where that is before the thirty days of
  // files.
  for (const isAccepted of [true, false]) {
    tx.send(sql`delete from feed_file
        where client_id = ${tenant} and is_accepted = ${isAccepted}::boolean and token = any(${tokens}::uuid[]) and ordinal > 0`);
  }
  dropPayloads(tx, tokens);
  tx.send(sql`delete from feed_document where client_id = ${tenant} and token = any(${tokens}::uuid[])`);
  return tokens.length;
}

/** Deletes the bytes of documents; their verdicts stay. */
export function dropPayloads(tx: ClientTransaction, tokens: readonly string[]): void {
  tx.send(sql`delete from feed_payload where client_id = ${tenant} and token = any(${tokens}::uuid[])`);
}
