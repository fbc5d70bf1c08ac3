// The common settings of all connections to the store.
import type { Socket } from "node:net";
import pg from "pg";
import { assert } from "#/kernel/assert.ts";
import { type Statement, tenant } from "#/store/db/sql.ts";

export interface DatabaseOptions {
  readonly url: string;
  readonly connectionsMax: number;
  readonly applicationName: string;
  /** Time-out of one statement. The connection is destroyed a second later when the server does not answer. */
  readonly statementTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** The pool's connections are read-only. */
  readonly isReadOnly?: boolean;
  /** Row-level security applies to the statements (`src/store/db/schema/row-security.ts`). */
  readonly isRowSecure?: boolean;
  /** Statements may go to all nodes of Citus at once; on one PostgreSQL this has no effect. */
  readonly isOverAllNodes?: boolean;
  /** Work of a client goes to the node of Citus that has its rows; on one PostgreSQL this has no effect. */
  readonly hasClientNodes?: boolean;
  /** False: contents are written as releases before 0.3.0 read them (docs/decisions/0078-packed-contents.md). */
  readonly writesPacked?: boolean;
  /** Called with every statement that is sent: the plan test collects the catalogue of statements here. */
  readonly onStatement?: (statement: Statement) => void;
  readonly onError?: (error: Error) => void;
  /** May remove the cause of a failure, and returns the error that the caller gets in its place. */
  readonly onFailure?: (error: unknown) => Promise<unknown>;
  /** Nodes of Citus that a look-up of background work has missed; none when all answer again. */
  readonly onNodesAway?: (nodes: readonly string[]) => void;
}

// Values keep PostgreSQL's notation: numerics stay exact text, time stays UTC text, and bigints fit a double here
// (positions and counts). The parser builds no objects that the caller must convert again.
const types = {
  getTypeParser(oid: number, format?: string): (value: string) => unknown {
    if (format === "binary") return pg.types.getTypeParser(oid, "binary") as (value: string) => unknown;
    switch (oid) {
      case 20:
        return Number;
      case 1082:
      case 1114:
      case 1700:
        return (text) => text;
      case 1184:
        return isoTime;
      default:
        return pg.types.getTypeParser(oid, "text") as (value: string) => unknown;
    }
  },
};

const point = 46;

/** `2026-11-20 10:00:00.12+00` (sessions run in UTC) to `2026-11-20T10:00:00.120Z`; `infinity` stays. */
function isoTime(text: string): string {
  if (!text.endsWith("+00")) return text;
  const at = text.indexOf(" ");
  const fraction = text.charCodeAt(at + 9) === point ? text.slice(at + 10, -3) : "";
  return `${text.slice(0, at)}T${text.slice(at + 1, at + 9)}.${fraction.padEnd(3, "0").slice(0, 3)}Z`;
}

/** Statements sent in one turn of the event loop leave in one write: system calls were a sixth of the time. */
export function corkForThisTick(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

const statementTimeoutMsDefault = 4_000;
/**
 * A node that is cut off in the middle of a transaction keeps its locks. PostgreSQL releases them after this time, so
 * that other nodes, and the node itself after its return, do not wait for them.
 */
const idleInTransactionMsMax = 5_000;
const connectTimeoutMsDefault = 3_000;
/** How long the client waits for an answer beyond the statement's time-out: a server that is still silent is gone. */
export const silenceMsMax = 500;

/**
 * Citus opens up to sixteen connections to each node for a statement that goes to all shards. With one connection it
 * answers 268 of them a second instead of 45. PostgreSQL accepts a setting with a dot in its name without a check.
 */
const oneConnectionForEachNode = " -c citus.max_adaptive_executor_pool_size=1";

export interface ConnectionSettings {
  readonly client: pg.ClientConfig;
  readonly statementTimeoutMs: number;
  readonly connectTimeoutMs: number;
}

export function connectionSettings(options: DatabaseOptions): ConnectionSettings {
  const statementTimeoutMs = options.statementTimeoutMs ?? statementTimeoutMsDefault;
  const connectTimeoutMs = options.connectTimeoutMs ?? connectTimeoutMsDefault;
  const client: pg.ClientConfig & { readonly pipeline: true } = {
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Set for solid-state disks, or memory. At PostgreSQL's default of 4, a look-up by key seems more expensive than a
    // scan of a table of some thousand rows (docs/decisions/0036-statistics.md). Without parallel workers: the start of
    // two takes 10 to 20 ms, and with old statistics the planner starts them for ten rows.
    options: `-c TimeZone=UTC -c statement_timeout=${statementTimeoutMs} -c idle_in_transaction_session_timeout=${idleInTransactionMsMax} -c jit=off -c random_page_cost=1.1 -c max_parallel_workers_per_gather=0 -c lock_timeout=1000${options.isReadOnly ? " -c default_transaction_read_only=on" : ""}${options.isOverAllNodes ? oneConnectionForEachNode : ""}`,
    types,
    // pg answers pipelined statements in order; without it each statement of a transaction costs a round trip.
    pipeline: true,
  };
  return { client, statementTimeoutMs, connectTimeoutMs };
}

/** Every statement passes this function on its way to a connection. */
export function noteStatement({ onStatement }: Pick<DatabaseOptions, "onStatement">, statement: Statement): void {
  assert(statement.values[0] !== tenant, `a client's view executes a tenant statement: ${statement.text}`);
  onStatement?.(statement);
}
