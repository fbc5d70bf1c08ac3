import type { FeedType } from "#/kernel/feed-types.ts";
import type { ClientTransaction, ClientTx, Transaction, Tx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { aheadMsMax } from "#/store/db/store/clock.ts";

export type UploadState = "WRITING" | "PARTIAL" | "WAITING";

/** A name in a folder. */
export interface Place {
  readonly clientId: string;
  readonly feedType: FeedType;
  readonly name: string;
}

export interface NewUpload extends Place {
  readonly uploadId: string;
  readonly state: UploadState;
  readonly sizeBytes: number;
  readonly at: string;
}

/** An index ensures that PARTIAL and WAITING files of a folder have unique names. */
export function insertUpload(tx: Transaction, upload: NewUpload): void {
  const { clientId, uploadId, feedType, name, state, sizeBytes, at } = upload;
  tx.of(
    clientId,
  ).send(sql`insert into sftp_upload (client_id, upload_id, feed_type, name, state, size_bytes, last_written_at)
      values (${tenant}, ${uploadId}::uuid, ${feedType}, ${name}, ${state}, ${sizeBytes}::integer, ${at}::timestamptz)`);
}

/** Returns false where the upload no longer exists. */
export async function touchUpload(
  tx: Tx,
  { clientId, uploadId, state, sizeBytes, at }: Omit<NewUpload, "feedType" | "name">,
): Promise<boolean> {
  const rows = await tx
    .of(clientId)
    .query(sql`update sftp_upload set state = ${state}, size_bytes = ${sizeBytes}::integer, last_written_at = ${at}::timestamptz
      where client_id = ${tenant} and upload_id = ${uploadId}::uuid returning upload_id`);
  return rows.length === 1;
}

export function insertChunk(
  tx: ClientTransaction,
  uploadId: string,
  chunk: { readonly ordinal: number; readonly bytes: Buffer },
): void {
  tx.send(sql`insert into sftp_upload_chunk (client_id, upload_id, ordinal, bytes)
      values (${tenant}, ${uploadId}::uuid, ${chunk.ordinal}::integer, ${chunk.bytes}::bytea)`);
}

export async function findChunk(tx: ClientTx, uploadId: string, ordinal: number): Promise<Buffer | undefined> {
  const rows = await tx.query<{ bytes: Buffer }>(sql`select bytes from sftp_upload_chunk
      where client_id = ${tenant} and upload_id = ${uploadId}::uuid and ordinal = ${ordinal}::integer limit 1`);
  return rows[0]?.bytes;
}

export function deleteUploads(tx: ClientTransaction, uploadIds: readonly string[]): void {
  tx.send(sql`delete from sftp_upload where client_id = ${tenant} and upload_id = any(${uploadIds}::uuid[])`);
  deleteChunks(tx, uploadIds);
}

export function deleteChunks(tx: ClientTransaction, uploadIds: readonly string[]): void {
  tx.send(sql`delete from sftp_upload_chunk where client_id = ${tenant} and upload_id = any(${uploadIds}::uuid[])`);
}

export interface StoredUpload extends Pick<NewUpload, "uploadId" | "name" | "sizeBytes"> {
  readonly state: Exclude<UploadState, "WRITING">;
  readonly lastWrittenAt: string;
}

const uploadColumns = sql`upload_id as "uploadId", name, state, size_bytes as "sizeBytes",
  last_written_at as "lastWrittenAt"`;

export async function findUpload(tx: Tx, { clientId, feedType, name }: Place): Promise<StoredUpload | undefined> {
  const rows = await tx.of(clientId).query<StoredUpload>(sql`select ${uploadColumns} from sftp_upload
      where client_id = ${tenant} and feed_type = ${feedType} and name = ${name} and state <> 'WRITING' limit 1`);
  return rows[0];
}

/** The same row, locked until the commit. */
export async function lockUpload(tx: Tx, { clientId, feedType, name }: Place): Promise<StoredUpload | undefined> {
  const rows = await tx.of(clientId).query<StoredUpload>(sql`select ${uploadColumns} from sftp_upload
      where client_id = ${tenant} and feed_type = ${feedType} and name = ${name} and state <> 'WRITING' limit 1
      for update`);
  return rows[0];
}

/** The uploads of a folder, the oldest first. */
export function listUploads(tx: ClientTx, feedType: FeedType, limit: number): Promise<StoredUpload[]> {
  return tx.query(sql`select ${uploadColumns} from sftp_upload
      where client_id = ${tenant} and feed_type = ${feedType} and state <> 'WRITING' order by upload_id limit ${limit}`);
}

/** The number of uploads, counted up to a limit. */
export async function countUploads(tx: ClientTx, feedType: FeedType, limit: number): Promise<number> {
  const rows = await tx.query<{ count: number }>(sql`select count(*)::integer as count from (
        select u.upload_id from sftp_upload u
        where u.client_id = ${tenant} and u.feed_type = ${feedType} and u.state <> 'WRITING' limit ${limit}
      ) counted limit 1`);
  return rows[0]?.count ?? 0;
}

/** The bytes of complete files that wait to be renamed, in all folders of the client. */
export async function sumWaiting(tx: ClientTx, limit: number): Promise<number> {
  const rows = await tx.query<{ bytes: number }>(sql`select coalesce(sum(size_bytes), 0)::float8 as bytes from (
        select u.size_bytes from sftp_upload u
        where u.client_id = ${tenant} and u.state <> 'WRITING' and u.state = 'WAITING' limit ${limit}
      ) waiting limit 1`);
  return rows[0]?.bytes ?? 0;
}

export function renameUpload(tx: ClientTransaction, uploadId: string, name: string): void {
  tx.send(sql`update sftp_upload set name = ${name} where client_id = ${tenant} and upload_id = ${uploadId}::uuid`);
}

/**
 * Claims a complete file for processing, unless another node has claimed it; a claim with a later end than this one can
 * have is void.
 */
export async function claimUpload(tx: Tx, place: Place, at: string, until: string): Promise<StoredUpload | undefined> {
  const { clientId, feedType, name } = place;
  const untilMost = new Date(Date.parse(until) + aheadMsMax).toISOString();
  const rows = await tx
    .of(clientId)
    .query<StoredUpload>(sql`update sftp_upload set claimed_until = ${until}::timestamptz
      where client_id = ${tenant} and feed_type = ${feedType} and name = ${name} and state <> 'WRITING'
        and state = 'WAITING' and (claimed_until is null or claimed_until < ${at}::timestamptz
          or claimed_until > ${untilMost}::timestamptz)
      returning ${uploadColumns}`);
  return rows[0];
}

/** @param until ISO 8601 UTC; undefined releases the file */
export async function keepClaim(tx: ClientTx, uploadId: string, until: string | undefined): Promise<void> {
  await tx.query(sql`update sftp_upload set claimed_until = ${until ?? null}::timestamptz
      where client_id = ${tenant} and upload_id = ${uploadId}::uuid`);
}

/**
 * Uploads that the client or the server interrupted before a moment, and complete files that have waited to be renamed
 * since another moment.
 *
 * @param boundary the first moment as a bound of ids
 */
export function listAbandoned(
  tx: ClientTx,
  { before, boundary, waitingBefore }: Readonly<Record<"before" | "boundary" | "waitingBefore", string>>,
): Promise<{ upload_id: string }[]> {
  return tx.query(sql`select upload_id from sftp_upload
      where client_id = ${tenant} and upload_id < ${boundary}::uuid
        and last_written_at < case state when 'WAITING' then ${waitingBefore}::timestamptz else ${before}::timestamptz end
      order by upload_id limit 1000 for update`);
}
