import type { ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";

export interface AckRow {
  readonly name: string;
  readonly token: string;
  readonly ack_bytes: number;
  readonly has_token_ack: boolean;
  readonly has_named_ack: boolean;
}

/** Files with existing ACKs, the oldest first. */
export function listAcks(tx: ClientTx, limit: number): Promise<AckRow[]> {
  return tx.query(sql`select name, token, ack_bytes, has_token_ack, has_named_ack from feed_file
      where client_id = ${tenant} and (has_token_ack or has_named_ack) order by token limit ${limit}`);
}

/** The file whose ACK is named after the file and its token. */
export async function findOwnAck(tx: ClientTx, name: string, token: string): Promise<AckRow | undefined> {
  const rows = await tx.query<AckRow>(sql`select name, token, ack_bytes, has_token_ack, has_named_ack from feed_file
      where client_id = ${tenant} and (has_token_ack or has_named_ack) and token = ${token}::uuid
        and name = ${name} and has_token_ack limit 1`);
  return rows[0];
}

/** The file whose ACK is named after the file alone. */
export async function findPlainAck(tx: ClientTx, name: string): Promise<AckRow | undefined> {
  const rows = await tx.query<AckRow>(sql`select name, token, ack_bytes, has_token_ack, has_named_ack from feed_file
      where client_id = ${tenant} and name = ${name} and has_named_ack limit 1`);
  return rows[0];
}

/** Returns false where the ACK did not exist. */
export async function hideOwnAck(tx: ClientTx, name: string, token: string): Promise<boolean> {
  const rows = await tx.query(sql`update feed_file set has_token_ack = false
      where client_id = ${tenant} and (has_token_ack or has_named_ack) and token = ${token}::uuid
        and name = ${name} and has_token_ack
      returning token`);
  return rows.length > 0;
}

/** Returns false where the ACK did not exist. */
export async function hidePlainAck(tx: ClientTx, name: string): Promise<boolean> {
  const rows = await tx.query(sql`update feed_file set has_named_ack = false
      where client_id = ${tenant} and name = ${name} and has_named_ack returning token`);
  return rows.length > 0;
}

export async function findAck(tx: ClientTx, token: string): Promise<Buffer | undefined> {
  const rows = await tx.query<{ ack: Buffer }>(
    sql`select ack from feed_document where client_id = ${tenant} and token = ${token}::uuid limit 1`,
  );
  return rows[0]?.ack;
}

export interface FiledRow {
  readonly archive_name: string;
  readonly token: string;
  readonly body_bytes: number;
}

/** Processed files of one outcome whose bytes are kept, the newest first. */
export function listFiled(tx: ClientTx, isAccepted: boolean, limit: number): Promise<FiledRow[]> {
  return tx.query(sql`select archive_name, token, body_bytes from feed_file
      where client_id = ${tenant} and is_accepted = ${isAccepted}::boolean and ordinal > 0 and archive_name is not null
      order by token desc limit ${limit}`);
}

export async function findFiled(tx: ClientTx, isAccepted: boolean, archiveName: string): Promise<FiledRow | undefined> {
  const rows = await tx.query<FiledRow>(sql`select archive_name, token, body_bytes from feed_file
      where client_id = ${tenant} and is_accepted = ${isAccepted}::boolean and archive_name = ${archiveName} limit 1`);
  return rows[0];
}

export interface PayloadRow {
  readonly encoding: "identity" | "zstd";
  readonly payload: Buffer;
}

export async function findPayload(tx: ClientTx, token: string): Promise<PayloadRow | undefined> {
  const rows = await tx.query<PayloadRow>(sql`select encoding, payload from feed_payload
      where client_id = ${tenant} and token = ${token}::uuid limit 1`);
  return rows[0];
}
