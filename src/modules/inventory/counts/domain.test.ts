import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type CountLine,
  decided,
  describeScope,
  isInScope,
  isWithinTolerance,
  type StockCount,
} from "#/modules/inventory/index.ts";

const lost = (qty: number) => ({ type: "ADJUSTMENT", qty: -qty * 1000 }) as const;
const found = (qty: number) => ({ type: "ADJUSTMENT", qty: qty * 1000 }) as const;
const tolerance = { countTolerance: 2, countToleranceUnits: 1 };

test("a difference is within the tolerance up to the units, or up to the percentage of the expected quantity", () => {
  const isWithin = (expected: number, ...changes: Parameters<typeof isWithinTolerance>[1]) =>
    isWithinTolerance(expected * 1000, changes, tolerance);
  assert.ok(isWithin(3, lost(1)));
  assert.ok(isWithin(0, found(1)));
  assert.ok(!isWithin(3, lost(2)));
  assert.ok(isWithin(100, lost(2)));
  assert.ok(!isWithin(100, lost(2.001)));
  assert.ok(!isWithin(0, found(2)));
});

test("units that were lost and others that were found do not cancel each other, and a release is not a deviation", () => {
  assert.ok(!isWithinTolerance(3000, [lost(1), found(1)], tolerance));
  assert.ok(
    isWithinTolerance(3000, [{ type: "RELEASE", qty: -3000 }, { type: "RELEASE", qty: 3000 }, lost(1)], tolerance),
  );
  assert.ok(!isWithinTolerance(3000, [lost(1)], { countTolerance: 0, countToleranceUnits: 0 }));
});

test("a scope has the lots that agree with the fields that it names", () => {
  const lot = { sku: "A", stockPool: "B2B", batchRef: "B1", expiryDate: "2027-01-01" };
  assert.ok(isInScope({ stockPool: "B2B", condition: "GOOD" }, lot));
  assert.ok(isInScope({ sku: "A", batchRef: "B1", condition: "DAMAGED" }, lot));
  assert.ok(!isInScope({ sku: "A", batchRef: "", condition: "GOOD" }, lot));
  assert.ok(!isInScope({ sku: "B", condition: "GOOD" }, lot));
  assert.equal(
    describeScope({ sku: "A", batchRef: "B1", stockPool: "B2B", condition: "ON_HOLD" }),
    "SKU A, batch B1, pool B2B, ON_HOLD",
  );
});

test("a count ends with the last of its differences that wait", () => {
  const line = (lineNumber: number, state: CountLine["state"]): CountLine => ({
    lineNumber,
    sku: `A${lineNumber}`,
    stockPool: "DEFAULT",
    batchRef: "",
    expiryDate: "infinity",
    uom: "EA",
    condition: "GOOD",
    expected: 1000,
    counted: 0,
    state,
    ...(state === "WAITING" ? { changes: [] } : {}),
  });
  const count: StockCount = {
    countId: "C",
    facilityCode: "DC1",
    status: "WAITING",
    cause: "OPERATOR",
    isBlind: true,
    scope: { stockPool: "DEFAULT", condition: "GOOD" },
    requestedAt: "2026-01-01T00:00:00Z",
    requestedBy: "user:a",
    lines: [line(1, "WAITING"), line(2, "BOOKED"), line(3, "WAITING")],
  };
  const by = { at: "2026-01-02T00:00:00Z", actor: "user:b", reason: "seen" };
  const half = decided(count, "SUPERSEDED", by, ({ lineNumber }) => lineNumber === 1);
  assert.deepEqual(
    half.lines.map(({ state }) => state),
    ["SUPERSEDED", "BOOKED", "WAITING"],
  );
  assert.deepEqual([half.status, half.endedAt], ["WAITING", undefined]);
  const whole = decided(half, "APPROVED", by);
  assert.deepEqual(
    whole.lines.map(({ state, changes }) => [state, changes]),
    [
      ["SUPERSEDED", undefined],
      ["BOOKED", undefined],
      ["APPROVED", undefined],
    ],
  );
  assert.deepEqual(
    [whole.status, whole.endedAt, whole.endedBy, whole.endReason],
    ["APPROVED", by.at, by.actor, by.reason],
  );
});
