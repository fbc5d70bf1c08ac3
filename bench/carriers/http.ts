import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import pg from "pg";
import { startEmbedded } from "#/store/db/embedded/index.ts";
import { median, type Product, startProduct, temporaryFolder, tokenOf, usage } from "../feeds/machine.ts";
import { type LoadResult, runLoad } from "../load/run.ts";
import { makeWorld, type Size } from "./world.ts";

const goal = { perSecond: 2_000, p99Ms: 30 };

export interface HttpPlan {
  readonly rounds: number;
  readonly seconds: number;
  readonly size: Size;
  readonly of?: "decisions" | "promises";
}

/**
 * Measures how many decisions a second the product answers over HTTP, storing each one: 32 clients, one open request
 * each.
 */
export async function measureOverHttp(plan: HttpPlan): Promise<void> {
  const folder = temporaryFolder("postgres");
  const server = await startEmbedded({ dataDir: folder });
  let product: Product | undefined;
  try {
    product = await startProduct(server.url);
    await withClient(server.url, (client) =>
      client.query(
        `insert into carrier_data (owner, version, data, created_by, created_at, activated_at)
         values ('', 1000, $1::jsonb, 'bench', now(), now())`,
        [JSON.stringify(makeWorld(plan.size))],
      ),
    );
    await (plan.of === "promises" ? measurePromises : measure)(product, server.url, plan);
  } finally {
    await product?.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
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

async function measure(product: Product, databaseUrl: string, { rounds, seconds }: HttpPlan): Promise<void> {
  const token = await tokenOf(product);
  await ask(product, token, 3);
  const before = { cpu: usage(product.pid).cpuSeconds, postgres: await cpuOfPostgres(databaseUrl) };
  const results: LoadResult[] = [];
  for (let round = 0; round < rounds; round++) results.push(await ask(product, token, seconds));
  const decisions = results.reduce((sum, { count }) => sum + count, 0);
  const perDecision = (cpuSeconds: number) => `${((cpuSeconds / decisions) * 1_000).toFixed(2)} ms`;
  const rates = results.map(({ rate }) => rate);
  const p99 = median(results.map((result) => result.p99));
  const rate = median(rates);
  console.log(`decisions/s over HTTP, by round: ${rates.map((rate) => rate.toFixed(0)).join(" · ")}`);
  console.log(
    `an answer: ${Math.round(results[0]?.bytes ?? 0)} bytes; p50 ${median(results.map((result) => result.p50)).toFixed(1)} ms`,
  );
  console.log(
    `processor time of a decision: product ${perDecision(usage(product.pid).cpuSeconds - before.cpu)}, PostgreSQL ${perDecision((await cpuOfPostgres(databaseUrl)) - before.postgres)}`,
  );
  const bytes = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(
      "select (avg(pg_column_size(request)) + avg(pg_column_size(decision)))::int as bytes from (select request, decision from carrier_decision limit 1000) d",
    );
    return (rows[0] as { bytes: number }).bytes;
  });
  console.log(`kept of a decision: ${bytes} bytes`);
  const isHeld = rate >= goal.perSecond && p99 <= goal.p99Ms;
  console.log(
    `median ${rate.toFixed(0)}, goal ${goal.perSecond}; p99 ${p99.toFixed(1)} ms, goal ${goal.p99Ms}: ${isHeld ? "held" : "missed"}`,
  );
}

const promisesGoal = 100;

/** Promises for baskets of five lines of the demo's goods: 8 clients, one open request each. */
async function measurePromises(product: Product, databaseUrl: string, { rounds, seconds }: HttpPlan): Promise<void> {
  const token = await tokenOf(product);
  const skus = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(
      "select sku from item where client_id = 'DEMO' and is_active and weight > 0 and stock_uom = 'EA' order by sku limit 200",
    );
    return (rows as { sku: string }[]).map(({ sku }) => sku);
  });
  const operation = `${product.url}/v1/orderService/order/promise`;
  const load = (length: number): Promise<LoadResult> =>
    runLoad(new URL("./promise-load.ts", import.meta.url), [operation, token, length, skus.join(",")]);
  await load(3);
  const before = { cpu: usage(product.pid).cpuSeconds, postgres: await cpuOfPostgres(databaseUrl) };
  const results: LoadResult[] = [];
  for (let round = 0; round < rounds; round++) results.push(await load(seconds));
  const promises = results.reduce((sum, { count }) => sum + count, 0);
  const perPromise = (cpuSeconds: number) => `${((cpuSeconds / promises) * 1_000).toFixed(2)} ms`;
  console.log(`promises/s over HTTP, by round: ${results.map(({ rate }) => rate.toFixed(0)).join(" · ")}`);
  console.log(
    `an answer: ${Math.round(results[0]?.bytes ?? 0)} bytes; p50 ${median(results.map(({ p50 }) => p50)).toFixed(1)} ms, p99 ${median(results.map(({ p99 }) => p99)).toFixed(1)} ms`,
  );
  console.log(
    `processor time of a promise: product ${perPromise(usage(product.pid).cpuSeconds - before.cpu)}, PostgreSQL ${perPromise((await cpuOfPostgres(databaseUrl)) - before.postgres)}`,
  );
  const rate = median(results.map((result) => result.rate));
  console.log(`median ${rate.toFixed(0)}, goal ${promisesGoal}: ${rate >= promisesGoal ? "held" : "missed"}`);
}

/** CPU seconds of the connections that are open now: the product keeps its connections open. */
async function cpuOfPostgres(url: string): Promise<number> {
  const pid = await withClient(url, async (client) => {
    const { rows } = await client.query("select pg_backend_pid() as pid");
    const pid = (rows[0] as { pid: number }).pid;
    return Number(/^PPid:\s+(\d+)/m.exec(readStatus(pid))?.[1] ?? 0);
  });
  return childrenOf(pid).reduce((sum, child) => sum + usage(child).cpuSeconds, 0);
}

function readStatus(pid: number): string {
  const file = `/proc/${pid}/status`;
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

function childrenOf(pid: number): readonly number[] {
  if (!existsSync("/proc/self")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => readStatus(child).includes(`PPid:\t${pid}\n`));
}

/** Runs 32 clients for the given number of seconds, in a separate process. */
function ask({ url }: Product, token: string, seconds: number): Promise<LoadResult> {
  const operation = `${url}/v1/carrierDeterminationService/carrier/determine`;
  return runLoad(new URL("./load.ts", import.meta.url), [operation, token, 32, seconds]);
}
