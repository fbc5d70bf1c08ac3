import {
  type Channel,
  channel,
  type MailWithText,
  mailWithText,
  type StoredDocument,
  sourcesOfDocument,
  sourcesOfMail,
  storedDocument,
} from "#/console-api/outbound/contract.ts";
import { outboundObjectTypes } from "#/delivery/outbound/index.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { unpackBytes } from "#/store/packed/packed.ts";

const documentColumns = columnsOf(storedDocument, "d", sourcesOfDocument);

/** A document with its bytes. */
export async function findDocument(
  tx: ClientTx,
  messageId: string,
): Promise<(StoredDocument & { readonly payload: Buffer }) | undefined> {
  const rows = await tx.query<StoredDocument & { payload: Buffer }>(sql`select ${documentColumns}, d.payload
      from outbound_document d where d.client_id = ${tenant} and d.message_id = ${messageId}::uuid limit 1`);
  const [row] = rows;
  return row && { ...row, payload: unpackBytes(row.payload) };
}

/** A push of a document: one delivery of it. */
export interface Push extends Channel {
  readonly deliveryId: string;
  readonly documentId: string;
}

const pushColumns = columnsOf(channel, "d", {
  channel: sql`'PUSH'`,
  state: sql`case d.status when 'PENDING' then 'WAITING' else d.status end`,
  readAt: sql`null::timestamptz`,
  at: sql`d.completed_at`,
  tries: sql`d.attempts`,
  nextTryAt: sql`d.due_at`,
});

const pushesMax = 10_000;

/** Every push of these documents, in order of creation. */
export async function listPushesOf(tx: ClientTx, messageIds: readonly string[]): Promise<Push[]> {
  const rows = await tx.query<Push>(sql`select ${pushColumns}, d.event_id as "documentId"
      from webhook_delivery d
      where d.client_id = ${tenant} and d.event_id = any(${messageIds}::uuid[])
        and d.object_type in ${outboundObjectTypes}
      limit ${pushesMax}`);
  // Sorted here: with an `order by`, PostgreSQL uses the primary key, which has that order, and reads all of it.
  return rows.sort((left, right) => (left.deliveryId < right.deliveryId ? -1 : 1));
}

const mailColumns = columnsOf(mailWithText, "m", { ...sourcesOfMail, text: sql`m.body_text` });

export async function findMail(tx: ClientTx, mailId: string): Promise<MailWithText | undefined> {
  const rows = await tx.query<MailWithText>(sql`select ${mailColumns}
      from alert_mail m where m.client_id = ${tenant} and m.mail_id = ${mailId}::uuid limit 1`);
  return rows[0];
}
