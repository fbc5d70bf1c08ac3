// The simulated warehouse after a restore: it is blocked like all others, and then processes the tasks.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { releaseHolds, restoreParts } from "#/store/db/store/restore-hold.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";
import { seedCarriers } from "../../support/carriers/carriers.ts";

const dataDir = mkdtempSync(path.join(os.tmpdir(), "crossdock-restored-sim-"));
atEnd(() => rmSync(dataDir, { recursive: true, force: true }));
const simulation = {
  CROSSDOCK_WAREHOUSE_SIM: "true",
  CROSSDOCK_WAREHOUSE_SIM_SPEED: "50",
  CROSSDOCK_DATA_DIR: dataDir,
};

const server = await testServer();
await seedCarriers(server.database);
const client = await server.onboard("ACME", { facilities: ["DC1"] });
await client.accept("CAT", catalogue("ACME", ["MUG"]));
const statusOf = async (orderId: string) => (await client.order(orderId))?.status;

test("it waits until tasks are released, and then works them", async () => {
  const before = await server.startNode(simulation);
  await client.accept("PO", purchaseOrder("ACME", "STOCK", [{ sku: "MUG", qty: 100 }]));
  await client.accept("NO", order("ACME", "HALF", [{ sku: "MUG", qty: 2 }]));
  // At this speed, the warehouse soon finishes the order: the test requires only that it has started.
  const isInProgress = (status: unknown) => ["PICKING", "PACKED", "DESPATCHED", "DELIVERED"].includes(String(status));
  await until("the order is under way", async () => isInProgress(await statusOf("HALF")), 60_000);
  await before.stop();
  const half = await statusOf("HALF");

  const after = await server.startNode({ ...simulation, CROSSDOCK_RESTORED: "2026-11-21T03:00:00Z" });
  atEnd(() => after.stop());
  await sleep(1_200);
  await server.operate((tx, change) => releaseHolds(tx, change, ["DELIVERIES", "ALLOCATION"]));
  await client.accept("NO", order("ACME", "NEW", [{ sku: "MUG", qty: 3 }]));
  await until("the new order has its stock", async () => (await statusOf("NEW")) === "ALLOCATED");
  // At this speed, an unblocked order would be in progress by then.
  await sleep(3_000);
  assert.deepEqual([await statusOf("HALF"), await statusOf("NEW")], [half, "ALLOCATED"]);

  await server.operate((tx, change) => releaseHolds(tx, change, restoreParts));
  await until("the new order is delivered", async () => (await statusOf("NEW")) === "DELIVERED", 60_000);
});
