// Follows docs/citus.md. "From one PostgreSQL to Citus": the dump of a database with orders is loaded into one of Citus and
// distributed there. "In place" and "Back to one PostgreSQL": the database itself is distributed over workers that are
// added to its server, the program goes on with it, and all rows move back.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { call, catalogue, orderXml } from "../faults/load/sender.ts";
import { drained, withClient } from "../faults/oracles/oracle.ts";
import { readTables } from "../schema/migrations.ts";
import { atEnd } from "../support/app/at-end.ts";
import { runCommand } from "../support/app/cli.ts";
import { makeDataDir, type ServerProcess, startProcess } from "../support/app/process.ts";
import { until } from "../support/app/until.ts";
import { programsOf, startCluster } from "../support/postgres/citus-cluster.ts";
import { secret } from "./two-clients.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const name = "crossdock_moved";
const loadedName = "crossdock_loaded";
const linesOfOrder = 2;
const ordersAtATime = 10;
const nothingToDo = /^-- Nothing to do: all \d+ tables are placed/;

const cluster = await startCluster(2, { SETTINGS: "shared_buffers=128MB" });
atEnd(() => cluster.stop());
const urlOn = (port: number, database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
const [coordinator, ...workers] = cluster.ports as [number, ...number[]];
const url = urlOn(coordinator, name);
const loadedUrl = urlOn(coordinator, loadedName);
const run = (port: number, database: string, text: string) =>
  withClient(urlOn(port, database), (client) => client.query(text));
await run(coordinator, "postgres", `create database ${name}`);

const dataDir = makeDataDir();
const environmentOf = (of: string) => ({ DATABASE_URL: of, CROSSDOCK_DATA_DIR: dataDir, CROSSDOCK_SECRET: secret });

async function plan(flags: readonly string[] = [], of = url): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ["scripts/citus-plan.ts", ...flags], {
    cwd: root,
    env: { ...process.env, ...environmentOf(of) },
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout;
}

/** Runs a program of the kit's PostgreSQL. */
async function runProgram(program: string, ...args: readonly string[]): Promise<void> {
  const { bin, libraries } = programsOf(cluster.pidOf(coordinator));
  const env = { ...process.env, LD_LIBRARY_PATH: libraries };
  await promisify(execFile)(path.join(bin, program), args, { cwd: dataDir, env, maxBuffer: 16 * 1024 * 1024 });
}

/** The database on each node, the workers first, and the extension with its nodes. */
async function addCitus(database: string): Promise<void> {
  for (const port of workers) {
    await run(port, "postgres", `create database ${database}`);
    await run(port, database, "create extension citus");
  }
  await run(coordinator, database, "create extension citus");
  await run(coordinator, database, `select citus_set_coordinator_host('127.0.0.1', ${coordinator})`);
  for (const port of workers) await run(coordinator, database, `select citus_add_node('127.0.0.1', ${port})`);
  // Few, because each table and month is created with as many.
  await run(coordinator, database, `alter database ${database} set citus.shard_count = 4`);
}

/** The rows of each table. The months of a table count with it. */
const countRows = (of = url) =>
  withClient(of, async (client) => {
    const counts: Record<string, number> = {};
    for (const table of readTables()) {
      const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${table.name}`);
      counts[table.name] = rows[0]?.count ?? 0;
    }
    return counts;
  });

async function whileRunning<T>(of: string, work: (server: ServerProcess) => Promise<T>): Promise<T> {
  const server = await startProcess(dataDir, environmentOf(of));
  const result = await work(server);
  await drained(of);
  await server.stop("SIGTERM");
  return result;
}

function send({ url: base, demo }: ServerProcess, type: string, body: string) {
  const headers = { "x-api-key": demo.feed.apiKey, "content-type": "application/xml" };
  return call(`${base}/feeds/DEMO/${type}`, { method: "POST", headers, body });
}

const sendOrders = (prefix: string, of = url) =>
  whileRunning(of, async (server) => {
    await until("the items to be there", async () => (await send(server, "CAT", catalogue.xml)).isAccepted);
    for (let i = 0; i < ordersAtATime; i++) {
      const answer = await send(server, "NO", orderXml(`${prefix}-${i}`, linesOfOrder));
      assert.ok(answer.isAccepted, answer.body);
    }
  });

async function checkOrders(prefixes: readonly string[], of = url): Promise<void> {
  const { rows } = await withClient(of, (client) =>
    client.query<{ id: string; lines: number }>(
      `select o.order_id as id, (select count(*)::int from sales_order_line l
         where l.client_id = o.client_id and l.order_id = o.order_id) as lines
       from sales_order o where o.client_id = 'DEMO' and o.order_id ~ $1`,
      [`^(${prefixes.join("|")})-\\d+$`],
    ),
  );
  assert.equal(rows.length, prefixes.length * ordersAtATime);
  assert.ok(rows.every(({ lines }) => lines === linesOfOrder));
  const { code, stdout } = await runCommand(["stock", "check"], environmentOf(of));
  assert.equal(code, 0, stdout);
}

await sendOrders("PLAIN");
const before = await countRows();
assert.ok((before.sales_order ?? 0) >= ordersAtATime);

test("the dump of a database with orders is loaded and distributed, with all rows", { timeout: 600_000 }, async () => {
  await runProgram("pg_dump", "--format=directory", "--jobs=4", "--no-owner", "--file=dump", url);
  await run(coordinator, "postgres", `create database ${loadedName}`);
  await addCitus(loadedName);
  await runProgram("pg_restore", "--jobs=4", "--no-owner", "--exit-on-error", `--dbname=${loadedUrl}`, "dump");
  await writeFile(path.join(dataDir, "plan.sql"), await plan([], loadedUrl));
  await runProgram("psql", loadedUrl, "--quiet", "--set=ON_ERROR_STOP=1", "-f", "plan.sql");
  assert.match(await plan([], loadedUrl), nothingToDo);
  assert.deepEqual(await countRows(loadedUrl), before);
  await sendOrders("LOADED", loadedUrl);
  await checkOrders(["PLAIN", "LOADED"], loadedUrl);
});

test("a database with orders moves to Citus in place and back, with all rows", { timeout: 600_000 }, async () => {
  await addCitus(name);
  await plan(["--apply"]);
  assert.match(await plan(), nothingToDo);
  assert.deepEqual(await countRows(), before);
  const { rows } = await withClient(url, (client) =>
    client.query("select distinct nodeport from citus_shards where table_name = 'sales_order'::regclass"),
  );
  assert.equal(rows.length, workers.length);

  await sendOrders("CITUS");
  await checkOrders(["PLAIN", "CITUS"]);
  const distributed = await countRows();

  await plan(["--back", "--apply"]);
  assert.match(await plan(["--back"]), /^-- Nothing to do: no table is distributed/);
  assert.deepEqual(await countRows(), distributed);
  await sendOrders("BACK");
  await checkOrders(["PLAIN", "CITUS", "BACK"]);
});
