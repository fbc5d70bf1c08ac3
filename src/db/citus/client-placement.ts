import { sql } from "#/db/sql.ts";
import type { Tx } from "#/db/transaction.ts";
import { withoutDeadline } from "#/kernel/concurrency/deadline.ts";

/** The nodes of clients. */
export interface Placement {
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
