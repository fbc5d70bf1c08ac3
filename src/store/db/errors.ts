import type { FailureScope } from "#/kernel/concurrency/fair-turns.ts";

/**
 * The store cannot be reached, or does not answer in time: nothing was stored. The API answers 503 with Retry-After.
 */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
}

/** The time of the request is over. Work that has reached the store may be done all the same. */
export class DeadlineError extends StoreUnavailableError {
  constructor() {
    super("the request was not done in time");
  }
}

/** The connection was lost after COMMIT was sent. The commit succeeded or failed; only a retry reveals which. */
export class CommitUnknownError extends StoreUnavailableError {}

/** A read exceeded its time limit. The query is too broad, and a retry does not help. */
export class TooBroadError extends Error {
  override readonly name = "TooBroadError";
}

/**
 * Data that was read without a lock has changed since. The caller retries, as for PostgreSQL's own serialisation
 * failures.
 */
export class OvertakenError extends Error {
  override readonly name = "OvertakenError";
  readonly code = "40001";
}

/**
 * Another worker now holds the lease of this worker. Nothing of this transaction was stored, and the other worker
 * continues.
 */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** The connection closed under a running statement; these errors carry no SQLSTATE. */
const lostConnection =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|connection error and is not queryable|Client was closed|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|Cannot use a pool after calling end/;

/** SQLSTATE of an error from PostgreSQL, or undefined. Each has a digit; EPIPE of a cut connection has five letters. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/**
 * The server rejected the connection because of its parameters: user or password, database, a privilege, a setting. A
 * retry does not help.
 */
const refusedStates = /^(28|3D|42|22)/;

/**
 * PostgreSQL ends a connection with FATAL, or with PANIC, which ends all connections. A full disk causes a FATAL with
 * XX000 (`could not write init file`); without FATAL, XX000 means that a statement met a fault.
 */
function endsConnection(error: unknown, state: string): boolean {
  const { severity } = error as { readonly severity?: unknown };
  return (severity === "FATAL" || severity === "PANIC") && !refusedStates.test(state);
}

/**
 * Class 08 (connection), 53 (out of resources), 57P01–57P03 (shutting down, starting up), 58 (system), 25006 (a
 * replica, after a failover), 25P03 (our transaction was idle for too long) and 57014 (our own statement time-out) mean
 * "try again later". The same holds for a broken connection, and for any other error with which PostgreSQL ends a
 * connection.
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

const failuresOfNodes = new WeakSet<Error>();

/** Records that the store was unavailable on a connection to a node of Citus, which has the rows of some clients. */
export function noteNodeFailure(error: unknown): void {
  if (error instanceof Error && isUnavailable(error) && !isTimeOut(error)) failuresOfNodes.add(error);
}

/**
 * A node of Citus that the statement needs does not answer: the program, or the coordinator. If our own connection to
 * the coordinator ends, the error is FATAL or has no SQLSTATE.
 */
export function isNodeAway(error: unknown): boolean {
  if (error instanceof Error && failuresOfNodes.has(error)) return true;
  if (error instanceof StoreUnavailableError) return isNodeAway(error.cause);
  const { severity } = (error ?? {}) as { readonly severity?: unknown };
  return severity === "ERROR" && /^(08|57P0[1-3])/.test(sqlStateOf(error) ?? "");
}

/** A statement exceeded its time limit. The cause may be the rows that it reads or changes, and not the store. */
export function isTimeOut(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isTimeOut);
  return (
    sqlStateOf(error) === "57014" || (error instanceof StoreUnavailableError && sqlStateOf(error.cause) === "57014")
  );
}

/** How PostgreSQL begins the messages of these errors. */
const messageStates: readonly (readonly [beginning: string, state: string])[] = [
  ["duplicate key value violates unique constraint", "23505"],
  ["canceling statement due to lock timeout", "55P03"],
  ["deadlock detected", "40P01"],
];

/** A set that Citus copies to another node (`insertInto` of `table.ts`) fails there with a state that it loses. */
function restoreState(error: unknown): void {
  if (sqlStateOf(error) !== "XX000") return;
  const failure = error as Error & { code: string };
  failure.code = messageStates.find(([beginning]) => failure.message.startsWith(beginning))?.[1] ?? failure.code;
}

/** Translates an error of the database client into the error that callers of the store see. */
export function translated(error: unknown): unknown {
  restoreState(error);
  return isUnavailable(error) && !(error instanceof StoreUnavailableError)
    ? new StoreUnavailableError("the database does not answer", { cause: error })
    : error;
}

/** The same translation for a connection attempt. An error without a SQLSTATE means that PostgreSQL was not reached. */
export function translatedOfConnect(error: unknown): unknown {
  if (error instanceof StoreUnavailableError) return error;
  return isUnavailable(error) || sqlStateOf(error) === undefined
    ? new StoreUnavailableError("the database cannot be reached", { cause: error })
    : error;
}

/**
 * 40001 serialisation, 40P01 deadlock, 55P03 lock not available: the work conflicted with other work, and is not itself
 * at fault.
 */
export function isContention(error: unknown): boolean {
  return /^(40001|40P01|55P03)$/.test(sqlStateOf(error) ?? "");
}

/** The messages of PostgreSQL, its programs and the operating system; ENOSPC has other meanings too. */
const fullDisk = /no space left on device|disk (?:of .+ )?is full/i;

/** The error, or the cause of it, that reports a full disk: the work succeeds when there is space again. */
export function fullDiskOf(error: unknown): Error | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (sqlStateOf(cause) === "53100" || fullDisk.test(cause.message)) return cause;
  }
  return undefined;
}

/**
 * The log level of an error after which work continues: "warn" for an error that passes by itself, "error" for any
 * other.
 */
export function logLevelOf(error: unknown): "warn" | "error" {
  return isUnavailable(error) || isContention(error) || error instanceof LeaseLostError ? "warn" : "error";
}

/** The store is unavailable for all clients. A time-out concerns only the client whose work it was. */
export function isStoreAway(error: unknown): boolean {
  return isUnavailable(error) && !isTimeOut(error);
}

const clients = new WeakMap<object, string>();

/** Records the client whose work failed, unless the error has one: work of several clients shares a transaction. */
export function noteClientOf(error: unknown, clientId: string): void {
  if (error instanceof Error && !clients.has(error)) clients.set(error, clientId);
}

/** The client whose work failed; undefined where the failure is not of one client. */
export function clientOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return clients.get(error) ?? clientOf(error.cause);
}

/**
 * Which clients a failure of work for one client affects (`kernel/concurrency/fair-turns.ts`). A node of Citus that is
 * away affects its own clients, and they are served as soon as it is back.
 */
export function scopeOf(error: unknown): FailureScope {
  if (isNodeAway(error)) return "PASSING";
  if (isStoreAway(error)) return "EVERYBODY";
  return isContention(error) ? "PASSING" : "OWNER";
}

/** Contention, or 23505 and 23P01, a race for a key or an EAN: the caller retries the work alone. */
export function isWorthRepeating(error: unknown): boolean {
  return isContention(error) || /^(23505|23P01)$/.test(sqlStateOf(error) ?? "");
}
