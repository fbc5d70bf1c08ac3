import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Buckets,
  bucketsOfNew,
  deriveState,
  type Hold,
  type HoldType,
  type ParcelEnds,
  reasonOfHolds,
  refusalOfChange,
} from "#/modules/orders/order.ts";

/** A line with these quantities only. */
function line(parts: Partial<Omit<Buckets, "ordered">>): Buckets {
  const ordered = Object.values(parts).reduce((sum, qty) => sum + qty, 0);
  return { ...bucketsOfNew(ordered), open: 0, ...parts };
}

test("the state of an order is the first row of the table that matches its quantities and holds", () => {
  const cases: [Buckets[], boolean, string][] = [
    [[line({ cancelled: 2 }), line({ cancelled: 1 })], true, "CANCELLED"],
    [[line({ despatched: 2 }), line({ cancelled: 1 })], false, "DESPATCHED"],
    [[line({ despatched: 1, packed: 1 })], true, "PARTIALLY_DESPATCHED"],
    [[line({ despatched: 1, backordered: 1 })], false, "PARTIALLY_DESPATCHED"],
    [[line({ packed: 2 }), line({ cancelled: 1 })], true, "PACKED"],
    [[line({ packed: 1 }), line({ backordered: 1 })], false, "PACKED"],
    [[line({ packed: 1 }), line({ allocated: 1 })], false, "PICKING"],
    [[line({ picked: 1, open: 1 })], true, "PICKING"],
    [[line({ allocated: 2 })], true, "ON_HOLD"],
    [[line({ allocated: 2, cancelled: 1 })], false, "ALLOCATED"],
    [[line({ allocated: 2 }), line({ backordered: 1 })], false, "PARTIALLY_ALLOCATED"],
    [[line({ open: 2 }), line({ backordered: 1 })], false, "BACKORDERED"],
    [[line({ open: 2 })], false, "RECEIVED"],
  ];
  for (const [lines, hasHold, state] of cases)
    assert.equal(deriveState(lines, hasHold).state, state, JSON.stringify(lines));
});

test("the final state of a despatched order follows from its parcels", () => {
  const cases: [ParcelEnds, string, string | undefined][] = [
    [{ parcels: 2, delivered: 1, returnedToSender: 0, lost: 0 }, "DESPATCHED", undefined],
    [{ parcels: 2, delivered: 2, returnedToSender: 0, lost: 0 }, "DELIVERED", undefined],
    [{ parcels: 2, delivered: 1, returnedToSender: 0, lost: 1 }, "DELIVERED", "PARTIALLY_DELIVERED"],
    [{ parcels: 2, delivered: 1, returnedToSender: 1, lost: 0 }, "DELIVERED", "PARTIALLY_DELIVERED"],
    [{ parcels: 2, delivered: 0, returnedToSender: 2, lost: 0 }, "RETURNED_TO_SENDER", undefined],
    [{ parcels: 2, delivered: 0, returnedToSender: 0, lost: 2 }, "DESPATCHED", "LOST"],
    [{ parcels: 2, delivered: 0, returnedToSender: 1, lost: 1 }, "DESPATCHED", undefined],
  ];
  for (const [ends, state, reason] of cases) {
    const derived = deriveState([line({ despatched: 2 })], false, ends);
    assert.deepEqual([derived.state, derived.reason], [state, reason], JSON.stringify(ends));
  }
});

test("buckets that do not sum to what was ordered are a broken invariant", () => {
  assert.throws(() => deriveState([{ ...line({ open: 2 }), ordered: 3 }], false), /buckets of a line sum to 2/);
});

test("the reason of a held order is its first hold, within the length of the OS", () => {
  const hold = (type: HoldType, reason: string): Hold => ({ type, reason, since: "2026-11-02T10:00:00.000Z", by: "x" });
  assert.equal(reasonOfHolds([]), undefined);
  assert.equal(reasonOfHolds([hold("OTHER", "lost key"), hold("HAZMAT_REVIEW", "lithium")]), "OTHER: lost key");
  assert.equal(reasonOfHolds([hold("OTHER", "")]), "OTHER");
  const long = reasonOfHolds([hold("OTHER", `${"x".repeat(3992)}😀`)]) ?? "";
  assert.deepEqual([long.length, long.isWellFormed()], [4000, true]);
});

test("despatched lines are named with a hint to an RMA, up to 20 lines by number", () => {
  const lines = Array.from({ length: 22 }, (_, i) => ({ lineNumber: i + 1, buckets: line({ despatched: 1 }) }));
  const refusal = refusalOfChange("DESPATCHED", "CANCEL", lines);
  assert.match(refusal ?? "", /goods of lines 1, 2, .* 20 and 2 more have left the warehouse; send an RMA/);
  const rest = [...lines, { lineNumber: 23, buckets: line({ open: 1 }) }];
  assert.equal(refusalOfChange("PARTIALLY_DESPATCHED", "CANCEL", rest), undefined);
  assert.match(refusalOfChange("PARTIALLY_DESPATCHED", "UPDATE", rest) ?? "", /have left the warehouse/);
});
