import assert from "node:assert/strict";
import { test } from "node:test";
import { faultsOfLot, findItemRules, type ItemRules } from "#/modules/catalogue/item-rules.ts";
import { insertClient } from "../../../tests/support/builders/client.ts";
import { insertItems } from "../../../tests/support/builders/stock.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const { clientId } = await insertClient(database);

test("the rules of an item come from its extended attributes; unknown SKUs are absent", async () => {
  await insertItems(database, clientId, [
    { sku: "PLAIN" },
    {
      sku: "KEPT",
      batch: true,
      attributes: { CaptureSerial: "1", CaptureExpiry: "true", MinShelfLifeDays: "30", LowStockThreshold: "10" },
    },
  ]);
  const rules = await findItemRules(database.of(clientId), ["PLAIN", "KEPT", "NONE", "KEPT"]);
  assert.deepEqual([...rules.keys()].sort(), ["KEPT", "PLAIN"]);
  assert.deepEqual(rules.get("KEPT"), {
    sku: "KEPT",
    name: "KEPT",
    stockUom: "EA",
    isActive: true,
    captureBatchRef: true,
    captureSerial: true,
    captureExpiry: true,
    minShelfLifeDays: 30,
    lowStockThreshold: 10_000,
  });
  assert.equal(rules.get("PLAIN")?.captureSerial, false);
  assert.equal(rules.get("PLAIN")?.lowStockThreshold, undefined);
});

const plain: ItemRules = {
  sku: "A",
  name: "A",
  stockUom: "EA",
  isActive: true,
  captureBatchRef: false,
  captureSerial: false,
  captureExpiry: false,
  minShelfLifeDays: 0,
};
const kept: ItemRules = { ...plain, captureBatchRef: true, captureSerial: true, captureExpiry: true };

test("captured fields of an item are required, other fields are optional", () => {
  assert.deepEqual(faultsOfLot(plain, 2000, {}), []);
  assert.deepEqual(faultsOfLot(kept, -2000, { batchRef: "B", expiryDate: "2027-01-01", serials: ["1", "2"] }), []);
  const faults = faultsOfLot(kept, 2000, {});
  assert.deepEqual(
    faults.map(({ field }) => field),
    ["batchRef", "expiryDate", "serials"],
  );
  assert.match(faults[2]?.message ?? "", /as many serials as the quantity 2, there are 0/);
});

test("serial numbers are as many as the quantity, each once; EA are whole, other units need not be", () => {
  const faults = (...of: Parameters<typeof faultsOfLot>) =>
    faultsOfLot(...of)
      .map(({ field, message }) => `${field}: ${message}`)
      .join("; ");
  assert.match(
    faults(kept, 2000, { batchRef: "B", expiryDate: "2027-01-01", serials: ["1", "1"] }),
    /^serials: .*twice/,
  );
  assert.match(faults(plain, 2000, { serials: ["1"] }), /^serials: .*send none, or as many/);
  assert.match(faults(plain, 1500, {}), /^qty: 1\.5 of SKU A is not a whole number of EA/);
  assert.equal(faults({ ...plain, stockUom: "KGM" }, 1500, {}), "");
});
