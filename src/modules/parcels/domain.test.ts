import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { eventCodes } from "#/kernel/event-codes.ts";
import {
  deliveredByLine,
  despatched,
  type ParcelProgress,
  type ParcelStatus,
  parcelEnds,
  statusAfter,
} from "#/modules/parcels/domain.ts";

const hour = (n: number) => new Date(Date.UTC(2026, 10, 20, n)).toISOString();
const gone: ParcelProgress = { status: "DESPATCHED", statusAt: undefined, isDelivered: false, isReturning: false };

/** A parcel after these codes, an hour apart. */
function after(...codes: number[]): ParcelProgress {
  return codes.reduce((parcel, code, i) => statusAfter(parcel, { code, at: hour(i) }), gone);
}

const table: Readonly<Record<string, readonly number[]>> = {
  IN_TRANSIT: [110, 120, 125, 130, 140, 145, 150, 155],
  OUT_FOR_DELIVERY: [160],
  AVAILABLE_FOR_COLLECTION: [175],
  DELIVERED: [200, 205, 210],
  EXCEPTION: [148, 165, 170, 180, 185, 190, 220, 230, 390],
  LOST: [195],
  RETURNING: [250, 260, 270],
  RETURNED_TO_SENDER: [300],
};
const codesOfCarriers = Object.keys(eventCodes)
  .map(Number)
  .filter((code) => code > 100);

describe("the table of lifecycle.md §5", () => {
  test("every code sets the state of a despatched parcel by the table", () => {
    for (const [status, codes] of Object.entries(table)) {
      for (const code of codes) assert.equal(after(code).status, status, `code ${code}`);
    }
  });

  test("only the codes 105, 215 and 399 leave the state unchanged", () => {
    const moving = new Set(Object.values(table).flat());
    const still = codesOfCarriers.filter((code) => !moving.has(code));
    assert.deepEqual(still, [105, 215, 399]);
    for (const code of still) {
      for (const before of [after(), after(160), after(200), after(195), after(165)]) {
        assert.deepEqual(statusAfter(before, { code, at: hour(9) }), before, `code ${code}`);
      }
    }
  });

  test("the next code that changes the state ends EXCEPTION", () => {
    for (const exception of table.EXCEPTION ?? []) {
      assert.equal(after(160, exception).status, "EXCEPTION");
      assert.equal(after(160, exception, 150).status, "IN_TRANSIT");
      assert.equal(after(160, exception, 200).status, "DELIVERED");
      assert.equal(after(160, exception, 195).status, "LOST");
    }
  });

  test("any code except an exception ends LOST", () => {
    for (const status of ["IN_TRANSIT", "OUT_FOR_DELIVERY", "AVAILABLE_FOR_COLLECTION", "DELIVERED", "RETURNING"]) {
      for (const code of table[status] ?? []) assert.equal(after(195, code).status, status, `code ${code}`);
    }
    for (const code of [...(table.EXCEPTION ?? []), 105, 215, 399]) assert.equal(after(195, code).status, "LOST");
  });

  test("only the codes 250 to 300 change a delivered parcel", () => {
    for (const code of codesOfCarriers) {
      const { status } = after(200, code);
      assert.equal(
        status,
        code === 300 ? "RETURNED_TO_SENDER" : code >= 250 && code <= 270 ? "RETURNING" : "DELIVERED",
        `code ${code}`,
      );
    }
  });

  test("no code changes a parcel that is returned to sender", () => {
    for (const code of codesOfCarriers) assert.deepEqual(after(300, code), after(300), `code ${code}`);
  });

  test("codes of a parcel that is still in the warehouse, or was voided, do not move it", () => {
    for (const status of ["PACKED", "LOADED", "VOIDED"] as const) {
      const parcel = { ...gone, status };
      for (const code of codesOfCarriers) assert.equal(statusAfter(parcel, { code, at: hour(1) }), parcel);
    }
  });

  test("codes that came before the despatch take effect with it, in the order in which they happened", () => {
    const loaded: ParcelProgress = { ...gone, status: "LOADED" };
    assert.deepEqual(despatched(loaded, []), gone);
    const waiting = [
      { code: 120, at: hour(5) },
      { code: 165, at: hour(3) },
      { code: 110, at: hour(2) },
    ];
    assert.deepEqual(despatched(loaded, waiting), { ...gone, status: "IN_TRANSIT", statusAt: hour(5) });
  });
});

describe("late and repeated reports", () => {
  test("a code that leads further moves the parcel, however late it is reported", () => {
    const inTransit = statusAfter(gone, { code: 120, at: hour(5) });
    const delivered = statusAfter(inTransit, { code: 200, at: hour(4) });
    assert.deepEqual(delivered, { ...gone, status: "DELIVERED", statusAt: hour(5), isDelivered: true });
  });

  test("a code of an earlier state does not change a parcel, however new it is", () => {
    assert.equal(after(160, 120).status, "OUT_FOR_DELIVERY");
    assert.equal(after(250, 120).status, "RETURNING");
    assert.equal(after(175, 150).status, "AVAILABLE_FOR_COLLECTION");
    assert.equal(after(160, 175, 160).status, "OUT_FOR_DELIVERY");
  });

  test("an exception or a loss from before the last move does nothing", () => {
    const moved = statusAfter(gone, { code: 150, at: hour(5) });
    for (const code of [165, 195]) assert.deepEqual(statusAfter(moved, { code, at: hour(4) }), moved);
    assert.equal(statusAfter(moved, { code: 165, at: hour(5) }).status, "EXCEPTION");
  });

  test("a code from before an exception does not end it, except a final code", () => {
    const delayed = statusAfter(gone, { code: 165, at: hour(5) });
    for (const code of [120, 160, 175]) assert.deepEqual(statusAfter(delayed, { code, at: hour(4) }), delayed);
    assert.equal(statusAfter(delayed, { code: 200, at: hour(4) }).status, "DELIVERED");
    assert.equal(statusAfter(delayed, { code: 300, at: hour(4) }).status, "RETURNED_TO_SENDER");
  });

  test("a returning parcel stays RETURNING through exceptions", () => {
    assert.equal(after(250, 165).status, "EXCEPTION");
    assert.equal(after(250, 165, 120).status, "RETURNING");
    assert.equal(after(250, 195, 130).status, "RETURNING");
    // The turn-around is reported late and counts all the same.
    const refused = statusAfter(gone, { code: 220, at: hour(5) });
    const turned = statusAfter(refused, { code: 250, at: hour(4) });
    assert.equal(turned.status, "EXCEPTION");
    assert.equal(statusAfter(turned, { code: 120, at: hour(6) }).status, "RETURNING");
  });

  test("a returning parcel can still be delivered, once", () => {
    assert.equal(after(250, 200).status, "DELIVERED");
    assert.equal(after(200, 250, 200).status, "RETURNING");
    const returning = statusAfter(gone, { code: 250, at: hour(5) });
    assert.deepEqual(statusAfter(returning, { code: 200, at: hour(4) }), { ...returning, isDelivered: true });
    // Whatever the order of the two reports.
    const delivered = statusAfter(gone, { code: 200, at: hour(5) });
    assert.deepEqual(statusAfter(delivered, { code: 250, at: hour(4) }), delivered);
  });

  test("for reports in any order: states only advance, final states stay, and a repeat changes nothing", () => {
    const rank: Readonly<Partial<Record<ParcelStatus, number>>> = {
      DESPATCHED: 0,
      IN_TRANSIT: 1,
      OUT_FOR_DELIVERY: 2,
      AVAILABLE_FOR_COLLECTION: 2,
      DELIVERED: 3,
      RETURNING: 4,
      RETURNED_TO_SENDER: 5,
    };
    const report = fc.record({
      code: fc.constantFrom(...codesOfCarriers),
      at: fc.integer({ min: 0, max: 20 }).map(hour),
    });
    fc.assert(
      fc.property(fc.array(report, { maxLength: 12 }), (reports) => {
        let parcel = gone;
        for (const report of reports) {
          const next = statusAfter(parcel, report);
          const [from, to] = [rank[parcel.status], rank[next.status]];
          if (from !== undefined && to !== undefined && to < from) {
            assert.deepEqual([parcel.status, next.status, parcel.isDelivered], ["RETURNING", "DELIVERED", false]);
          }
          if (parcel.statusAt !== undefined) assert.ok((next.statusAt ?? "") >= parcel.statusAt);
          if (parcel.isDelivered) assert.equal(next.isDelivered, next.status !== "RETURNED_TO_SENDER");
          assert.deepEqual(statusAfter(next, report), next);
          parcel = next;
        }
        const { delivered, returnedToSender, lost } = parcelEnds([parcel]);
        assert.ok(delivered + returnedToSender + lost <= 1);
        if (reports.some(({ code }) => code === 300)) assert.equal(returnedToSender, 1);
        else if (reports.some(({ code }) => [200, 205, 210].includes(code))) assert.equal(delivered, 1);
      }),
      { numRuns: 1_000 },
    );
  });
});

test("a parcel counts as delivered until it is returned to sender; voided parcels do not count", () => {
  const ended = [after(200), after(200, 250), after(200, 300), after(195), after(200, 250, 195), after(120)];
  const voided: ParcelProgress = { ...gone, status: "VOIDED" };
  assert.deepEqual(parcelEnds([...ended, voided]), { parcels: 6, delivered: 3, returnedToSender: 1, lost: 1 });
});

test("delivered quantities of lines are those of delivered parcels", () => {
  const content = (lineNumber: number, qty: number) => ({
    lineNumber,
    sku: "A",
    qty,
    stockPool: "DEFAULT",
    batchRef: "",
    expiryDate: "infinity",
    serials: [],
  });
  const parcels = [
    { ...after(200), contents: [content(1, 2_000), content(2, 500)] },
    { ...after(205), contents: [content(1, 1_000)] },
    { ...after(120), contents: [content(1, 4_000)] },
    { ...after(200, 300), contents: [content(2, 8_000)] },
  ];
  assert.deepEqual(
    deliveredByLine(parcels),
    new Map([
      [1, 3_000],
      [2, 500],
    ]),
  );
});
