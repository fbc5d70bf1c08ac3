import assert from "node:assert/strict";
import { test } from "node:test";
import { readStockPage } from "#/modules/inventory/rest/lookups.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { insertItems, post } from "../../../../tests/support/builders/stock.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const { clientId } = await insertClient(database);
const skus = Array.from({ length: 20 }, (_, i) => `S${String(i).padStart(2, "0")}`);
await insertItems(
  database,
  clientId,
  [...skus, "MANY"].map((sku) => ({ sku })),
);
await post(
  database,
  clientId,
  skus.map((sku) => ({ sku, qty: 1000 })),
);

async function allPages(since: number | undefined, limit: number, entriesMax: number): Promise<string[]> {
  const seen: string[] = [];
  for (let after: string | undefined = ""; after !== undefined; ) {
    const request = { after, since, limit, entriesMax, today: "2026-01-01" };
    const page = await readStockPage(database, clientId, "DC1", request);
    assert(page.skus.length <= limit);
    assert.deepEqual([...page.quantities.keys()], page.skus);
    seen.push(...page.skus);
    after = page.nextAfter;
  }
  return seen;
}

test("changes by entries and by balances are equal for any page size", async () => {
  const position = await post(database, clientId, [{ sku: "S07", qty: 1000 }]);
  await post(database, clientId, [
    { sku: "S03", qty: 1000, type: "ALLOCATION", allocatedChange: 1000 },
    { sku: "S11", qty: 1000 },
    { sku: "S03", qty: 1000, type: "PICK" },
  ]);
  for (const limit of [1, 2, 20]) {
    for (const entriesMax of [0, 3, 1000]) {
      assert.deepEqual(await allPages(position, limit, entriesMax), ["S03", "S11"]);
      assert.deepEqual(await allPages(position - 1, limit, entriesMax), ["S03", "S07", "S11"]);
      assert.deepEqual(await allPages(0, limit, entriesMax), skus);
    }
    assert.deepEqual(await allPages(undefined, limit, 1000), skus);
  }
});

test("a SKU with more lots than one page reads does not end the list", async () => {
  await post(
    database,
    clientId,
    Array.from({ length: 6000 }, (_, i) => ({ sku: "MANY", qty: 1000, batchRef: `B${i}` })),
  );
  assert.deepEqual(await allPages(undefined, 50, 1000), ["MANY", ...skus]);
});
