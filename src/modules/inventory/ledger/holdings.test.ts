import assert from "node:assert/strict";
import { test } from "node:test";
import type { Balance } from "#/modules/inventory/index.ts";
import { chosenBy, freeSupplies, sumOf, takeStock } from "#/modules/inventory/ledger/holdings.ts";

const balance = (batchRef: string, more: Partial<Balance> = {}): Balance => ({
  sku: "OIL",
  stockPool: "DEFAULT",
  condition: "GOOD",
  batchRef,
  expiryDate: "infinity",
  qty: 5_000,
  allocated: 0,
  receivedAt: "2026-10-01T00:00:00.000Z",
  ...more,
});

test("free stock is GOOD and unreserved: by expiry, then by receipt, then by batch", () => {
  const supplies = freeSupplies([
    balance("B"),
    balance("A"),
    balance("LATER IN", { receivedAt: "2026-10-02T00:00:00.000Z" }),
    balance("LATE", { expiryDate: "2027-06-30" }),
    balance("SOON", { expiryDate: "2027-01-31", allocated: 4_000 }),
    balance("HELD", { allocated: 5_000 }),
    balance("BAD", { condition: "DAMAGED" }),
  ]);
  assert.deepEqual(
    supplies.map(({ batchRef, qty }) => `${batchRef} ${qty / 1000}`),
    ["SOON 1", "LATE 5", "A 5", "B 5", "LATER IN 5"],
  );
});

test("stock is taken in order, never more than is free, and not twice", () => {
  const supplies = freeSupplies([balance("A"), balance("B")]);
  const batches = (qty: number) => takeStock(supplies, qty).map((part) => `${part.lot.batchRef} ${part.qty}`);
  assert.deepEqual(batches(6_000), ["A 5000", "B 1000"]);
  assert.deepEqual(batches(0), []);
  assert.deepEqual(batches(9_000), ["B 4000"]);
  assert.deepEqual(batches(1), []);
  assert.equal(sumOf(supplies), 0);
});

test("a reservation records the reason for its lot", () => {
  assert.equal(chosenBy({ stockPool: "DEFAULT", batchRef: "", expiryDate: "2027-01-31" }), "FEFO");
  assert.equal(chosenBy({ stockPool: "DEFAULT", batchRef: "", expiryDate: "infinity" }), "FIFO");
});
