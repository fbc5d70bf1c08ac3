import pg from "pg";
import { CommitUnknownError, isUnavailable, sqlStateOf, translated, translatedOfConnect } from "#/db/errors.ts";
import { openPipelinedReads } from "#/db/pipelined-reads.ts";
import { forgetClient, nameClient } from "#/db/schema/row-security.ts";
import type { Statement } from "#/db/sql.ts";
import {
  connectionSettings,
  corkForThisTick,
  type DatabaseOptions,
  noteStatement,
  silenceMsMax,
} from "#/db/store/connection.ts";
import { assert } from "#/kernel/assert.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";

export type { DatabaseOptions } from "#/db/store/connection.ts";

/** Something statements can be run on: inside a transaction, or on its own. Statements sent without waiting are pipelined. */
export interface Tx {
  query<Row = unknown>(statement: Statement): Promise<Row[]>;
}

/** Inside a transaction a statement may also be sent without waiting for it: its failure fails the commit. */
export interface Transaction extends Tx {
  send(statement: Statement): void;
  /**
   * Does `work` once the commit is known to have succeeded: what is counted in a transaction that is run again counts once.
   * What it throws goes to the pool's `onError`: the caller must not take a committed transaction for a failed one.
   */
  afterCommit(work: () => void): void;
}

export interface Database extends Tx {
  /**
   * Runs `work` in one transaction. Throws CommitUnknownError when the connection broke after COMMIT was sent,
   * StoreUnavailableError when the store cannot be reached; anything else is thrown as it came, after a rollback.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * For short reads that are one statement and hot: they share a few connections and are pipelined on them. Throws as
   * `query` does; a read that takes long delays those behind it on its connection.
   */
  readonly reads: Tx;
  /** Connections in use and waiting, for health and metrics; without those of `reads`. */
  load(): { readonly total: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}

export interface TransactionOptions {
  /** How long a row lock is waited for, in milliseconds; then SQLSTATE 55P03. */
  readonly lockTimeoutMs?: number;
  /** How long one statement may take, in milliseconds, when it may take longer than the pool's own limit. */
  readonly statementTimeoutMs?: number;
}

/** SQLSTATE of a statement in a transaction that an earlier statement has failed. */
const transactionFailed = "25P02";

/** Counts what the store has failed; what was thrown by the work itself is no error of the store. */
function noteError(error: unknown): void {
  const code = sqlStateOf(error);
  // EPIPE has the form of a SQLSTATE, and is an error of the connection.
  const state = code?.startsWith("E") ? undefined : code;
  if (state !== undefined) metrics.dbErrors.inc({ sqlstate_class: state.slice(0, 2) });
  else if (isUnavailable(error)) metrics.dbErrors.inc({ sqlstate_class: "none" });
}

export function openDatabase(options: DatabaseOptions): Database {
  const settings = connectionSettings(options);
  const pool = new pg.Pool({
    ...settings.client,
    max: options.connectionsMax,
    idleTimeoutMillis: 60_000,
    query_timeout: settings.statementTimeoutMs + silenceMsMax,
  });
  let isClosing = false;
  pool.on("error", (error) => {
    // pg hangs the whole connection onto it, its configuration too: nothing for a log.
    delete (error as { client?: unknown }).client;
    if (!isClosing) options.onError?.(error);
  });

  function send<Row>(
    client: pg.PoolClient,
    statement: Statement,
    hasClient: boolean,
    timeoutMs?: number,
  ): Promise<Row[]> {
    noteStatement(options, statement);
    corkForThisTick(client);
    const clientNamed = options.isRowSecure ? nameClient(client, statement, hasClient) : undefined;
    const config = {
      text: statement.text,
      name: statement.name,
      values: statement.values as unknown[],
      ...(timeoutMs === undefined ? {} : { query_timeout: timeoutMs + silenceMsMax }),
    };
    const answer = client.query(config).then((result) => result.rows as Row[]);
    return clientNamed ? Promise.all([answer, clientNamed]).then(([rows]) => rows) : answer;
  }

  async function connect(): Promise<pg.PoolClient> {
    const startedMs = performance.now();
    try {
      const client = await pool.connect();
      metrics.dbConnectionWait.observe((performance.now() - startedMs) / 1_000);
      return client;
    } catch (error) {
      noteError(error);
      throw translatedOfConnect(error);
    }
  }

  async function transaction<T>(work: (tx: Transaction) => Promise<T>, limits: TransactionOptions = {}): Promise<T> {
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
      if (limits.lockTimeoutMs !== undefined) {
        opening.push(client.query(`set local lock_timeout = ${Math.ceil(limits.lockTimeoutMs)}`));
      }
      if (limits.statementTimeoutMs !== undefined) {
        opening.push(client.query(`set local statement_timeout = ${Math.ceil(limits.statementTimeoutMs)}`));
      }
      // What is not awaited by the caller is awaited here, and must not count as an unhandled rejection until then.
      const sent: Promise<unknown>[] = opening;
      for (const promise of opening) promise.catch(noteFailure);
      let hasClient = false;
      const sendInside = <Row>(statement: Statement): Promise<Row[]> => {
        const answer = send<Row>(client, statement, hasClient, limits.statementTimeoutMs);
        hasClient ||= statement.isTenant;
        return answer;
      };
      const onceCommitted: (() => void)[] = [];
      const tx: Transaction = {
        query(statement) {
          const promise = sendInside(statement);
          // Whoever waits for several in turn stops at the first that failed: the others' failures are no other news, and
          // must not end the process. None is lost: a transaction with a failed statement is not committed.
          promise.catch(() => {});
          return promise as Promise<never[]>;
        },
        send(statement) {
          const promise = sendInside(statement);
          promise.catch(noteFailure);
          sent.push(promise);
        },
        afterCommit: (work) => onceCommitted.push(work),
      };
      let value: T;
      try {
        value = await work(tx);
      } catch (error) {
        // What was sent before failed, and what was asked after it learned that only: the first failure is the reason.
        const reason = sqlStateOf(error) === transactionFailed ? (firstFailure ?? error) : error;
        // A connection that does not answer would not answer this either, for as long again; it is destroyed below.
        if (isUnavailable(reason)) throw reason;
        forgetClient(client);
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
        forgetClient(client);
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
        forgetClient(client);
        destroyed = error as Error;
        // PostgreSQL itself refused the commit (a deferred constraint, say): that outcome is known.
        if (sqlStateOf(error) !== undefined && !isUnavailable(error)) throw error;
        throw new CommitUnknownError("the outcome of the commit is unknown", { cause: error });
      }
      assert(answer.command === "COMMIT", `a transaction with a failed statement was committed (${answer.command})`);
      for (const work of onceCommitted) {
        try {
          work();
        } catch (error) {
          options.onError?.(error as Error);
        }
      }
      return value;
    } catch (error) {
      noteError(error);
      if (isUnavailable(error)) destroyed ??= error as Error;
      throw translated(error);
    } finally {
      client.removeListener("error", onClientError);
      client.release(destroyed);
    }
  }

  const reads = openPipelinedReads(options);

  return {
    transaction,
    reads,
    async query<Row>(statement: Statement): Promise<Row[]> {
      const client = await connect();
      let failure: Error | undefined;
      const onClientError = (error: Error) => {
        failure = error;
      };
      client.on("error", onClientError);
      try {
        return await send<Row>(client, statement, false);
      } catch (error) {
        noteError(error);
        if (isUnavailable(error)) failure = error as Error;
        throw translated(error);
      } finally {
        client.removeListener("error", onClientError);
        client.release(failure);
      }
    },
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      isClosing = true;
      await Promise.all([pool.end(), reads.close()]);
    },
  };
}
