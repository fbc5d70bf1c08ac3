import assert from "node:assert/strict";
import { test } from "node:test";
import { readCounts } from "./count-file.ts";

test("counts in the formats of spreadsheets are read, with or without a header line", () => {
  const expected = [
    { sku: "A", qty: 2 },
    { sku: "B", qty: 0.5 },
  ];
  for (const text of ["SKU,Quantity\nA,2\nB,0.5", "A;2\r\nB;0.5\r\n", '"A"\t"2"\n\nB\t0.5']) {
    assert.deepEqual(readCounts(text), { counts: expected, faults: [] });
  }
});

test("a line without a SKU and a quantity is reported with its line number", () => {
  assert.deepEqual(readCounts("A,2\nB\nC,-1\nA,3").faults, [
    'Line 2: "B" is not a SKU and a quantity of 0 or more.',
    'Line 3: "C,-1" is not a SKU and a quantity of 0 or more.',
    "Line 4: SKU A is listed twice. Keep one line for it.",
  ]);
  assert.equal(readCounts("nothing").faults.length, 1);
  const many = Array.from({ length: 1_001 }, (_, i) => `S${i},1`).join("\n");
  assert.equal(readCounts(many).faults.length, 1);
});
