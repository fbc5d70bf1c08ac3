// Look-ups over clients while a node of Citus is away (docs/decisions/0048-look-ups-with-a-node-away.md).
import { views } from "#/store/db/client-view.ts";
import { isUnavailable } from "#/store/db/errors.ts";
import { facilityTenant } from "#/store/db/facility-tenant.ts";
import { named, type Statement, sql } from "#/store/db/sql.ts";
import type { Tx } from "#/store/db/transaction.ts";

/** `Tx` and `Database`, which opens these look-ups. */
interface Queries {
  query<Row>(statement: Statement): Promise<Row[]>;
}
interface Store extends Queries {
  transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T>;
}

/** An address that does not answer delays the others so long. */
const nodeMsMax = 500;
/** A dozen loops look for work at the same time, and share one answer. */
const keptMs = 1_000;
const tenantsMax = 100_000;
const tablesMax = 10_000;

/** The nodes of Citus that accept no connection from the coordinator. */
export async function listNodesAway(tx: Queries): Promise<string[]> {
  await tx.query(sql`select set_config('citus.node_connection_timeout', ${String(nodeMsMax)}, true)`);
  const rows = await tx.query<{ node: string }>(
    sql`select nodename || ':' || nodeport as node from pg_dist_node
      where noderole = 'primary' and isactive and not citus_check_connection_to_node(nodename, nodeport)
      order by node limit 1000`,
  );
  return rows.map(({ node }) => node);
}

interface Reach {
  readonly away: readonly string[];
  /** The owners of rows on the other nodes. */
  readonly tenantIds: readonly string[];
  /** The tables that have their rows. */
  readonly tables: readonly string[];
}

async function readReach(tx: Queries): Promise<Reach> {
  const away = await listNodesAway(tx);
  if (away.length === 0) return { away, tenantIds: [], tables: [] };
  const tenants = await tx.query<{ id: string }>(
    sql`select t.id from (select client_id as id from client union all
          select ${facilityTenant("")}::text || facility_code from facility) t
        join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('tenant', t.id)
        join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
      where n.nodename || ':' || n.nodeport <> all(${away}::text[]) limit ${tenantsMax}`,
  );
  const tables = await tx.query<{ name: string }>(
    sql`select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
      where p.colocationid = (select colocationid from pg_dist_partition where logicalrelid = to_regclass('tenant') limit 1)
        and not c.relispartition order by c.relname limit ${tablesMax}`,
  );
  return { away, tenantIds: tenants.map(({ id }) => id), tables: tables.map(({ name }) => name) };
}

/**
 * The statement about these owners alone. A `with` query of the same name stands before each table. It is not
 * materialised, so Citus sees the condition on the table itself and leaves out the shards of all others.
 */
export function narrowed(statement: Statement, tables: readonly string[], tenantIds: readonly string[]): Statement {
  const parameter = `$${statement.values.length + 1}::text[]`;
  const mentioned = tables.filter((table) => new RegExp(`\\b${table}\\b`).test(statement.text));
  const queries = mentioned.map(
    (table) => `${table} as not materialized (select * from ${table} where client_id = any(${parameter}))`,
  );
  return {
    ...named(`with ${queries.join(", ")} ${statement.text}`),
    values: [...statement.values, tenantIds],
    isTenant: false,
    isAcross: true,
  };
}

/**
 * Reads over clients for background work. While nodes of Citus are away, they find the rows of the other nodes;
 * otherwise one such node ends the read, and with it the work for all clients.
 *
 * @param onNodesAway called when this changes; with no node when all answer again
 */
export function openLookUps(database: Store, onNodesAway: (nodes: readonly string[]) => void = () => {}): Tx {
  let away = "";
  let kept: { readonly untilMs: number; readonly reach: Promise<Reach> } | undefined;

  function note(nodes: readonly string[]): void {
    const now = nodes.join(", ");
    if (now === away) return;
    away = now;
    onNodesAway(nodes);
  }

  function findReach(): Promise<Reach> {
    if (kept === undefined || kept.untilMs < performance.now())
      kept = { untilMs: performance.now() + keptMs, reach: database.transaction(readReach) };
    return kept.reach;
  }

  return {
    ...views,
    async query<Row>(statement: Statement): Promise<Row[]> {
      // A node that does not answer at all costs a statement its whole time-out, so it is asked no more until it does.
      if (away !== "") {
        const reach = await findReach();
        note(reach.away);
        if (reach.away.length > 0) return database.query<Row>(narrowed(statement, reach.tables, reach.tenantIds));
      }
      try {
        const rows = await database.query<Row>(statement);
        kept = undefined;
        note([]);
        return rows;
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        const reach = await findReach().catch(() => undefined);
        // The coordinator is away, or all nodes answer again.
        if (reach === undefined || reach.away.length === 0) throw error;
        note(reach.away);
        return database.query<Row>(narrowed(statement, reach.tables, reach.tenantIds));
      }
    },
  };
}
