// Connections to the node of Citus that has the rows of a client (docs/decisions/0050-past-the-coordinator.md).

import { openPlacement, type Placement } from "#/db/citus/client-placement.ts";
import { views } from "#/db/client-view.ts";
import { type Connection, type ConnectionPool, openConnectionPool } from "#/db/connection-pool.ts";
import { DeadlineError, isTimeOut, isUnavailable, noteNodeFailure } from "#/db/errors.ts";
import type { DatabaseOptions } from "#/db/store/connection.ts";
import type { ClientDatabase, Tx } from "#/db/transaction.ts";

/** How long a node that refused a connection is not tried again: its clients are served by the coordinator. */
const refusedMs = 30_000;

export interface ClientNodes {
  /** Undefined on one PostgreSQL. */
  ofClient(clientId: string): ClientDatabase | undefined;
  load(): ReturnType<ConnectionPool["load"]>;
  close(): Promise<void>;
}

/**
 * @param coordinator reads the placement of clients
 * @param coordinatorPool serves the clients of a node that cannot be reached directly
 */
export function openClientNodes(
  coordinator: Tx,
  coordinatorPool: ConnectionPool,
  options: DatabaseOptions,
  placement: Placement = openPlacement(coordinator),
): ClientNodes {
  const pools = new Map<string, ConnectionPool>();
  /** Nodes that refused a connection, and until when. */
  const refusedUntilMs = new Map<string, number>();

  const isLeftAlone = (node: string) => (refusedUntilMs.get(node) ?? 0) > performance.now();

  async function findNode(clientId: string): Promise<string | undefined> {
    const node = await placement.nodeOf(clientId);
    return node !== undefined && isLeftAlone(node) ? undefined : node;
  }

  function poolOf(node: string): ConnectionPool {
    const pool = pools.get(node) ?? openConnectionPool({ ...options, url: urlOfNode(options.url, node) });
    pools.set(node, pool);
    return pool;
  }

  function noteRefused(node: string, cause: unknown): void {
    if (isLeftAlone(node)) return;
    refusedUntilMs.set(node, performance.now() + refusedMs);
    options.onError?.(new Error(`no connection to the node ${node}: the coordinator serves its clients`, { cause }));
  }

  /** Where a refused connection leads to the coordinator, nothing has been sent yet. */
  async function connect(clientId: string): Promise<{ pool: ConnectionPool; connection: Connection }> {
    const node = await findNode(clientId);
    if (node !== undefined) {
      const pool = poolOf(node);
      try {
        return { pool, connection: await pool.connect() };
      } catch (error) {
        if (error instanceof DeadlineError || pool.isFull()) {
          noteNodeFailure(error);
          throw error;
        }
        noteRefused(node, error);
      }
    }
    return { pool: coordinatorPool, connection: await coordinatorPool.connect() };
  }

  async function run<T>(clientId: string, work: (pool: ConnectionPool, connection: Connection) => Promise<T>) {
    const { pool, connection } = await connect(clientId);
    try {
      return await work(pool, connection);
    } catch (error) {
      // The clients of other nodes are served.
      if (pool !== coordinatorPool) noteNodeFailure(error);
      throw error;
    }
  }

  const databaseOf = (clientId: string): ClientDatabase => ({
    ...views,
    transaction: (work, limits) => run(clientId, (pool, connection) => pool.transactionOn(connection, work, limits)),
    query: (statement) => run(clientId, (pool, connection) => pool.queryOn(connection, statement)),
    reads: {
      ...views,
      async query(statement) {
        const node = await findNode(clientId);
        if (node === undefined) return coordinatorPool.reads.query(statement);
        try {
          return await poolOf(node).reads.query(statement);
        } catch (error) {
          // A read may be repeated. If the node is away, the coordinator says so.
          if (!isUnavailable(error) || isTimeOut(error) || error instanceof DeadlineError) throw error;
          return coordinatorPool.reads.query(statement);
        }
      },
    },
  });

  return {
    ofClient: (clientId) => (placement.isOneServer() ? undefined : databaseOf(clientId)),
    load() {
      const loads = [coordinatorPool, ...pools.values()].map((pool) => pool.load());
      const sumOf = (key: keyof (typeof loads)[number]) => loads.reduce((sum, load) => sum + load[key], 0);
      return { total: sumOf("total"), idle: sumOf("idle"), waiting: sumOf("waiting") };
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}

/** The database of the same name, by the same user, on another node. */
export function urlOfNode(url: string, node: string): string {
  const made = new URL(url);
  made.host = node;
  for (const name of ["host", "port"]) made.searchParams.delete(name);
  return made.href;
}
