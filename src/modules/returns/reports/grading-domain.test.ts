import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { lotOf } from "#/modules/inventory/index.ts";
import {
  conditionOf,
  type Disposition,
  discrepancyOf,
  type ExpectedLine,
  gradedOf,
  isComplete,
  type Origin,
  refusalOfReturn,
  returnSteps,
  stepsOfReturn,
  withGoods,
} from "#/modules/returns/reports/grading-domain.ts";
import type { ReturnState } from "#/modules/returns/states.ts";

const states = Object.keys(returnSteps) as ReturnState[];

describe("the states of a return", () => {
  const steps = (state: ReturnState, facts: string) =>
    stepsOfReturn(state, {
      hasGoods: facts.includes("goods"),
      isComplete: facts.includes("complete"),
      isClosing: facts.includes("closing"),
    }).join(" ");

  test("the first goods start a return, the last complete it, the warehouse closes it", () => {
    assert.equal(steps("AUTHORISED", "goods"), "RECEIVING");
    assert.equal(steps("AUTHORISED", "goods complete"), "RECEIVING RECEIVED");
    assert.equal(steps("AUTHORISED", "goods complete closing"), "RECEIVING RECEIVED CLOSED");
    assert.equal(steps("AUTHORISED", "goods closing"), "RECEIVING CLOSED");
    assert.equal(steps("RECEIVING", "goods"), "");
    assert.equal(steps("RECEIVING", "goods complete"), "RECEIVED");
    assert.equal(steps("RECEIVING", "closing"), "CLOSED");
    assert.equal(steps("RECEIVED", "goods complete"), "");
    assert.equal(steps("RECEIVED", "complete closing"), "CLOSED");
  });

  test("a receipt reopens an expired return", () => {
    assert.equal(steps("EXPIRED", "goods"), "RECEIVING");
    assert.equal(steps("EXPIRED", "goods complete"), "RECEIVING RECEIVED");
  });

  test("a return is cancelled or expires before its first receipt; CLOSED and CANCELLED are final", () => {
    for (const end of ["CANCELLED", "EXPIRED"] as const) {
      assert.deepEqual(
        states.filter((state) => returnSteps[state].includes(end)),
        ["AUTHORISED"],
      );
    }
    for (const state of ["CLOSED", "CANCELLED"] as const) assert.deepEqual(returnSteps[state], []);
  });

  test("allowed reports make transitions of the table, refused ones would break it", () => {
    const flags = [false, true];
    for (const state of states) {
      for (const hasGoods of flags) {
        for (const isClosing of flags) {
          for (const complete of flags) {
            const isRefused = refusalOfReturn(state, hasGoods, isClosing) !== undefined;
            if (isRefused) continue;
            let now = state;
            for (const next of stepsOfReturn(state, { hasGoods, isComplete: complete, isClosing })) {
              assert.ok(returnSteps[now].includes(next), `${now} to ${next}`);
              now = next;
            }
            assert.equal(now === "CLOSED", isClosing && state !== "CANCELLED");
          }
        }
      }
    }
    for (const state of ["AUTHORISED", "EXPIRED", "CLOSED"] as const) {
      const closing = { hasGoods: false, isComplete: false, isClosing: true };
      assert.throws(() => stepsOfReturn(state, closing), new RegExp(`went from ${state} to CLOSED`));
    }
  });

  test("a refusal gives the reason", () => {
    assert.match(refusalOfReturn("CLOSED", true, false) as string, /CLOSED.*blind return/);
    assert.match(refusalOfReturn("CANCELLED", false, true) as string, /CANCELLED; only its goods/);
    for (const isClosing of [false, true]) assert.equal(refusalOfReturn("CANCELLED", true, isClosing), undefined);
    for (const state of ["AUTHORISED", "RECEIVING", "RECEIVED", "EXPIRED"] as const) {
      assert.equal(refusalOfReturn(state, true, false), undefined);
      assert.match(refusalOfReturn(state, false, false) as string, /no lines/);
    }
    assert.match(refusalOfReturn("AUTHORISED", false, true) as string, /AUTHORISED; only a return in receipt/);
    assert.match(refusalOfReturn("EXPIRED", false, true) as string, /EXPIRED/);
  });
});

test("each disposition has its condition; scrap leaves the stock", () => {
  assert.deepEqual(conditionOf, {
    RESELLABLE: "GOOD",
    DAMAGED: "DAMAGED",
    QUARANTINE: "QUARANTINE",
    SCRAP: undefined,
  });
});

test("differences are discrepancies", () => {
  assert.equal(discrepancyOf({ expected: 2, received: 1 }, false), "NONE");
  assert.equal(discrepancyOf({ expected: 2, received: 1 }, true), "SHORT");
  assert.equal(discrepancyOf({ expected: 2, received: 2 }, true), "NONE");
  assert.equal(discrepancyOf({ expected: 2, received: 3 }, true), "OVER");
});

describe("returned goods are divided over the lines", () => {
  const line = (lineNumber: number, sku: string, expected: number, received = 0): ExpectedLine => ({
    lineNumber,
    sku,
    expected: expected * 1000,
    received: received * 1000,
  });
  const came = (sku: string, qty: number, lineNumber?: number) => ({
    ...lotOf({}),
    sku,
    qty: qty * 1000,
    disposition: "RESELLABLE" as Disposition,
    lineNumber,
  });
  const announced: Origin = { shipped: undefined, isBoundByLines: false };
  const shipped = (rooms: Readonly<Record<string, number>>, isBoundByLines = false): Origin => ({
    shipped: new Map(Object.entries(rooms).map(([sku, qty]) => [sku, qty * 1000])),
    isBoundByLines,
  });
  const gradesOf = (origin: Origin, lines: readonly ExpectedLine[], ...goods: ReturnType<typeof came>[]) =>
    gradedOf(lines, goods, origin).map(({ lineNumber, qty, counted, disposition }) => {
      return `${lineNumber ?? "-"}: ${qty / 1000} ${disposition}, ${counted / 1000} counted`;
    });
  const grades = (lines: readonly ExpectedLine[], ...goods: ReturnType<typeof came>[]) =>
    gradesOf(announced, lines, ...goods);

  test("lines are filled in order; the surplus belongs to the last line, and is in quarantine", () => {
    const lines = [line(2, "A", 2), line(1, "A", 3), line(3, "B", 1)];
    assert.deepEqual(grades(lines, came("A", 2)), ["1: 2 RESELLABLE, 2 counted"]);
    const inFirst = "1: 3 RESELLABLE, 3 counted";
    assert.deepEqual(grades(lines, came("A", 4)), [inFirst, "2: 1 RESELLABLE, 1 counted"]);
    const split = (qty: number) => ["2: 2 RESELLABLE, 2 counted", `2: ${qty} QUARANTINE, 0 counted`];
    assert.deepEqual(grades(lines, came("A", 9)), [inFirst, ...split(4)]);
    assert.deepEqual(grades(lines, came("A", 4, 2)), split(2));
    assert.deepEqual(grades(lines, came("A", 3), came("A", 3)), [inFirst, ...split(1)]);
  });

  test("earlier receipts count", () => {
    assert.deepEqual(grades([line(1, "A", 3, 2)], came("A", 2)), [
      "1: 1 RESELLABLE, 1 counted",
      "1: 1 QUARANTINE, 0 counted",
    ]);
    assert.deepEqual(grades([line(1, "A", 3, 5)], came("A", 2)), ["1: 2 QUARANTINE, 0 counted"]);
  });

  test("another SKU belongs to no line, whichever line it is reported for", () => {
    assert.deepEqual(grades([line(1, "A", 3)], came("X", 1)), ["-: 1 QUARANTINE, 0 counted"]);
    assert.deepEqual(grades([line(1, "A", 3)], came("X", 1, 1)), ["-: 1 QUARANTINE, 0 counted"]);
    assert.deepEqual(grades([], came("X", 1)), ["-: 1 QUARANTINE, 0 counted"]);
  });

  test("what the order shipped is the measure where the order is known, and a parcel has no more than its contents", () => {
    const lines = [line(1, "A", 4)];
    assert.deepEqual(gradesOf(shipped({ A: 2 }), lines, came("A", 5)), [
      "1: 2 RESELLABLE, 2 counted",
      "1: 3 QUARANTINE, 0 counted",
    ]);
    assert.deepEqual(gradesOf(shipped({ A: 5 }), lines, came("A", 5)), ["1: 5 RESELLABLE, 5 counted"]);
    assert.deepEqual(gradesOf(shipped({ A: 5 }, true), lines, came("A", 5)), [
      "1: 4 RESELLABLE, 4 counted",
      "1: 1 QUARANTINE, 0 counted",
    ]);
    assert.deepEqual(gradesOf(shipped({ X: 1 }), lines, came("X", 1)), ["-: 1 RESELLABLE, 1 counted"]);
    assert.deepEqual(gradesOf(shipped({ X: 1 }, true), lines, came("X", 1)), ["-: 1 QUARANTINE, 0 counted"]);
    const scrap = { ...came("A", 3), disposition: "SCRAP" as const };
    assert.deepEqual(gradesOf(shipped({ A: 2 }), lines, scrap), ["1: 3 SCRAP, 2 counted"], "never sellable anyway");
  });

  test("serial numbers stay with their units", () => {
    const goods = { ...came("A", 3), serials: ["S1", "S2", "S3"] };
    const parts = gradedOf([line(1, "A", 1), line(2, "A", 1)], [goods], announced);
    assert.deepEqual(
      parts.map(({ lineNumber, serials }) => [lineNumber, serials]),
      [
        [1, ["S1"]],
        [2, ["S2"]],
        [2, ["S3"]],
      ],
    );
  });

  test("all returned units are booked, and no more than expected count or are sellable", () => {
    const skus = fc.constantFrom("A", "B");
    const qty = fc.integer({ min: 1, max: 6 });
    const lines = fc
      .array(fc.record({ sku: skus, expected: qty, received: fc.nat(8) }), { maxLength: 4 })
      .map((all) => all.map(({ sku, expected, received }, i) => line(i + 1, sku, expected, received)));
    const goods = fc
      .array(fc.record({ sku: skus, qty }), { maxLength: 4 })
      .map((all) => all.map((entry) => came(entry.sku, entry.qty)));
    const property = fc.property(lines, goods, (lines, goods) => {
      const graded = gradedOf(lines, goods, announced);
      const sum = (of: readonly { qty: number }[]) => of.reduce((total, entry) => total + entry.qty, 0);
      assert.equal(sum(graded), sum(goods));
      for (const part of graded) {
        assert.ok(part.qty > 0 && part.counted >= 0 && part.counted <= part.qty);
        assert.equal(part.disposition, part.counted === 0 ? "QUARANTINE" : "RESELLABLE");
      }
      const after = withGoods(lines, graded);
      for (const [i, { lineNumber, expected, received }] of lines.entries()) {
        const counted = graded
          .filter((part) => part.lineNumber === lineNumber)
          .reduce((total, part) => total + part.counted, 0);
        const now = (after[i] as ExpectedLine).received;
        assert.equal(counted, Math.min(expected, now) - Math.min(expected, received));
      }
      assert.equal(
        isComplete(after),
        after.every((line) => line.received >= line.expected),
      );
    });
    fc.assert(property, { numRuns: 500 });
  });
});
