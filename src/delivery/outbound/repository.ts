import { type OutboundType, outboundTypes } from "#/kernel/feed-types.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { codeList, sql, tenant } from "#/store/db/sql.ts";
import { packBytes, packing, unpackBytes } from "#/store/packed/packed.ts";

/** The object types of deliveries that push documents. */
export const outboundObjectTypes = codeList(outboundTypes);

export interface NewOutboundDocument {
  readonly messageId: string;
  readonly type: OutboundType;
  readonly objectId: string;
  readonly facilityCode: string | null;
  /** The inbound document whose outcome this one reports. */
  readonly feedToken: string | null;
  readonly part: number;
  readonly parts: number;
  readonly payload: Buffer;
}

/** With the channels that the document's row marks; deliveries determine which of them push it. */
export interface MarkedDocument extends NewOutboundDocument {
  readonly channels: { readonly isHttp: boolean; readonly isSftp: boolean };
}

/**
 * Takes places in the client's list. The lane's row stays locked until the commit, so places become visible in their
 * order: call this as late as the transaction permits.
 *
 * @returns the place before the first one taken.
 */
export async function takePositions(tx: ClientTransaction, count: number): Promise<number> {
  const rows = await tx.query<{
    outbound_position: number;
  }>(sql`update outbox_lane set outbound_position = outbound_position + ${count}::bigint
      where client_id = ${tenant} returning outbound_position`);
  const [row] = rows;
  if (!row) throw new Error(`client ${tx.clientId} has no lane`);
  return row.outbound_position - count;
}

/**
 * Stores documents, the first at the place after `position`. All payloads are sent as one binary parameter, which the
 * server splits: an array is sent as hexadecimal text.
 */
export function insertDocuments(
  tx: ClientTransaction,
  at: string,
  position: number,
  documents: readonly MarkedDocument[],
): void {
  const payloads = documents.map(({ payload }) => packBytes(tx, payload, packing.outboundDocument));
  let offset = 1;
  const rows = documents.map((document, i) => {
    const stored = payloads[i] as Buffer;
    const row = {
      message_id: document.messageId,
      type: document.type,
      object_id: document.objectId,
      facility_code: document.facilityCode,
      feed_token: document.feedToken,
      part: document.part,
      parts: document.parts,
      list_position: position + i + 1,
      start: offset,
      length: stored.byteLength,
      size: document.payload.byteLength,
      is_http: document.channels.isHttp,
      is_sftp: document.channels.isSftp,
    };
    offset += stored.byteLength;
    return row;
  });
  const bytes = payloads.length === 1 ? payloads[0] : Buffer.concat(payloads);
  tx.send(sql`insert into outbound_document as target (client_id, message_id, type, object_id, facility_code, feed_token, part, parts,
        created_at, list_position, size, payload, is_http, is_sftp)
      select t.client_id, given.message_id, given.type, given.object_id, given.facility_code, given.feed_token, given.part,
        given.parts, ${at}::timestamptz, given.list_position, given.size,
        substr(${bytes}::bytea, given.start, given.length), given.is_http, given.is_sftp
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json)
        as given(message_id uuid, type text, object_id text, facility_code text, feed_token uuid, part integer,
          parts integer, list_position bigint, start integer, length integer, size integer, is_http boolean, is_sftp boolean)
      where t.client_id = ${tenant}`);
}

export interface PendingDocument {
  readonly messageId: string;
  readonly type: OutboundType;
  readonly objectId: string;
  readonly createdAt: string;
  /** Of the XML, in bytes. */
  readonly size: number;
  readonly listPosition: number;
}

/** Documents that wait to be fetched and acknowledged, after a place in the list, of one type or of all. */
export function listPending(
  tx: ClientTx,
  after: number,
  type: OutboundType | undefined,
  limit: number,
): Promise<PendingDocument[]> {
  const ofType = type === undefined ? sql`true` : sql`type = ${type}`;
  return tx.query(sql`select message_id as "messageId", type, object_id as "objectId", created_at as "createdAt", size,
        list_position as "listPosition"
      from outbound_document
      where client_id = ${tenant} and acknowledged_at is null and is_http and list_position > ${after}::bigint and ${ofType}
      order by list_position limit ${limit}`);
}

/** Those documents with these ids that are still kept, with their bytes. */
export async function listPayloads(
  tx: ClientTx,
  messageIds: readonly string[],
): Promise<{ readonly message_id: string; readonly payload: Buffer }[]> {
  const rows = await tx.query<{
    message_id: string;
    payload: Buffer;
  }>(sql`select message_id, payload from outbound_document
      where client_id = ${tenant} and message_id = any(${messageIds}::uuid[]) limit ${messageIds.length}`);
  return rows.map(({ message_id, payload }) => ({ message_id, payload: unpackBytes(payload) }));
}

/** The fields of a document that decide its channels; undefined where there is none. */
export async function findDocument(
  tx: ClientTx,
  messageId: string,
): Promise<{ readonly type: OutboundType; readonly object_id: string } | undefined> {
  const rows = await tx.query<{
    type: OutboundType;
    object_id: string;
  }>(sql`select type, object_id from outbound_document
      where client_id = ${tenant} and message_id = ${messageId}::uuid limit 1`);
  return rows[0];
}

export async function findPayload(tx: ClientTx, messageId: string): Promise<Buffer | undefined> {
  const rows = await tx.query<{ payload: Buffer }>(sql`select payload from outbound_document
      where client_id = ${tenant} and message_id = ${messageId}::uuid limit 1`);
  const [row] = rows;
  return row && unpackBytes(row.payload);
}

/** Returns whether the document exists; an acknowledged document stays unchanged. */
export async function acknowledge(tx: ClientTx, messageId: string, at: string): Promise<boolean> {
  const rows =
    await tx.query(sql`update outbound_document set acknowledged_at = coalesce(acknowledged_at, ${at}::timestamptz)
      where client_id = ${tenant} and message_id = ${messageId}::uuid returning message_id`);
  return rows.length === 1;
}

/**
 * Puts a document as new into the named channels, at a new place. In other channels it stays unchanged: waiting, or
 * taken.
 */
export function putBack(
  tx: ClientTransaction,
  messageId: string,
  position: number,
  { isHttp, isSftp }: MarkedDocument["channels"],
): void {
  tx.send(sql`update outbound_document set list_position = ${position}::bigint,
        is_http = is_http or ${isHttp}, is_sftp = is_sftp or ${isSftp},
        acknowledged_at = case when ${isHttp} then null else acknowledged_at end,
        collected_at = case when ${isSftp} then null else collected_at end,
        read_at = case when ${isSftp} then null else read_at end
      where client_id = ${tenant} and message_id = ${messageId}::uuid`);
}

/** The documents that report the outcome of an inbound one, in no order. */
export function listOfToken(
  tx: ClientTx,
  token: string,
  limit: number,
): Promise<{ message_id: string; type: OutboundType }[]> {
  return tx.query(sql`select message_id, type from outbound_document
      where client_id = ${tenant} and feed_token = ${token}::uuid and feed_token is not null limit ${limit}`);
}

/** The stored ones among these documents. */
export async function listStored(tx: ClientTx, messageIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ message_id: string }>(sql`select message_id from outbound_document
      where client_id = ${tenant} and message_id = any(${messageIds}::uuid[]) limit 100000`);
  return rows.map(({ message_id }) => message_id);
}

const documentsMax = 100;

/**
 * The outbound documents that report the outcome of an inbound one, by its token (feeds.md §1, Follow-up), oldest
 * first.
 */
export async function findOutbound(
  tx: ClientTx,
  token: string,
): Promise<readonly { readonly messageId: string; readonly type: OutboundType }[]> {
  const rows = await listOfToken(tx, token, documentsMax);
  const documents = rows.map(({ message_id, type }) => ({ messageId: message_id, type }));
  return documents.sort((left, right) => (left.messageId < right.messageId ? -1 : 1));
}
