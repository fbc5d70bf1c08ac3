import type { Ids } from "#/kernel/values/ids.ts";
import type { PlainStatement, Statement } from "#/store/db/sql.ts";

/** The author, origin and time of a change: passed down from the entry point to every writer of the audit log. */
export interface Change {
  /** `cli:root`, `user:anna`, `client:ACME`. */
  readonly actor: string;
  /** The machine or address that the change came from. */
  readonly origin: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly ids: Ids;
}

/**
 * An executor for statements: inside a transaction, or outside any transaction. Statements sent without waiting are
 * pipelined.
 */
export interface Tx {
  query<Row = unknown>(statement: PlainStatement): Promise<Row[]>;
  of(clientId: string): ClientTx;
}

/**
 * A client's view of an executor, the only access to tables of clients (operations.md §5): it binds its client as `$1`.
 * Statements over several clients exist only in files named *.cross-client.ts, which take the plain executor.
 */
export interface ClientTx {
  readonly clientId: string;
  /** For tables that belong to no client. */
  readonly plain: Tx;
  query<Row = unknown>(statement: Statement): Promise<Row[]>;
}

export interface ClientTransaction extends ClientTx, Companion {
  readonly plain: Transaction;
  /** See `Transaction`. */
  readonly writesPacked: boolean;
  /** Sends without waiting for the answer: a failure fails the transaction. */
  send(statement: Statement): void;
  afterCommit(work: () => void): void;
  with(change: Change): UnitOfWork;
}

/** A client's view of a transaction with the change that the transaction makes. */
export interface UnitOfWork extends ClientTransaction {
  readonly change: Change;
}

/** Inside a transaction, `send` sends a statement without waiting for its result. Its failure fails the commit. */
export interface Transaction extends Tx, Companion {
  /** Contents may be written packed: no process of a release that cannot read them runs (`store/packed`). */
  readonly writesPacked: boolean;
  send(statement: PlainStatement): void;
  of(clientId: string): ClientTransaction;
  of(clientId: string, change: Change): UnitOfWork;
  /**
   * Runs `work` once the commit is known to have succeeded, so that a transaction that is retried is counted once.
   * Errors of `work` go to the pool's `onError`: the caller must not take a committed transaction for a failed one.
   */
  afterCommit(work: () => void): void;
}

/**
 * Every wait ends by the deadline of the current request (`kernel/concurrency/deadline.ts`) with StoreUnavailableError:
 * for a connection, for locks, for each statement and for the commit.
 */
export interface Database extends Tx {
  /**
   * Runs `work` in one transaction. Throws CommitUnknownError when the connection broke after COMMIT was sent, and
   * StoreUnavailableError when the store cannot be reached. Any other error is rethrown unchanged after a rollback.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * For short, hot reads of one statement. These reads share a few connections and are pipelined on them. Throws as
   * `query` does. A slow read delays the reads that are queued after it on its connection.
   */
  readonly reads: Tx;
  /** For background work that looks for clients with work (`citus/reachable-nodes.ts`). */
  readonly lookUps: Tx;
  /**
   * For work on the rows of one client: on Citus its connections lead to the node that has them
   * (`citus/client-nodes.ts`). Statements name tables of clients and reference tables only: those of the coordinator
   * are not there, and a notification does not reach those who listen to the coordinator.
   */
  ofClient(clientId: string): ClientDatabase;
  /** Connections in use and waiting, for health and metrics; excludes the connections of `reads`. */
  load(): { readonly total: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}

export type ClientDatabase = Pick<Database, "transaction" | "query" | "reads" | "of">;

export interface TransactionOptions {
  /** How long a statement waits for a row lock, in milliseconds; then it fails with SQLSTATE 55P03. */
  readonly lockTimeoutMs?: number;
  /** Time-out of one statement, in milliseconds, when it may exceed the pool's own limit. */
  readonly statementTimeoutMs?: number;
}

/** The work needs a separate transaction. */
export class AloneError extends Error {}

/** The effects of work that may share its transaction. */
export interface Companion {
  /** A value that the transaction makes once, at its first use, such as a lock with a counter. */
  once<T>(key: string, make: () => Promise<T>): Promise<T>;
  /** Takes an object that the work changes. Throws AloneError if other work of the transaction has taken it. */
  claim(key: string): void;
  /** Throws AloneError if other work shares the transaction. */
  requireAlone(): void;
}

/** The companion of work that shares its transaction with no other. */
export function alone(): Companion {
  return { once: createMemo(), claim: () => {}, requireAlone: () => {} };
}

export function createMemo(): Companion["once"] {
  const made = new Map<string, Promise<unknown>>();
  return <T>(key: string, make: () => Promise<T>) => {
    const before = made.get(key) ?? make();
    made.set(key, before);
    return before as Promise<T>;
  };
}
