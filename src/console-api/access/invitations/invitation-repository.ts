import { type Invitation, invitation } from "#/console-api/access/invitations/contract.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { Transaction, Tx } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";

const columns = columnsOf(invitation, "console_invitation");

export interface Link {
  readonly tokenSha256: Buffer;
  readonly invitedBy: string;
  readonly at: string;
  readonly expiresAt: string;
}

type NewInvitation = Link & Pick<Invitation, "invitationId" | "clientId" | "address">;

/** False where the address has an invitation of the client already, ignoring case. */
export async function insertInvitation(tx: Transaction, row: NewInvitation): Promise<boolean> {
  const rows = await tx.query(
    sql`insert into console_invitation (invitation_id, client_id, address, token_sha256, invited_by, invited_at, expires_at)
      values (${row.invitationId}, ${row.clientId}, ${row.address}, ${row.tokenSha256}, ${row.invitedBy},
        ${row.at}::timestamptz, ${row.expiresAt}::timestamptz)
      on conflict do nothing returning invitation_id`,
  );
  return rows.length > 0;
}

/** Replaces the link. @returns the invitation; undefined where there is none. */
export async function renewInvitation(tx: Tx, invitationId: string, link: Link): Promise<Invitation | undefined> {
  const rows = await tx.query<Invitation>(
    sql`update console_invitation set token_sha256 = ${link.tokenSha256}, invited_by = ${link.invitedBy},
        invited_at = ${link.at}::timestamptz, expires_at = ${link.expiresAt}::timestamptz, mailed_at = null, mail_error = null
      where invitation_id = ${invitationId} returning ${columns}`,
  );
  return rows[0];
}

/** Notes the answer of the mail server to a mail. A link that has been replaced meanwhile is left alone. */
export async function noteMail(
  tx: Tx,
  { tokenSha256, mailedAt, mailError }: Pick<Link, "tokenSha256"> & Pick<Invitation, "mailedAt" | "mailError">,
): Promise<void> {
  await tx.query(
    sql`update console_invitation set mailed_at = ${mailedAt}::timestamptz, mail_error = ${mailError}
      where token_sha256 = ${tokenSha256} returning invitation_id`,
  );
}

export async function findInvitation(tx: Tx, invitationId: string): Promise<Invitation | undefined> {
  const rows = await tx.query<Invitation>(
    sql`select ${columns} from console_invitation where invitation_id = ${invitationId} limit 1`,
  );
  return rows[0];
}

/** The invitation of a link that is still valid. In a transaction, `isLocked` keeps a second use of it waiting. */
export async function findByToken(
  tx: Tx,
  tokenSha256: Buffer,
  at: string,
  isLocked = false,
): Promise<Invitation | undefined> {
  const valid = sql`select ${columns} from console_invitation
    where token_sha256 = ${tokenSha256} and expires_at > ${at}::timestamptz limit 1`;
  const rows = await tx.query<Invitation>(isLocked ? sql`${valid} for update` : valid);
  return rows[0];
}

/** The newest first, before the given one. */
export function listInvitations(tx: Tx, before: string | undefined, limit: number): Promise<Invitation[]> {
  return tx.query(
    sql`select ${columns} from console_invitation
      where invitation_id < ${before ?? "ffffffff-ffff-ffff-ffff-ffffffffffff"}::uuid
      order by invitation_id desc limit ${limit}`,
  );
}

export function deleteInvitation(tx: Transaction, invitationId: string): void {
  tx.send(sql`delete from console_invitation where invitation_id = ${invitationId}`);
}

/** @param before ISO 8601 @returns the number of deleted rows; fewer than `limit`: none are left. */
export async function purgeInvitations(tx: Tx, before: string, limit: number): Promise<number> {
  const rows = await tx.query(
    sql`delete from console_invitation i where i.ctid = any(array(
        select o.ctid from console_invitation o
        where o.expires_at < ${before}::timestamptz order by o.expires_at limit ${limit}))
      returning i.invitation_id`,
  );
  return rows.length;
}
