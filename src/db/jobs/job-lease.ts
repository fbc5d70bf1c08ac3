import type { Tx } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";
import { aheadMsMax } from "#/db/store/clock.ts";

/**
 * Claims the lease of a timed job, on one node at a time. Returns true when the job is due and no other node runs it. A
 * last run in the future, or a lease longer than the lease time, was written before the clock was set back: both are
 * ignored.
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

/** Renews the lease of a running job. A lost lease stays lost. */
export async function renewTurn(tx: Tx, job: string, owner: string, leaseUntilMs: number): Promise<void> {
  const leaseUntil = new Date(leaseUntilMs).toISOString();
  await tx.query(sql`update job_lease set lease_until = ${leaseUntil}::timestamptz
    where job = ${job} and owner = ${owner}::uuid`);
}

/** Records that the job ran. A job whose lease was lost meanwhile records nothing. */
export async function endTurn(tx: Tx, job: string, owner: string, nowMs: number): Promise<void> {
  const now = new Date(nowMs).toISOString();
  await tx.query(sql`update job_lease set last_run_at = ${now}::timestamptz, lease_until = ${now}::timestamptz
    where job = ${job} and owner = ${owner}::uuid`);
}

/** Releases the lease of an interrupted job. The job is due as it was before. */
export async function giveTurnBack(tx: Tx, job: string, owner: string, nowMs: number): Promise<void> {
  const now = new Date(nowMs).toISOString();
  await tx.query(
    sql`update job_lease set lease_until = ${now}::timestamptz where job = ${job} and owner = ${owner}::uuid`,
  );
}
