// lifecycle.md §1, Kits, and §3: a kit comes back as itself or by its components.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { authorisation } from "../../support/builders/documents.ts";
import { type Life, lifeOf, parcel } from "../../support/builders/life.ts";
import { bucketsOf } from "../../support/warehouse/status-documents.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const component = [
  { sku: "CUP", qty: 2 },
  { sku: "TRAY", qty: 1 },
];

/** Ships three kits, one of them from stock of the kit. */
async function shipped(clientId: string): Promise<Life> {
  const items = ["CUP", "TRAY", { sku: "SET", components: { component } }];
  const life = await lifeOf(server, dc1, clientId, { items, settings: { orderStatusVersion: "1.2" } });
  await life.stock([
    { sku: "SET", qty: 1 },
    { sku: "CUP", qty: 4 },
    { sku: "TRAY", qty: 2 },
  ]);
  await life.place("1", [{ sku: "SET", qty: 3 }]);
  const rows = [
    { lineNumber: 1_000_001, qty: 1 },
    { lineNumber: 2_000_001, qty: 4 },
    { lineNumber: 3_000_001, qty: 2 },
  ];
  const lines = rows.map(({ lineNumber, qty }) => ({ lineNumber, qtyPicked: qty }));
  await dc1.report("pick", { clientId, orderId: "1", lines });
  const { olpns } = await dc1.report("pack", { clientId, orderId: "1", olpns: [parcel(rows)] });
  await life.despatch(...(olpns as { olpnId: string }[]).map(({ olpnId }) => olpnId));
  return life;
}

const report = (life: Life, rmaNumber: string, lines: readonly object[]) =>
  dc1.report("return", { clientId: life.clientId, rmaNumber, lines });

async function partsOf(life: Life): Promise<string> {
  const { lines } = await life.shown("1");
  const parts = lines[0]?.components as Readonly<Record<string, unknown>>[];
  return parts.map((part) => `${part.sku} ${bucketsOf(part)}`).join(", ");
}

test("a kit that comes back as itself is stock of the kit, and counts for kits from stock first", async () => {
  const life = await shipped("WHOLE");
  const { token } = await life.client.accept(
    "RMA",
    authorisation("WHOLE", "R-1", [{ sku: "SET", quantityReturned: 3 }], { orderReference: "1" }),
  );
  assert.deepEqual((await life.client.status(token)).warnings, []);
  await report(life, "R-1", [{ sku: "SET", qty: 1, disposition: "RESELLABLE" }]);
  await life.quiet();
  assert.equal(await life.stands("1"), "DESPATCHED Despatched 3 Returned 1");
  assert.equal(await partsOf(life), "CUP Despatched 4, TRAY Despatched 2");
  await report(life, "R-1", [{ sku: "SET", qty: 2, disposition: "RESELLABLE" }]);
  await life.quiet();
  assert.equal(await life.stands("1"), "DESPATCHED Despatched 3 Returned 3");
  assert.equal(await partsOf(life), "CUP Despatched 4 Returned 4, TRAY Despatched 2 Returned 2");
  assert.equal(await life.stockOf("SET"), "GOOD 3/0");
  await life.assertSound();
});

test("components that come back count for whole kits, and nothing comes back twice", async () => {
  const life = await shipped("PARTS");
  await life.client.accept(
    "RMA",
    authorisation("PARTS", "R-1", [{ sku: "CUP", quantityReturned: 3 }, "TRAY", "SET"], { orderReference: "1" }),
  );
  await report(life, "R-1", [
    { sku: "CUP", qty: 3, disposition: "RESELLABLE" },
    { sku: "TRAY", qty: 1, disposition: "RESELLABLE" },
  ]);
  await life.quiet();
  assert.equal(await life.stands("1"), "DESPATCHED Despatched 3 Returned 1");
  assert.equal(await partsOf(life), "CUP Despatched 4 Returned 3, TRAY Despatched 2 Returned 1");
  assert.equal(await life.stockOf("CUP"), "GOOD 3/0");
  // A cup of the second kit is back: only the kit from stock has an origin.
  await report(life, "R-1", [{ sku: "SET", qty: 2, disposition: "RESELLABLE" }]);
  await life.quiet();
  assert.equal(await life.stockOf("SET"), "GOOD 1/0, QUARANTINE 1/0");
  assert.equal(await life.stands("1"), "DESPATCHED Despatched 3 Returned 2");
  await life.assertSound();
});
