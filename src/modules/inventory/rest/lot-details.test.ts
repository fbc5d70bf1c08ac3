import assert from "node:assert/strict";
import { test } from "node:test";
import { reportAdjustment } from "#/modules/inventory/adjustments/adjustment.ts";
import { type LotLimits, readLots } from "#/modules/inventory/rest/lookups.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { freeNothing, insertItems, withBook } from "../../../../tests/support/builders/stock.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const { clientId } = await insertClient(database);
const skus = ["S1", "S2", "S3"];
await insertItems(
  database,
  clientId,
  skus.map((sku) => ({ sku, attributes: { CaptureSerial: "true" } })),
);
await withBook(database, clientId, (tx, book, change) => {
  const lines = skus.map((sku) => ({ sku, qty: 3, serials: ["C", "A", "B"].map((name) => `${sku}-${name}`) }));
  return reportAdjustment(
    tx.of(book.clientId, change),
    book,
    { adjustmentId: "A-1", reasonCode: "INITIAL", lines },
    freeNothing,
  );
});

/** `S1 A B +` for a lot that lists two serial numbers and may have more. */
async function named(limits: Partial<LotLimits>): Promise<string[]> {
  const lots = await readLots(database.of(clientId), "DC1", skus, {
    lots: 10,
    serials: 10,
    serialsOfLot: 10,
    ...limits,
  });
  return [...lots].map(([sku, [lot]]) => {
    const names = lot?.serials.map((serial) => serial.slice(-1)) ?? [];
    return [sku, ...names, ...(lot?.serialsTruncated ? ["+"] : [])].join(" ");
  });
}

test("serial numbers are listed in order, and lots with more than the limit are named", async () => {
  assert.deepEqual(await named({}), ["S1 A B C", "S2 A B C", "S3 A B C"]);
  assert.deepEqual(await named({ serials: 9, serialsOfLot: 3 }), ["S1 A B C", "S2 A B C", "S3 A B C"]);
  assert.deepEqual(await named({ serialsOfLot: 2 }), ["S1 A B +", "S2 A B +", "S3 A B +"]);
  assert.deepEqual(await named({ serials: 5 }), ["S1 A B C", "S2 A B +", "S3 +"]);
  assert.deepEqual(await named({ serials: 3 }), ["S1 A B C", "S2 +", "S3 +"]);
});

test("lots beyond the limit are left out", async () => {
  assert.deepEqual(await named({ lots: 2 }), ["S1 A B C", "S2 A B C"]);
});
