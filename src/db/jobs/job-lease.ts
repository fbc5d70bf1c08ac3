import type { Tx } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";
import { aheadMsMax } from "#/db/store/clock.ts";

/**
 * Takes the turn of a timed job, on one node at a time: true when it is due and nobody else is at it. A last run in the
 * future, and a lease longer than a lease, were written before the clock was set back: they count for nothing.
 */
export async function takeTurn(
  tx: Tx,
  job: string,
  owner: string,
  nowMs: number,
  everyMs: number,
  leaseMs: number,
): Promise<boolean> {
  const now = new Date(nowMs).toISOString();
  const leaseUntil = new Date(nowMs + leaseMs).toISOString();
  const dueBefore = new Date(nowMs - everyMs).toISOString();
  const leaseMost = new Date(nowMs + leaseMs + aheadMsMax).toISOString();
  const lastMost = new Date(nowMs + aheadMsMax).toISOString();
  const rows = await tx.query(sql`
    insert into job_lease as j (job, owner, lease_until) values (${job}, ${owner}::uuid, ${leaseUntil}::timestamptz)
    on conflict (job) do update set owner = excluded.owner, lease_until = excluded.lease_until
      where (j.lease_until < ${now}::timestamptz or j.lease_until > ${leaseMost}::timestamptz)
        and (j.last_run_at is null or j.last_run_at <= ${dueBefore}::timestamptz or j.last_run_at > ${lastMost}::timestamptz)
    returning job`);
  return rows.length === 1;
}

/** Keeps the turn of a job that still runs; one that was lost stays lost. */
export async function renewTurn(tx: Tx, job: string, owner: string, leaseUntilMs: number): Promise<void> {
  const leaseUntil = new Date(leaseUntilMs).toISOString();
  await tx.query(sql`update job_lease set lease_until = ${leaseUntil}::timestamptz
    where job = ${job} and owner = ${owner}::uuid`);
}

/** Notes that the job ran; a lease that was lost meanwhile notes nothing. */
export async function endTurn(tx: Tx, job: string, owner: string, nowMs: number): Promise<void> {
  const now = new Date(nowMs).toISOString();
  await tx.query(sql`update job_lease set last_run_at = ${now}::timestamptz, lease_until = ${now}::timestamptz
    where job = ${job} and owner = ${owner}::uuid`);
}

/** Of a job that was broken off: it is due as it was before. */
export async function giveTurnBack(tx: Tx, job: string, owner: string, nowMs: number): Promise<void> {
  const now = new Date(nowMs).toISOString();
  await tx.query(
    sql`update job_lease set lease_until = ${now}::timestamptz where job = ${job} and owner = ${owner}::uuid`,
  );
}
