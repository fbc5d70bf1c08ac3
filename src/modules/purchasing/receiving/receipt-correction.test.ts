import assert from "node:assert/strict";
import { test } from "node:test";
import { openBook, writeSerials } from "#/modules/inventory/index.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { accepted, contents, intakeWorld, refusalOf, topics } from "../../../../tests/support/app/intake.ts";
import { at, database } from "../../../../tests/support/builders/stocked-orders.ts";

type World = Awaited<ReturnType<typeof intakeWorld>>;

const statusOf = async ({ query }: World, poNumber: string) =>
  (
    await query<{ status: string }>(
      sql`select status from purchase_order where client_id = ${tenant} and po_number = ${poNumber} limit 1`,
    )
  )[0]?.status;

const linesOf = async ({ query }: World, poNumber: string) =>
  (
    await query<{ r: string; d: string; y: string }>(
      sql`select qty_received as r, qty_damaged as d, discrepancy as y from purchase_order_line
        where client_id = ${tenant} and po_number = ${poNumber} order by line_number limit 100`,
    )
  ).map(({ r, d, y }) => `${Number(r)} received, ${Number(d)} damaged, ${y}`);

const correction = (receiptId: string, correctsReceiptId: string, lines: Parameters<World["receive"]>[0]["lines"]) => ({
  poNumber: "PO-1",
  receiptId,
  correctsReceiptId,
  lines,
});

test("a correction restates the receipt: the signed differences are booked and published", async () => {
  const w = await intakeWorld("COR1");
  await w.items(["A", "B"]);
  await w.purchaseOrder("PO-1", [
    ["A", 10],
    ["B", 5],
  ]);
  accepted(
    await w.receive({
      poNumber: "PO-1",
      receiptId: "R-1",
      lines: [
        { sku: "A", qty: 10 },
        { sku: "B", qty: 5 },
      ],
    }),
  );
  assert.equal(await statusOf(w, "PO-1"), "RECEIVED");
  const { answer, events: drafts } = accepted(
    await w.receive(
      correction("R-2", "R-1", [
        { sku: "A", qty: 6 },
        { sku: "A", qty: 2, condition: "DAMAGED" },
        { sku: "B", qty: 5 },
      ]),
    ),
  );
  assert.deepEqual(contents(drafts), [
    {
      poNumber: "PO-1",
      receiptId: "R-2",
      correction: true,
      correctsReceiptId: "R-1",
      complete: false,
      lines: [
        {
          lineNumber: 1,
          sku: "A",
          qtyExpected: 10,
          qtyReceived: -2,
          qtyDamaged: 2,
          qtyOnHold: 0,
          qtyTotal: 8,
          discrepancy: "DAMAGED",
        },
      ],
    },
  ]);
  assert.deepEqual(topics(drafts), ["goodsReceipt:received"]);
  assert.equal(answer.status, "RECEIVING");
  assert.deepEqual(
    answer.lines.map(({ lineNumber, qtyReceived, qtyTotal }) => [lineNumber, qtyReceived, qtyTotal]),
    [
      [1, -2, 8],
      [2, 0, 5],
    ],
  );
  assert.deepEqual(await w.stockOf(), ["A DAMAGED: 2", "A GOOD: 6", "B GOOD: 5"]);
  assert.deepEqual(await linesOf(w, "PO-1"), ["8 received, 2 damaged, DAMAGED", "5 received, 0 damaged, NONE"]);
  await w.assertSound();

  const again = await w.receive(correction("R-3", "R-1", [{ sku: "A", qty: 1 }]));
  assert.equal(refusalOf(again), "409 Receipt R-1 was corrected by R-2; correct that one.");
  const back = accepted(
    await w.receive(
      correction("R-3", "R-2", [
        { sku: "A", qty: 10 },
        { sku: "B", qty: 5 },
      ]),
    ),
  );
  assert.deepEqual(topics(back.events), ["goodsReceipt:received", "purchaseOrder:received"]);
  assert.deepEqual(await w.stockOf(), ["A GOOD: 10", "B GOOD: 5"]);
  assert.deepEqual(await w.audits("PO-1"), [
    ...["receive", "startReceiving", "complete", "correctReceipt", "startReceiving", "correctReceipt", "complete"],
  ]);
  await w.assertSound();
});

test("a correction to zero reverses the whole receipt", async () => {
  const w = await intakeWorld("COR2");
  await w.items(["A", "X"]);
  await w.purchaseOrder("PO-1", [["A", 10]]);
  const lines = [
    { sku: "A", qty: 14 },
    { sku: "X", qty: 1 },
  ];
  accepted(await w.receive({ poNumber: "PO-1", receiptId: "R-1", lines }));
  const { events: drafts } = accepted(await w.receive(correction("R-2", "R-1", [])));
  const [{ lines: eventLines }] = contents(drafts) as [{ lines: Record<string, unknown>[] }];
  assert.deepEqual(
    eventLines.map(({ sku, qtyReceived, qtyTotal, discrepancy }) => [sku, qtyReceived, qtyTotal, discrepancy]),
    [
      ["A", -14, 0, "NONE"],
      ["X", -1, 0, "UNPLANNED"],
    ],
  );
  assert.deepEqual(await w.stockOf(), []);
  assert.deepEqual(await linesOf(w, "PO-1"), ["0 received, 0 damaged, NONE"]);
  assert.equal(await statusOf(w, "PO-1"), "RECEIVING");
  assert.equal((await w.exceptions()).length, 2, "what is less raises nothing");
  await w.assertSound();
});

test("a correction is checked as if the receipt did not exist: the tolerance applies again", async () => {
  const w = await intakeWorld("COR3");
  await w.items(["A"]);
  await w.purchaseOrder("PO-1", [["A", 10]]);
  accepted(await w.receive({ poNumber: "PO-1", receiptId: "R-1", lines: [{ sku: "A", qty: 20 }] }));
  assert.deepEqual(await w.stockOf(), ["A GOOD: 11", "A ON_HOLD: 9"]);
  accepted(await w.receive(correction("R-2", "R-1", [{ sku: "A", qty: 12 }])));
  assert.deepEqual(await w.stockOf(), ["A GOOD: 11", "A ON_HOLD: 1"]);
  accepted(await w.receive(correction("R-3", "R-2", [{ sku: "A", qty: 15 }])));
  assert.deepEqual(await w.stockOf(), ["A GOOD: 11", "A ON_HOLD: 4"]);
  const raised = (await w.exceptions()).map(({ kind, detail }) => `${kind} ${detail.qty}`);
  assert.deepEqual(raised, ["OVER_RECEIPT 9", "OVER_RECEIPT 3"], "only what is more than before");
  await w.assertSound();
});

test("a lower quantity takes unallocated units first, then units of orders that are not picked", async () => {
  const w = await intakeWorld("COR4");
  await w.items(["A"]);
  await w.purchaseOrder("PO-1", [["A", 10]]);
  accepted(await w.receive({ poNumber: "PO-1", receiptId: "R-1", lines: [{ sku: "A", qty: 10 }] }));
  await w.order("O-1", [{ sku: "A", qty: 4 }], { priority: 1 });
  await w.order("O-2", [{ sku: "A", qty: 4 }], { priority: 9 });
  await w.allocate({ orderIds: ["O-1", "O-2"] });
  assert.deepEqual(
    [await w.buckets("O-1"), await w.buckets("O-2")],
    [
      { ordered: 4, allocated: 4 },
      { ordered: 4, allocated: 4 },
    ],
  );
  accepted(await w.receive(correction("R-2", "R-1", [{ sku: "A", qty: 8 }])));
  assert.deepEqual(await w.buckets("O-2"), { ordered: 4, allocated: 4 }, "two were free");
  await w.assertSound();
  const { events: drafts } = accepted(await w.receive(correction("R-3", "R-2", [{ sku: "A", qty: 5 }])));
  assert.deepEqual(await w.buckets("O-1"), { ordered: 4, allocated: 4 });
  assert.deepEqual(await w.buckets("O-2"), { ordered: 4, open: 3, allocated: 1 }, "the less urgent one gives way");
  assert.ok(drafts.some(({ objectId }) => objectId === "O-2"));
  await w.assertSound();
});

test("a correction that would take picked units is refused and changes nothing", async () => {
  const w = await intakeWorld("COR5");
  await w.items(["A"]);
  await w.purchaseOrder("PO-1", [["A", 10]]);
  accepted(await w.receive({ poNumber: "PO-1", receiptId: "R-1", lines: [{ sku: "A", qty: 10 }] }));
  await w.order("O-1", [{ sku: "A", qty: 6 }]);
  await w.allocate({ orderIds: ["O-1"] });
  // The state after a pick of four of them.
  await w.query(sql`update stock_reservation set qty_allocated = 2, qty_picked = 4
    where client_id = ${tenant} and owner_type = 'ORDER' and owner_id = 'O-1' returning line_number`);
  await w.query(sql`update sales_order_line set qty_allocated = 2, qty_picked = 4
    where client_id = ${tenant} and order_id = 'O-1' returning line_number`);
  await w.assertSound();
  const refused = await w.receive(correction("R-2", "R-1", [{ sku: "A", qty: 3 }]));
  assert.equal(refusalOf(refused), "409 7 GOOD of SKU A cannot be removed, but only 6 are not picked or packed.");
  assert.deepEqual(await w.buckets("O-1"), { ordered: 6, allocated: 2, picked: 4 });
  assert.deepEqual(await w.stockOf(), ["A GOOD: 10"]);
  accepted(await w.receive(correction("R-2", "R-1", [{ sku: "A", qty: 4 }])));
  assert.deepEqual(await w.buckets("O-1"), { ordered: 6, open: 2, picked: 4 });
  await w.assertSound();
});

test("a correction cannot take back stock that has left", async () => {
  const w = await intakeWorld("COR6");
  await w.items(["A"]);
  await w.purchaseOrder("PO-1", [["A", 10]]);
  accepted(
    await w.receive({ poNumber: "PO-1", receiptId: "R-1", lines: [{ sku: "A", qty: 5, condition: "DAMAGED" }] }),
  );
  await w.stock([{ sku: "A", qty: 5 }]);
  accepted(await w.receive({ poNumber: "PO-1", receiptId: "R-2", lines: [{ sku: "A", qty: 2, batchRef: "B1" }] }));
  const wrongLot = await w.receive(correction("R-3", "R-9", [{ sku: "A", qty: 1 }]));
  assert.equal(refusalOf(wrongLot), "409 Receipt R-9, which the correction names, is not known.");
  await w.query(sql`update stock_balance set qty = 3
    where client_id = ${tenant} and facility_code = 'DC1' and sku = 'A' and condition = 'DAMAGED' returning sku`);
  const gone = await w.receive(correction("R-3", "R-1", []));
  assert.equal(refusalOf(gone), "409 5 DAMAGED of SKU A cannot be removed, but only 3 are in stock.");
});

test("a receipt of another order cannot be corrected for this one", async () => {
  const w = await intakeWorld("COR7");
  await w.items(["A"]);
  await w.purchaseOrder("PO-1", [["A", 10]]);
  await w.purchaseOrder("PO-2", [["A", 10]]);
  accepted(await w.receive({ poNumber: "PO-2", receiptId: "R-1", lines: [{ sku: "A", qty: 5 }] }));
  const crossed = await w.receive(correction("R-2", "R-1", [{ sku: "A", qty: 4 }]));
  assert.equal(refusalOf(crossed), "409 Receipt R-1 is of purchase order PO-2.");
});

test("a closed order stays closed when a receipt is corrected", async () => {
  const w = await intakeWorld("COR8");
  await w.items(["A"]);
  await w.purchaseOrder("PO-1", [["A", 10]]);
  accepted(await w.receive({ poNumber: "PO-1", receiptId: "R-1", lines: [{ sku: "A", qty: 10 }], closeOrder: true }));
  const { answer, events: drafts } = accepted(await w.receive(correction("R-2", "R-1", [{ sku: "A", qty: 7 }])));
  assert.equal(answer.status, "CLOSED");
  assert.deepEqual(topics(drafts), ["goodsReceipt:received"]);
  assert.deepEqual(await linesOf(w, "PO-1"), ["7 received, 0 damaged, SHORT"]);
  await w.assertSound();
});

test("a correction adds and removes serial numbers and changes their condition", async () => {
  const w = await intakeWorld("COR9");
  await w.items(["S"], { attributes: { CaptureSerial: "true" } });
  await w.purchaseOrder("PO-1", [["S", 5]]);
  const lines = [{ sku: "S", qty: 3, serials: ["S1", "S2", "S3"] }];
  accepted(await w.receive({ poNumber: "PO-1", receiptId: "R-1", lines }));
  const { events: drafts } = accepted(
    await w.receive(
      correction("R-2", "R-1", [
        { sku: "S", qty: 2, serials: ["S1", "S4"] },
        { sku: "S", qty: 1, serials: ["S2"], condition: "DAMAGED" },
      ]),
    ),
  );
  assert.deepEqual(await w.serialsOf("S"), ["S1 GOOD", "S2 DAMAGED", "S3 GONE", "S4 GOOD"]);
  assert.deepEqual(await w.stockOf(), ["S DAMAGED: 1", "S GOOD: 2"]);
  const [{ lines: eventLines }] = contents(drafts) as [{ lines: Record<string, unknown>[] }];
  assert.deepEqual(
    eventLines.map(({ qtyReceived, qtyDamaged, serials }) => [qtyReceived, qtyDamaged, serials]),
    [
      [-1, 1, ["S3"]],
      [1, 0, ["S4"]],
    ],
  );
  await w.assertSound();

  // The state after a pick.
  await database.transaction(async (tx) => {
    const view = tx.of(w.clientId);
    await openBook(view, "DC1", at);
    const place = { stockPool: "DEFAULT", batchRef: "", expiryDate: "infinity", facilityCode: "DC1" };
    writeSerials(view, at, [
      { sku: "S", serial: "S1", state: "IN_STOCK", condition: "GOOD", ...place, ownerType: "ORDER", ownerId: "O-1" },
    ]);
  });
  const picked = await w.receive(correction("R-3", "R-2", []));
  assert.equal(refusalOf(picked), "409 Serial S1 of SKU S is not where the receipt put it; it cannot be corrected.");
  assert.deepEqual(await w.serialsOf("S"), ["S1 GOOD", "S2 DAMAGED", "S3 GONE", "S4 GOOD"]);
});
