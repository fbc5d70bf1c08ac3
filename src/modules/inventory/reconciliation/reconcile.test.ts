import assert from "node:assert/strict";
import { test } from "node:test";
import { reconcile } from "#/modules/inventory/reconciliation/reconcile.ts";
import { movementCursor } from "#/modules/inventory/rest/history-contract.ts";
import { readMovements } from "#/modules/inventory/rest/movement-list.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { changeAt, insertItems, post } from "../../../../tests/support/builders/stock.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();

test("an answer has a limited number of serial numbers, and the feed continues after them", async () => {
  const { clientId } = await insertClient(database, { clientId: "MANY" });
  const skus = ["A", "B", "C", "D"];
  await insertItems(
    database,
    clientId,
    skus.map((sku) => ({ sku })),
  );
  const serials = (sku: string) => Array.from({ length: 9_000 }, (_, i) => `${sku}-${i}`);
  await post(
    database,
    clientId,
    ["A", "B", "C"].flatMap((sku) => [
      { sku, qty: 9_000_000, serials: serials(sku) },
      { sku, qty: 1000 },
    ]),
  );
  const counts = skus.map((sku) => ({ sku, qty: 7 }));
  const outcome = await database.transaction((tx) =>
    reconcile(tx.of(clientId, changeAt()), { distributionCentre: "DC1", counts }, undefined),
  );
  assert.ok(outcome.ok);
  const { items } = outcome.value;
  assert.deepEqual(
    items.map(({ sku, ours, movements, nextCursor }) => [sku, ours, movements.length, nextCursor === null]),
    [
      ["A", 9_001, 2, true],
      ["B", 9_001, 2, true],
      ["C", 9_001, 0, false],
      ["D", 0, 0, true],
    ],
  );
  const after = movementCursor.decode(items[2]?.nextCursor ?? "");
  assert.ok(after);
  const rest = await readMovements(database, clientId, {
    facilityCode: "DC1",
    sku: "C",
    type: undefined,
    after,
    limit: 50,
  });
  assert.deepEqual(
    rest.items.map(({ qty, serials: { length } }) => [qty, length]),
    [
      [9_000, 9_000],
      [1, 0],
    ],
  );
});
