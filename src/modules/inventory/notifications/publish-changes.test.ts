import assert from "node:assert/strict";
import { test } from "node:test";
import { clearAllocationWants, listClientsWithUnpublishedChanges, publishChanges } from "#/modules/inventory/index.ts";
import { sql } from "#/store/db/sql.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { changeAt, insertItems, post } from "../../../../tests/support/builders/stock.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const { clientId } = await insertClient(database);
await insertItems(database, clientId, [{ sku: "A" }, { sku: "LOW", attributes: { LowStockThreshold: "5" } }]);

async function tell(olderThanMs = Date.now() + 60_000): Promise<string[]> {
  const drafts = await database.transaction((tx) =>
    publishChanges(tx.of(clientId, changeAt()), new Date(olderThanMs).toISOString()),
  );
  return drafts.map(({ topic, objectId, data }) => {
    const { quantities, position = "" } = data as { quantities: { available: number }; position?: number };
    return `${topic} ${objectId} ${quantities.available} ${position}`.trim();
  });
}

test("changes of a SKU are published once with its present quantities, when the first change is old enough", async () => {
  const atMs = Date.now();
  await post(database, clientId, [{ sku: "A", qty: 1000 }], { atMs });
  await post(database, clientId, [{ sku: "A", qty: 2000 }], { atMs: atMs + 5_000 });
  assert.deepEqual(await tell(atMs - 1), []);
  assert.deepEqual(await listClientsWithUnpublishedChanges(database, new Date(atMs).toISOString(), 10), [clientId]);
  assert.deepEqual(await tell(atMs), ["inventory:changed DC1/A 3 2"]);
  assert.deepEqual(await tell(), []);
  assert.deepEqual(await listClientsWithUnpublishedChanges(database, new Date(atMs + 60_000).toISOString(), 10), []);
});

test("low stock is published when it reaches the threshold, and again only after it was above it", async () => {
  const add = (qty: number) => post(database, clientId, [{ sku: "LOW", qty, type: "ADJUSTMENT" }]);
  const isLow = async () => (await tell()).some((line) => line.startsWith("inventory:low DC1/LOW"));
  await add(10_000);
  assert.equal(await isLow(), false);
  await add(-5000);
  assert.equal(await isLow(), true);
  await add(-1000);
  assert.equal(await isLow(), false);
  await add(2000);
  assert.equal(await isLow(), false);
  await add(-1000);
  assert.equal(await isLow(), true);
});

test("a SKU that was published and is not low leaves no row", async () => {
  await database.transaction(async (tx) => clearAllocationWants(tx.of(clientId), "DC1", ["A", "LOW"]));
  const rows = await database.query(sql`select sku from stock_change where client_id = ${clientId}`);
  assert.deepEqual(rows, [{ sku: "LOW" }]);
});
