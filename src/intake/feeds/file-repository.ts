import { feedFile } from "#/intake/feeds/tables.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { deleteFrom, insertInto, updateOf } from "#/store/db/table.ts";

export interface FileKey {
  readonly feedType: FeedType;
  readonly name: string;
}

/** The latest file of a name in its folder, and the other uses of its name. */
export interface KnownName {
  readonly feed_type: FeedType;
  readonly name: string;
  /** 0 where there is none; the following columns are then null. */
  readonly ordinal: number;
  readonly token: string | null;
  readonly body_sha256: Buffer | null;
  readonly is_accepted: boolean | null;
  readonly processed_at: string | null;
  readonly has_token_ack: boolean | null;
  readonly has_named_ack: boolean | null;
  /** A file of that name, in any folder, has the ACK without a token. */
  readonly has_plain_ack: boolean;
  readonly is_in_archive: boolean;
  readonly is_in_rejected: boolean;
}

export function findKnownNames(tx: ClientTx, keys: readonly FileKey[]): Promise<KnownName[]> {
  const rows = keys.map(({ feedType, name }) => ({ name, feed_type: feedType }));
  return tx.query(sql`select given.feed_type, given.name, coalesce(l.ordinal, 0) as ordinal, l.token, l.body_sha256, l.is_accepted,
        l.processed_at, l.has_token_ack, l.has_named_ack, p.token is not null as has_plain_ack,
        a.token is not null as is_in_archive, r.token is not null as is_in_rejected
      from json_to_recordset(${JSON.stringify(rows)}::json) as given(name text, feed_type text)
        left join lateral (
          select f.ordinal, f.token, f.body_sha256, f.is_accepted, f.processed_at, f.has_token_ack, f.has_named_ack
          from feed_file f where f.client_id = ${tenant} and f.name = given.name and f.feed_type = given.feed_type
          order by f.ordinal desc limit 1
        ) l on true
        left join lateral (
          select g.token from feed_file g
          where g.client_id = ${tenant} and g.name = given.name and g.has_named_ack limit 1
        ) p on true
        left join lateral (
          select h.token from feed_file h
          where h.client_id = ${tenant} and h.is_accepted and h.archive_name = given.name limit 1
        ) a on true
        left join lateral (
          select i.token from feed_file i
          where i.client_id = ${tenant} and not i.is_accepted and i.archive_name = given.name limit 1
        ) r on true
      limit 1000`);
}

export interface NewFile extends FileKey {
  readonly ordinal: number;
  readonly token: string;
  readonly bodySha256: Buffer;
  readonly bodyBytes: number;
  readonly ackBytes: number;
  readonly isAccepted: boolean;
  readonly archiveName: string | undefined;
}

const insertAll = insertInto(feedFile, {
  except: ["body_sha256"],
  with: { body_sha256: "text" },
  also: { body_sha256: sql`decode(given.body_sha256, 'hex')` },
});

/** The primary key decides: a file of the same name that another transaction stored first fails this transaction. */
export function insertFiles(tx: ClientTransaction, at: string, files: readonly NewFile[]): void {
  const rows = files.map((file) => ({
    name: file.name,
    feed_type: file.feedType,
    ordinal: file.ordinal,
    token: file.token,
    body_sha256: file.bodySha256.toString("hex"),
    body_bytes: file.bodyBytes,
    ack_bytes: file.ackBytes,
    is_accepted: file.isAccepted,
    processed_at: at,
    archive_name: file.archiveName,
    has_token_ack: true,
    has_named_ack: true,
  }));
  insertAll.send(tx, rows);
}

/** Removes the ACK without a token from the file that has it, before another file of the name gets it. */
export function releasePlainAcks(tx: ClientTransaction, names: readonly string[]): void {
  if (names.length === 0) return;
  tx.send(sql`update feed_file set has_named_ack = false
      where client_id = ${tenant} and name = any(${names}::text[]) and has_named_ack`);
}

export interface Repeated extends FileKey {
  readonly ordinal: number;
  /** Its new ordinal: after the latest of its name, or unchanged. */
  readonly newOrdinal: number;
}

const bringBackAll = updateOf(feedFile, {
  with: { new_ordinal: "integer" },
  also: { has_token_ack: sql`true`, has_named_ack: sql`true`, ordinal: sql`given.new_ordinal` },
});

/** Makes both ACK files of these files available again. */
export function bringBackAcks(tx: ClientTransaction, files: readonly Repeated[]): void {
  const rows = files.map(({ name, feedType, ordinal, newOrdinal }) => ({
    name,
    feed_type: feedType,
    ordinal,
    new_ordinal: newOrdinal,
  }));
  bringBackAll.send(tx, rows);
}

export interface FileOfDocument {
  readonly feed_type: FeedType;
  readonly name: string;
  readonly ordinal: number;
  readonly token: string;
}

/** The files in which accepted documents arrived, or were repeated. */
export function listFilesOf(tx: ClientTx, tokens: readonly string[]): Promise<FileOfDocument[]> {
  return tx.query(sql`select feed_type, name, ordinal, token from feed_file
      where client_id = ${tenant} and is_accepted = true and token = any(${tokens}::uuid[]) and ordinal > 0 limit 1000`);
}

/** Moves the file of a reprocessed parked document to the folder of its outcome, under a name that is free there. */
export function settleFile(
  tx: ClientTransaction,
  at: string,
  { token, isAccepted, ackBytes }: { token: string; isAccepted: boolean; ackBytes: number },
): void {
  tx.send(sql`update feed_file f set is_accepted = ${isAccepted}::boolean, ack_bytes = ${ackBytes}::integer,
        processed_at = ${at}::timestamptz,
        archive_name = case when f.archive_name is null or not ${isAccepted}::boolean then f.archive_name
          when exists (
            select from feed_file o where o.client_id = ${tenant} and o.is_accepted and o.archive_name = f.name
          ) then f.name || '~' || f.token::text
          else f.name end
      where f.client_id = ${tenant} and f.is_accepted = false and f.token = ${token}::uuid and f.ordinal > 0`);
}

export interface OldFile {
  readonly name: string;
  readonly feed_type: FeedType;
  readonly ordinal: number;
}

/** Files of one outcome that were settled before a moment (ISO 8601 UTC; as a bound of ids too), the oldest first. */
export function listOldFiles(
  tx: ClientTx,
  isAccepted: boolean,
  { before, boundary }: { readonly before: string; readonly boundary: string },
  limit: number,
): Promise<OldFile[]> {
  return tx.query(sql`select name, feed_type, ordinal from feed_file
      where client_id = ${tenant} and is_accepted = ${isAccepted}::boolean and ordinal > 0
        and token < ${boundary}::uuid and processed_at < ${before}::timestamptz
      order by token limit ${limit}`);
}

const deleteAll = deleteFrom(feedFile);

export async function deleteFiles(tx: ClientTx, files: readonly OldFile[]): Promise<void> {
  await deleteAll.query(tx, files);
}
