import assert from "node:assert/strict";
import { test } from "node:test";
import { packedParcel, readContents, type StoredContent, shortContents } from "#/modules/parcels/tables.ts";

const usual = {
  lineNumber: 1,
  sku: "A",
  qty: 1500,
  stockPool: "DEFAULT",
  batchRef: "",
  expiryDate: "infinity",
  serials: [],
};
const contents = [
  usual,
  { ...usual, stockPool: "B2B", batchRef: "B-1", expiryDate: "2027-01-31", serials: ["S-1"] },
  { ...usual, batchRef: "B-2" },
];
const stored = (form: unknown) => JSON.parse(JSON.stringify(form)) as StoredContent[];

test("the contents of a parcel are read back from the short form and from that of 0.2.0", () => {
  assert.deepEqual(readContents(stored(shortContents(contents))), contents);
  const full = stored(packedParcel.rowOf({ contents, weight: 1 } as never).contents);
  assert.deepEqual(full[0], { ...usual, qty: 1.5 });
  assert.deepEqual(readContents(full), contents);
});

test("the short form has no field that is usual", () => {
  assert.deepEqual(shortContents(contents), [
    { lineNumber: 1, sku: "A", qty: 1.5 },
    {
      lineNumber: 1,
      sku: "A",
      qty: 1.5,
      stockPool: "B2B",
      batchRef: "B-1",
      expiryDate: "2027-01-31",
      serials: ["S-1"],
    },
    { lineNumber: 1, sku: "A", qty: 1.5, batchRef: "B-2" },
  ]);
});
