import Type, { type Static } from "typebox";
import { session, userSession } from "#/console-api/access/contract.ts";
import type { SignInStep } from "#/http/access/operator-role.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { Transaction, Tx } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";

const sessionUser = Type.Pick(session, ["userName", "role", "clientIds", "facilityCodes", "identityProvider"]);

export interface Session extends Static<typeof sessionUser> {
  /** The pending step, without which the session allows no operation. */
  readonly step: SignInStep;
  /** The means of proof of the second step; null: there was none. */
  readonly factor: string | null;
  /** Whether the user has a second factor. */
  readonly hasFactor: boolean;
  /** When the user last proved their identity. */
  readonly authenticatedAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  /** Of a token for an agent; null: the session of a browser. */
  readonly agentClientId: string | null;
  readonly agentProposes: boolean | null;
}

const userColumns = columnsOf(sessionUser, "u", { identityProvider: sql`u.identity_issuer` });

/** The session, with the current data of its user; undefined where it has ended for any reason. */
export async function findSession(
  tx: Tx,
  sha256: Buffer,
  { at, idleSince }: { readonly at: string; readonly idleSince: string },
): Promise<Session | undefined> {
  const rows = await tx.query<Session>(
    sql`select ${userColumns}, s.step, s.factor, s.last_used_at as "lastUsedAt", s.expires_at as "expiresAt",
        coalesce(s.authenticated_at, s.started_at) as "authenticatedAt",
        exists (select from console_factor f where f.user_name = u.user_name) as "hasFactor",
        s.agent_client_id as "agentClientId", s.agent_proposes as "agentProposes"
      from console_session s join console_user u on u.user_name = s.user_name
      where s.session_sha256 = ${sha256} and s.expires_at > ${at}::timestamptz and s.last_used_at > ${idleSince}::timestamptz
        and u.access_version = abs(s.access_version) and not u.is_suspended limit 1`,
  );
  return rows[0];
}

export interface NewSession {
  readonly sha256: Buffer;
  readonly userName: string;
  readonly accessVersion: number;
  readonly at: string;
  readonly endsAt: string;
  /** Address from which it was opened. */
  readonly origin: string;
  readonly step: SignInStep;
  readonly factor: string | null;
}

export function insertSession(tx: Transaction, session: NewSession): void {
  // Earlier releases, which know no steps, treat a negative version as an ended session.
  const version = session.step === "DONE" ? session.accessVersion : -session.accessVersion;
  tx.send(
    sql`insert into console_session (session_sha256, user_name, access_version, started_at, last_used_at, expires_at, origin, step,
        factor)
      values (${session.sha256}, ${session.userName}, ${version}, ${session.at}::timestamptz,
        ${session.at}::timestamptz, ${session.endsAt}::timestamptz, ${session.origin}, ${session.step}, ${session.factor})`,
  );
}

const liveSession = Type.Omit(userSession, ["isOwn"]);
const liveColumns = columnsOf(liveSession, "s", {
  sessionId: sql`translate(rtrim(encode(s.session_sha256, 'base64'), '='), '+/', '-_')`,
});

/** Sessions of a user that are still open, the most recently used first. */
export function listLiveSessions(
  tx: Tx,
  userName: string,
  { at, idleSince, limit }: { readonly at: string; readonly idleSince: string; readonly limit: number },
): Promise<Static<typeof liveSession>[]> {
  return tx.query(
    sql`select ${liveColumns}
      from console_session s join console_user u on u.user_name = s.user_name
      where s.user_name = ${userName} and s.expires_at > ${at}::timestamptz
        and (s.last_used_at > ${idleSince}::timestamptz or s.agent_client_id is not null)
        and u.access_version = s.access_version and not u.is_suspended
      order by s.last_used_at desc, s.session_sha256 limit ${limit}`,
  );
}

export async function noteUse(tx: Tx, sha256: Buffer, at: string): Promise<void> {
  await tx.query(
    sql`update console_session set last_used_at = greatest(last_used_at, ${at}::timestamptz) where session_sha256 = ${sha256}`,
  );
}

export function deleteSession(tx: Transaction, sha256: Buffer): void {
  tx.send(sql`delete from console_session where session_sha256 = ${sha256}`);
}

/** Records that the user of a session has proved their identity again, with the factor if one was used. */
export function noteProof(tx: Transaction, sha256: Buffer, factor: string | null, at: string): void {
  tx.send(
    sql`update console_session set authenticated_at = ${at}::timestamptz, factor = coalesce(${factor}, factor)
      where session_sha256 = ${sha256}`,
  );
}

/** Stores the challenge that a passkey must sign in this session; it replaces the previous one. */
export function setChallenge(tx: Transaction, sha256: Buffer, challenge: string, endsAt: string): void {
  tx.send(
    sql`update console_session set challenge = ${challenge}, challenge_expires_at = ${endsAt}::timestamptz
      where session_sha256 = ${sha256}`,
  );
}

/** Consumes the challenge, whatever the result; undefined where there is none that is still valid. */
export async function takeChallenge(tx: Tx, sha256: Buffer, at: string): Promise<string | undefined> {
  const rows = await tx.query<{ challenge: string; is_open: boolean }>(
    sql`update console_session s set challenge = null
      from (select session_sha256, challenge, challenge_expires_at > ${at}::timestamptz as is_open from console_session
        where session_sha256 = ${sha256} and challenge is not null limit 1 for update) o
      where s.session_sha256 = o.session_sha256 returning o.challenge, o.is_open`,
  );
  return rows[0]?.is_open ? rows[0].challenge : undefined;
}

/** The session continues under the user's new password; the user's other sessions end. */
export function keepOnly(tx: Transaction, sha256: Buffer, userName: string, accessVersion: number): void {
  deleteOthers(tx, sha256, userName);
  tx.send(sql`update console_session set access_version = ${accessVersion} where session_sha256 = ${sha256}`);
}

/** Ends one session of a user. Returns whether it existed. */
export async function endSession(tx: Tx, userName: string, sha256: Buffer): Promise<boolean> {
  const rows = await tx.query(
    sql`delete from console_session where session_sha256 = ${sha256} and user_name = ${userName} returning user_name`,
  );
  return rows.length > 0;
}

/** Ends all sessions of a user except this one. */
export function deleteOthers(tx: Transaction, sha256: Buffer, userName: string): void {
  tx.send(sql`delete from console_session where user_name = ${userName} and session_sha256 <> ${sha256}`);
}

export function deleteSessionsOf(tx: Transaction, userName: string): void {
  tx.send(sql`delete from console_session where user_name = ${userName}`);
}

/** Deletes sessions that have ended. */
export function deleteEnded(tx: Transaction, at: string): void {
  tx.send(sql`delete from console_session where expires_at < ${at}::timestamptz`);
}
