import assert from "node:assert/strict";
import { test } from "node:test";
import { idBoundary } from "#/kernel/values/ids.ts";
import { countPicks, listStockedSkus } from "#/modules/inventory/counts/abc-repository.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { insertItems, post } from "../../../../tests/support/builders/stock.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const { clientId } = await insertClient(database);
await insertItems(database, clientId, [{ sku: "A" }, { sku: "B", batch: true }, { sku: "C" }, { sku: "D" }]);
await post(database, clientId, [
  { sku: "A", qty: 9_000 },
  { sku: "B", qty: 1_000, batchRef: "B1" },
  { sku: "B", qty: 1_000, batchRef: "B2" },
  { sku: "C", qty: 1_000, condition: "DAMAGED" },
  { sku: "D", qty: 1_000 },
]);

test("a batch of entries goes on where the last one ended, and a unit that is put back is no pick", async () => {
  await post(database, clientId, [
    { sku: "A", type: "PICK", qty: 2_000 },
    { sku: "A", type: "PICK", qty: -1_000 },
    { sku: "A", type: "PICK", qty: 1_000 },
    { sku: "D", type: "PICK", qty: 1_000 },
  ]);
  const picksOf: Record<string, number> = {};
  const read = async (fromMs: number) => {
    let before: number | null = Number.MAX_SAFE_INTEGER;
    let batches = 0;
    while (before !== null) {
      const range = { before, fromId: idBoundary(fromMs), limit: 2 };
      const { position, picks } = await countPicks(database, clientId, "DC1", range);
      for (const { sku, picks: ofBatch } of picks) picksOf[sku] = (picksOf[sku] ?? 0) + ofBatch;
      before = position;
      batches++;
    }
    return batches;
  };
  assert.equal(await read(Date.now() + 60_000), 1);
  assert.deepEqual(picksOf, {});
  assert.equal(await read(Date.now() - 60_000), 6, "nine entries, and the end");
  assert.deepEqual(picksOf, { A: 2, D: 1 });
});

test("SKUs with GOOD stock are listed in batches, without those of too many lots", async () => {
  const list = async (after: string, lotsMax: number) =>
    (await listStockedSkus(database, clientId, "DC1", { after, lotsMax, limit: 2 })).map(({ sku }) => sku);
  assert.deepEqual(await list("", 2), ["A", "B"]);
  assert.deepEqual(await list("B", 2), ["D"]);
  assert.deepEqual(await list("", 1), ["A", "D"]);
});
