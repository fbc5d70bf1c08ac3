// Follows docs/citus.md, "From one PostgreSQL to Citus, in place" and "Back to one PostgreSQL": a database with orders is
// distributed over workers that are added to its server, the program goes on with it, and all rows move back.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
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
import { startCluster } from "../support/postgres/citus-cluster.ts";
import { secret } from "./two-clients.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const name = "crossdock_moved";
const linesOfOrder = 2;
const ordersAtATime = 10;

const cluster = await startCluster(2, { SETTINGS: "shared_buffers=128MB" });
atEnd(() => cluster.stop());
const urlOn = (port: number, database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
const [coordinator, ...workers] = cluster.ports as [number, ...number[]];
const url = urlOn(coordinator, name);
const run = (port: number, database: string, text: string) =>
  withClient(urlOn(port, database), (client) => client.query(text));
await run(coordinator, "postgres", `create database ${name}`);

const dataDir = makeDataDir();
const environment = { DATABASE_URL: url, CROSSDOCK_DATA_DIR: dataDir, CROSSDOCK_SECRET: secret };

async function plan(...flags: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ["scripts/citus-plan.ts", ...flags], {
    cwd: root,
    env: { ...process.env, ...environment },
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout;
}

/** The rows of each table. The months of a table count with it. */
const countRows = () =>
  withClient(url, async (client) => {
    const counts: Record<string, number> = {};
    for (const table of readTables()) {
      const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${table.name}`);
      counts[table.name] = rows[0]?.count ?? 0;
    }
    return counts;
  });

async function whileRunning<T>(work: (server: ServerProcess) => Promise<T>): Promise<T> {
  const server = await startProcess(dataDir, environment);
  const result = await work(server);
  await drained(url);
  await server.stop("SIGTERM");
  return result;
}

function send({ url: base, demo }: ServerProcess, type: string, body: string) {
  const headers = { "x-api-key": demo.feed.apiKey, "content-type": "application/xml" };
  return call(`${base}/feeds/DEMO/${type}`, { method: "POST", headers, body });
}

const sendOrders = (prefix: string) =>
  whileRunning(async (server) => {
    await until("the items to be there", async () => (await send(server, "CAT", catalogue.xml)).isAccepted);
    for (let i = 0; i < ordersAtATime; i++) {
      const answer = await send(server, "NO", orderXml(`${prefix}-${i}`, linesOfOrder));
      assert.ok(answer.isAccepted, answer.body);
    }
  });

async function checkOrders(...prefixes: readonly string[]): Promise<void> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ id: string; lines: number }>(
      `select o.order_id as id, (select count(*)::int from sales_order_line l
         where l.client_id = o.client_id and l.order_id = o.order_id) as lines
       from sales_order o where o.client_id = 'DEMO' and o.order_id ~ $1`,
      [`^(${prefixes.join("|")})-\\d+$`],
    ),
  );
  assert.equal(rows.length, prefixes.length * ordersAtATime);
  assert.ok(rows.every(({ lines }) => lines === linesOfOrder));
  const { code, stdout } = await runCommand(["stock", "check"], environment);
  assert.equal(code, 0, stdout);
}

test("a database with orders moves to Citus in place and back, with all rows", { timeout: 600_000 }, async (t) => {
  await sendOrders("PLAIN");
  const before = await countRows();
  assert.ok((before.sales_order ?? 0) >= ordersAtATime);

  for (const port of workers) {
    await run(port, "postgres", `create database ${name}`);
    await run(port, name, "create extension citus");
  }
  await run(coordinator, name, "create extension citus");
  await run(coordinator, name, `select citus_set_coordinator_host('127.0.0.1', ${coordinator})`);
  for (const port of workers) await run(coordinator, name, `select citus_add_node('127.0.0.1', ${port})`);
  // Few, because each table and month is created with as many.
  await run(coordinator, name, `alter database ${name} set citus.shard_count = 4`);

  const beganMs = performance.now();
  await plan("--apply");
  t.diagnostic(`the plan took ${Math.round(performance.now() - beganMs)} ms`);
  assert.match(await plan(), /^-- Nothing to do: all \d+ tables are placed/);
  assert.deepEqual(await countRows(), before);
  const { rows } = await withClient(url, (client) =>
    client.query("select distinct nodeport from citus_shards where table_name = 'sales_order'::regclass"),
  );
  assert.equal(rows.length, workers.length);

  await sendOrders("CITUS");
  await checkOrders("PLAIN", "CITUS");
  const distributed = await countRows();

  await plan("--back", "--apply");
  assert.match(await plan("--back"), /^-- Nothing to do: no table is distributed/);
  assert.deepEqual(await countRows(), distributed);
  await sendOrders("BACK");
  await checkOrders("PLAIN", "CITUS", "BACK");
});
