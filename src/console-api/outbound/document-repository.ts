import type { DocumentRow, MailRow } from "#/console-api/outbound/rows.ts";
import type { ClientTx } from "#/db/database.ts";
import { codeList, sql, tenant } from "#/db/sql.ts";
import type { DeliveryStatus } from "#/delivery/webhooks/deliveries/states.ts";
import { outboundTypes } from "#/kernel/feed-types.ts";

const outbound = codeList(outboundTypes);

/** A document with its bytes. */
export async function findDocument(
  tx: ClientTx,
  messageId: string,
): Promise<(DocumentRow & { readonly payload: Buffer }) | undefined> {
  const rows = await tx.query<
    DocumentRow & { payload: Buffer }
  >(sql`select d.client_id, d.message_id, d.type, d.object_id, d.facility_code, d.feed_token, d.part, d.parts, d.created_at,
        d.size, d.is_http, d.acknowledged_at, d.is_sftp, d.read_at, d.collected_at, d.payload
      from outbound_document d where d.client_id = ${tenant} and d.message_id = ${messageId}::uuid limit 1`);
  return rows[0];
}

/** A push of a document: one delivery of it. */
export interface PushRow {
  readonly delivery_id: string;
  readonly message_id: string;
  readonly status: DeliveryStatus;
  readonly due_at: string | null;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly completed_at: string | null;
}

const pushesMax = 10_000;

/** Every push of these documents, in order of creation. */
export async function listPushesOf(tx: ClientTx, messageIds: readonly string[]): Promise<PushRow[]> {
  const rows =
    await tx.query<PushRow>(sql`select d.delivery_id, d.event_id as message_id, d.status, d.due_at, d.attempts, d.last_error, d.completed_at
      from webhook_delivery d
      where d.client_id = ${tenant} and d.event_id = any(${messageIds}::uuid[])
        and d.object_type in ${outbound}
      limit ${pushesMax}`);
  // Sorted here: with an `order by`, PostgreSQL uses the primary key, which has that order, and reads all of it.
  return rows.sort((left, right) => (left.delivery_id < right.delivery_id ? -1 : 1));
}

/** A mail with its text. */
export async function findMail(
  tx: ClientTx,
  mailId: string,
): Promise<(MailRow & { readonly body_text: string }) | undefined> {
  const rows = await tx.query<
    MailRow & { body_text: string }
  >(sql`select m.client_id, m.mail_id, m.address, m.subject, m.status, m.attempts, m.last_error, m.scheduled_at, m.due_at,
        m.created_at, m.sent_at, m.body_text
      from alert_mail m where m.client_id = ${tenant} and m.mail_id = ${mailId}::uuid limit 1`);
  return rows[0];
}
