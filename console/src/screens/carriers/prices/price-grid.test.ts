import assert from "node:assert/strict";
import { test } from "node:test";
import type { RateCard } from "../carrier-data.ts";
import { gridChangesOf, gridTextMax, readGrid, withGrid, writeGrid, zoneNamesOf } from "./price-grid.ts";

const card: RateCard = {
  serviceCode: "RM48",
  currency: "GBP",
  zones: [
    { zone: "HOME", country: "GB" },
    { zone: 'FAR, "NORTH"', country: "GB", postcodePrefixes: ["IV"] },
    { zone: "EMPTY", country: "IE" },
  ],
  breaks: [
    { zone: "HOME", upToKg: 0.5, price: 3.1 },
    { zone: "HOME", upToKg: 20, price: 5.4, perExtraKg: 0.25 },
    { zone: 'FAR, "NORTH"', upToKg: 2, price: 6.9 },
  ],
};
const known = zoneNamesOf(card);
const faultsOf = (text: string) =>
  readGrid(text, known).faults.map(({ row, column, message }) => `${row}:${column ?? "-"} ${message}`);

test("a matrix that is written is read as the same matrix, with every kind of cell", () => {
  const csv = writeGrid(card);
  assert.equal(csv, 'Up to kg,HOME,"FAR, ""NORTH""",EMPTY\r\n0.5,3.1,,\r\n2,,6.9,\r\n20,5.4+0.25,,\r\n');
  const read = readGrid(`\ufeff${csv}`, known);
  assert.deepEqual(read.faults, []);
  assert.deepEqual(withGrid(card, read), card);
  assert.deepEqual(gridChangesOf(card, withGrid(card, read)), []);
});

test("cells pasted from a spreadsheet are read with decimal commas, currencies and units", () => {
  const read = readGrid("Weight\tHOME\tEMPTY\n≤ 0,5 kg\t£3,30\t\n20 kg\t5.40 + 0.30/kg\tGBP 9\n", known);
  assert.deepEqual(read.faults, []);
  assert.deepEqual(
    read.breaks.map(({ row, column, values }) => [row, column, values]),
    [
      [2, 2, { zone: "HOME", upToKg: 0.5, price: 3.3 }],
      [3, 2, { zone: "HOME", upToKg: 20, price: 5.4, perExtraKg: 0.3 }],
      [3, 3, { zone: "EMPTY", upToKg: 20, price: 9 }],
    ],
  );
  assert.deepEqual(
    gridChangesOf(card, withGrid(card, read)).map(({ zone, upToKg, before, after, percent }) => [
      zone,
      upToKg,
      before,
      after,
      percent === undefined ? undefined : Math.round(percent * 10) / 10,
    ]),
    [
      ["HOME", 0.5, "3.1", "3.3", 6.5],
      ["HOME", 20, "5.4+0.25", "5.4+0.3", 0],
      ["EMPTY", 20, undefined, "9", undefined],
    ],
  );
});

test("zones that the grid does not name keep their prices, and a weight that it leaves out is removed", () => {
  const after = withGrid(card, readGrid("kg;HOME\n2;4\n0,5;3", known));
  assert.deepEqual(after.breaks, [
    { zone: "HOME", upToKg: 0.5, price: 3 },
    { zone: "HOME", upToKg: 2, price: 4 },
    { zone: 'FAR, "NORTH"', upToKg: 2, price: 6.9 },
  ]);
});

test("each fault names row, column, value and remedy, all at once", () => {
  assert.deepEqual(faultsOf("kg\tHOME\tMOON\tHOME\n2\tcheap\t\t\nheavy\t3\t\t\n2\t4\t\t\t9\n0\t1\t\t\n5\t1,250\t\t"), [
    '1:3 "MOON" is not a zone of the matrix: add it, or correct it; the matrix has HOME, FAR, "NORTH", EMPTY',
    "1:4 zone HOME has two columns: remove one of them",
    '2:2 HOME: "cheap" is not a price: write a number such as 3.10, or 3.10+0.25 with the price of each further kilogram',
    '3:1 "heavy" is not a weight: write a number such as 3.10, or 3.10+0.25 with the price of each further kilogram',
    "4:1 2 kg is also the weight of row 2: remove one of them",
    '4:5 "9" is in a column without a zone: name it in row 1',
    '5:1 "0" is not a weight: write one above 0',
    '6:2 HOME: "1,250" is not a price: it may be 1250 or 1.250: write one of these',
  ]);
  assert.deepEqual(faultsOf(" \n"), ["1:- there are no cells: paste the heading with the zones, and the rows"]);
  assert.deepEqual(faultsOf("kg,HOME"), ["2:- there is no row of prices"]);
  assert.match(faultsOf("x".repeat(gridTextMax + 1))[0] ?? "", /at most 1,000,000 are read/);
});
