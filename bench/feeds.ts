import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startEmbedded } from "#/store/db/embedded/index.ts";
import { benchSkus, catalogue, order, orderTemplate } from "./feeds/documents.ts";
import { insertHistory } from "./feeds/history.ts";
import {
  findProgram,
  machine,
  median,
  type Product,
  sendArrivals,
  sendOrders,
  startProduct,
  temporaryFolder,
  usage,
} from "./feeds/machine.ts";
import { numberOption } from "./load/arguments.ts";
import type { LoadResult } from "./load/run.ts";
import { cpuSecondsOf } from "./sizing/processors.ts";

/** By then V8 has collected the garbage of the start, and idle threads have ended. */
const idleMs = 90_000;

/**
 * Measures how fast feeds are accepted, each figure with its peer in the same run: orders against pgbench's equivalent
 * transaction on the same database, a large catalogue against xmllint, a full base against an empty one. fsync is on
 * throughout. With `--catalogues`, only the catalogues.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { rounds, seconds, presentOrders, isOfCatalogues } = readArguments(args);
  console.log(`${new Date().toISOString().slice(0, 10)}, ${machine()}`);
  const folder = temporaryFolder("postgres");
  const server = await startEmbedded({ dataDir: folder });
  const products: Product[] = [];
  const start = async (name: string) => {
    const product = await startOn(server.url, name);
    products.push(product);
    return product;
  };
  try {
    const product = await start("bench_empty");
    await sleep(idleMs);
    console.log(`idle: server process ${Math.round(usage(product.pid).residentMiB)} MiB`);
    if (!isOfCatalogues) await ordersAgainstPgbench(product, server.pid, rounds, seconds);
    await catalogueAgainstXmllint(product, server.pid, rounds);
    if (!isOfCatalogues && presentOrders > 0)
      await fullAgainstEmpty(await start("bench_full"), product, presentOrders, rounds, seconds);
  } finally {
    for (const product of products) await product.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function readArguments(args: readonly string[]) {
  const value = (name: string, otherwise: number) => numberOption(args, name, otherwise);
  return {
    rounds: value("rounds", 3),
    seconds: value("seconds", 10),
    presentOrders: value("orders", 1_000_000),
    isOfCatalogues: args.includes("--catalogues"),
  };
}

export interface Started extends Product {
  readonly databaseUrl: string;
}

/** Starts the program on a database of this name, and sends the catalogue if it serves feeds. */
export async function startOn(serverUrl: string, name: string, env: NodeJS.ProcessEnv = {}): Promise<Started> {
  await withClient(serverUrl, async (client) => {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
    if (!rowCount) await client.query(`create database ${name}`);
  });
  const databaseUrl = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  const product = await startProduct(databaseUrl, env);
  const roles = env.CROSSDOCK_ROLES;
  if (roles === undefined || roles.split(",").includes("feeds")) {
    const answer = await post(product, "CAT", catalogue(benchSkus, "SKU-"));
    if (!answer.includes("<success>true")) throw new Error(answer);
  }
  return { ...product, databaseUrl };
}

async function post({ url, apiKey }: Product, type: string, body: string): Promise<string> {
  const headers = { "x-api-key": apiKey, "content-type": "application/xml" };
  const response = await fetch(`${url}/feeds/DEMO/${type}`, { method: "POST", headers, body });
  return response.text();
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function ordersAgainstPgbench(
  product: Started,
  serverPid: number,
  rounds: number,
  seconds: number,
): Promise<void> {
  const pgbench = findProgram("pgbench");
  if (!pgbench)
    console.log("LEFT OUT: pgbench is not installed (Debian: apt-get install postgresql); no ratio of orders");
  const script = path.join(temporaryFolder("pgbench"), "order.sql");
  const payload = Buffer.from(order(orderTemplate(), "B-1", 0)).toString("hex");
  const text = readFileSync(new URL("./feeds/order.pgbench.sql", import.meta.url), "utf8");
  // One statement per line: pgbench ends a statement at its semicolon, but counts lines in its messages.
  writeFileSync(script, text.replace(":payload", `'\\x${payload}'::bytea`));
  await sendOrders(product, 3, "W");
  const ours: number[] = [];
  const theirs: number[] = [];
  const p50: number[] = [];
  const p99: number[] = [];
  const busy = { product: 0, postgres: 0 };
  /** Work that the relay still has is part of an order's time: how much remains after the last answer is chance. */
  const followed = { product: 0, postgres: 0 };
  let count = 0;
  for (let round = 0; round < rounds; round++) {
    if (pgbench) {
      theirs.push(runPgbench(pgbench, script, product.databaseUrl, seconds));
      // The relay would publish its events and allocate its orders, in the time of the product's.
      await withClient(product.databaseUrl, (client) => client.query("delete from outbox where object_id like 'P-%'"));
    }
    const before = { product: cpuSecondsOf(product.pid), postgres: cpuSecondsOf(serverPid) };
    const result = await sendOrders(product, seconds, `R${round}`);
    busy.product += cpuSecondsOf(product.pid) - before.product;
    busy.postgres += cpuSecondsOf(serverPid) - before.postgres;
    await drained(product.databaseUrl);
    followed.product += cpuSecondsOf(product.pid) - before.product;
    followed.postgres += cpuSecondsOf(serverPid) - before.postgres;
    count += result.count;
    ours.push(result.rate);
    p50.push(result.p50);
    p99.push(result.p99);
  }
  console.log(`orders: product ${ours.map(Math.round).join(" ")} /s, median ${Math.round(median(ours))}`);
  if (pgbench) {
    console.log(`orders: pgbench ${theirs.map(Math.round).join(" ")} /s, median ${Math.round(median(theirs))}`);
    const ratios = ours.map((rate, i) => rate / (theirs[i] as number));
    console.log(
      `orders: ratio product/pgbench ${median(ratios).toFixed(2)} (goal ≥ 1.0), by round ${ratios.map((ratio) => ratio.toFixed(2)).join(" ")}`,
    );
  }
  console.log(`orders: p50 ${median(p50).toFixed(1)} ms, p99 ${median(p99).toFixed(1)} ms`);
  const perOrder = (busySeconds: number) => `${((busySeconds * 1_000) / count).toFixed(2)} ms`;
  console.log(
    `orders: processor time of an order: product ${perOrder(followed.product)}, PostgreSQL ${perOrder(followed.postgres)}; until the last acknowledgement ${perOrder(busy.product)}, ${perOrder(busy.postgres)}`,
  );
  console.log(`orders: server process ${Math.round(usage(product.pid).peakMiB)} MiB at its peak`);
  await latencyByRate(product, median(ours), rounds, seconds);
}

export const shares = [25, 50, 75, 90];

/**
 * How long an order waits for its acknowledgement when orders arrive at a share of the greatest rate. Closed senders wait
 * for each other and hide the queue that they make.
 */
async function latencyByRate(product: Started, greatest: number, rounds: number, seconds: number): Promise<void> {
  for (const share of shares) {
    const rate = Math.round((greatest * share) / 100);
    const results: LoadResult[] = [];
    for (let round = 0; round < rounds; round++) {
      results.push(await sendArrivals(product, { seconds, rate, prefix: `A${share}-${round}` }));
      await drained(product.databaseUrl);
    }
    const [p50, p99] = [median(results.map((result) => result.p50)), median(results.map((result) => result.p99))];
    console.log(
      `orders at ${share} % of the greatest rate, ${rate} /s: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    );
  }
}

/** Waits until all events are published. The relay clears a mark before it publishes, so the rows count as well. */
export async function drained(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    for (const until = Date.now() + 120_000; Date.now() < until; await sleep(100)) {
      const { rowCount } = await client.query("select from outbox_due union all select from outbox limit 1");
      if (!rowCount) return;
    }
    throw new Error("events are not published after two minutes");
  });
}

function runPgbench(pgbench: string, script: string, url: string, seconds: number): number {
  const result = spawnSync(
    pgbench,
    ["-n", "-c", "32", "-j", "1", "-M", "prepared", "-T", String(seconds), "-f", script, url],
    { encoding: "utf8" },
  );
  const rate = /tps = ([\d.]+)/.exec(result.stdout)?.[1];
  if (result.status !== 0 || rate === undefined) throw new Error(`pgbench: ${result.stderr.slice(0, 500)}`);
  return Number(rate);
}

async function catalogueAgainstXmllint(product: Started, serverPid: number, rounds: number): Promise<void> {
  const xmllint = findProgram("xmllint");
  if (!xmllint)
    console.log("LEFT OUT: xmllint is not installed (Debian: apt-get install libxml2-utils); no ratio of catalogues");
  const file = path.join(temporaryFolder("cat"), "CAT.xml");
  const xsd = new URL("../schemas/xsd/CAT.xsd", import.meta.url).pathname;
  const ours: number[] = [];
  const theirs: number[] = [];
  const busy = { product: [] as number[], postgres: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const text = catalogue(50_000, `C${round}-`);
    const megabytes = Buffer.byteLength(text) / 1e6;
    writeFileSync(file, text);
    if (xmllint) {
      const started = performance.now();
      const validated = spawnSync(xmllint, ["--noout", "--schema", decodeURIComponent(xsd), file], {
        encoding: "utf8",
      });
      if (validated.status !== 0) throw new Error(`xmllint: ${validated.stderr.slice(0, 300)}`);
      theirs.push(megabytes / ((performance.now() - started) / 1000));
    }
    const before = { product: cpuSecondsOf(product.pid), postgres: cpuSecondsOf(serverPid) };
    const started = performance.now();
    const answer = await post(product, "CAT", text);
    ours.push(megabytes / ((performance.now() - started) / 1000));
    busy.product.push(cpuSecondsOf(product.pid) - before.product);
    busy.postgres.push(cpuSecondsOf(serverPid) - before.postgres);
    if (!answer.includes("<success>true")) throw new Error(answer.slice(0, 500));
  }
  console.log(
    `catalogue of 50 000 new items: product ${ours.map((rate) => rate.toFixed(1)).join(" ")} MB/s, stored and acknowledged`,
  );
  console.log(
    `catalogue: processor time: product ${median(busy.product).toFixed(2)} s, PostgreSQL ${median(busy.postgres).toFixed(2)} s`,
  );
  if (xmllint) {
    console.log(`catalogue: xmllint --schema ${theirs.map((rate) => rate.toFixed(1)).join(" ")} MB/s`);
    const ratio = median(ours.map((rate, i) => rate / (theirs[i] as number)));
    console.log(`catalogue: ratio product/xmllint ${ratio.toFixed(2)} (goal ≥ 0.4)`);
  }
  console.log(`catalogue: server process ${Math.round(usage(product.pid).peakMiB)} MiB at its peak (goal ≤ 350)`);
}

async function fullAgainstEmpty(
  full: Started,
  empty: Started,
  orders: number,
  rounds: number,
  seconds: number,
): Promise<void> {
  const started = performance.now();
  await withClient(full.databaseUrl, (client) => insertHistory(client, orders));
  console.log(`${orders} orders were put in place in ${Math.round((performance.now() - started) / 1000)} s`);
  const ratios: number[] = [];
  await sendOrders(full, 3, "W2");
  for (let round = 0; round < rounds; round++) {
    const without = await sendOrders(empty, seconds, `E${round}`);
    const present = await sendOrders(full, seconds, `F${round}`);
    ratios.push(present.rate / without.rate);
    console.log(
      `orders: ${Math.round(present.rate)} /s with ${orders} present, ${Math.round(without.rate)} /s without`,
    );
  }
  console.log(`orders: ratio full/empty ${median(ratios).toFixed(2)} (goal ≥ 0.9)`);
}
