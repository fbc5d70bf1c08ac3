import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { startAllocator } from "#/app/roles/allocator.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { defaultPool, lotOf, openBook, postMovements } from "#/modules/inventory/index.ts";
import { type Database, openDatabase } from "#/store/db/database.ts";
import { startEmbedded } from "#/store/db/embedded/index.ts";
import { migrate } from "#/store/db/schema/migrator.ts";
import { makePartitions } from "#/store/db/schema/partitions.ts";
import { insertHistory } from "./feeds/history.ts";
import { machine, median, temporaryFolder } from "./feeds/machine.ts";
import { numberOption } from "./load/arguments.ts";

/**
 * Measures how fast arriving stock is allocated to the lines that wait for it, on an empty base and on a base with a
 * million ended orders of the same client. The time runs from the commit of the receipt to the commit of the last line,
 * including ledger, order states, milestones, events and outbound content. fsync is on throughout.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { rounds, lines, presentOrders } = readArguments(args);
  console.log(`${new Date().toISOString().slice(0, 10)}, ${machine()}`);
  const folder = temporaryFolder("postgres");
  const server = await startEmbedded({ dataDir: folder });
  const bases: Base[] = [];
  try {
    const empty = await makeBase(server.url, "allocation_empty");
    bases.push(empty);
    const full = presentOrders > 0 ? await makeBase(server.url, "allocation_full") : undefined;
    if (full) {
      bases.push(full);
      await withClient(full.url, async (client) => {
        await insertHistory(client, presentOrders);
        // Replaces the minutes of autovacuum after a million inserted rows; in a base that has grown for a year, it is
        // long over.
        await client.query("vacuum analyze");
      });
      console.log(`${presentOrders} ended orders were put in place`);
    }
    await measure(empty, lines, 500);
    for (const skus of [500, 1]) await compare(empty, full, { rounds, lines, skus, presentOrders });
  } finally {
    for (const base of bases) await base.database.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Base {
  readonly url: string;
  readonly database: Database;
}

interface Plan {
  readonly rounds: number;
  readonly lines: number;
  readonly skus: number;
  readonly presentOrders: number;
}

function readArguments(args: readonly string[]) {
  const value = (name: string, otherwise: number) => numberOption(args, name, otherwise);
  return { rounds: value("rounds", 5), lines: value("lines", 10_000), presentOrders: value("orders", 1_000_000) };
}

async function compare(empty: Base, full: Base | undefined, plan: Plan): Promise<void> {
  const { rounds, lines, skus } = plan;
  const name = `${lines} lines of ${skus === 1 ? "one SKU" : `${skus} SKUs`}`;
  const without: number[] = [];
  const present: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // The bases take turns in going first: the first one leaves data in caches and work for checkpoints to the second.
    if (full && round % 2 === 1) present.push(await measure(full, lines, skus));
    without.push(await measure(empty, lines, skus));
    if (full && round % 2 === 0) present.push(await measure(full, lines, skus));
  }
  const list = (rates: readonly number[]) => `${rates.map(Math.round).join(" ")}, median ${Math.round(median(rates))}`;
  console.log(`${name}: ${list(without)} lines/s (goal ≥ 5000)`);
  if (!full) return;
  const ratio = median(present.map((rate, i) => rate / (without[i] as number)));
  console.log(`${name}, ${plan.presentOrders} orders present: ${list(present)} lines/s`);
  console.log(`${name}: ratio full/empty ${ratio.toFixed(2)} (goal ≥ 0.9)`);
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

async function makeBase(serverUrl: string, name: string): Promise<Base> {
  await withClient(serverUrl, (client) => client.query(`create database ${name}`));
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  await migrate(url, fileURLToPath(new URL("../migrations", import.meta.url)), {
    afterwards: (client) => makePartitions(client, Date.now()),
  });
  await withClient(url, async (client) => {
    await client.query("insert into tenant values ('DEMO')");
    await client.query("insert into outbox_lane (client_id) values ('DEMO')");
    await client.query(
      "insert into client (client_id, name, status, created_at, updated_at) values ('DEMO', 'Demo', 'ACTIVE', now(), now())",
    );
    await client.query(
      "insert into facility (facility_code, name, country, timezone, created_at) values ('DC1', 'DC1', 'GB', 'Europe/London', now())",
    );
    await client.query("insert into client_facility values ('DEMO', 'DC1', 0)");
    await client.query(
      `insert into item (client_id, sku, name, dated_at, feed_token, created_at, updated_at)
       select 'DEMO', 'SKU-' || g, 'Item', now(), gen_random_uuid(), now(), now() from generate_series(1, 1000) g`,
    );
  });
  const database = openDatabase({ url, connectionsMax: 10, applicationName: "crossdock bench" });
  return { url, database };
}

let batches = 0;

/** Inserts waiting orders of two lines, receives their stock, and returns the number of lines allocated a second. */
async function measure(base: Base, lines: number, skus: number): Promise<number> {
  const batch = `W${++batches}`;
  await withClient(base.url, (client) => insertWaiting(client, batch, lines, skus));
  await receive(base.database, lines, skus);
  const log = createLogger({ level: "warn", format: "json" });
  const started = performance.now();
  const allocator = startAllocator({ database: base.database, clock: systemClock, ids: createIds(), log });
  try {
    await withClient(base.url, async (client) => {
      for (;;) {
        const { rowCount } = await client.query(
          "select from stock_change where client_id = 'DEMO' and needs_allocation",
        );
        if (!rowCount) break;
        await sleep(5);
      }
    });
  } finally {
    await allocator.stop();
  }
  const seconds = (performance.now() - started) / 1000;
  await withClient(base.url, async (client) => {
    const { rows } = await client.query<{ lines: string }>(
      "select count(*) as lines from sales_order_line where client_id = 'DEMO' and order_id like $1 and qty_allocated = qty_ordered",
      [`${batch}-%`],
    );
    if (Number(rows[0]?.lines) !== lines) throw new Error(`${rows[0]?.lines} of ${lines} lines were allocated`);
    await client.query("vacuum analyze sales_order_line, sales_order, stock_balance, stock_change");
  });
  return lines / seconds;
}

async function insertWaiting(client: pg.Client, batch: string, lines: number, skus: number): Promise<void> {
  await client.query(
    `insert into sales_order (client_id, order_id, status, order_date, currency, ship_to_address, distribution_centre,
       feed_token, received_at, updated_at, backordered_since)
     select 'DEMO', $1 || '-' || g, 'BACKORDERED', now(), 'GBP', '{"city":"London","country":"GB"}', 'DC1',
       gen_random_uuid(), now() + g * interval '1 ms', now(), now()
     from generate_series(1, $2::int / 2) g`,
    [batch, lines],
  );
  await client.query(
    `insert into sales_order_line (client_id, order_id, line_number, sku, stock_pool, uom, feed_qty, qty_ordered, qty_open,
       qty_backordered, facility_code, priority, accepted_at)
     select 'DEMO', $1 || '-' || g, n, 'SKU-' || 1 + (g * 2 + n) % $3::int, 'DEFAULT', 'EA', 1, 1, 0, 1, 'DC1', 5,
       now() + g * interval '1 ms'
     from generate_series(1, $2::int / 2) g, generate_series(1, 2) n`,
    [batch, lines, skus],
  );
  await client.query("analyze sales_order, sales_order_line");
}

async function receive(database: Database, lines: number, skus: number): Promise<void> {
  const ids = createIds();
  const at = new Date().toISOString();
  await database.transaction(async (tx) => {
    const book = await openBook(tx.of("DEMO"), "DC1", at);
    const movements = Array.from({ length: skus }, (_, i) => ({
      type: "RECEIPT" as const,
      sku: `SKU-${1 + i}`,
      condition: "GOOD" as const,
      ...lotOf({ stockPool: defaultPool }),
      qty: (lines / skus) * 1000,
      referenceType: "receipt",
      referenceId: "R-1",
    }));
    postMovements(tx.of(book.clientId), book, ids, movements);
  });
}
