import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "#/kernel/values/durations.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import { countPicks, findPositions, listStockedSkus, readPicks } from "#/modules/inventory/counts/abc.ts";
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

test("a batch of entries goes on where the last one ended, and a unit that is put back is not a pick", async () => {
  await post(database, clientId, [
    { sku: "A", type: "PICK", qty: 2_000 },
    { sku: "A", type: "PICK", qty: -1_000 },
    { sku: "A", type: "PICK", qty: 1_000 },
    { sku: "D", type: "PICK", qty: 1_000 },
  ]);
  const read = async (sinceMs: number) => {
    const picksOf: Record<string, number> = {};
    const since = new Date(sinceMs).toISOString();
    let batches = 0;
    for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; batches++) {
      const range = { before, since, fromId: idBoundary(Date.now() - 40 * dayMs), limit: 2 };
      const { position, picks } = await countPicks(database.of(clientId), "DC1", range);
      for (const { sku, picks: ofBatch } of picks) picksOf[sku] = (picksOf[sku] ?? 0) + ofBatch;
      before = position;
    }
    return { picksOf, batches };
  };
  // The first batch that is older than the period ends the walk, whatever lies before it.
  assert.deepEqual(await read(Date.now() + 60_000), { picksOf: {}, batches: 1 });
  assert.deepEqual(
    await read(Date.now() - 60_000),
    { picksOf: { A: 2, D: 1 }, batches: 6 },
    "nine entries, and the end",
  );
});

test("of more entries than a night reads, every second batch is read from the newest on", async () => {
  const sinceMs = Date.now() - dayMs;
  const read = async (night: number) =>
    Object.fromEntries(await readPicks(database, clientId, "DC1", sinceMs, { batch: 1, night }));
  assert.deepEqual(await findPositions(database.of(clientId), "DC1", idBoundary(sinceMs - 40 * dayMs)), {
    oldest: 1,
    newest: 9,
  });
  assert.deepEqual(await read(9), { A: 2, D: 1 });
  // Entries 9, 7, 5, 3 and 1: the pick of D, and one that puts A back.
  assert.deepEqual(await read(8), { D: 1 });
  assert.deepEqual([...(await readPicks(database, clientId, "DC9", sinceMs))], []);
});

test("SKUs with GOOD stock are listed in batches, without those of too many lots", async () => {
  const list = async (after: string, lotsMax: number) =>
    (await listStockedSkus(database.of(clientId), "DC1", { after, lotsMax, limit: 2 })).map(({ sku }) => sku);
  assert.deepEqual(await list("", 2), ["A", "B"]);
  assert.deepEqual(await list("B", 2), ["D"]);
  assert.deepEqual(await list("", 1), ["A", "D"]);
});
