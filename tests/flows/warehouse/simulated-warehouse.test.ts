// The simulated warehouse on the real port, as a client developer without a warehouse sees it.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { checkStock } from "#/modules/inventory/index.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { authorisation, cancelOrder, catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";
import { seedCarriers } from "../../support/carriers/carriers.ts";

const dataDir = mkdtempSync(path.join(os.tmpdir(), "crossdock-sim-flow-"));
atEnd(() => rmSync(dataDir, { recursive: true, force: true }));

const server = await testServer();
await seedCarriers(server.database);
const client = await server.onboard("ACME", { facilities: ["DC1"] });
await client.accept(
  "CAT",
  catalogue("ACME", [
    "MUG",
    { sku: "KIT", captureBatchRef: true },
    { sku: "OIL", captureBatchRef: true, extendedAttributes: { attribute: { "@name": "CaptureExpiry", "#": "true" } } },
    { sku: "SET", extendedAttributes: { attribute: { "@name": "CaptureSerial", "#": "true" } } },
    { sku: "LAMP", extendedAttributes: { attribute: { "@name": "CaptureSerial", "#": "true" } } },
  ]),
);

/** Starts a node with the simulated warehouse, which keeps its journal across restarts. */
const startSim = (speed: number) =>
  server.startNode({
    CROSSDOCK_WAREHOUSE_SIM: "true",
    CROSSDOCK_WAREHOUSE_SIM_SPEED: String(speed),
    CROSSDOCK_DATA_DIR: dataDir,
  });

async function becomes(orderId: string, ...states: string[]): Promise<Record<string, unknown>> {
  let last: unknown;
  return until(`${orderId} to be ${states.join(" or ")}`, async () => {
    const found = await client.order(orderId);
    last = found?.status;
    return states.includes(String(last)) ? found : undefined;
  }).catch((error: Error) => {
    throw new Error(`${error.message}; it is ${String(last)}`);
  });
}

const statusOf = async (table: string, key: string, id: string) =>
  (await server.rows<{ status: string }>(`select status from ${table} where client_id = 'ACME' and ${key} = $1`, id))[0]
    ?.status;

const intakeBecomes = (table: string, key: string, id: string, status: string) =>
  until(`${id} to be ${status}`, async () => ((await statusOf(table, key, id)) === status ? true : undefined));

async function assertSound(): Promise<void> {
  assert.deepEqual(await server.database.transaction((tx) => checkStock(tx.of("ACME"))), []);
  const exceptions = await server.rows("select kind, object_id, summary from operator_exception");
  assert.deepEqual(exceptions, [], "nothing that it reported was refused");
}

test("a purchase order is received, an order delivered, a return taken back: batches, expiry and serials made up where captured", async () => {
  const sim = await startSim(20);
  try {
    await client.accept(
      "PO",
      purchaseOrder("ACME", "PO-1", [
        { sku: "MUG", qty: 100 },
        { sku: "OIL", qty: 50 },
        { sku: "LAMP", qty: 20 },
      ]),
    );
    await intakeBecomes("purchase_order", "po_number", "PO-1", "RECEIVED");
    await client.accept(
      "NO",
      order("ACME", "O-1", [
        { sku: "MUG", qty: 3, extendedAttributes: { attribute: { "@name": "Engraving", "#": "Zoë" } } },
        { sku: "OIL", qty: 2 },
        { sku: "LAMP", qty: 2 },
      ]),
    );
    const delivered = await becomes("O-1", "DELIVERED");
    const codes = (delivered.milestones as { code: number }[]).map(({ code }) => code);
    for (const code of [10, 50, 60, 100, 200]) assert.ok(codes.includes(code), `${code} in ${codes}`);
    await client.accept("RMA", authorisation("ACME", "RMA-1", [{ sku: "MUG" }, { sku: "LAMP" }]));
    await intakeBecomes("return_authorisation", "rma_number", "RMA-1", "CLOSED");
    await assertSound();
  } finally {
    await sim.stop();
  }
});

test("a blind count is answered: the shelf is seen, and what is there is reported", async () => {
  const sim = await startSim(20);
  try {
    const operator = await signIn(server, "operator", { clientIds: ["ACME"] });
    const counts: string[] = [];
    for (const sku of ["MUG", "OIL", "LAMP"]) {
      const requested = await operator.post("/count/create", { clientId: "ACME", distributionCentre: "DC1", sku });
      assert.equal(requested.status, 200, JSON.stringify(requested.body));
      counts.push(requested.body.countId);
    }
    for (const countId of counts) await intakeBecomes("stock_count", "count_id", countId, "COUNTED");
    await assertSound();
  } finally {
    await sim.stop();
  }
});

async function createWorkOrder(fields: Record<string, unknown>): Promise<void> {
  const post = async (where: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(server.url + where, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const token = await post("/v1/oauth/token", { grant_type: "client_credentials", ...client.credentials.oauth });
  const created = await post(
    "/v1/workOrderService/workOrder/create",
    { clientId: "ACME", facilityCode: "DC1", ...fields },
    { authorization: `Bearer ${String(token.body.access_token)}` },
  );
  assert.equal(created.status, 201, JSON.stringify(created.body));
}

test("a work order is assembled to its end, reported right the first time although the finished good's lot is captured", async () => {
  const sim = await startSim(20);
  try {
    const components = [{ sku: "MUG", qtyPer: 2 }];
    await createWorkOrder({ workOrderId: "WO-1", finishedGoodSku: "KIT", qty: 12, components });
    await intakeBecomes("work_order", "work_order_id", "WO-1", "COMPLETED");
    await assertSound();
  } finally {
    await sim.stop();
  }
});

test("of a work order with REPORTED consumption the components are named, units by serial number, and the finished goods are sold", async () => {
  const sim = await startSim(20);
  try {
    const components = [
      { sku: "MUG", qtyPer: 1 },
      { sku: "OIL", qtyPer: 1 },
      { sku: "LAMP", qtyPer: 1 },
    ];
    const consumption = "REPORTED";
    await createWorkOrder({ workOrderId: "WO-2", finishedGoodSku: "SET", qty: 5, components, consumption });
    await intakeBecomes("work_order", "work_order_id", "WO-2", "COMPLETED");
    const used = await server.rows<{ sku: string; qty: string }>(
      "select sku, qty_consumed::text as qty from work_order_component where work_order_id = 'WO-2' order by sku",
    );
    assert.deepEqual(
      used.map(({ sku, qty }) => `${sku} ${Number(qty)}`),
      ["LAMP 5", "MUG 5", "OIL 5"],
    );
    await client.accept("NO", order("ACME", "O-SET", [{ sku: "SET", qty: 5 }]));
    await becomes("O-SET", "DELIVERED");
    await assertSound();
  } finally {
    await sim.stop();
  }
});

test("the cancel of an order that was taken is answered by the warehouse", async () => {
  // At this speed, the cancellation precedes the packing, which comes 18 s after the order is accepted.
  const sim = await startSim(0.5);
  try {
    await client.accept("NO", order("ACME", "O-2", [{ sku: "MUG", qty: 1 }]));
    await until("the order to be taken", async () => {
      const [row] = await server.rows<{ pick_accepted_at: string | null }>(
        "select pick_accepted_at from sales_order where client_id = 'ACME' and order_id = 'O-2'",
      );
      return row?.pick_accepted_at ?? undefined;
    });
    await client.accept("NO", cancelOrder("ACME", "O-2"));
    await becomes("O-2", "CANCELLED");
    await assertSound();
  } finally {
    await sim.stop();
  }
});

test("a node that is stopped in the middle continues where it stopped, and nothing is doubled", async () => {
  const names = Array.from({ length: 6 }, (_, i) => `R-${i}`);
  for (const name of names) await client.accept("NO", order("ACME", name, [{ sku: "LAMP", qty: 1 }]));
  for (let starts = 0; starts < 4; starts++) {
    const sim = await startSim(10);
    await sleep(900);
    await sim.stop();
  }
  const sim = await startSim(20);
  try {
    for (const name of names) await becomes(name, "DELIVERED");
    const parcels = await server.rows<{ order_id: string }>("select order_id from parcel where order_id like 'R-%'");
    assert.deepEqual(parcels.map((parcel) => parcel.order_id).sort(), names, "one parcel each");
    await assertSound();
  } finally {
    await sim.stop();
  }
});

test("each start has its own credential, and a stopped one leaves none that opens anything", async () => {
  const live = () =>
    server.rows<{ facility_code: string }>(
      "select facility_code from credential where kind = 'warehouse' and revoked_at is null order by 1",
    );
  // A stop takes at most 0.8 s: if the store is slower, the node leaves its credentials to the next start.
  await until("a stop that has time for all", async () => {
    const sim = await startSim(1);
    const later = await startSim(1);
    assert.deepEqual(
      (await live()).map((row) => row.facility_code),
      ["DC1", "DC2", "DC3"],
    );
    await sim.stop();
    await later.stop();
    return (await live()).length === 0 || undefined;
  });
});
