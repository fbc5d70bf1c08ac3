import assert from "node:assert/strict";
import { test } from "node:test";
import { readQuantities } from "#/modules/inventory/index.ts";
import { insertClient } from "../../../tests/support/builders/client.ts";
import { insertItems, post } from "../../../tests/support/builders/stock.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const today = "2026-11-23";
const { clientId } = await insertClient(database);
await insertItems(database, clientId, [{ sku: "PLAIN" }, { sku: "FRESH", attributes: { MinShelfLifeDays: "30" } }]);

async function stockOf(sku: string) {
  const stock = (await readQuantities(database.of(clientId), "DC1", [sku], today)).get(sku);
  assert.ok(stock);
  const { onHand, allocated, onHold, damaged, unsellable, available } = stock.total;
  assert.equal(available, onHand - allocated - unsellable);
  return {
    quantities: [onHand, onHold, damaged, unsellable, available].map((qty) => qty / 1000),
    parts: stock.unsellableParts.map(({ reason, qty }) => `${reason} ${qty / 1000}`),
  };
}

const lots = (sku: string) => [
  { sku, qty: 1000, condition: "ON_HOLD" as const },
  { sku, qty: 2000, condition: "QUARANTINE" as const },
  { sku, qty: 4000, condition: "DAMAGED" as const },
  { sku, qty: 8000, expiryDate: "2026-11-22" },
  { sku, qty: 16_000, expiryDate: "2026-11-23" },
  { sku, qty: 32_000, expiryDate: "2026-12-22" },
  { sku, qty: 64_000, expiryDate: "2026-12-23" },
  { sku, qty: 128_000 },
];

test("stock that no order may take is unsellable, each unit for one reason", async () => {
  await post(database, clientId, lots("PLAIN"));
  assert.deepEqual(await stockOf("PLAIN"), {
    quantities: [255, 11, 4, 15, 240],
    parts: ["ON_HOLD 1", "QUARANTINE 2", "DAMAGED 4", "EXPIRED 8"],
  });
});

test("lots that expire before the MinShelfLifeDays of their item are unsellable", async () => {
  await post(database, clientId, lots("FRESH"));
  assert.deepEqual(await stockOf("FRESH"), {
    quantities: [255, 11, 4, 63, 192],
    parts: ["ON_HOLD 1", "QUARANTINE 2", "DAMAGED 4", "EXPIRED 8", "SHELF_LIFE 48"],
  });
});

test("all goods of an item that the catalogue does not have are unsellable", async () => {
  await post(database, clientId, lots("GHOST"));
  assert.deepEqual(await stockOf("GHOST"), {
    quantities: [255, 11, 4, 255, 0],
    parts: ["ON_HOLD 1", "QUARANTINE 2", "DAMAGED 4", "UNKNOWN_ITEM 248"],
  });
});
