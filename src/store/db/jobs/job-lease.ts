import { minuteMs } from "#/kernel/values/durations.ts";
import type { Tx } from "#/store/db/database.ts";
import { type Statement, sql } from "#/store/db/sql.ts";
import { aheadMsMax } from "#/store/db/store/clock.ts";

/** A failed run is retried after this time, after twice this time when that fails too, and so on. */
const retryMsMin = minuteMs;
const retryMsMax = 30 * minuteMs;
/** 2 to this power is enough for `retryMsMax`. */
const doublingsMax = 5;

/** When jobs are claimed, ms since 1970, and for how long. */
export interface TurnTerms {
  readonly nowMs: number;
  readonly leaseMs: number;
}

/**
 * A job without a lease that is due. A last run or a retry in the future, or a lease longer than the lease time, was
 * written before the clock was set back: all are ignored.
 * @param dueBefore a timestamptz
 */
function isDue(dueBefore: Statement, { nowMs, leaseMs }: TurnTerms): Statement {
  const iso = (ms: number) => new Date(ms).toISOString();
  const now = iso(nowMs);
  return sql`(j.lease_until < ${now}::timestamptz or j.lease_until > ${iso(nowMs + leaseMs + aheadMsMax)}::timestamptz)
    and (j.last_run_at is null or j.last_run_at <= ${dueBefore} or j.last_run_at > ${iso(nowMs + aheadMsMax)}::timestamptz)
    and (j.retry_at is null or j.retry_at <= ${now}::timestamptz
      or j.retry_at > ${iso(nowMs + retryMsMax + aheadMsMax)}::timestamptz)`;
}

/**
 * Claims the leases of those of the jobs that are due, each on one node at a time. Jobs that are not due are left as they
 * are, without a lock.
 * @returns the names of the claimed jobs, in no order
 */
export async function takeTurns(
  tx: Tx,
  jobs: readonly { readonly name: string; readonly dueBeforeMs: number }[],
  owner: string,
  terms: TurnTerms,
): Promise<string[]> {
  const names = jobs.map(({ name }) => name);
  const dueBefore = jobs.map(({ dueBeforeMs }) => new Date(dueBeforeMs).toISOString());
  const leaseUntil = new Date(terms.nowMs + terms.leaseMs).toISOString();
  const isClaimable = isDue(sql`(select w.due_before from wanted w where w.job = j.job)`, terms);
  const rows = await tx.query<{ job: string }>(sql`
    with wanted as (
      select * from unnest(${names}::text[], ${dueBefore}::timestamptz[]) as w(job, due_before)
    )
    insert into job_lease as j (job, owner, lease_until)
      select w.job, ${owner}::uuid, ${leaseUntil}::timestamptz from wanted w left join job_lease j on j.job = w.job
        where j.job is null or (${isDue(sql`w.due_before`, terms)}) order by w.job limit 1000
    on conflict (job) do update set owner = excluded.owner, lease_until = excluded.lease_until where ${isClaimable}
    returning job`);
  return rows.map(({ job }) => job);
}

/** Renews the lease of a running job. A lost lease stays lost. */
export async function renewTurn(tx: Tx, job: string, owner: string, leaseUntilMs: number): Promise<void> {
  const leaseUntil = new Date(leaseUntilMs).toISOString();
  await tx.query(sql`update job_lease set lease_until = ${leaseUntil}::timestamptz
    where job = ${job} and owner = ${owner}::uuid`);
}

/** Records that the job succeeded. A job whose lease was lost meanwhile records nothing. */
export async function endTurn(tx: Tx, job: string, owner: string, nowMs: number): Promise<void> {
  const now = new Date(nowMs).toISOString();
  await tx.query(sql`update job_lease
    set last_run_at = ${now}::timestamptz, lease_until = ${now}::timestamptz, retry_at = null, failures = 0
    where job = ${job} and owner = ${owner}::uuid`);
}

/**
 * Records that the job failed: it is due again in minutes, or after its interval if that is shorter.
 * @param everyMs the job's interval
 */
export async function failTurn(tx: Tx, job: string, owner: string, nowMs: number, everyMs: number): Promise<void> {
  const now = new Date(nowMs).toISOString();
  const [least, most] = [Math.min(retryMsMin, everyMs), Math.min(retryMsMax, everyMs)];
  await tx.query(sql`update job_lease
    set lease_until = ${now}::timestamptz, failures = failures + 1, retry_at = ${now}::timestamptz
      + least(${least}::float8 * 2 ^ least(failures, ${doublingsMax}::int), ${most}::float8) * interval '1 millisecond'
    where job = ${job} and owner = ${owner}::uuid`);
}

/** Releases the lease of an interrupted job. The job is due as it was before. */
export async function giveTurnBack(tx: Tx, job: string, owner: string, nowMs: number): Promise<void> {
  const now = new Date(nowMs).toISOString();
  await tx.query(
    sql`update job_lease set lease_until = ${now}::timestamptz where job = ${job} and owner = ${owner}::uuid`,
  );
}

/**
 * The time by which a job may delete what is old. It follows the clock by `stepMsMax` in each successful run: a clock
 * that jumps ahead makes no data old, and after a pause of the program the job catches up in steps. A job without a
 * turn goes by the clock.
 */
export async function findReach(tx: Tx, job: string, nowMs: number, stepMsMax: number): Promise<number> {
  const rows = await tx.query<{ reached_ms: number | null }>(
    sql`select extract(epoch from coalesce(reached_at, last_run_at))::float8 * 1000 as reached_ms
      from job_lease where job = ${job}`,
  );
  return Math.min(nowMs, (rows[0]?.reached_ms ?? nowMs) + stepMsMax);
}

/** Records the time by which the job has deleted what is old. */
export async function keepReach(tx: Tx, job: string, reachedMs: number): Promise<void> {
  const reached = new Date(reachedMs).toISOString();
  await tx.query(sql`update job_lease set reached_at = ${reached}::timestamptz where job = ${job}`);
}

export interface JobTurn {
  readonly job: string;
  /** End of the last run that succeeded. */
  readonly last_run_at: string | null;
  readonly lease_until: string;
  readonly retry_at: string | null;
  /** Failed runs since the last success. */
  readonly failures: number;
}

export function listJobTurns(tx: Tx): Promise<JobTurn[]> {
  return tx.query(sql`select job, last_run_at, lease_until, retry_at, failures from job_lease order by job limit 1000`);
}
