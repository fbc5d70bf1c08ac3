// The simulated warehouse with faults, on the real port: nothing gets stuck, nothing is doubled, and randomness has a
// seed.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { checkStock } from "#/modules/inventory/index.ts";
import { type TestServer, testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";
import { seedCarriers } from "../../support/carriers/carriers.ts";

/** Some seconds on an idle machine. */
const waitMs = 100_000;
const orders = 40;
const skus = ["MUG", "TEE", "LAMP"];

/** In sequence: the first connections to a new database are slow when all start at once. */
const first = await testServer();
const second = await testServer();
const apart = await testServer();

function withSim(environment: Record<string, string> = {}): Record<string, string> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "crossdock-sim-faults-"));
  after(() => rmSync(dataDir, { recursive: true, force: true }));
  return {
    CROSSDOCK_WAREHOUSE_SIM: "true",
    CROSSDOCK_WAREHOUSE_SIM_SPEED: "400",
    CROSSDOCK_WAREHOUSE_SIM_SEED: "monday",
    CROSSDOCK_DATA_DIR: dataDir,
    ...environment,
  };
}

interface End {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly isShort: boolean;
}

/** An end, or a state that only a purchase order or an operator can change. */
const isEnd = ({ status, reason }: End) =>
  ["DELIVERED", "BACKORDERED", "CANCELLED"].includes(status) || (status === "DESPATCHED" && reason === "LOST");

/** Sends several dozen orders, and waits for the end of each. */
async function liveThrough({ onboard, rows, database }: TestServer): Promise<End[]> {
  await seedCarriers(database);
  const client = await onboard("ACME", { facilities: ["DC1"] });
  const lamp = { sku: "LAMP", extendedAttributes: { attribute: { "@name": "CaptureSerial", "#": "true" } } };
  await client.accept("CAT", catalogue("ACME", ["MUG", "TEE", lamp]));
  const stock = skus.map((sku) => ({ sku, qty: 400 }));
  await client.accept("PO", purchaseOrder("ACME", "PO-1", stock));
  await until(
    "the purchase order to be received",
    async () => {
      const received = await rows("select 1 from purchase_order where client_id = 'ACME' and status = 'RECEIVED'");
      return received.length > 0;
    },
    waitMs,
  );
  for (let i = 0; i < orders; i++) {
    const lines = skus.slice(i % 3).map((sku, n) => ({ sku, qty: 1 + ((i + n) % 4) }));
    await client.accept("NO", order("ACME", `O-${i}`, lines));
  }
  const ends = await until(
    `the ends of ${orders} orders`,
    async () => {
      const found = await rows<End>(
        `select o.order_id as id, o.status, o.status_reason as reason, exists (select from order_milestone m
         where m.client_id = o.client_id and m.order_id = o.order_id and m.code = 58) as "isShort"
       from sales_order o where o.client_id = 'ACME' order by o.order_id`,
      );
      return found.length === orders && found.every(isEnd) ? found : undefined;
    },
    waitMs,
  );
  assert.deepEqual(await database.transaction((tx) => checkStock(tx.of("ACME"))), []);
  const refused = await rows("select object_id, summary from operator_exception where client_id = 'ACME'");
  assert.deepEqual(refused, [], "nothing that was reported was refused");
  return ends;
}

/** The platform allocates short pieces again, so the number of parcels of such an order depends on timing. */
const fatesOf = (ends: readonly End[]) =>
  ends.map(({ id, status, reason, isShort }) => (isShort ? `${id} short` : `${id} ${status} ${reason}`));

test("with shortages, damage, late carriers and lost parcels every order comes to an end, the same one with the same seed", async () => {
  const faults = "shortPick=0.25,damage=0.5,lateCarrier=0.2,lostParcel=0.2";
  const runs: { ends: End[]; damaged: unknown[] }[] = [];
  for (const server of [first, second]) {
    const sim = await server.startNode(withSim({ CROSSDOCK_WAREHOUSE_SIM_FAULTS: faults }));
    try {
      const ends = await liveThrough(server);
      const damaged = await server.rows("select sku, qty from stock_balance where condition = 'DAMAGED' order by sku");
      runs.push({ ends, damaged });
    } finally {
      await sim.stop();
    }
  }
  const [run, again] = runs;
  assert.ok(run && again);
  assert.deepEqual(fatesOf(again.ends), fatesOf(run.ends));
  assert.deepEqual(again.damaged, run.damaged);
  // Each fault occurred.
  assert.ok(run.ends.some(({ isShort }) => isShort));
  assert.ok(run.ends.some(({ reason }) => reason === "LOST"));
  assert.ok(run.ends.some(({ status, isShort }) => status === "DELIVERED" && isShort));
  assert.ok(run.damaged.length > 0);
});

test("a process that is nothing but the simulated warehouse works through the public address of the others", async () => {
  const alone = { CROSSDOCK_ROLES: "warehouse-sim", CROSSDOCK_BASE_URL: apart.url, CROSSDOCK_AUTH_URL: apart.url };
  const sim = await apart.startNode(withSim(alone));
  try {
    const statuses = ["/readyz", "/feeds/DEMO/NO"].map(async (path) => (await fetch(`${sim.url}${path}`)).status);
    assert.deepEqual(await Promise.all(statuses), [200, 404], "it answers for its health, and for nothing else");
    const ends = await liveThrough(apart);
    assert.deepEqual(new Set(ends.map(({ status }) => status)), new Set(["DELIVERED"]));
  } finally {
    await sim.stop();
  }
});
