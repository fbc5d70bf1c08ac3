import { AsyncLocalStorage } from "node:async_hooks";
import { leftMs, withDeadline, within, withoutDeadline } from "#/kernel/concurrency/deadline.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { ClientDatabase, Database, Transaction } from "#/store/db/database.ts";
import { CommitUnknownError, isTimeOut, isUnavailable, StoreUnavailableError } from "#/store/db/errors.ts";
import { runJoined } from "#/store/db/joined-work.ts";
import { AloneError } from "#/store/db/transaction.ts";
import { createOutboxWriter, type OutboxWriter } from "#/store/outbox/append.ts";

/** A report's part of a transaction. */
export type ReportWork<T> = (tx: Transaction, writer: OutboxWriter) => Promise<T>;

/** The stock of a client in a facility. All work of a group takes its lock. */
export interface Book {
  readonly clientId: string;
  readonly facilityCode: string;
}

const keyOf = ({ clientId, facilityCode }: Book) => JSON.stringify([clientId, facilityCode]);

export interface ReportTransactions {
  /** Runs the work in a separate transaction. */
  run<T>(work: ReportWork<T>): Promise<T>;
  /**
   * Runs the work with other work on the same book (docs/decisions/0043). The lock on the book admits one transaction at
   * a time: work that arrives while one runs waits here, and shares the next one. There is no timer: work that arrives
   * alone runs at once.
   *
   * @param isOnClientNode the work writes nothing on another node of the store (docs/decisions/0050).
   * @throws what `work` throws, and what a transaction throws.
   */
  runGrouped<T>(book: Book, work: ReportWork<T>, isOnClientNode: boolean): Promise<T>;
}

interface Waiting {
  /** The end of the time of its request, on the monotonic clock. */
  readonly deadlineMs: number;
  /** Runs in the asynchronous context of its request. */
  readonly work: ReportWork<unknown>;
  readonly isOnClientNode: boolean;
  /** Runs it in a separate transaction, in the context of its request. */
  readonly runAlone: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The time that a report waits for locks on the same stock. */
const lockTimeoutMs = 3_000;
/** In a group it is shorter: an order that other work has locked delays all its reports. */
const groupLockTimeoutMs = 1_000;
/** Larger groups save little, and their reports wait longer for an answer. */
const groupMax = 32;
const waitingMax = 1_000;
/** A report with less time left is not worth the risk of ending the time of its group. */
const groupTimeMsMin = 2_000;

interface TransactionsContext {
  readonly database: Database;
  readonly ids: Ids;
  readonly onCommit?: (clientId: string) => void;
}

export function createReportTransactions({ database, ids, onCommit }: TransactionsContext): ReportTransactions {
  // A writer's slot is locked until the commit: concurrent transactions take one writer each.
  const writers: OutboxWriter[] = [];
  /** The waiting reports of each book with a running transaction. */
  const books = new Map<string, Waiting[]>();
  let waitingCount = 0;

  async function withWriter<T>(work: (writer: OutboxWriter) => Promise<T>): Promise<T> {
    const writer = writers.pop() ?? createOutboxWriter(ids, { onCommit });
    try {
      return await work(writer);
    } finally {
      writers.push(writer);
    }
  }

  const storeOf = ({ clientId }: Book, isOnClientNode: boolean): ClientDatabase =>
    isOnClientNode ? database.ofClient(clientId) : database;

  function run<T>(store: ClientDatabase, work: ReportWork<T>): Promise<T> {
    return withWriter((writer) => store.transaction((tx) => work(tx, writer), { lockTimeoutMs }));
  }

  async function drain(book: Book, waiting: Waiting[]): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.splice(0, groupMax);
      await runGroup(
        storeOf(
          book,
          group.every(({ isOnClientNode }) => isOnClientNode),
        ),
        group,
      );
    }
    books.delete(keyOf(book));
  }

  async function runGroup(store: ClientDatabase, group: readonly Waiting[]): Promise<void> {
    const latestMs = performance.now() + groupTimeMsMin;
    const together = group.filter(({ deadlineMs }) => deadlineMs >= latestMs);
    const done = new Set(together.length > 1 ? await runTogether(store, together) : []);
    for (const waiting of group) {
      if (!done.has(waiting)) await waiting.runAlone().then(waiting.resolve, waiting.reject);
    }
  }

  /** @returns the reports that are answered; the others have to run alone. */
  async function runTogether(store: ClientDatabase, group: readonly Waiting[]): Promise<readonly Waiting[]> {
    const atMs = Math.min(...group.map(({ deadlineMs }) => deadlineMs));
    try {
      const results = await withDeadline({ atMs, route: "warehouse reports" }, () =>
        withWriter((writer) =>
          runJoined(
            store,
            group.map(
              ({ work }) =>
                (tx) =>
                  work(tx, writer),
            ),
            { lockTimeoutMs: groupLockTimeoutMs },
          ),
        ),
      );
      return group.filter(({ resolve, reject }, i) => {
        const result = results[i] as PromiseSettledResult<unknown>;
        if (result.status === "fulfilled") resolve(result.value);
        else if (result.reason instanceof AloneError) return false;
        else reject(result.reason);
        return true;
      });
    } catch (error) {
      // A conflict, or a report that fails its group: alone, each meets only its own.
      if (!isUnavailable(error) || (isTimeOut(error) && !(error instanceof CommitUnknownError))) return [];
      for (const { reject } of group) reject(error);
      return group;
    }
  }

  return {
    run: (work) => run(database, work),
    async runGrouped<T>(book: Book, work: ReportWork<T>, isOnClientNode: boolean): Promise<T> {
      const waiting = books.get(keyOf(book));
      if (!waiting) return lead(book, work, isOnClientNode);
      if (waitingCount >= waitingMax) throw new StoreUnavailableError("too many reports wait for their stock");
      waitingCount++;
      const inContext = AsyncLocalStorage.snapshot();
      const done = new Promise<unknown>((resolve, reject) => {
        waiting.push({
          deadlineMs: performance.now() + leftMs(),
          work: (tx, writer) => inContext(() => work(tx, writer)),
          isOnClientNode,
          runAlone: () => inContext(() => run(storeOf(book, isOnClientNode), work)),
          resolve,
          reject,
        });
      }).finally(() => waitingCount--);
      done.catch(() => {});
      return within(done as Promise<T>, leftMs(), () => new StoreUnavailableError("the stock is in use"));
    },
  };

  /** Runs the work at once; what arrives meanwhile follows in groups. */
  async function lead<T>(book: Book, work: ReportWork<T>, isOnClientNode: boolean): Promise<T> {
    const waiting: Waiting[] = [];
    books.set(keyOf(book), waiting);
    try {
      return await run(storeOf(book, isOnClientNode), work);
    } finally {
      // A group serves many requests: the deadline of the first one does not apply.
      void withoutDeadline(() => drain(book, waiting));
    }
  }
}
