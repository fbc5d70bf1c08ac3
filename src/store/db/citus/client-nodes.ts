// Connections to the node of Citus that has the rows of a client (docs/decisions/0050-past-the-coordinator.md).

import { withoutDeadline } from "#/kernel/concurrency/deadline.ts";
import { views } from "#/store/db/client-view.ts";
import { type Connection, type ConnectionPool, openConnectionPool } from "#/store/db/connection-pool.ts";
import { DeadlineError, isTimeOut, isUnavailable, noteNodeFailure } from "#/store/db/errors.ts";
import { sql } from "#/store/db/sql.ts";
import type { DatabaseOptions } from "#/store/db/store/connection.ts";
import type { ClientDatabase, Tx } from "#/store/db/transaction.ts";

/** How long a node that refused a connection is not tried again: its clients are served by the coordinator. */
const refusedMs = 30_000;

interface ClientNodes {
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

/** The nodes of clients. */
interface Placement {
  /** `host:port` of the worker that has the client's rows; undefined where the coordinator has to be asked. */
  nodeOf(clientId: string): Promise<string | undefined>;
  /** The database is known to be on one PostgreSQL. */
  isOneServer(): boolean;
}

/**
 * A shard that was moved is found so much later. Until then the former worker sends the statements on, as the
 * coordinator would.
 */
const keptMs = 10_000;
const shardsMax = 10_000;

type Shards = ReadonlyMap<number, string | undefined>;

/** Reads where the clients' shards are, from the catalogue of the coordinator. */
export function openPlacement(coordinator: Pick<Tx, "query">): Placement {
  const shardOf = new Map<string, number>();
  let kept: Shards | undefined;
  let reading: Promise<void> | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let isOneServer = false;

  /** Undefined on one PostgreSQL. */
  async function readShards(): Promise<Shards | undefined> {
    const [citus] = await coordinator.query<{ is_there: boolean }>(
      sql`select to_regclass('citus_tables') is not null and to_regclass('tenant') is not null as is_there limit 1`,
    );
    if (citus?.is_there !== true) {
      isOneServer = true;
      return undefined;
    }
    const rows = await coordinator.query<{ shard: number; node: string | null }>(
      sql`select s.shardid as shard,
          case when n.groupid > 0 and n.isactive and n.hasmetadata and n.metadatasynced then n.nodename || ':' || n.nodeport end as node
        from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
          join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
        where s.logicalrelid = to_regclass('tenant') limit ${shardsMax}`,
    );
    return new Map(rows.map(({ shard, node }) => [shard, node ?? undefined]));
  }

  /** Old shards are answered while new ones are read: they cost a detour, and no error. */
  async function listShards(): Promise<Shards | undefined> {
    if (isOneServer) return undefined;
    if (performance.now() - readAtMs >= keptMs) {
      readAtMs = performance.now();
      reading = withoutDeadline(readShards).then(
        (read) => {
          kept = read;
        },
        () => {
          // The coordinator does not answer. The work itself meets that, too.
          readAtMs = Number.NEGATIVE_INFINITY;
        },
      );
    }
    if (kept === undefined) await reading;
    return kept;
  }

  async function findShard(clientId: string): Promise<number | undefined> {
    const [row] = await coordinator.query<{ shard: number }>(
      sql`select get_shard_id_for_distribution_column('tenant', ${clientId}::text) as shard limit 1`,
    );
    if (row) shardOf.set(clientId, row.shard);
    return row?.shard;
  }

  return {
    async nodeOf(clientId) {
      const known = await listShards();
      if (known === undefined) return undefined;
      const shard = shardOf.get(clientId);
      // A shard that was split has another id.
      if (shard !== undefined && known.has(shard)) return known.get(shard);
      const found = await findShard(clientId).catch(() => undefined);
      return found === undefined ? undefined : known.get(found);
    },
    isOneServer: () => isOneServer,
  };
}
