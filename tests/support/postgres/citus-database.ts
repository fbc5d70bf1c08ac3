// Databases on the Citus of CROSSDOCK_TEST_CITUS_URL. Each is created separately on every node. Citus stores its
// metadata of distributed tables in the database, with the names of its nodes, so a template cannot be used.
import { fileURLToPath } from "node:url";
import pg from "pg";
import { place, readPlacementPlan, workerSettings } from "#/store/db/citus/placement.ts";
import { migrate } from "#/store/db/schema/migrator.ts";
import { makeMonths } from "../app/months.ts";

const migrationsFolder = fileURLToPath(new URL("../../../migrations", import.meta.url));

/** Few, because each of a hundred tables and its months is created with this many shards for each test file. */
const shardsOfTests = 4;

interface Node {
  readonly name: string;
  readonly port: number;
  readonly isCoordinator: boolean;
}

/** A URL on another node, or of another database. Empty parts stay unchanged. */
function urlOf(url: string, place: { readonly node?: Node; readonly database?: string }): string {
  const other = new URL(url);
  if (place.node && !place.node.isCoordinator) {
    other.hostname = place.node.name;
    other.port = String(place.node.port);
  }
  if (place.database !== undefined) other.pathname = `/${place.database}`;
  return other.href;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Reads the nodes from the coordinator's own database, which must have the extension and its workers. */
async function readNodes(url: string): Promise<Node[]> {
  const rows = await withClient(url, async (client) => {
    const { rows: found } = await client.query<{ name: string; port: number; is_coordinator: boolean }>(
      `select nodename as name, nodeport as port, groupid = 0 as is_coordinator from pg_dist_node
       where noderole = 'primary' and isactive order by groupid limit 100`,
    );
    return found;
  });
  const nodes = rows.map(({ name, port, is_coordinator }) => ({ name, port, isCoordinator: is_coordinator }));
  if (nodes.length === 0)
    throw new Error(
      `${new URL(url).pathname.slice(1)} on the server of CROSSDOCK_TEST_CITUS_URL has no nodes of Citus`,
    );
  return nodes.some(({ isCoordinator }) => isCoordinator)
    ? nodes
    : [{ name: new URL(url).hostname, port: Number(new URL(url).port || 5432), isCoordinator: true }, ...nodes];
}

/** Creates a database on every node, migrated and distributed; returns its URL on the coordinator. */
export async function createOnCitus(citusUrl: string, name: string, shards = shardsOfTests): Promise<string> {
  const nodes = await readNodes(citusUrl);
  // The workers come first: the coordinator expects the database on them when it adds them.
  const [coordinator, workers] = [
    nodes.filter((node) => node.isCoordinator),
    nodes.filter((node) => !node.isCoordinator),
  ];
  for (const node of [...workers, ...coordinator]) {
    await withClient(urlOf(citusUrl, { node }), (client) => client.query(`create database ${name}`));
    await withClient(urlOf(citusUrl, { node, database: name }), (client) => client.query("create extension citus"));
  }
  const url = urlOf(citusUrl, { database: name });
  await withClient(url, async (client) => {
    for (const { name: host, port } of coordinator)
      await client.query("select citus_set_coordinator_host($1, $2)", [host, port]);
    for (const { name: host, port } of workers) await client.query("select citus_add_node($1, $2)", [host, port]);
  });
  await migrate(url, migrationsFolder, { afterwards: makeMonths });
  await withClient(url, async (client) => {
    await client.query(`set citus.shard_count = ${shards}`);
    for (const text of await workerSettings(client)) await client.query(text);
    await place(client, await readPlacementPlan(client, migrationsFolder));
  });
  return url;
}

/** Drops the database on every node, on the coordinator first, so that it no longer queries the workers. */
export async function dropOnCitus(citusUrl: string, name: string): Promise<void> {
  for (const node of (await readNodes(citusUrl)).toSorted(
    (a, b) => Number(b.isCoordinator) - Number(a.isCoordinator),
  )) {
    await withClient(urlOf(citusUrl, { node }), (client) =>
      client.query(`drop database if exists ${name} with (force)`),
    );
  }
}
