import type { ClientTx, Tx } from "#/store/db/database.ts";
import type { Resealed } from "#/store/db/schema/sealed-table.ts";
import { sql } from "#/store/db/sql.ts";
import { aheadMsMax } from "#/store/db/store/clock.ts";

const iso = (atMs: number): string => new Date(atMs).toISOString();

/** The wrong log-ins from an address, as stored. */
export interface StoredFailures {
  readonly failures: number;
  readonly lastFailedAt: string;
  readonly lockedUntil: string | null;
}

const failureColumns = sql`failures, last_failed_at as "lastFailedAt", locked_until as "lockedUntil"`;

export async function findAddress(tx: Tx, address: string): Promise<StoredFailures | undefined> {
  const rows = await tx.query<StoredFailures>(
    sql`select ${failureColumns} from sftp_login_failure where address = ${address} limit 1`,
  );
  return rows[0];
}

export interface WrongLogIn {
  readonly address: string;
  readonly atMs: number;
  /** Wrong log-ins before this are forgotten, unless they locked the address out. */
  readonly forgottenBeforeMs: number;
  readonly wrongMax: number;
  readonly lockUntilMs: number;
}

/** Counts a wrong log-in, and locks the address out at the maximum; an active lock is not prolonged. */
export async function noteWrong(tx: Tx, wrong: WrongLogIn): Promise<StoredFailures> {
  const at = sql`${iso(wrong.atMs)}::timestamptz`;
  const isNew = sql`(a.locked_until <= ${at}
    or a.locked_until is null and a.last_failed_at < ${iso(wrong.forgottenBeforeMs)}::timestamptz)`;
  const rows = await tx.query<StoredFailures>(
    sql`insert into sftp_login_failure as a (address, failures, last_failed_at) values (${wrong.address}, 1, ${at})
      on conflict (address) do update set last_failed_at = excluded.last_failed_at,
        failures = case when ${isNew} then 1 else a.failures + 1 end,
        locked_until = case when ${isNew} then null
          when a.locked_until is null and a.failures + 1 >= ${wrong.wrongMax}::integer
            then ${iso(wrong.lockUntilMs)}::timestamptz
          else a.locked_until end
      returning ${failureColumns}`,
  );
  return rows[0] as StoredFailures;
}

/** Called after a correct log-in. A lock that another log-in has set meanwhile stays. */
export async function forgetWrong(tx: Tx, address: string, atMs: number): Promise<void> {
  await tx.query(
    sql`delete from sftp_login_failure where address = ${address}
      and (locked_until is null or locked_until <= ${iso(atMs)}::timestamptz)`,
  );
}

/** Deletes expired addresses, and sessions of dead nodes. */
export async function purgeAccess(tx: Tx, beforeMs: number): Promise<void> {
  const before = iso(beforeMs);
  await tx.query(sql`delete from sftp_login_failure where last_failed_at < ${before}::timestamptz`);
  await tx.query(sql`delete from sftp_session where lease_until < ${before}::timestamptz`);
}

export interface StoredHostKey {
  /** `ssh-ed25519` or `ssh-rsa`. */
  readonly algorithm: string;
  /** A line for `known_hosts`, without the host. */
  readonly publicKey: string;
  readonly privateKeySealed: string;
}

export function listHostKeys(tx: Tx): Promise<StoredHostKey[]> {
  return tx.query(
    sql`select algorithm, public_key as "publicKey", private_key_sealed as "privateKeySealed" from sftp_host_key limit 100`,
  );
}

export async function replaceSealedHostKeys(tx: Tx, texts: readonly Resealed[]): Promise<number> {
  const rows = await tx.query(
    sql`update sftp_host_key k set private_key_sealed = x.after
      from json_to_recordset(${JSON.stringify(texts)}::json) as x(key text, before text, after text)
      where k.algorithm = x.key and k.private_key_sealed = x.before returning k.algorithm`,
  );
  return rows.length;
}

/** Keeps an existing key of the same algorithm: if two nodes insert one, both use the first. */
export async function insertHostKey(tx: Tx, key: StoredHostKey, atMs: number): Promise<void> {
  await tx.query(
    sql`insert into sftp_host_key (algorithm, public_key, private_key_sealed, created_at)
      values (${key.algorithm}, ${key.publicKey}, ${key.privateKeySealed}, ${iso(atMs)}::timestamptz)
      on conflict (algorithm) do nothing returning algorithm`,
  );
}

export interface NewSession {
  readonly sessionId: string;
  readonly nodeId: string;
  readonly clientId: string;
  readonly credentialId: string;
  readonly atMs: number;
  readonly leaseUntilMs: number;
  readonly slots: number;
}

/**
 * Takes one of the client's slots that is free or has an expired lease, or a lease that only a clock that was ahead can
 * have given. Undefined where no slot is free, or where another node took the same slot at the same moment.
 */
export async function takeSlot(tx: Tx, session: NewSession): Promise<number | undefined> {
  const at = sql`${iso(session.atMs)}::timestamptz`;
  const leaseMost = sql`${iso(session.leaseUntilMs + aheadMsMax)}::timestamptz`;
  const rows = await tx.query<{ slot: number }>(
    sql`insert into sftp_session as s (client_id, slot, session_id, node_id, credential_id, started_at, lease_until)
      select ${session.clientId}, n, ${session.sessionId}::uuid, ${session.nodeId}::uuid, ${session.credentialId}, ${at},
        ${iso(session.leaseUntilMs)}::timestamptz
      from generate_series(1, ${session.slots}::integer) n
      where not exists (select from sftp_session o
        where o.client_id = ${session.clientId} and o.slot = n and o.lease_until between ${at} and ${leaseMost})
      order by n limit 1
      on conflict (client_id, slot) do update set session_id = excluded.session_id, node_id = excluded.node_id,
        credential_id = excluded.credential_id, started_at = excluded.started_at, lease_until = excluded.lease_until
        where s.lease_until < excluded.started_at or s.lease_until > ${leaseMost}
      returning slot`,
  );
  return rows[0]?.slot;
}

/** Returns those of a node's sessions that still held their leases. Leases of sessions that it does not name expire. */
export async function renewLeases(
  tx: Tx,
  nodeId: string,
  sessionIds: readonly string[],
  leaseUntilMs: number,
): Promise<string[]> {
  const rows = await tx.query<{ session_id: string }>(
    sql`update sftp_session set lease_until = ${iso(leaseUntilMs)}::timestamptz
      where node_id = ${nodeId}::uuid and session_id = any(${sessionIds}::uuid[])
      returning session_id`,
  );
  return rows.map(({ session_id }) => session_id);
}

export async function freeSlot(tx: ClientTx, slot: number, sessionId: string): Promise<void> {
  await tx.plain.query(
    sql`delete from sftp_session where client_id = ${tx.clientId} and slot = ${slot}::smallint
      and session_id = ${sessionId}::uuid`,
  );
}

export async function countSessions(tx: ClientTx, atMs: number, leaseMs: number): Promise<number> {
  const rows = await tx.plain.query<{ sessions: number }>(
    sql`select count(*) as sessions from sftp_session
      where client_id = ${tx.clientId} and lease_until between ${iso(atMs)}::timestamptz
        and ${iso(atMs + leaseMs + aheadMsMax)}::timestamptz limit 1`,
  );
  return rows[0]?.sessions ?? 0;
}
