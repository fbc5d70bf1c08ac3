import pg from "pg";
import { type CitusCluster, startCluster } from "../../tests/support/postgres/citus-cluster.ts";
import { createOnCitus } from "../../tests/support/postgres/citus-database.ts";
import { type Product, startProduct, temporaryFolder } from "../feeds/machine.ts";
import { type Base, type Brand, onboard, openBase } from "../life/base.ts";

export interface Node {
  readonly name: string;
  readonly pid: number;
}

/** A client, and the base of its lives with a separate connection. */
export interface Place {
  readonly base: Base;
  readonly brand: Brand;
}

/** A product with a store, and clients with goods that are spread evenly over the workers of the store. */
export interface Peer {
  readonly name: string;
  readonly product: Product;
  readonly places: readonly Place[];
  /** The processes of PostgreSQL. */
  readonly nodes: readonly Node[];
  /** Another product on the same store, without the roles that do the rest of an order's work. */
  startAcceptance(): Promise<Product>;
}

/** As in production, except that only the product analyzes tables: an automatic analyze comes at an arbitrary moment. */
const settings = [
  "autovacuum_analyze_threshold=2147483647",
  "autovacuum_vacuum_insert_threshold=-1",
  "checkpoint_timeout=1h",
  "shared_buffers=256MB",
];
const acceptingRoles = "feeds,auth";
/** Rarely, because each of the clients looks separately. */
const lookMs = 250;
const databaseName = "crossdock_bench";

/**
 * Starts a peer on a cluster of the kit. Without workers its database is on the same PostgreSQL, but does not have the
 * extension; the one worker that the kit starts does nothing then.
 */
export async function startPeer(
  workers: number,
  { clients, shards }: { readonly clients: number; readonly shards: number },
  closers: (() => unknown)[],
): Promise<Peer> {
  const cluster = await startCluster(Math.max(1, workers), { SETTINGS: settings.join(" ") });
  closers.push(() => cluster.stop());
  const databaseUrl =
    workers === 0 ? await createPlain(cluster) : await createOnCitus(cluster.url, databaseName, shards);
  const connect = async () => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    closers.push(() => client.end());
    return client;
  };
  const name = workers === 0 ? "plain PostgreSQL" : `Citus, ${workers} worker${workers > 1 ? "s" : ""}`;
  const nodes = cluster.ports.slice(0, workers + 1).map((port, i) => ({
    name: i === 0 ? "coordinator" : `worker ${i}`,
    pid: cluster.pidOf(port),
  }));
  const env = { CROSSDOCK_DATA_DIR: temporaryFolder("data") };
  const store = { name, databaseUrl, postgresPid: nodes[0]?.pid ?? 0, client: await connect(), lookMs };
  const base = await openBase(store, closers, env);
  const places: Place[] = [];
  for (const clientId of await spreadClients(base.client, clients, workers)) {
    const client = await connect();
    places.push({ base: { ...base, client }, brand: await onboard(base, clientId) });
  }
  for (const port of cluster.ports) await flushCommits(port);
  return {
    name,
    product: base.product,
    places,
    nodes,
    startAcceptance: async () => {
      await base.product.stop();
      const product = await startProduct(databaseUrl, {
        CROSSDOCK_DATA_DIR: env.CROSSDOCK_DATA_DIR,
        CROSSDOCK_ROLES: acceptingRoles,
      });
      closers.push(() => product.stop());
      return product;
    },
  };
}

/** The kit's nodes start without it, which makes the thousands of tables of the shards faster. */
async function flushCommits(port: number): Promise<void> {
  const node = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/postgres` });
  await node.connect();
  await node.query("alter system set fsync = on");
  await node.query("select pg_reload_conf()");
  await node.end();
}

async function createPlain(cluster: CitusCluster): Promise<string> {
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  await client.query(`create database ${databaseName}`);
  await client.end();
  return Object.assign(new URL(cluster.url), { pathname: `/${databaseName}` }).href;
}

/** Names of clients of which each worker gets as many as the others. */
async function spreadClients(client: pg.Client, count: number, workers: number): Promise<string[]> {
  const names: string[] = [];
  const ofWorker = new Map<number, number>();
  for (let number = 1; names.length < count; number++) {
    const name = `BRAND${number}`;
    const worker = workers === 0 ? 0 : await workerOf(client, name);
    const placed = ofWorker.get(worker) ?? 0;
    if (placed >= Math.ceil(count / Math.max(1, workers))) continue;
    ofWorker.set(worker, placed + 1);
    names.push(name);
  }
  return names;
}

async function workerOf(client: pg.Client, clientId: string): Promise<number> {
  const { rows } = await client.query<{ worker: number }>(
    `select groupid as worker from pg_dist_placement
     where shardid = get_shard_id_for_distribution_column('tenant', $1::text)`,
    [clientId],
  );
  return rows[0]?.worker ?? 0;
}
