// The connection pool for reads over several clients (contract operations.md §5).

import { createShare } from "#/kernel/concurrency/share.ts";
import { views } from "#/store/db/client-view.ts";
import { type Database, openDatabase } from "#/store/db/database.ts";
import { DeadlineError, StoreUnavailableError, sqlStateOf, TooBroadError } from "#/store/db/errors.ts";

/** The limit is low because such a read may occupy a whole processor of the store until its time-out. */
const connectionsMax = 4;
/** A user with many open screens leaves half of the connections to the others. A screen sends up to ten statements. */
const shareOfUser = {
  what: "reads over several clients",
  placesMax: connectionsMax,
  runningMax: 2,
  heldMax: 100,
  onLate: () => new DeadlineError(),
};
/** The request has 5 s: the rest is for the connection, the way, and the answer. */
const statementTimeoutMsDefault = 4_500;
/** SQLSTATE of a statement that its own time-out has cancelled. */
const canceled = "57014";

export interface AcrossOptions {
  readonly url: string;
  readonly onError: (error: Error) => void;
  /** Time-out of each statement; 4.5 s unless a test sets a shorter one. */
  readonly statementTimeoutMs?: number;
}

/**
 * The pool is read-only. A statement fails after 4.5 s with TooBroadError. The caller learns that the read is too broad,
 * not that the store is unavailable.
 */
export function openAcross({ url, onError, statementTimeoutMs = statementTimeoutMsDefault }: AcrossOptions): Database {
  const database = openDatabase({
    url,
    connectionsMax,
    statementTimeoutMs,
    onError,
    applicationName: "crossdock console",
    isReadOnly: true,
    isOverAllNodes: true,
  });
  const share = createShare(shareOfUser);
  const watched = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await share(work);
    } catch (error) {
      const cause = error instanceof StoreUnavailableError ? error.cause : error;
      if (sqlStateOf(cause) === canceled)
        throw new TooBroadError("a query over several clients took too long", { cause: error });
      throw error;
    }
  };
  return {
    ...database,
    query: (statement) => watched(() => database.query(statement)),
    transaction: (work, options) => watched(() => database.transaction(work, options)),
    reads: { ...views, query: (statement) => watched(() => database.reads.query(statement)) },
  };
}
