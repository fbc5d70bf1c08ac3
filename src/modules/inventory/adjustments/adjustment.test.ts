import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type AdjustmentReport,
  type CountReport,
  type FreeAllocations,
  type HoldReport,
  listSerials,
  reportAdjustment,
  reportCount,
  reportHold,
  shortPick,
} from "#/modules/inventory/index.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import {
  brokenRules,
  freeNothing,
  freeOne,
  hold,
  insertItems,
  post,
  stockOf,
  withBook,
} from "../../../../tests/support/builders/stock.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const { clientId } = await insertClient(database);
await insertItems(database, clientId, [
  ..."ABCDEFGHI".split("").map((sku) => ({ sku })),
  { sku: "BATCH", batch: true },
  { sku: "SER", attributes: { CaptureSerial: "true" } },
]);

const noTolerance = { countTolerance: 0, countToleranceUnits: 0 };

const adjust = (
  report: Partial<AdjustmentReport> & Pick<AdjustmentReport, "lines">,
  free: FreeAllocations = freeNothing,
) =>
  withBook(database, clientId, (tx, book, change) =>
    reportAdjustment(
      tx.of(book.clientId, change),
      book,
      { adjustmentId: "ADJ-1", reasonCode: "CORRECTION", ...report },
      free,
    ),
  );
const holdStock = (lines: HoldReport["lines"], free: FreeAllocations = freeNothing) =>
  withBook(database, clientId, (tx, book, change) =>
    reportHold(tx.of(book.clientId, change), book, { reasonCode: "CONDITION", lines }, free),
  );
const count = (report: Partial<CountReport> & Pick<CountReport, "lines">, free: FreeAllocations = freeNothing) =>
  withBook(database, clientId, (tx, book, change) =>
    reportCount(tx.of(book.clientId, change), book, { countId: "CNT-1", ...report }, { free, tolerance: noTolerance }),
  );

function faultOf(result: { ok: boolean; fault?: { readonly detail: string } }): string {
  assert.equal(result.ok, false);
  return result.fault?.detail ?? "";
}

test("an adjustment changes the stock, and is reported once for each SKU and in one document", async () => {
  const result = await adjust({
    lines: [
      { sku: "A", qty: 5 },
      { sku: "A", qty: 2, condition: "DAMAGED" },
      { sku: "B", qty: 1, stockPool: "B2B" },
    ],
  });
  assert(result.ok);
  assert.deepEqual(await stockOf(database, clientId, "A"), ["DAMAGED 2/0", "GOOD 5/0"]);
  const [first, second] = result.value.events;
  assert.equal(result.value.events.length, 2);
  assert.equal(first?.objectId, "DC1/A");
  assert.deepEqual(first?.data, {
    sku: "A",
    distributionCentre: "DC1",
    quantities: {
      onHand: 7,
      allocated: 0,
      onHold: 0,
      damaged: 2,
      unsellable: 2,
      available: 5,
      expected: 0,
      inReturn: 0,
      backordered: 0,
    },
    reason: "CORRECTION",
  });
  assert.deepEqual(first?.outbound, {
    type: "ADJ",
    objectId: "ADJ-1",
    content: {
      adjustmentId: "ADJ-1",
      reasonCode: "CORRECTION",
      lines: [
        { sku: "A", qty: 5, toCondition: "GOOD", stockPool: "DEFAULT", qtyOnHandAfter: 7 },
        { sku: "A", qty: 2, toCondition: "DAMAGED", stockPool: "DEFAULT", qtyOnHandAfter: 7 },
        { sku: "B", qty: 1, toCondition: "GOOD", stockPool: "B2B", qtyOnHandAfter: 1 },
      ],
    },
  });
  assert.equal(second?.outbound, undefined);
});

test("a wrong adjustment is refused with the faults of all its lines, and changes nothing", async () => {
  const text = faultOf(
    await adjust({
      reasonCode: "WHY",
      lines: [
        { sku: "NONE", qty: 1 },
        { sku: "C", qty: 0 },
        { sku: "C", qty: 0.5 },
        { sku: "BATCH", qty: 1 },
        { sku: "C", qty: 1.0005 },
      ],
    }),
  );
  for (const part of ["SKU NONE is unknown", "lines[1]: 0 is not", "0.5 of SKU C", "batchRef", "1.0005", "'WHY'"]) {
    assert(text.includes(part), `${part} in ${text}`);
  }
  const more = faultOf(
    await adjust({
      lines: [
        { sku: "C", qty: 4 },
        { sku: "C", qty: -1, condition: "ON_HOLD" },
      ],
    }),
  );
  assert.match(more, /SKU C: 1 to be taken from ON_HOLD in DC1, but there are 0/);
  assert.deepEqual(await stockOf(database, clientId, "C"), []);
});

test("a reduction takes free units, then frees allocations, and never takes picked or packed units", async () => {
  await post(database, clientId, [{ sku: "D", qty: 10_000 }]);
  await hold(database, clientId, { sku: "D", ownerId: "O-D", allocated: 4000, picked: 2000, packed: 1000 });
  const freed: number[] = [];
  const free: FreeAllocations = (tx, book, lot, qty) => {
    freed.push(qty);
    return freeOne(tx, book, lot, qty);
  };
  assert((await adjust({ lines: [{ sku: "D", qty: -3 }] }, free)).ok);
  assert.deepEqual(freed, []);
  const second = await adjust({ lines: [{ sku: "D", qty: -1 }] }, free);
  assert(second.ok);
  assert.deepEqual(freed, [1000]);
  assert.deepEqual(
    second.value.events.map(({ topic }) => topic),
    ["order:backordered", "inventory:adjusted"],
  );
  assert.deepEqual(await stockOf(database, clientId, "D"), ["GOOD 6/6"]);
  const text = faultOf(await adjust({ lines: [{ sku: "D", qty: -4 }] }, free));
  assert.match(text, /SKU D: 4 to be taken from GOOD in DC1, but only 3 can be: 2 picked and 1 packed/);
  assert.deepEqual(freed, [1000]);
  assert.deepEqual(await stockOf(database, clientId, "D"), ["GOOD 6/6"]);
  assert.deepEqual(await brokenRules(database, clientId), []);
});

test("a pool transfer moves equal quantities, or is refused", async () => {
  await post(database, clientId, [{ sku: "E", qty: 5000 }]);
  const transfer = (gained: number) =>
    adjust({
      reasonCode: "POOL_TRANSFER",
      lines: [
        { sku: "E", qty: -3 },
        { sku: "E", qty: gained, stockPool: "B2B" },
      ],
    });
  assert.match(faultOf(await transfer(2)), /its lines add up to -1/);
  assert((await transfer(3)).ok);
  assert.deepEqual(await stockOf(database, clientId, "E"), ["GOOD 2/0", "GOOD 3/0"]);
});

test("a hold moves a quantity between conditions and keeps the quantity on hand", async () => {
  await post(database, clientId, [{ sku: "F", qty: 5000 }]);
  await hold(database, clientId, { sku: "F", ownerId: "O-F", allocated: 4000 });
  const result = await holdStock([{ sku: "F", qty: 2, fromCondition: "GOOD", toCondition: "QUARANTINE" }], freeOne);
  assert(result.ok);
  assert.deepEqual(await stockOf(database, clientId, "F"), ["GOOD 3/3", "QUARANTINE 2/0"]);
  assert.deepEqual(result.value.answer.lines, [
    { sku: "F", qty: 2, fromCondition: "GOOD", toCondition: "QUARANTINE", stockPool: "DEFAULT", qtyOnHandAfter: 5 },
  ]);
  assert((await holdStock([{ sku: "F", qty: 2, fromCondition: "QUARANTINE", toCondition: "GOOD" }])).ok);
  assert.deepEqual(await stockOf(database, clientId, "F"), ["GOOD 5/3"]);
  assert.match(
    faultOf(await holdStock([{ sku: "F", qty: -2, fromCondition: "GOOD", toCondition: "GOOD" }])),
    /-2 is not a quantity above 0.*both GOOD/,
  );
});

test("a count is compared with the balance at its time, without picked and packed units", async () => {
  const atMs = Date.now() - 60_000;
  // Booked late: the moment on the floor counts.
  await post(database, clientId, [{ sku: "G", qty: 10_000, occurredAt: new Date(atMs).toISOString() }]);
  await hold(database, clientId, { sku: "G", ownerId: "O-G", allocated: 1000, picked: 2000 });
  await post(database, clientId, [{ sku: "G", qty: 4000 }]);
  // Counted after the receipt of ten, and before the pick of two and the receipt of four.
  const occurredAt = new Date(atMs + 1_000).toISOString();
  const same = await count({ occurredAt, lines: [{ sku: "G", countedQty: 10 }] });
  assert(same.ok);
  assert.deepEqual(same.value, {
    answer: { countId: "CNT-1", adjustmentId: "CNT-1", reasonCode: "COUNT", lines: [] },
    events: [],
  });
  assert((await count({ occurredAt, lines: [{ sku: "G", countedQty: 9 }] })).ok);
  assert.deepEqual(await stockOf(database, clientId, "G"), ["GOOD 13/3"]);
  assert((await count({ lines: [{ sku: "G", countedQty: 11 }] })).ok);
  assert(
    (
      await count({
        includesStaged: true,
        lines: [
          { sku: "G", countedQty: 6 },
          { sku: "G", countedQty: 6 },
        ],
      })
    ).ok,
  );
  assert.deepEqual(await stockOf(database, clientId, "G"), ["GOOD 12/3"]);
  const refusal = faultOf(await count({ includesStaged: true, lines: [{ sku: "G", countedQty: 1 }] }, freeOne));
  assert.match(refusal, /SKU G: 11 to be taken from GOOD in DC1, but only 10 can be: 2 picked and 0 packed/);
  assert.match(faultOf(await count({ lines: [{ sku: "G", countedQty: -1 }] })), /-1 is not a quantity of 0 or more/);
  assert.deepEqual(await brokenRules(database, clientId), []);
});

test("a short pick puts missing units on hold until a count", async () => {
  await post(database, clientId, [{ sku: "H", qty: 5000 }]);
  const drafts = await withBook(database, clientId, (tx, book, change) => {
    const lot = { sku: "H", qty: 2000, stockPool: "DEFAULT", batchRef: "", expiryDate: "infinity" };
    return shortPick(tx.of(book.clientId, change), book, { orderId: "O-H", lots: [lot] });
  });
  assert.deepEqual(await stockOf(database, clientId, "H"), ["GOOD 3/0", "ON_HOLD 2/0"]);
  assert.deepEqual(
    drafts.map(({ outbound }) => (outbound?.content as { reasonCode?: string } | undefined)?.reasonCode),
    ["SHORT_PICK"],
  );
  const counted = await count({ lines: [{ sku: "H", countedQty: 4 }] });
  assert(counted.ok);
  assert.deepEqual(await stockOf(database, clientId, "H"), ["GOOD 4/0"]);
  assert.deepEqual(counted.value.answer.lines, [
    { sku: "H", qty: 1, fromCondition: "ON_HOLD", toCondition: "GOOD", stockPool: "DEFAULT", qtyOnHandAfter: 4 },
    { sku: "H", qty: -1, fromCondition: "ON_HOLD", stockPool: "DEFAULT", qtyOnHandAfter: 4 },
  ]);
  // The short-picked hold has ended; stock that is on hold for another reason stays.
  await post(database, clientId, [{ sku: "H", qty: 1000, condition: "ON_HOLD" }]);
  assert((await count({ lines: [{ sku: "H", countedQty: 4 }] })).ok);
  assert.deepEqual(await stockOf(database, clientId, "H"), ["GOOD 4/0", "ON_HOLD 1/0"]);
});

test("serial numbers are received, change their condition, are counted, and leave", async () => {
  const placeOf = async (serial: string) => {
    const [place] = await listSerials(database.of(clientId), "SER", [serial]);
    return place && `${place.state} ${place.condition}`;
  };
  assert((await adjust({ lines: [{ sku: "SER", qty: 3, serials: ["S1", "S2", "S3"] }] })).ok);
  assert.match(
    faultOf(await adjust({ lines: [{ sku: "SER", qty: 1, serials: ["S1"] }] })),
    /S1 .* in stock already, in DC1/,
  );
  assert.match(
    faultOf(await adjust({ lines: [{ sku: "SER", qty: -1, serials: ["S9"] }] })),
    /S9 is not in stock in DC1/,
  );
  const held = { sku: "SER", qty: 1, serials: ["S1"], fromCondition: "GOOD", toCondition: "DAMAGED" } as const;
  assert((await holdStock([held])).ok);
  assert.equal(await placeOf("S1"), "IN_STOCK DAMAGED");
  assert((await count({ lines: [{ sku: "SER", countedQty: 2, serials: ["S3", "S4"] }] })).ok);
  assert.deepEqual([await placeOf("S2"), await placeOf("S4")], ["GONE GOOD", "IN_STOCK GOOD"]);
  assert((await adjust({ lines: [{ sku: "SER", qty: -1, condition: "DAMAGED", serials: ["S1"] }] })).ok);
  assert.equal(await placeOf("S1"), "GONE DAMAGED");
  assert.deepEqual(await brokenRules(database, clientId), []);
});
