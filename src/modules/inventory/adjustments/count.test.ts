import assert from "node:assert/strict";
import { test } from "node:test";
import { type Counted, differenceOf, expectedQuantity } from "#/modules/inventory/adjustments/count.ts";
import type { LaterMovement } from "#/modules/inventory/adjustments/count-repository.ts";
import { lotOf } from "#/modules/inventory/lot.ts";

const place = { sku: "A", condition: "GOOD", ...lotOf({}) } as const;
const unit = 1000;

function counted(fields: Partial<Counted>): Counted {
  return {
    place,
    countedQty: 0,
    serials: undefined,
    balanceNow: 0,
    stagedNow: 0,
    later: [],
    includesStaged: false,
    shortPicked: 0,
    serialsNow: [],
    ...fields,
  };
}

function later(type: LaterMovement["type"], qty: number, serials: string[] = []): LaterMovement {
  return { ...place, type, qty: qty * unit, affectsOnHand: type !== "PICK", serials };
}

const changesOf = (fields: Partial<Counted>) => {
  const { changes, faults } = differenceOf(counted(fields));
  return [
    ...changes.map(({ type, condition, qty, reason, serials }) =>
      [type, condition, qty / unit, reason, ...serials].join(" "),
    ),
    ...faults,
  ];
};

test("picked and packed units are not counted, unless the count includes them", () => {
  assert.equal(expectedQuantity(counted({ balanceNow: 10 * unit, stagedNow: 3 * unit })), 7 * unit);
  assert.equal(
    expectedQuantity(counted({ balanceNow: 10 * unit, stagedNow: 3 * unit, includesStaged: true })),
    10 * unit,
  );
});

test("movements after the time of the count are reversed: receipts, picks and despatches", () => {
  const since = [later("DESPATCH", -2), later("PICK", 5), later("RECEIPT", 4)];
  // Now 12 are here, 4 of them staged. Then: 12 + 2 − 4 = 10, staged 4 + 2 − 5 = 1.
  const now = { balanceNow: 12 * unit, stagedNow: 4 * unit, later: since };
  assert.equal(expectedQuantity(counted(now)), 9 * unit);
  assert.equal(expectedQuantity(counted({ ...now, includesStaged: true })), 10 * unit);
  assert.deepEqual(changesOf({ ...now, countedQty: 8 * unit }), ["ADJUSTMENT GOOD -1 COUNT"]);
  assert.deepEqual(changesOf({ ...now, countedQty: 9 * unit }), []);
});

test("a count ends the hold of a short pick: units are found, lost, or both", () => {
  const known = { balanceNow: 5 * unit, shortPicked: 2 * unit };
  const released = (qty: number) => [`RELEASE ON_HOLD ${-qty} SHORT_PICK`, `RELEASE GOOD ${qty} SHORT_PICK`];
  assert.deepEqual(changesOf({ ...known, countedQty: 7 * unit }), released(2));
  assert.deepEqual(changesOf({ ...known, countedQty: 5 * unit }), ["ADJUSTMENT ON_HOLD -2 SHORT_PICK"]);
  assert.deepEqual(changesOf({ ...known, countedQty: 6 * unit }), [...released(1), "ADJUSTMENT ON_HOLD -1 SHORT_PICK"]);
  assert.deepEqual(changesOf({ ...known, countedQty: 9 * unit }), [...released(2), "ADJUSTMENT GOOD 2 COUNT"]);
  assert.deepEqual(changesOf({ ...known, countedQty: 4 * unit }), [
    "ADJUSTMENT ON_HOLD -2 SHORT_PICK",
    "ADJUSTMENT GOOD -1 COUNT",
  ]);
});

test("of units on hold, short-picked units are taken first", () => {
  const onHold = { place: { ...place, condition: "ON_HOLD" as const }, balanceNow: 5 * unit, shortPicked: 2 * unit };
  assert.deepEqual(changesOf({ ...onHold, countedQty: 2 * unit }), [
    "ADJUSTMENT ON_HOLD -2 SHORT_PICK",
    "ADJUSTMENT ON_HOLD -1 COUNT",
  ]);
  assert.deepEqual(changesOf({ ...onHold, countedQty: 6 * unit }), ["ADJUSTMENT ON_HOLD 1 COUNT"]);
});

const serialsNow = ["S1", "S2", "S3"].map((serial) => ({ serial, isStaged: serial === "S3" }));

test("missing serial numbers are removed, unknown ones are added, and each is named", () => {
  const known = { balanceNow: 3 * unit, stagedNow: unit, serialsNow };
  assert.deepEqual(changesOf({ ...known, countedQty: 2 * unit, serials: ["S1", "S2"] }), []);
  assert.deepEqual(changesOf({ ...known, countedQty: 2 * unit, serials: ["S1", "S9"] }), [
    "ADJUSTMENT GOOD -1 COUNT S2",
    "ADJUSTMENT GOOD 1 COUNT S9",
  ]);
});

test("a short-picked unit of an item with serial numbers is found or lost by its number", () => {
  // Two on the shelf by the balance, one on hold: three serial numbers.
  const known = {
    balanceNow: 2 * unit,
    shortPicked: unit,
    serialsNow: serialsNow.map((serial) => ({ ...serial, isStaged: false })),
  };
  assert.deepEqual(changesOf({ ...known, countedQty: 2 * unit, serials: ["S1", "S3"] }), [
    "ADJUSTMENT ON_HOLD -1 SHORT_PICK S2",
  ]);
  assert.deepEqual(changesOf({ ...known, countedQty: 3 * unit, serials: ["S1", "S2", "S3"] }), [
    "RELEASE ON_HOLD -1 SHORT_PICK",
    "RELEASE GOOD 1 SHORT_PICK",
  ]);
});

test("a serial number that moved after the count is compared with its place at the count, or requested again", () => {
  const left = {
    balanceNow: unit,
    serialsNow: [{ serial: "S1", isStaged: false }],
    later: [later("ADJUSTMENT", -1, ["S2"])],
  };
  assert.deepEqual(changesOf({ ...left, countedQty: 2 * unit, serials: ["S1", "S2"] }), []);
  assert.match(
    changesOf({ ...left, countedQty: unit, serials: ["S1"] }).join(),
    /serial S2 .* has left since; count again/,
  );
});
