import type { Tx } from "#/db/database.ts";
import { allOf, acrossClients as sql } from "#/db/sql.ts";
import type { DocumentRow, MailRow } from "#/modules/operator/outbound/rows.ts";

export interface DocumentPageRequest {
  /** Null: all. */
  readonly clientIds: readonly string[] | null;
  readonly facilityCodes: readonly string[] | null;
  readonly type: string | undefined;
  readonly objectId: string | undefined;
  /** Only those that wait to be fetched or taken. */
  readonly isWaiting: boolean;
  /** Of smaller ids. */
  readonly before: string;
  readonly limit: number;
}

/** Outbound documents, the newest first. */
export function listDocumentsOfAll(tx: Tx, page: DocumentPageRequest): Promise<DocumentRow[]> {
  const { clientIds, facilityCodes, type, objectId, isWaiting, before, limit } = page;
  const conditions = allOf([
    clientIds === null ? undefined : sql`d.client_id = any(${clientIds}::text[])`,
    facilityCodes === null ? undefined : sql`d.facility_code = any(${facilityCodes}::text[])`,
    type === undefined ? undefined : sql`d.type = ${type}`,
    objectId === undefined ? undefined : sql`d.object_id = ${objectId}`,
    isWaiting ? sql`((d.is_pulled and d.acknowledged_at is null) or (d.is_on_sftp and d.taken_at is null))` : undefined,
  ]);
  return tx.query(
    sql`select d.client_id, d.message_id, d.type, d.object_id, d.facility_code, d.feed_token, d.part, d.parts, d.created_at,
        d.size, d.is_pulled, d.acknowledged_at, d.is_on_sftp, d.read_at, d.taken_at
      from outbound_document d where d.message_id < ${before}::uuid and ${conditions}
      order by d.message_id desc limit ${limit}`,
  );
}

export interface MailPageRequest {
  /** Null: all. */
  readonly clientIds: readonly string[] | null;
  readonly status: string | undefined;
  /** Of smaller ids. */
  readonly before: string;
  readonly limit: number;
}

/** Mails, the newest first. */
export function listMailsOfAll(tx: Tx, { clientIds, status, before, limit }: MailPageRequest): Promise<MailRow[]> {
  const conditions = allOf([
    clientIds === null ? undefined : sql`m.client_id = any(${clientIds}::text[])`,
    status === undefined ? undefined : sql`m.status = ${status}`,
  ]);
  return tx.query(
    sql`select m.client_id, m.mail_id, m.address, m.subject, m.status, m.tries, m.last_error, m.planned_at, m.due_at,
        m.created_at, m.sent_at
      from alert_mail m where m.mail_id < ${before}::uuid and ${conditions} order by m.mail_id desc limit ${limit}`,
  );
}
