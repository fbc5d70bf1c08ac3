// The pool for what is read over several clients (contract operations.md §5).
import { type Database, openDatabase } from "#/db/database.ts";
import { StoreUnavailableError, sqlStateOf, TooBroadError } from "#/db/errors.ts";

/** Few: such a read may take all of a processor of the store for as long as it may take. */
const connectionsMax = 4;
const statementTimeoutMsDefault = 5_000;
/** SQLSTATE of a statement that its own time-out has ended. */
const canceled = "57014";

export interface AcrossOptions {
  readonly url: string;
  readonly onError: (error: Error) => void;
  /** Of each statement; 5 s unless a test is in a hurry. */
  readonly statementTimeoutMs?: number;
}

/** Read-only, and a statement ends after 5 s with TooBroadError: it is told to whoever asked, and not that the store is away. */
export function openAcross({ url, onError, statementTimeoutMs = statementTimeoutMsDefault }: AcrossOptions): Database {
  const database = openDatabase({
    ...{ url, connectionsMax, statementTimeoutMs, onError },
    applicationName: "crossdock console",
    isReadOnly: true,
    isOverAllNodes: true,
  });
  const told = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      const cause = error instanceof StoreUnavailableError ? error.cause : error;
      if (sqlStateOf(cause) === canceled)
        throw new TooBroadError("a read over clients took too long", { cause: error });
      throw error;
    }
  };
  return {
    ...database,
    query: (statement) => told(database.query(statement)),
    transaction: (work, options) => told(database.transaction(work, options)),
    reads: { query: (statement) => told(database.reads.query(statement)) },
  };
}
