// kill -9 of the whole program while its simulated warehouse works: it continues where it was, and repeats nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { checkStock } from "#/modules/inventory/index.ts";
import { openDatabase } from "#/store/db/database.ts";
import { databaseUrlOf, makeDataDir, type ServerProcess, startProcess } from "../../support/app/process.ts";
import { until } from "../../support/app/until.ts";
import { order } from "../../support/builders/documents.ts";
import { withClient } from "../oracles/oracle.ts";

const kills = 5;
/** Orders accepted before each kill, so that, however long a start took, some are in progress at the kill. */
const ordersOfKill = 3;
const orders = kills * ordersOfKill;

test(`of ${orders} orders that are worked while the program is killed ${kills} times each is delivered once`, {
  timeout: 600_000,
}, async () => {
  const dataDir = makeDataDir();
  const start = (speed: number) =>
    startProcess(dataDir, {
      CROSSDOCK_WAREHOUSE_SIM: "true",
      CROSSDOCK_WAREHOUSE_SIM_SPEED: String(speed),
    });
  let server = await start(8);
  const seen = new Set<string>();
  for (let kill = 0; kill < kills; kill++) {
    for (let i = 0; i < ordersOfKill; i++) await accept(server, `K-${kill}-${i}`);
    // In the middle of an order's life of some four seconds. The first documents of a process take one second more.
    await sleep(700 + 400 * kill);
    await until("the orders to be on their way", async () => {
      for (const status of await statesOf(dataDir)) seen.add(status);
      return seen.size > Math.min(kill, 2);
    });
    await server.kill();
    server = await start(8);
  }
  assert.ok(seen.size > 2, `killed in the middle: ${[...seen].join(", ")}`);
  await until(
    "the deliveries",
    async () => {
      const states = await statesOf(dataDir);
      return (states.length === orders && states.every((status) => status === "DELIVERED")) || undefined;
    },
    120_000,
  );
  const parcels = await rowsOf<{ order_id: string; parcels: number; units: string }>(
    dataDir,
    `select p.order_id, count(distinct p.olpn_id)::integer as parcels, sum((c->>'qty')::numeric)::text as units
     from parcel p cross join jsonb_array_elements(p.contents) c where p.order_id like 'K-%' group by p.order_id`,
  );
  assert.equal(parcels.length, orders);
  for (const parcel of parcels) assert.deepEqual([parcel.parcels, Number(parcel.units)], [1, 3], parcel.order_id);
  const events = await rowsOf(dataDir, "select 1 from order_milestone where order_id like 'K-%' and code = 200");
  assert.equal(events.length, orders, "each delivery was published once");
  // The return of the demo may arrive before its order has left.
  const faults = "select kind, object_id, summary from operator_exception where kind <> 'OVER_RETURN'";
  assert.deepEqual(await rowsOf(dataDir, faults), []);
  const database = openDatabase({ url: databaseUrlOf(dataDir), connectionsMax: 1, applicationName: "test" });
  try {
    assert.deepEqual(await database.transaction((tx) => checkStock(tx.of("DEMO"))), []);
  } finally {
    await database.close();
  }
});

async function accept(server: ServerProcess, orderId: string): Promise<void> {
  const response = await fetch(`${server.url}/feeds/DEMO/NO`, {
    method: "POST",
    headers: { "x-api-key": server.demo.feed.apiKey, "content-type": "application/xml" },
    body: order("DEMO", orderId, [
      { sku: "MUG-BLUE-330", qty: 2 },
      { sku: "LAMP-DESK-01", qty: 1 },
    ]),
  });
  const acknowledgement = await response.text();
  assert.match(acknowledgement, /<success>true/, acknowledgement);
}

async function statesOf(dataDir: string): Promise<string[]> {
  const rows = await rowsOf<{ status: string }>(dataDir, "select status from sales_order where order_id like 'K-%'");
  return rows.map(({ status }) => status);
}

function rowsOf<Row>(dataDir: string, text: string): Promise<Row[]> {
  return withClient(databaseUrlOf(dataDir), async (client) => (await client.query(text)).rows as Row[]);
}
