import type { Socket } from "node:net";
import pg from "pg";
import { CommitUnknownError, isUnavailable, StoreUnavailableError, sqlStateOf } from "#/db/errors.ts";
import { type Statement, tenant } from "#/db/sql.ts";
import { assert } from "#/kernel/assert.ts";

/** Something statements can be run on: inside a transaction, or on its own. Statements sent without waiting are pipelined. */
export interface Tx {
  query<Row = unknown>(statement: Statement): Promise<Row[]>;
}

/** Inside a transaction a statement may also be sent without waiting for it: its failure fails the commit. */
export interface Transaction extends Tx {
  send(statement: Statement): void;
}

export interface Database extends Tx {
  /**
   * Runs `work` in one transaction. Throws CommitUnknownError when the connection broke after COMMIT was sent,
   * StoreUnavailableError when the store cannot be reached; anything else is thrown as it came, after a rollback.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Connections in use and waiting, for health and metrics. */
  load(): { readonly total: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}

export interface TransactionOptions {
  /** How long a row lock is waited for, in milliseconds; then SQLSTATE 55P03. */
  readonly lockTimeoutMs?: number;
  /** How long one statement may take, in milliseconds, when it may take longer than the pool's own limit. */
  readonly statementTimeoutMs?: number;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly connectionsMax: number;
  readonly applicationName: string;
  /** One statement may take this long; the connection is destroyed a second later when the server stays silent. */
  readonly statementTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** Called with every statement that is sent: the plan test collects the catalogue of statements here. */
  readonly onStatement?: (statement: Statement) => void;
  readonly onError?: (error: Error) => void;
}

// Types come as PostgreSQL writes them: numerics stay exact text, time stays UTC text, bigints fit a double here
// (positions and counts), and nothing is built that the caller would only take apart again.
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

/** `2026-11-20 10:00:00.12+00` (sessions run in UTC) to `2026-11-20T10:00:00.120Z`; `infinity` stays. */
function isoTime(text: string): string {
  if (!text.endsWith("+00")) return text;
  const [day, time] = text.slice(0, -3).split(" ") as [string, string];
  const [seconds, fraction = ""] = time.split(".") as [string, string?];
  return `${day}T${seconds}.${fraction.padEnd(3, "0").slice(0, 3)}Z`;
}

/** Statements sent in one turn of the event loop leave in one write: system calls were a sixth of the time. */
function corkForThisTick(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** SQLSTATE of a statement in a transaction that an earlier statement has failed. */
const transactionFailed = "25P02";
const statementTimeoutMsDefault = 4_000;
/**
 * A node that was cut off in the middle of a transaction leaves its locks behind: PostgreSQL takes them back after this,
 * so that the others, and the node itself when it is back, do not wait for them.
 */
const idleInTransactionMsMax = 5_000;
const connectTimeoutMsDefault = 3_000;

export function openDatabase(options: DatabaseOptions): Database {
  const statementTimeoutMs = options.statementTimeoutMs ?? statementTimeoutMsDefault;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connectionsMax,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs ?? connectTimeoutMsDefault,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    query_timeout: statementTimeoutMs + 500,
    // Every statement here has its index. Without enable_seqscan=off a plan that is made while a table is still empty,
    // and kept under its name, goes on reading the whole table when it has grown (0.66 ms against 0.05 ms after 20,000
    // orders).
    options: `-c TimeZone=UTC -c statement_timeout=${statementTimeoutMs} -c idle_in_transaction_session_timeout=${idleInTransactionMsMax} -c jit=off -c enable_seqscan=off -c lock_timeout=1000`,
    types,
    // pg answers pipelined statements in order; without it each statement of a transaction costs a round trip.
    pipeline: true,
  } as pg.PoolConfig);
  let isClosing = false;
  pool.on("error", (error) => {
    // pg hangs the whole connection onto it, its configuration too: nothing for a log.
    delete (error as { client?: unknown }).client;
    if (!isClosing) options.onError?.(error);
  });

  function send<Row>(client: pg.PoolClient, statement: Statement, timeoutMs?: number): Promise<Row[]> {
    assert(statement.values[0] !== tenant, `a tenant statement goes through tenantQuery: ${statement.text}`);
    options.onStatement?.(statement);
    corkForThisTick(client);
    const config = {
      text: statement.text,
      name: statement.name,
      values: statement.values as unknown[],
      ...(timeoutMs === undefined ? {} : { query_timeout: timeoutMs + 500 }),
    };
    return client.query(config).then((result) => result.rows as Row[]);
  }

  async function connect(): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      if (isUnavailable(error) || sqlStateOf(error) === undefined) {
        throw new StoreUnavailableError("the database cannot be reached", { cause: error });
      }
      throw error;
    }
  }

  function translated(error: unknown): unknown {
    return isUnavailable(error) && !(error instanceof StoreUnavailableError)
      ? new StoreUnavailableError("the database does not answer", { cause: error })
      : error;
  }

  async function transaction<T>(work: (tx: Transaction) => Promise<T>, settings: TransactionOptions = {}): Promise<T> {
    const client = await connect();
    let destroyed: Error | undefined;
    // A lost connection reports itself through an event too; without a listener the process would end.
    const onClientError = (error: Error) => {
      destroyed = error;
    };
    client.on("error", onClientError);
    try {
      corkForThisTick(client);
      let firstFailure: unknown;
      const noteFailure = (error: unknown) => {
        firstFailure ??= error;
      };
      const opening: Promise<unknown>[] = [client.query("begin")];
      if (settings.lockTimeoutMs !== undefined) {
        opening.push(client.query(`set local lock_timeout = ${Math.ceil(settings.lockTimeoutMs)}`));
      }
      if (settings.statementTimeoutMs !== undefined) {
        opening.push(client.query(`set local statement_timeout = ${Math.ceil(settings.statementTimeoutMs)}`));
      }
      // What is not awaited by the caller is awaited here, and must not count as an unhandled rejection until then.
      const sent: Promise<unknown>[] = opening;
      for (const promise of opening) promise.catch(noteFailure);
      const tx: Transaction = {
        query(statement) {
          const promise = send(client, statement, settings.statementTimeoutMs);
          // Whoever waits for several in turn stops at the first that failed: the others' failures are no other news, and
          // must not end the process. None is lost: a transaction with a failed statement is not committed.
          promise.catch(() => {});
          return promise as Promise<never[]>;
        },
        send(statement) {
          const promise = send(client, statement, settings.statementTimeoutMs);
          promise.catch(noteFailure);
          sent.push(promise);
        },
      };
      let value: T;
      try {
        value = await work(tx);
      } catch (error) {
        // What was sent before failed, and what was asked after it learned that only: the first failure is the reason.
        const reason = sqlStateOf(error) === transactionFailed ? (firstFailure ?? error) : error;
        // A connection that does not answer would not answer this either, for as long again; it is destroyed below.
        if (isUnavailable(reason)) throw reason;
        await client.query("rollback").catch((cause: Error) => {
          destroyed = cause;
        });
        throw reason;
      }
      // COMMIT follows the last statements on the wire without a round trip between; after a failed one it is a rollback.
      corkForThisTick(client);
      const commit = client.query("commit");
      commit.catch(() => {});
      let answer: pg.QueryResult;
      try {
        await Promise.all(sent);
      } catch (error) {
        await commit.catch((cause: Error) => {
          destroyed = cause;
        });
        throw destroyed === undefined
          ? error
          : new CommitUnknownError("the outcome of the commit is unknown", { cause: error });
      }
      try {
        answer = await commit;
      } catch (error) {
        destroyed = error as Error;
        // PostgreSQL itself refused the commit (a deferred constraint, say): that outcome is known.
        if (sqlStateOf(error) !== undefined && !isUnavailable(error)) throw error;
        throw new CommitUnknownError("the outcome of the commit is unknown", { cause: error });
      }
      assert(answer.command === "COMMIT", `a transaction with a failed statement was committed (${answer.command})`);
      return value;
    } catch (error) {
      if (isUnavailable(error)) destroyed ??= error as Error;
      throw translated(error);
    } finally {
      client.removeListener("error", onClientError);
      client.release(destroyed);
    }
  }

  return {
    transaction,
    async query<Row>(statement: Statement): Promise<Row[]> {
      const client = await connect();
      let failure: Error | undefined;
      const onClientError = (error: Error) => {
        failure = error;
      };
      client.on("error", onClientError);
      try {
        return await send<Row>(client, statement);
      } catch (error) {
        if (isUnavailable(error)) failure = error as Error;
        throw translated(error);
      } finally {
        client.removeListener("error", onClientError);
        client.release(failure);
      }
    },
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close() {
      isClosing = true;
      return pool.end();
    },
  };
}
