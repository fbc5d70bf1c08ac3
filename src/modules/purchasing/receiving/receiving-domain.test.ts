import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { dayMs } from "#/kernel/values/durations.ts";
import { lotOf } from "#/modules/inventory/index.ts";
import {
  afterSteps,
  bookingsOf,
  discrepancyOf,
  limitOf,
  purchaseOrderSteps,
  type ReceivingLine,
  refusalOfReceipt,
  stepsOfReceiving,
  withBookings,
} from "#/modules/purchasing/receiving/receiving-domain.ts";
import { type PurchaseOrderState, purchaseOrderStates as states } from "#/modules/purchasing/states.ts";

const at = "2026-11-20T10:00:00.000Z";
const daysAgo = (days: number) => new Date(Date.parse(at) - days * dayMs).toISOString();

describe("the states of a purchase order", () => {
  const steps = (state: PurchaseOrderState, facts: string) =>
    stepsOfReceiving(state, {
      hasGoods: facts.includes("goods"),
      isComplete: facts.includes("complete"),
      isClosing: facts.includes("closing"),
    }).join(" ");

  test("a receipt begins an open order, completes it, and may close it", () => {
    assert.equal(steps("OPEN", "goods"), "RECEIVING");
    assert.equal(steps("OPEN", "goods complete"), "RECEIVING RECEIVED");
    assert.equal(steps("OPEN", "goods closing"), "RECEIVING CLOSED");
    assert.equal(steps("OPEN", "goods complete closing"), "RECEIVING RECEIVED CLOSED");
    assert.equal(steps("RECEIVING", "goods"), "");
    assert.equal(steps("RECEIVING", "goods complete"), "RECEIVED");
    assert.equal(steps("RECEIVING", "closing"), "CLOSED");
    assert.equal(steps("RECEIVED", "goods complete"), "");
    assert.equal(steps("RECEIVED", "complete closing"), "CLOSED");
  });

  test("a receipt reopens a closed order; a correction leaves it closed", () => {
    assert.equal(steps("CLOSED", "goods"), "RECEIVING");
    assert.equal(steps("CLOSED", "goods complete"), "RECEIVING RECEIVED");
    assert.equal(steps("CLOSED", "goods complete closing"), "RECEIVING RECEIVED CLOSED");
    assert.equal(steps("CLOSED", "complete"), "");
    assert.equal(steps("CLOSED", ""), "");
  });

  test("a complete order is RECEIVING again after a higher quantity or a lower correction", () => {
    assert.equal(steps("RECEIVED", ""), "RECEIVING");
    assert.equal(steps("RECEIVED", "closing"), "RECEIVING CLOSED");
  });

  test("an UPDATE leaves an open order open", () => {
    assert.equal(steps("OPEN", ""), "");
    assert.equal(steps("OPEN", "complete"), "");
  });

  test("every transition is in the table; a cancelled order has none", () => {
    const flags = [false, true];
    for (const state of states) {
      for (const hasGoods of flags) {
        for (const isComplete of flags) {
          for (const isClosing of flags) {
            if (state === "OPEN" && !hasGoods && isClosing) continue;
            let now = state;
            for (const next of stepsOfReceiving(state, { hasGoods, isComplete, isClosing })) {
              assert.ok(purchaseOrderSteps[now].includes(next), `${now} to ${next}`);
              now = next;
            }
            if (state === "CANCELLED") assert.equal(now, "CANCELLED");
            if (isClosing) assert.equal(now, state === "CANCELLED" ? "CANCELLED" : "CLOSED");
          }
        }
      }
    }
  });

  test("an order that nothing was received for can be closed, a cancelled one has ended", () => {
    const closing = { hasGoods: false, isComplete: false, isClosing: true };
    assert.deepEqual(stepsOfReceiving("OPEN", closing), ["CLOSED"]);
    assert.deepEqual(stepsOfReceiving("CANCELLED", closing), []);
  });

  test("the times follow the transitions", () => {
    const open = { status: "OPEN" as const, completedAt: undefined, closedAt: undefined };
    const complete = afterSteps(open, ["RECEIVING", "RECEIVED"], at);
    assert.deepEqual(complete, { status: "RECEIVED", completedAt: at, closedAt: undefined });
    const closed = afterSteps(complete, ["CLOSED"], daysAgo(-7));
    assert.deepEqual(closed, { status: "CLOSED", completedAt: at, closedAt: daysAgo(-7) });
    const reopened = afterSteps(closed, ["RECEIVING"], daysAgo(-9));
    assert.deepEqual(reopened, { status: "RECEIVING", completedAt: undefined, closedAt: undefined });
    assert.deepEqual(afterSteps(complete, [], daysAgo(-1)), complete);
  });
});

describe("the state of a purchase order forbids actions", () => {
  const refusal = (state: PurchaseOrderState, more: Partial<Parameters<typeof refusalOfReceipt>[0]> = {}) =>
    refusalOfReceipt({
      state,
      closedAt: undefined,
      at,
      hasLines: true,
      isCorrection: false,
      isClosing: false,
      ...more,
    });

  test("an order takes goods in any state", () => {
    for (const state of states) assert.equal(refusal(state), undefined);
  });

  test("a closed order takes goods and corrections for 30 days", () => {
    assert.equal(refusal("CLOSED", { closedAt: daysAgo(30) }), undefined);
    const late = new Date(Date.parse(daysAgo(30)) - 1).toISOString();
    assert.match(refusal("CLOSED", { closedAt: late }) as string, /for 30 days only$/);
    assert.match(refusal("CLOSED", { closedAt: late, isCorrection: true }) as string, /for 30 days only$/);
  });

  test("a receipt without lines is a correction to zero, or closes a RECEIVING order", () => {
    for (const state of states) {
      assert.match(refusal(state, { hasLines: false }) as string, /no lines/);
      const closing = refusal(state, { hasLines: false, isClosing: true });
      if (state === "RECEIVING" || state === "RECEIVED") assert.equal(closing, undefined);
      else assert.match(closing as string, new RegExp(state));
    }
    assert.equal(refusal("RECEIVING", { hasLines: false, isCorrection: true }), undefined);
  });
});

test("OVER and SHORT take precedence over DAMAGED", () => {
  const discrepancy = (qty: number, received: number, damaged: number, isClosed = false) =>
    discrepancyOf({ qty, received, damaged }, isClosed);
  assert.equal(discrepancy(10, 0, 0), "NONE");
  assert.equal(discrepancy(10, 9, 0), "NONE");
  assert.equal(discrepancy(10, 9, 0, true), "SHORT");
  assert.equal(discrepancy(10, 9, 1, true), "SHORT");
  assert.equal(discrepancy(10, 9, 1), "DAMAGED");
  assert.equal(discrepancy(10, 10, 10, true), "DAMAGED");
  assert.equal(discrepancy(10, 10, 0, true), "NONE");
  assert.equal(discrepancy(10, 11, 1), "OVER");
  assert.equal(discrepancy(10, 11, 0, true), "OVER");
});

test("the tolerance is per cent of the quantity ordered, in whole units where units are counted", () => {
  assert.equal(limitOf(10_000, 10, true), 11_000);
  assert.equal(limitOf(15_000, 10, true), 16_000);
  assert.equal(limitOf(15_000, 10, false), 16_500);
  assert.equal(limitOf(9_000, 10, true), 9_000);
  assert.equal(limitOf(10_000, 0, true), 10_000);
  assert.equal(limitOf(10_000, 1000, true), 110_000);
  assert.equal(limitOf(1_000, 0.25, false), 1_002);
  assert.equal(
    limitOf(1_000, 0.1 + 0.2, false),
    1_003,
    "per cent are read to two decimals, whatever binary makes of them",
  );
  assert.equal(limitOf(999_999_999_000, 1000, true), 999_999_999_000, "no more than can be counted");
});

describe("received goods are divided over the lines", () => {
  const line = (lineNumber: number, sku: string, qty: number, received = 0): ReceivingLine => {
    return { lineNumber, sku, qty: qty * 1000, received: received * 1000, damaged: 0 };
  };
  const came = (sku: string, qty: number, more: { lineNumber?: number; condition?: "GOOD" | "DAMAGED" } = {}) => {
    return { ...lotOf({}), sku, qty: qty * 1000, condition: "GOOD" as const, ...more };
  };
  const bookings = (lines: readonly ReceivingLine[], goods: readonly ReturnType<typeof came>[], tolerance = 10) =>
    bookingsOf(lines, goods, { tolerance, isCounted: () => true }).map(
      ({ lineNumber, qty, condition, reason, reported }) =>
        `${lineNumber ?? "-"}: ${qty / 1000} ${condition}${reason === undefined ? "" : ` ${reason} (${reported})`}`,
    );

  test("goods up to the tolerance are booked in their condition, the rest is on hold", () => {
    const lines = [line(1, "A", 10)];
    assert.deepEqual(bookings(lines, [came("A", 4)]), ["1: 4 GOOD"]);
    assert.deepEqual(bookings(lines, [came("A", 11)]), ["1: 11 GOOD"]);
    assert.deepEqual(bookings(lines, [came("A", 14)]), ["1: 11 GOOD", "1: 3 ON_HOLD OVER_RECEIPT (GOOD)"]);
    assert.deepEqual(bookings(lines, [came("A", 8), came("A", 8, { condition: "DAMAGED" })]), [
      "1: 8 GOOD",
      "1: 3 DAMAGED",
      "1: 5 ON_HOLD OVER_RECEIPT (DAMAGED)",
    ]);
  });

  test("earlier receipts count", () => {
    assert.deepEqual(bookings([line(1, "A", 10, 10)], [came("A", 1)]), ["1: 1 GOOD"]);
    assert.deepEqual(bookings([line(1, "A", 10, 11)], [came("A", 1)]), ["1: 1 ON_HOLD OVER_RECEIPT (GOOD)"]);
    assert.deepEqual(bookings([line(1, "A", 10, 20)], [came("A", 1)]), ["1: 1 ON_HOLD OVER_RECEIPT (GOOD)"]);
  });

  test("without a line number the lines of the SKU are filled in their order, then their tolerances", () => {
    const lines = [line(3, "A", 10), line(1, "A", 20), line(2, "B", 5)];
    assert.deepEqual(bookings(lines, [came("A", 25)]), ["1: 20 GOOD", "3: 5 GOOD"]);
    assert.deepEqual(bookings(lines, [came("A", 32)]), ["1: 22 GOOD", "3: 10 GOOD"]);
    assert.deepEqual(bookings(lines, [came("A", 40)]), [
      "1: 22 GOOD",
      "3: 11 GOOD",
      "3: 7 ON_HOLD OVER_RECEIPT (GOOD)",
    ]);
    assert.deepEqual(bookings(lines, [came("A", 25, { lineNumber: 3 })]), [
      "3: 11 GOOD",
      "3: 14 ON_HOLD OVER_RECEIPT (GOOD)",
    ]);
  });

  test("all units of a SKU that is not on the order are on hold", () => {
    assert.deepEqual(bookings([line(1, "A", 10)], [came("X", 2)]), ["-: 2 ON_HOLD UNPLANNED (GOOD)"]);
  });

  test("serial numbers stay with their units", () => {
    const serials = ["S1", "S2", "S3", "S4"];
    const booked = bookingsOf([line(1, "A", 1), line(2, "A", 2)], [{ ...came("A", 4), serials }], {
      tolerance: 0,
      isCounted: () => true,
    });
    assert.deepEqual(
      booked.map(({ lineNumber, condition, serials }) => [lineNumber, condition, serials]),
      [
        [1, "GOOD", ["S1"]],
        [2, "GOOD", ["S2", "S3"]],
        [2, "ON_HOLD", ["S4"]],
      ],
    );
  });

  test("all received units are booked once, and no line exceeds its tolerance", () => {
    const skus = fc.constantFrom("A", "B", "C");
    const lines = fc
      .array(fc.record({ sku: skus, qty: fc.integer({ min: 1, max: 9 }), received: fc.integer({ min: 0, max: 12 }) }), {
        minLength: 1,
        maxLength: 4,
      })
      .map((all) => all.map(({ sku, qty, received }, i) => line(i + 1, sku, qty, received)));
    const goods = fc.array(fc.record({ sku: skus, qty: fc.integer({ min: 1, max: 9 }) }), { maxLength: 5 });
    const property = fc.property(lines, goods, fc.integer({ min: 0, max: 50 }), (lines, arrivals, tolerance) => {
      const all = arrivals.map(({ sku, qty }) => came(sku, qty));
      const booked = bookingsOf(lines, all, { tolerance, isCounted: () => true });
      const sum = (of: readonly { qty: number }[]) => of.reduce((total, { qty }) => total + qty, 0);
      for (const sku of ["A", "B", "C"]) {
        assert.equal(
          sum(booked.filter((booking) => booking.sku === sku)),
          sum(all.filter((booking) => booking.sku === sku)),
        );
      }
      const after = withBookings(lines, booked, 1);
      assert.deepEqual(withBookings(after, booked, -1), lines);
      for (const booking of booked) {
        const target = lines.find(({ lineNumber }) => lineNumber === booking.lineNumber);
        assert.equal(booking.reason === "UNPLANNED", target === undefined);
        assert.ok(booking.qty > 0);
        if (target) assert.equal(target.sku, booking.sku);
      }
      for (const target of lines) {
        const targetBookings = booked.filter(({ lineNumber }) => lineNumber === target.lineNumber);
        const kept = sum(targetBookings.filter(({ reason }) => reason === undefined));
        if (kept > 0) assert.ok(target.received + kept <= limitOf(target.qty, tolerance, true));
        if (kept < sum(targetBookings)) assert.ok(target.received + kept >= limitOf(target.qty, tolerance, true));
      }
    });
    fc.assert(property, { numRuns: 500 });
  });
});
