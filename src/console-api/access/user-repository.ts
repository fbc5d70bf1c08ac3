import type { Static } from "typebox";
import { user } from "#/console-api/access/contract.ts";
import type { Scope } from "#/http/access/operator.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { Access } from "#/kernel/security/access-rules.ts";
import type { Transaction, Tx } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";

/** A user; without an identity provider, a local account. */
export type User = Static<typeof user>;

export interface UserProof extends User {
  readonly passwordHash: string;
  readonly accessVersion: number;
}

const columns = columnsOf(user, "console_user", { identityProvider: sql`identity_issuer` });
const proof = sql`${columns}, password_hash as "passwordHash", access_version as "accessVersion"`;

export interface NewUser extends Access {
  readonly userName: string;
  readonly passwordHash: string;
  readonly at: string;
  /** The user's identity at the identity provider; omitted for a local account. */
  readonly issuer?: string;
  readonly subject?: string;
}

/** Returns whether it was inserted; false where the name is taken, ignoring case. */
export async function insertUser(tx: Transaction, user: NewUser): Promise<boolean> {
  const { userName, role, clientIds, facilityCodes, passwordHash, at, issuer = null, subject = null } = user;
  const rows = await tx.query(
    sql`insert into console_user (user_name, role, client_ids, facility_codes, password_hash, created_at,
        identity_issuer, identity_subject)
      values (${userName}, ${role}, ${clientIds}::text[], ${facilityCodes}::text[], ${passwordHash}, ${at}::timestamptz,
        ${issuer}, ${subject})
      on conflict do nothing returning user_name`,
  );
  return rows.length > 0;
}

/** Users in the order of their names, ignoring case, after the given one. */
export function listUsers(tx: Tx, after: string, limit: number): Promise<User[]> {
  return tx.query(
    sql`select ${columns} from console_user where lower(user_name) > ${after}
      order by lower(user_name) limit ${limit}`,
  );
}

/**
 * Names of users who may do the daily work and share a client and a facility with these limits, in alphabetical order.
 */
export async function listWorkers(
  tx: Tx,
  { clientIds, facilityCodes }: Scope,
  limit: number,
): Promise<readonly string[]> {
  const rows = await tx.query<{ user_name: string }>(
    sql`select user_name from console_user
      where role in ('operator', 'admin') and not is_suspended and lower(user_name) > ''
        and (${clientIds}::text[] is null or client_ids is null or client_ids && ${clientIds}::text[])
        and (${facilityCodes}::text[] is null or facility_codes is null or facility_codes && ${facilityCodes}::text[])
      order by lower(user_name) limit ${limit}`,
  );
  return rows.map(({ user_name }) => user_name);
}

export async function findUser(tx: Tx, userName: string): Promise<UserProof | undefined> {
  const rows = await tx.query<UserProof>(
    sql`select ${proof} from console_user
      where lower(user_name) = lower(${userName}) limit 1`,
  );
  return rows[0];
}

/** The user with this subject at this provider. */
export async function findUserOfIdentity(tx: Tx, issuer: string, subject: string): Promise<UserProof | undefined> {
  const rows = await tx.query<UserProof>(
    sql`select ${proof} from console_user
      where identity_issuer = ${issuer} and identity_subject = ${subject} limit 1`,
  );
  return rows[0];
}

/**
 * Takes a lock until the end of the transaction: transactions that change users run one at a time, so that each can
 * check whether an admin is left.
 */
export async function lockUsers(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(7233042028::bigint) is null as locked`);
}

/** Other admins without limits who may sign in. */
export async function countOtherAdmins(tx: Tx, userName: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    sql`select count(*) as count from console_user where role = 'admin' and not is_suspended
      and client_ids is null and facility_codes is null and user_name <> ${userName} and lower(user_name) > ''`,
  );
  return rows[0]?.count ?? 0;
}

/** Also ends the user's sessions. */
export function setAccess(tx: Transaction, userName: string, access: Access & Pick<User, "isSuspended">): void {
  tx.send(
    sql`update console_user set role = ${access.role}, client_ids = ${access.clientIds}::text[],
      facility_codes = ${access.facilityCodes}::text[], is_suspended = ${access.isSuspended},
      access_version = access_version + 1
      where lower(user_name) = lower(${userName})`,
  );
}

/** Also ends the user's sessions. Returns the version that new sessions have. */
export async function setPassword(tx: Transaction, userName: string, passwordHash: string): Promise<number> {
  const rows = await tx.query<{ access_version: number }>(
    sql`update console_user set password_hash = ${passwordHash}, access_version = access_version + 1
      where lower(user_name) = lower(${userName}) returning access_version`,
  );
  return rows[0]?.access_version ?? 0;
}

export function noteSignIn(tx: Transaction, userName: string, at: string): void {
  tx.send(
    sql`update console_user set last_sign_in_at = ${at}::timestamptz where lower(user_name) = lower(${userName})`,
  );
}

/** Those of the clients that exist. */
export async function listKnownClients(tx: Tx, clientIds: readonly string[]): Promise<readonly string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select client_id from client where client_id = any(${clientIds}::text[]) limit ${clientIds.length}`,
  );
  return rows.map(({ client_id }) => client_id);
}

/** Those of the facilities that exist. */
export async function listKnownFacilities(tx: Tx, codes: readonly string[]): Promise<readonly string[]> {
  const rows = await tx.query<{ facility_code: string }>(
    sql`select facility_code from facility where facility_code = any(${codes}::text[]) limit ${codes.length}`,
  );
  return rows.map(({ facility_code }) => facility_code);
}
