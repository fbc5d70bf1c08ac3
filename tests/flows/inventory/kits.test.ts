// lifecycle.md §8: `available` of a kit is what its components allow, in look-ups, snapshots, INV and explanations.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createIds } from "#/kernel/values/ids.ts";
import { takeSnapshot } from "#/modules/inventory/snapshots/snapshot.ts";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue } from "../../support/builders/documents.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const set = {
  sku: "SET",
  components: {
    component: [
      { sku: "CUP", qty: 2 },
      { sku: "TRAY", qty: 1 },
    ],
  },
};

async function kitLife(clientId: string, settings: Record<string, string> = {}) {
  const life = await lifeOf(server, dc1, clientId, { items: ["CUP", "TRAY", set], settings });
  const call = restCalls(server.url, "/v1", life.client.credentials);
  const lookUp = async () => {
    const { body } = await call("POST", "/inventoryService/findInventoryBySkuList", {
      distributionCentre: "DC1",
      products: ["SET", "CUP"],
    });
    const [kit, cup] = body.items as Record<string, unknown>[];
    return { kit, cup };
  };
  return { life, call, lookUp };
}

test("a look-up answers what components allow, and which one allows no more", async () => {
  const { life, lookUp } = await kitLife("LOOK", { stockPools: "VIP", availablePools: "DEFAULT" });
  const empty = await lookUp();
  assert.deepEqual(
    [empty.kit?.available, empty.kit?.kit],
    [0, { qty: 0, limitedBy: "CUP", text: "0 kits: CUP has 0" }],
  );
  assert.equal(empty.cup?.kit, null);
  await life.stock([
    { sku: "CUP", qty: 5 },
    { sku: "TRAY", qty: 9 },
    { sku: "SET", qty: 1 },
  ]);
  const full = await lookUp();
  assert.deepEqual([full.kit?.onHand, full.kit?.available], [1, 3]);
  assert.deepEqual(full.kit?.kit, { qty: 2, limitedBy: "CUP", text: "2 kits: CUP has 5" });
  assert.deepEqual(full.kit?.stockPools, [{ stockPool: "DEFAULT", onHand: 1, available: 3 }]);
  await life.place("1", [{ sku: "SET", qty: 2 }]);
  assert.deepEqual((await lookUp()).kit?.available, 1);
  await life.stock([
    { sku: "CUP", qty: 4, stockPool: "VIP" },
    { sku: "TRAY", qty: 1, stockPool: "VIP" },
  ]);
  const pooled = await lookUp();
  assert.equal(pooled.kit?.available, 1);
  assert.deepEqual(pooled.kit?.stockPools, [
    { stockPool: "DEFAULT", onHand: 1, available: 1 },
    { stockPool: "VIP", onHand: 0, available: 1 },
  ]);
  await life.client.accept("CAT", catalogue("LOOK", [{ ...set, extendedAttributes: attributes({ Active: "false" }) }]));
  assert.equal((await lookUp()).kit?.available, 0);
  await life.assertSound();
});

test("a snapshot, and so INV, has what components allow", async () => {
  const { life } = await kitLife("SNAP");
  await life.stock([
    { sku: "CUP", qty: 5 },
    { sku: "TRAY", qty: 9 },
  ]);
  const snapshotId = await server.database.transaction(async (tx) => {
    const change = { actor: "worker", origin: "job", at: new Date().toISOString(), ids: createIds() };
    const request = { kind: "REQUEST", snapshotDate: "2026-11-26", wantsInv: false, wantsIms: false } as const;
    return (await takeSnapshot(tx.of("SNAP", change), "DC1", request))?.snapshotId;
  });
  const rows = await server.rows<{ sku: string; on_hand: string; available: string }>(
    "select sku, on_hand, available from stock_snapshot_row where client_id = 'SNAP' and snapshot_id = $1 order by 1",
    snapshotId,
  );
  assert.deepEqual(
    rows.map(({ sku, on_hand, available }) => [sku, Number(on_hand), Number(available)]),
    [
      ["CUP", 5, 5],
      ["SET", 0, 2],
      ["TRAY", 9, 9],
    ],
  );
});

test("an explanation names the component that a kit waits for", async () => {
  const { life, call } = await kitLife("WHY");
  await life.stock([
    { sku: "CUP", qty: 5 },
    { sku: "TRAY", qty: 9 },
  ]);
  await life.place("1", [{ sku: "SET", qty: 4 }]);
  const { body } = await call("GET", "/orderService/order/explain/1");
  assert.equal(body.summary, "Line 1 waits for 2 EA of SET at DC1: 0 kits: CUP has 1.");
  const [line] = body.lines as { sku: string; qtyAllocated: number; refusals: { code: string; text: string }[] }[];
  assert.deepEqual([line?.sku, line?.qtyAllocated], ["SET", 2]);
  assert.deepEqual(
    line?.refusals.map(({ code }) => code),
    ["COMPONENT", "NO_STOCK"],
  );
  assert.match(String(body.next), /^Needed: a receipt of CUP/);
});
