import pg from "pg";
import { assert } from "#/kernel/assert.ts";
import { leftMs, within } from "#/kernel/concurrency/deadline.ts";
import { waitFor } from "#/kernel/telemetry/loop-watch.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import { views } from "#/store/db/client-view.ts";
import {
  CommitUnknownError,
  DeadlineError,
  isUnavailable,
  noteClientOf,
  sqlStateOf,
  translated,
  translatedOfConnect,
} from "#/store/db/errors.ts";
import { openPipelinedReads } from "#/store/db/pipelined-reads.ts";
import { forgetClient, nameClient } from "#/store/db/schema/row-security.ts";
import type { Statement } from "#/store/db/sql.ts";
import {
  connectionSettings,
  corkForThisTick,
  type DatabaseOptions,
  noteStatement,
  silenceMsMax,
} from "#/store/db/store/connection.ts";
import { alone, type Transaction, type TransactionOptions, type Tx } from "#/store/db/transaction.ts";

/**
 * A statement's time-out on the server is lowered to the remaining time of its request where it is longer by more than
 * this. A request in its first half second costs no further message.
 */
const laterMsMax = 500;
/** The server ends a statement this long before the deadline, so that its error arrives in time. */
const answerMs = silenceMsMax;
const statementMsMin = 10;

/** How long a statement of the current request may run on the server. */
const budgetMs = () => Math.max(statementMsMin, leftMs() - answerMs);

/** SQLSTATE of a statement in a transaction in which an earlier statement failed. */
const transactionFailed = "25P02";

const noteFailedClient = (error: unknown, { isTenant, values }: Statement) => {
  if (isTenant) noteClientOf(error, values[0] as string);
};

/** Counts errors of the store. An error that the work itself throws is not an error of the store. */
function noteError(error: unknown): void {
  const code = sqlStateOf(error);
  // EPIPE has the form of a SQLSTATE, but it is an error of the connection.
  const state = code?.startsWith("E") ? undefined : code;
  if (state !== undefined) metrics.dbErrors.inc({ sqlstate_class: state.slice(0, 2) });
  else if (isUnavailable(error)) metrics.dbErrors.inc({ sqlstate_class: "none" });
}

/** A connection that is taken from a pool. */
export type Connection = pg.PoolClient;

/** The connections to one server. */
export interface ConnectionPool {
  /**
   * Takes a connection, which `transactionOn` or `queryOn` gives back. Throws StoreUnavailableError when there is none in
   * time.
   */
  connect(): Promise<Connection>;
  /** `Database.transaction` on this connection. */
  transactionOn<T>(
    connection: Connection,
    work: (tx: Transaction) => Promise<T>,
    limits?: TransactionOptions,
  ): Promise<T>;
  /** `Database.query` on this connection. */
  queryOn<Row>(connection: Connection, statement: Statement): Promise<Row[]>;
  /** `Database.reads` */
  readonly reads: Tx;
  /** All connections are in use: then a failure to get one says nothing about the server. */
  isFull(): boolean;
  load(): { readonly total: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}

export function openConnectionPool(options: DatabaseOptions): ConnectionPool {
  const settings = connectionSettings(options);
  const pool = new pg.Pool({
    ...settings.client,
    max: options.connectionsMax,
    // Jobs of each minute use several connections at once: after a minute's rest each was replaced by a new one.
    idleTimeoutMillis: 5 * minuteMs,
    query_timeout: settings.statementTimeoutMs + silenceMsMax,
  });
  let isClosing = false;
  // The pool stops to listen before its caller can: a session that is terminated at that moment must not end the
  // process. The caller's first statement fails.
  pool.on("connect", (client) => {
    client.on("error", () => {});
  });
  pool.on("error", (error) => {
    // pg attaches the whole client object to the error, including its configuration, which must not reach a log.
    delete (error as { client?: unknown }).client;
    if (!isClosing) options.onError?.(error);
  });

  function send<Row>(
    client: pg.PoolClient,
    statement: Statement,
    hasClient: boolean,
    timeoutMs = settings.statementTimeoutMs,
  ): Promise<Row[]> {
    noteStatement(options, statement);
    corkForThisTick(client);
    const clientNamed = options.isRowSecure ? nameClient(client, statement, hasClient) : undefined;
    const config = {
      text: statement.text,
      name: statement.name,
      values: statement.values as unknown[],
    };
    const answer = waitFor(client.query(timed(config, timeoutMs))).then(({ rows }) => rows as Row[]);
    return clientNamed ? Promise.all([answer, clientNamed]).then(([rows]) => rows) : answer;
  }

  /** A statement that is not answered in time, or by the deadline of its request, ends its connection. */
  const timed = <Config extends pg.QueryConfig>(config: Config, timeoutMs = settings.statementTimeoutMs) => ({
    ...config,
    query_timeout: Math.max(1, Math.min(timeoutMs + silenceMsMax, leftMs())),
  });

  async function connect(): Promise<Connection> {
    const startedMs = performance.now();
    try {
      const msMax = leftMs();
      if (msMax <= 0) throw new DeadlineError();
      const connecting = pool.connect();
      const connected = within(connecting, msMax, () => {
        connecting.then((unused) => unused.release()).catch(() => {});
        return new DeadlineError();
      });
      const client = await waitFor(connected);
      metrics.dbConnectionWait.observe((performance.now() - startedMs) / 1_000);
      return client;
    } catch (error) {
      noteError(error);
      throw translatedOfConnect(error);
    }
  }

  async function transactionOn<T>(
    client: Connection,
    work: (tx: Transaction) => Promise<T>,
    limits: TransactionOptions = {},
  ): Promise<T> {
    let destroyed: Error | undefined;
    // A lost connection also emits an error event; without a listener the process would end.
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
      // Statements that the caller does not await are awaited here. Until then they must not count as unhandled
      // rejections.
      const sent: Promise<unknown>[] = [];
      const control = (text: string) => {
        const promise = client.query(timed({ text }));
        promise.catch(noteFailure);
        sent.push(promise);
      };
      let statementMs = settings.statementTimeoutMs;
      const limitStatements = (ms: number) => {
        statementMs = ms;
        control(`set local statement_timeout = ${Math.ceil(ms)}`);
      };
      control("begin");
      if (limits.lockTimeoutMs !== undefined) control(`set local lock_timeout = ${Math.ceil(limits.lockTimeoutMs)}`);
      if (limits.statementTimeoutMs !== undefined) limitStatements(Math.min(limits.statementTimeoutMs, budgetMs()));
      let hasClient = false;
      // A branch of Promise.all outlives another one that fails. Its statements would be committed one by one.
      let hasEnded = false;
      const sendInside = <Row>(statement: Statement): Promise<Row[]> => {
        if (hasEnded) return Promise.reject(new Error("the transaction has ended"));
        const budget = budgetMs();
        if (statementMs - budget > laterMsMax) limitStatements(budget);
        const answer = send<Row>(client, statement, hasClient, limits.statementTimeoutMs);
        hasClient ||= statement.isTenant;
        return answer;
      };
      const onceCommitted: (() => void)[] = [];
      const tx: Transaction = {
        ...views,
        ...alone(),
        writesPacked: options.writesPacked ?? true,
        query(statement) {
          const promise = sendInside(statement);
          // A caller that awaits several statements in turn stops at the first failure. The failures of the others
          // bring no new information and must not end the process. No failure is lost: a transaction with a failed
          // statement is not committed.
          promise.catch((error) => {
            noteFailedClient(error, statement);
            noteFailure(error);
          });
          return promise as Promise<never[]>;
        },
        send(statement) {
          assert(!hasEnded, "the transaction has ended");
          const promise = sendInside(statement);
          promise.catch((error) => {
            noteFailedClient(error, statement);
            noteFailure(error);
          });
          sent.push(promise);
        },
        afterCommit: (work) => onceCommitted.push(work),
      };
      let value: T;
      // After a failed statement, later ones report only that the transaction has failed. The first failure is the
      // reason.
      const reasonOf = (error: unknown) => (sqlStateOf(error) === transactionFailed ? (firstFailure ?? error) : error);
      try {
        value = await work(tx);
        hasEnded = true;
      } catch (error) {
        hasEnded = true;
        const reason = reasonOf(error);
        // A connection that does not answer will not answer the rollback either, and the wait takes as long again. It
        // is destroyed below.
        if (isUnavailable(reason)) throw reason;
        forgetClient(client);
        await waitFor(client.query(timed({ text: "rollback" }))).catch((cause: Error) => {
          destroyed = cause;
        });
        throw reason;
      }
      // COMMIT follows the last statements on the wire without a round trip in between; after a failed statement it
      // acts as a rollback.
      corkForThisTick(client);
      const commit = waitFor(client.query(timed({ text: "commit" })));
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
          ? reasonOf(error)
          : new CommitUnknownError("the outcome of the commit is unknown", { cause: error });
      }
      try {
        answer = await commit;
      } catch (error) {
        forgetClient(client);
        destroyed = error as Error;
        // PostgreSQL itself rejected the commit (for example a deferred constraint), so the outcome is known.
        if (sqlStateOf(error) !== undefined && !isUnavailable(error)) throw error;
        throw new CommitUnknownError("the outcome of the commit is unknown", { cause: error });
      }
      if (answer.command !== "COMMIT" && firstFailure !== undefined) throw firstFailure;
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

  async function queryOn<Row>(client: Connection, statement: Statement): Promise<Row[]> {
    // Only a transaction has a separate time-out on the server.
    if (settings.statementTimeoutMs - budgetMs() > laterMsMax)
      return transactionOn(client, (tx) => tx.query<Row>(statement));
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
  }

  const reads = openPipelinedReads(options);

  return {
    connect,
    transactionOn,
    queryOn,
    reads: { ...views, query: reads.query },
    isFull: () => pool.totalCount >= options.connectionsMax && pool.idleCount === 0,
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      isClosing = true;
      await Promise.all([pool.end(), reads.close()]);
    },
  };
}
