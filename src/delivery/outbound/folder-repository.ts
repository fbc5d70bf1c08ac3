import type { ClientTx } from "#/db/database.ts";
import { type Statement, sql, tenant } from "#/db/sql.ts";
import type { OutboundType } from "#/kernel/feed-types.ts";

/** A document as a file. Moments ISO 8601 UTC. */
export interface FileRow {
  readonly message_id: string;
  readonly type: OutboundType;
  readonly created_at: string;
  /** In bytes. */
  readonly size: number;
}

/** Documents of a type that wait to be taken, in the order of the client's list. */
export function listUntaken(tx: ClientTx, type: OutboundType, limit: number): Promise<FileRow[]> {
  return tx.query(sql`select message_id, type, created_at, size from outbound_document
      where client_id = ${tenant} and type = ${type} and is_sftp and collected_at is null
      order by list_position limit ${limit}`);
}

/** Documents that were taken after a moment, the last taken first. */
export function listTaken(tx: ClientTx, after: string, limit: number): Promise<FileRow[]> {
  return tx.query(sql`select message_id, type, created_at, size from outbound_document
      where client_id = ${tenant} and collected_at is not null and collected_at > ${after}::timestamptz
      order by collected_at desc, message_id desc limit ${limit}`);
}

/** Where a document is. */
export type Place = { readonly kind: "UNTAKEN" } | { readonly kind: "TAKEN"; readonly after: string };

const isIn = (place: Place): Statement =>
  place.kind === "UNTAKEN" ? sql`collected_at is null` : sql`collected_at > ${place.after}::timestamptz`;

/** Finds one document in the given place of SFTP. */
export async function findFile(tx: ClientTx, messageId: string, place: Place): Promise<FileRow | undefined> {
  const rows = await tx.query<FileRow>(sql`select message_id, type, created_at, size from outbound_document
      where client_id = ${tenant} and message_id = ${messageId}::uuid and is_sftp and ${isIn(place)} limit 1`);
  return rows[0];
}

/** Reads bytes of a document from an offset; undefined where the document is no longer kept. */
export async function readBytes(
  tx: ClientTx,
  messageId: string,
  offset: number,
  length: number,
): Promise<Buffer | undefined> {
  const rows = await tx.query<{
    bytes: Buffer;
  }>(sql`select substr(payload, ${offset + 1}::integer, ${length}::integer) as bytes from outbound_document
      where client_id = ${tenant} and message_id = ${messageId}::uuid limit 1`);
  return rows[0]?.bytes;
}

/** Records that a document was opened for reading; only the first time counts. @param at ISO 8601 UTC. */
export async function markRead(tx: ClientTx, messageId: string, at: string): Promise<void> {
  await tx.query(sql`update outbound_document set read_at = ${at}::timestamptz
      where client_id = ${tenant} and message_id = ${messageId}::uuid and is_sftp and read_at is null
      returning message_id`);
}

/**
 * Records the delivery of a document by SFTP. Returns false where another session has taken it before. @param at ISO
 * 8601 UTC.
 */
export async function markTaken(tx: ClientTx, messageId: string, at: string): Promise<boolean> {
  const rows = await tx.query(sql`update outbound_document set collected_at = ${at}::timestamptz
      where client_id = ${tenant} and message_id = ${messageId}::uuid and is_sftp and collected_at is null
      returning message_id`);
  return rows.length === 1;
}
