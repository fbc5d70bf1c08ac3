import type { ComposedMail } from "#/delivery/mail/compose.ts";
import type { Note } from "#/delivery/mail/note.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { insertInto, table } from "#/store/db/table.ts";

type Notes = Readonly<Record<string, Note>>;

/**
 * Two concurrent transactions that notify one address both find no open mail to extend: the lock on the client's row
 * serializes them.
 */
export async function lockClient(tx: ClientTransaction): Promise<void> {
  await tx.query(sql`select client_id from tenant where client_id = ${tenant} limit 1 for no key update`);
}

export interface PlannedMail {
  readonly mail_id: string;
  readonly address: string;
  readonly notes: Notes;
  readonly scheduled_at: string;
  /** No worker has begun to send it. */
  readonly is_open: boolean;
}

/**
 * The mails to these addresses that are planned later than `since`, and all that no worker has begun to send, in the
 * order of their creation. They stay locked, so that no worker begins before this transaction ends.
 */
export function listPlanned(
  tx: ClientTransaction,
  addresses: readonly string[],
  since: string,
): Promise<PlannedMail[]> {
  return tx.query(sql`select m.mail_id, m.address, m.notes, m.scheduled_at,
        m.status = 'PENDING' and m.attempts = 0 as is_open
      from alert_mail m
      where m.client_id = ${tenant} and m.address = any(${addresses}::text[]) and m.attempts >= 0
        and (m.scheduled_at > ${since}::timestamptz or (m.status = 'PENDING' and m.attempts = 0))
      order by m.mail_id limit 10000 for update`);
}

export interface NewMail extends ComposedMail {
  readonly mailId: string;
  readonly address: string;
  readonly notes: Notes;
  readonly scheduledAt: string;
}

const insertAll = insertInto(
  table("alert_mail", ["mail_id"], {
    mail_id: "uuid",
    address: "text",
    subject: "text",
    body_text: "text",
    body_html: "text",
    notes: "jsonb",
    status: "text",
    scheduled_at: "timestamptz",
    due_at: "timestamptz",
    created_at: "timestamptz",
  }),
);

export function insertMails(tx: ClientTransaction, at: string, mails: readonly NewMail[]): void {
  const rows = mails.map(({ mailId, address, subject, text, html, notes, scheduledAt }) => ({
    mail_id: mailId,
    address,
    subject,
    body_text: text,
    body_html: html,
    notes,
    status: "PENDING",
    scheduled_at: scheduledAt,
    due_at: scheduledAt,
    created_at: at,
  }));
  insertAll.send(tx, rows);
}

export function changeMail(
  tx: ClientTransaction,
  mailId: string,
  { subject, text, html, notes }: ComposedMail & { readonly notes: Notes },
): void {
  tx.send(sql`update alert_mail m set subject = ${subject}, body_text = ${text}, body_html = ${html},
        notes = ${JSON.stringify(notes)}::jsonb
      where m.client_id = ${tenant} and m.mail_id = ${mailId}`);
}

export interface ClaimedMail {
  readonly mail_id: string;
  readonly address: string;
  readonly subject: string;
  readonly body_text: string;
  readonly body_html: string;
  readonly scheduled_at: string;
  readonly created_at: string;
  /**
   * Includes this attempt. The caller names it when it settles the mail, and settles nothing after another worker has
   * taken the mail over.
   */
  readonly attempts: number;
}

/**
 * Claims mails until `leaseUntil`: those that are due, and those due after `dueMost`, which is impossibly late. Skips
 * mails that another transaction is claiming or writing.
 */
export function claimDueMails(
  tx: ClientTx,
  { at, dueMost, leaseUntil }: { readonly at: string; readonly dueMost: string; readonly leaseUntil: string },
  limit: number,
): Promise<ClaimedMail[]> {
  return tx.query(sql`update alert_mail m set attempts = m.attempts + 1, due_at = ${leaseUntil}::timestamptz
      where m.client_id = ${tenant} and m.mail_id = any(array(
        select d.mail_id from alert_mail d
        where d.client_id = ${tenant} and d.status = 'PENDING' and (d.due_at <= ${at}::timestamptz or d.due_at > ${dueMost}::timestamptz)
        order by d.due_at limit ${limit} for update skip locked))
      returning m.mail_id, m.address, m.subject, m.body_text, m.body_html, m.scheduled_at, m.created_at, m.attempts`);
}

/** KEPT: there is no mail server; the mail is only shown. */
export const mailStatuses = ["PENDING", "SENT", "KEPT", "FAILED"] as const;
type MailStatus = (typeof mailStatuses)[number];

export interface SettledMail {
  readonly mailId: string;
  /** The value at the claim. */
  readonly attempts: number;
  readonly status: Exclude<MailStatus, "KEPT">;
  /** The time of the next attempt; for an ended mail, the time of its end. */
  readonly at: string;
  readonly lastError: string | null;
}

export async function settleMail(tx: ClientTx, mail: SettledMail): Promise<void> {
  await tx.query(sql`update alert_mail m set status = ${mail.status}, due_at = ${mail.at}::timestamptz, last_error = ${mail.lastError},
        sent_at = case when ${mail.status} = 'SENT' then ${mail.at}::timestamptz end
      where m.client_id = ${tenant} and m.mail_id = ${mail.mailId} and m.status = 'PENDING' and m.attempts = ${mail.attempts}`);
}

/** Deletes mails with an id before this one. A mail to send is given up within a day. */
export async function purgeMails(tx: ClientTx, before: string, limit = 2_000): Promise<number> {
  const rows = await tx.query(sql`delete from alert_mail m
      where m.client_id = ${tenant} and m.mail_id = any(array(
        select o.mail_id from alert_mail o
        where o.client_id = ${tenant} and o.mail_id < ${before}::uuid order by o.mail_id limit ${limit}))
      returning m.mail_id`);
  return rows.length;
}

/** Without a mail server, due mails are only shown. */
export async function keepDueMails(tx: ClientTx, at: string, dueMost: string): Promise<number> {
  const rows = await tx.query(sql`update alert_mail m set status = 'KEPT'
      where m.client_id = ${tenant} and m.status = 'PENDING'
        and (m.due_at <= ${at}::timestamptz or m.due_at > ${dueMost}::timestamptz) returning m.mail_id`);
  return rows.length;
}
