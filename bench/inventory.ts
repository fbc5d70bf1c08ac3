import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { readStock } from "#/modules/inventory/index.ts";
import { views } from "#/store/db/client-view.ts";
import { type EmbeddedServer, startEmbedded } from "#/store/db/embedded/index.ts";
import type { Statement } from "#/store/db/sql.ts";
import {
  findProgram,
  machine,
  median,
  type Product,
  startProduct,
  temporaryFolder,
  tokenOf,
  usage,
} from "./feeds/machine.ts";
import { listOf, lists, skusOfList } from "./inventory/asked.ts";
import { insertStock, skusOf } from "./inventory/stock.ts";
import { numberOption } from "./load/arguments.ts";
import { type LoadResult, runLoad } from "./load/run.ts";
import { cpuSecondsOf } from "./sizing/processors.ts";

/**
 * Measures how fast stock is looked up: findInventoryBySkuList with 100 SKUs over a million rows of stock, 32
 * connections. The peer is pgbench with the product's own statement on the same database in the same run.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { rounds, seconds, rows } = readArguments(args);
  console.log(`${new Date().toISOString().slice(0, 10)}, ${machine()}`);
  const folder = temporaryFolder("postgres");
  const server = await startEmbedded({ dataDir: folder });
  let product: Product | undefined;
  try {
    product = await startProduct(server.url);
    const started = performance.now();
    await withClient(server.url, async (client) => {
      await insertStock(client, rows);
      await insertLists(client, skusOf(rows));
    });
    console.log(`${rows} rows of stock were put in place in ${Math.round((performance.now() - started) / 1000)} s`);
    await compare(product, server, { rounds, seconds, skus: skusOf(rows) });
  } finally {
    await product?.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Plan {
  readonly rounds: number;
  readonly seconds: number;
  readonly skus: number;
}

function readArguments(args: readonly string[]) {
  const value = (name: string, otherwise: number) => numberOption(args, name, otherwise);
  return { rounds: value("rounds", 3), seconds: value("seconds", 10), rows: value("rows", 1_000_000) };
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

/** pgbench has no lists: it reads them by key from a table that the bench creates. */
async function insertLists(client: pg.Client, skus: number): Promise<void> {
  await client.query("create table bench_list (list_id int primary key, skus text[] not null)");
  const rows = Array.from({ length: lists }, (_, list) => ({ list_id: list, skus: listOf(list, skus) }));
  await client.query(
    "insert into bench_list select * from json_to_recordset($1::json) as x(list_id int, skus text[])",
    [JSON.stringify(rows)],
  );
  await client.query("vacuum analyze bench_list");
}

async function compare(product: Product, server: EmbeddedServer, { rounds, seconds, skus }: Plan): Promise<void> {
  const token = await tokenOf(product);
  await checkAnswer(product, token, skus);
  const pgbench = findProgram("pgbench");
  if (!pgbench) console.log("LEFT OUT: pgbench is not installed (Debian: apt-get install postgresql); no ratio");
  const script = path.join(temporaryFolder("pgbench"), "lookup.sql");
  writeFileSync(script, await pgbenchScript());
  await ask(product, token, 3, skus);
  const ours: LoadResult[] = [];
  const theirs: number[] = [];
  const processorMs = { product: [] as number[], postgres: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    if (pgbench) theirs.push(runPgbench(pgbench, script, server.url, seconds));
    const before = { product: cpuSecondsOf(product.pid), postgres: cpuSecondsOf(server.pid) };
    const load = await ask(product, token, seconds, skus);
    ours.push(load);
    processorMs.product.push(((cpuSecondsOf(product.pid) - before.product) * 1_000) / load.count);
    processorMs.postgres.push(((cpuSecondsOf(server.pid) - before.postgres) * 1_000) / load.count);
  }
  const list = (values: readonly number[], digits = 0) => values.map((value) => value.toFixed(digits)).join(" ");
  const rates = ours.map(({ rate }) => rate);
  console.log(`look-ups of ${skusOfList} SKUs: product ${list(rates)} /s, median ${median(rates).toFixed(0)}`);
  if (pgbench) {
    console.log(`look-ups: pgbench, the same statement: ${list(theirs)} /s, median ${median(theirs).toFixed(0)}`);
    const ratios = rates.map((rate, i) => rate / (theirs[i] as number));
    // The latency of the statement alone for 32 clients that wait for each other: the lower bound of the latencies
    // below.
    console.log(`look-ups: pgbench's mean latency ${(32_000 / median(theirs)).toFixed(1)} ms`);
    console.log(`look-ups: ratio ${median(ratios).toFixed(2)} (goal ≥ 0.65), by round ${list(ratios, 2)}`);
  }
  const p50 = median(ours.map((result) => result.p50));
  const p99 = median(ours.map((result) => result.p99));
  console.log(`look-ups: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
  const [ofProduct, ofPostgres] = [list(processorMs.product, 2), list(processorMs.postgres, 2)];
  console.log(`look-ups: processor time of one: product ${ofProduct} ms, PostgreSQL ${ofPostgres} ms`);
  console.log(`look-ups: server process ${Math.round(usage(product.pid).peakMiB)} MiB at its peak`);
  console.log(`look-ups: ${Math.round(ours[0]?.bytes ?? 0)} bytes an answer`);
}

const operation = "/v1/inventoryService/findInventoryBySkuList";

/** Fails when a SKU of a list is missing, because the bench then measures something else. */
async function checkAnswer({ url }: Product, token: string, skus: number): Promise<void> {
  const response = await fetch(`${url}${operation}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ distributionCentre: "DC1", products: listOf(7, skus) }),
  });
  const { items } = (await response.json()) as { items: { found: boolean; onHand: number }[] };
  if (items.length !== skusOfList || !items.every(({ found, onHand }) => found && onHand > 0)) {
    throw new Error(`the look-up answers ${response.status} with ${items.length} items`);
  }
}

/** The product's own statement; only the list of SKUs comes from a table. */
async function pgbenchScript(): Promise<string> {
  let sent: Statement | undefined;
  const tx = {
    ...views,
    async query(statement: Statement): Promise<never[]> {
      sent = statement;
      return [];
    },
  };
  const today = new Date().toISOString().slice(0, 10);
  await readStock(tx.of("DEMO"), "DC1", ["?"], today);
  const { text, values } = sent as unknown as Statement;
  const select = text.replace(/\$(\d+)(::text\[\])?/g, (_, n: string, isList?: string) =>
    isList === undefined ? `'${String(values[Number(n) - 1])}'` : "l.skus",
  );
  const withList = select.replace(
    "(select l.skus as skus)",
    "(select l.skus from bench_list l where l.list_id = :list)",
  );
  if (withList === select) throw new Error(`the statement has no place for a list of SKUs: ${select}`);
  // One statement per line: pgbench ends a statement at its semicolon, but counts lines in its messages.
  return `\\set list random(0, ${lists - 1})\n${withList.replace(/\s+/g, " ")};\n`;
}

function runPgbench(pgbench: string, script: string, url: string, seconds: number): number {
  const result = spawnSync(
    pgbench,
    ["-n", "-c", "32", "-j", "1", "-M", "prepared", "-T", String(seconds), "-f", script, url],
    // The same settings as the product's connections.
    { encoding: "utf8", env: { ...process.env, PGOPTIONS: "-c TimeZone=UTC -c jit=off -c random_page_cost=1.1" } },
  );
  const rate = /tps = ([\d.]+)/.exec(result.stdout)?.[1];
  if (result.status !== 0 || rate === undefined) throw new Error(`pgbench: ${result.stderr.slice(0, 500)}`);
  return Number(rate);
}

/** Runs 32 clients for the given number of seconds, in a separate process. */
function ask({ url }: Product, token: string, seconds: number, skus: number): Promise<LoadResult> {
  return runLoad(new URL("./inventory/load.ts", import.meta.url), [`${url}${operation}`, token, 32, seconds, skus]);
}
