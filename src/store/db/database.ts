import { openClientNodes } from "#/store/db/citus/client-nodes.ts";
import { openLookUps } from "#/store/db/citus/reachable-nodes.ts";
import { views } from "#/store/db/client-view.ts";
import { openConnectionPool } from "#/store/db/connection-pool.ts";
import type { DatabaseOptions } from "#/store/db/store/connection.ts";
import type { ClientDatabase, Database } from "#/store/db/transaction.ts";

export type { DatabaseOptions } from "#/store/db/store/connection.ts";
export type {
  ClientDatabase,
  ClientTransaction,
  ClientTx,
  Database,
  Transaction,
  TransactionOptions,
  Tx,
  UnitOfWork,
} from "#/store/db/transaction.ts";

export function openDatabase(options: DatabaseOptions): Database {
  const pool = openConnectionPool(options);
  const server: ClientDatabase = {
    ...views,
    transaction: async (work, limits) => pool.transactionOn(await pool.connect(), work, limits),
    query: async (statement) => pool.queryOn(await pool.connect(), statement),
    reads: pool.reads,
  };
  const nodes = options.hasClientNodes ? openClientNodes(server, pool, options) : undefined;
  const { onFailure } = options;
  /** Work whose failure the caller gets as `onFailure` returns it. */
  function attended(database: ClientDatabase): ClientDatabase {
    if (onFailure === undefined) return database;
    const rethrow = async (error: unknown) => {
      throw await onFailure(error);
    };
    return {
      ...views,
      transaction: (work, limits) => database.transaction(work, limits).catch(rethrow),
      query: (statement) => database.query<never>(statement).catch(rethrow),
      reads: database.reads,
    };
  }
  return {
    ...attended(server),
    lookUps: openLookUps(server, options.onNodesAway),
    // `this`, because a database that wraps this one has its own transactions.
    ofClient(clientId) {
      const ofNode = nodes?.ofClient(clientId);
      return ofNode === undefined ? this : attended(ofNode);
    },
    load: () => (nodes ? nodes.load() : pool.load()),
    async close() {
      await Promise.all([pool.close(), nodes?.close()]);
    },
  };
}
