import type { FailureScope } from "#/kernel/concurrency/fair-turns.ts";

/** The store cannot be reached, or does not answer in time: nothing was kept. Answered 503 with Retry-After. */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
}

/** The connection was lost after COMMIT was sent: the work is done or not, and only a repeat will tell. */
export class CommitUnknownError extends StoreUnavailableError {}

/** A read took longer than it may: the question is too large, and asking again changes nothing. */
export class TooBroadError extends Error {
  override readonly name = "TooBroadError";
}

/** What was read without a lock is not so any more: to be run again, as PostgreSQL says of its own serialisation failures. */
export class OvertakenError extends Error {
  override readonly name = "OvertakenError";
  readonly code = "40001";
}

/** Somebody else holds what a worker held: nothing of its transaction was kept, and the other one goes on with it. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** The connection closed under a running statement; no SQLSTATE arrives with these. */
const lostConnection =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|connection error and is not queryable|Client was closed|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|Cannot use a pool after calling end/;

/** SQLSTATE of an error from PostgreSQL, or undefined. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** The connection was refused for what it asked: user or password, database, a privilege, a setting. It stays so. */
const refusedStates = /^(28|3D|42|22)/;

/**
 * What PostgreSQL ends a connection with: FATAL, or PANIC, which ends them all. A full disk does so with XX000 (`could not
 * write init file`), which says of a statement that it met a fault.
 */
function endsConnection(error: unknown, state: string): boolean {
  const { severity } = error as { readonly severity?: unknown };
  return (severity === "FATAL" || severity === "PANIC") && !refusedStates.test(state);
}

/**
 * Class 08 (connection), 53 (out of resources), 57P01–57P03 (shutting down, starting up), 58 (system), 25006 (a replica,
 * after a failover), 25P03 (our transaction was idle for too long) and 57014 (our own statement time-out) mean "try again
 * later", as does a connection that broke, and whatever else PostgreSQL ends a connection with.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof StoreUnavailableError) return true;
  const state = sqlStateOf(error);
  if (state !== undefined) {
    const passes = /^(08|53|58)/.test(state) || /^(57P0[1-5]|25006|25P03|57014)$/.test(state);
    return passes || endsConnection(error, state);
  }
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  return error instanceof Error && lostConnection.test(`${(error as { code?: string }).code ?? ""} ${error.message}`);
}

/** A statement that took longer than it may: the rows it was about may be the reason, and not the store. */
export function isTimeOut(error: unknown): boolean {
  return (
    sqlStateOf(error) === "57014" || (error instanceof StoreUnavailableError && sqlStateOf(error.cause) === "57014")
  );
}

/** What the callers of the store are to see of an error of its client. */
export function translated(error: unknown): unknown {
  return isUnavailable(error) && !(error instanceof StoreUnavailableError)
    ? new StoreUnavailableError("the database does not answer", { cause: error })
    : error;
}

/** The same of a connection that could not be opened: whatever is no word of PostgreSQL's means that it was not reached. */
export function translatedOfConnect(error: unknown): unknown {
  return isUnavailable(error) || sqlStateOf(error) === undefined
    ? new StoreUnavailableError("the database cannot be reached", { cause: error })
    : error;
}

/** 40001 serialisation, 40P01 deadlock, 55P03 lock not available: the work was in another's way, and is not at fault. */
export function isContention(error: unknown): boolean {
  return /^(40001|40P01|55P03)$/.test(sqlStateOf(error) ?? "");
}

/** How loud the log is about an error that work goes on after: what passes by itself was coped with, all else is a fault. */
export function logLevelOf(error: unknown): "warn" | "error" {
  return isUnavailable(error) || isContention(error) || error instanceof LeaseLostError ? "warn" : "error";
}

/** The store is away for everybody; a time-out is the trouble of the one whose work it was. */
export function isStoreAway(error: unknown): boolean {
  return isUnavailable(error) && !isTimeOut(error);
}

/** Whose trouble a failure of work for one client is (`kernel/concurrency/fair-turns.ts`). */
export function scopeOf(error: unknown): FailureScope {
  if (isStoreAway(error)) return "EVERYBODY";
  return isContention(error) ? "PASSING" : "OWNER";
}

/** Contention, or 23505 and 23P01, a race for a key or an EAN: run again, alone. */
export function isWorthRepeating(error: unknown): boolean {
  return isContention(error) || /^(23505|23P01)$/.test(sqlStateOf(error) ?? "");
}
