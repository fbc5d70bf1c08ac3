import assert from "node:assert/strict";
import { test } from "node:test";
import { sql, tenant } from "#/store/db/sql.ts";
import { accepted, contents, intakeWorld, refusalOf, topics } from "../../../../tests/support/app/intake.ts";

type World = Awaited<ReturnType<typeof intakeWorld>>;

async function orderOf({ query }: World, poNumber: string) {
  const [header] = await query<{ status: string; completed_at: string | null; closed_at: string | null }>(
    sql`select status, completed_at, closed_at from purchase_order
      where client_id = ${tenant} and po_number = ${poNumber} limit 1`,
  );
  const lines = await query<{ n: number; q: string; r: string; d: string; y: string }>(
    sql`select line_number as n, qty as q, qty_received as r, qty_damaged as d, discrepancy as y from purchase_order_line
      where client_id = ${tenant} and po_number = ${poNumber} order by vendor_order_id, line_number limit 100`,
  );
  return {
    status: header?.status,
    isCompleted: header?.completed_at != null,
    isClosed: header?.closed_at != null,
    lines: lines.map(({ n, q, r, d, y }) => `${n}: ${Number(r)}/${Number(q)}, ${Number(d)} damaged, ${y}`),
  };
}

test("a receipt is booked, counted and reported once; the last one makes the order RECEIVED", async () => {
  const w = await intakeWorld("RCV1");
  await w.items(["A", "B"]);
  await w.purchaseOrder("PO-1", [
    ["A", 10],
    ["B", 5],
  ]);
  const first = accepted(
    await w.receive({
      poNumber: "PO-1",
      receiptId: "R-1",
      occurredAt: "2026-11-01T08:00:00Z",
      lines: [
        { lineNumber: 1, sku: "A", qty: 6 },
        { sku: "A", qty: 1, condition: "DAMAGED" },
      ],
    }),
  );
  assert.deepEqual(first.answer, {
    poNumber: "PO-1",
    vendorOrderId: null,
    receiptId: "R-1",
    status: "RECEIVING",
    lines: [
      {
        lineNumber: 1,
        sku: "A",
        qtyReceived: 7,
        qtyTotal: 7,
        discrepancy: "DAMAGED",
        booked: [
          { condition: "GOOD", qty: 6 },
          { condition: "DAMAGED", qty: 1 },
        ],
      },
    ],
  });
  assert.deepEqual(topics(first.events), ["goodsReceipt:received"]);
  assert.deepEqual(contents(first.events), [
    {
      poNumber: "PO-1",
      receiptId: "R-1",
      correction: false,
      complete: false,
      lines: [
        {
          lineNumber: 1,
          sku: "A",
          qtyExpected: 10,
          qtyReceived: 7,
          qtyDamaged: 1,
          qtyOnHold: 0,
          qtyTotal: 7,
          discrepancy: "DAMAGED",
        },
      ],
    },
  ]);
  assert.equal(first.events[0]?.objectId, "PO-1");
  assert.equal(first.events[0]?.facilityCode, "DC1");
  assert.deepEqual(await orderOf(w, "PO-1"), {
    status: "RECEIVING",
    isCompleted: false,
    isClosed: false,
    lines: ["1: 7/10, 1 damaged, DAMAGED", "2: 0/5, 0 damaged, NONE"],
  });

  const second = accepted(
    await w.receive({
      poNumber: "PO-1",
      receiptId: "R-2",
      lines: [
        { sku: "A", qty: 3 },
        { sku: "B", qty: 5 },
      ],
    }),
  );
  assert.deepEqual(topics(second.events), ["goodsReceipt:received", "purchaseOrder:received"]);
  assert.equal((contents(second.events)[0] as { complete: boolean }).complete, true);
  assert.equal(contents(second.events).length, 1);
  assert.deepEqual(await orderOf(w, "PO-1"), {
    status: "RECEIVED",
    isCompleted: true,
    isClosed: false,
    lines: ["1: 10/10, 1 damaged, DAMAGED", "2: 5/5, 0 damaged, NONE"],
  });
  assert.deepEqual(await w.stockOf(), ["A DAMAGED: 1", "A GOOD: 9", "B GOOD: 5"]);
  const [movement] = await w.query<Record<string, unknown>>(
    sql`select type, reference_type, reference_id, occurred_at from stock_movement
      where client_id = ${tenant} and facility_code = 'DC1' and position = 1 limit 1`,
  );
  assert.deepEqual(movement, {
    type: "RECEIPT",
    reference_type: "receipt",
    reference_id: "R-1",
    occurred_at: "2026-11-01T08:00:00.000Z",
  });
  assert.deepEqual(await w.audits("PO-1"), ["receive", "startReceiving", "receive", "complete"]);
  await w.assertSound();
});

test("goods above the tolerance or not on the order are on hold, with an exception", async () => {
  const w = await intakeWorld("RCV2");
  await w.items(["A", "X"]);
  await w.purchaseOrder("PO-1", [["A", 10]], "ASN-1");
  const report = {
    poNumber: "PO-1",
    vendorOrderId: "ASN-1",
    receiptId: "R-1",
    lines: [
      { sku: "A", qty: 14 },
      { sku: "X", qty: 2, batchRef: "B1" },
    ],
  };
  const { answer, events: drafts } = accepted(await w.receive(report));
  assert.equal(answer.status, "RECEIVED");
  assert.deepEqual(
    answer.lines.map(({ lineNumber, discrepancy, booked }) => [lineNumber, discrepancy, booked]),
    [
      [
        1,
        "OVER",
        [
          { condition: "GOOD", qty: 11 },
          { condition: "ON_HOLD", qty: 3, reason: "OVER_RECEIPT" },
        ],
      ],
      [null, "UNPLANNED", [{ condition: "ON_HOLD", qty: 2, reason: "UNPLANNED" }]],
    ],
  );
  assert.equal(drafts[0]?.objectId, "PO-1/ASN-1");
  const [{ lines, ...document }] = contents(drafts) as [{ lines: object[]; vendorOrderId: string }];
  assert.equal(document.vendorOrderId, "ASN-1");
  assert.deepEqual(lines, [
    {
      lineNumber: 1,
      sku: "A",
      qtyExpected: 10,
      qtyReceived: 14,
      qtyDamaged: 0,
      qtyOnHold: 3,
      qtyTotal: 14,
      discrepancy: "OVER",
    },
    {
      sku: "X",
      qtyExpected: 0,
      qtyReceived: 2,
      qtyDamaged: 0,
      qtyOnHold: 2,
      qtyTotal: 2,
      batchRef: "B1",
      discrepancy: "UNPLANNED",
    },
  ]);
  assert.deepEqual(await w.stockOf(), ["A GOOD: 11", "A ON_HOLD: 3", "X ON_HOLD B1: 2"]);
  assert.deepEqual(
    (await w.exceptions()).map(({ kind, object_id, summary }) => [kind, object_id, summary]),
    [
      [
        "OVER_RECEIPT",
        "PO-1/ASN-1",
        "Purchase order PO-1/ASN-1, receipt R-1: 3 of SKU A are ON_HOLD, because it exceeds what line 1 allows",
      ],
      [
        "UNPLANNED",
        "PO-1/ASN-1",
        "Purchase order PO-1/ASN-1, receipt R-1: 2 of SKU X are ON_HOLD, because it is not on the order",
      ],
    ],
  );
  await w.assertSound();
});

test("a surplus within the client's tolerance is accepted and published", async () => {
  const w = await intakeWorld("RCV3");
  await w.items(["A"]);
  await w.purchaseOrder("PO-1", [["A", 10]]);
  const within = await w.receive(
    { poNumber: "PO-1", receiptId: "R-1", lines: [{ sku: "A", qty: 15 }] },
    { tolerance: 50 },
  );
  assert.equal(accepted(within).answer.lines[0]?.discrepancy, "OVER");
  assert.deepEqual(await w.stockOf(), ["A GOOD: 15"]);
  assert.deepEqual(await w.exceptions(), []);
});

test("a warehouse closes an order short; missing quantities are reported line by line", async () => {
  const w = await intakeWorld("RCV4");
  await w.items(["A", "B"]);
  await w.purchaseOrder("PO-1", [
    ["A", 10],
    ["B", 5],
  ]);
  const closed = accepted(
    await w.receive({ poNumber: "PO-1", receiptId: "R-1", lines: [{ sku: "A", qty: 4 }], closeOrder: true }),
  );
  assert.deepEqual(topics(closed.events), ["goodsReceipt:received", "purchaseOrder:closed"]);
  assert.equal(closed.answer.status, "CLOSED");
  const [document] = contents(closed.events) as [{ complete: boolean; lines: Record<string, unknown>[] }];
  assert.equal(document.complete, true);
  assert.deepEqual(
    document.lines.map(({ lineNumber, qtyReceived, discrepancy }) => [lineNumber, qtyReceived, discrepancy]),
    [
      [1, 4, "SHORT"],
      [2, 0, "SHORT"],
    ],
  );
  assert.deepEqual(await orderOf(w, "PO-1"), {
    status: "CLOSED",
    isCompleted: false,
    isClosed: true,
    lines: ["1: 4/10, 0 damaged, SHORT", "2: 0/5, 0 damaged, SHORT"],
  });

  const again = await w.receive({ poNumber: "PO-1", receiptId: "R-2", lines: [], closeOrder: true });
  assert.match(refusalOf(again), /^409 Purchase order PO-1: it is CLOSED/);
  const late = await w.receive(
    { poNumber: "PO-1", receiptId: "R-3", lines: [{ sku: "B", qty: 5 }] },
    { at: "2026-12-02T10:00:00.001Z" },
  );
  assert.match(
    refusalOf(late),
    /^409 Purchase order PO-1: it was CLOSED at 2026-11-02T10:00:00.000Z.* 30 days only\.$/,
  );
  const reopened = accepted(
    await w.receive(
      { poNumber: "PO-1", receiptId: "R-3", lines: [{ sku: "B", qty: 5 }] },
      { at: "2026-12-02T10:00:00.000Z" },
    ),
  );
  assert.equal(reopened.answer.status, "RECEIVING");
  assert.deepEqual((await orderOf(w, "PO-1")).lines, ["1: 4/10, 0 damaged, NONE", "2: 5/5, 0 damaged, NONE"]);
  const ended = accepted(await w.receive({ poNumber: "PO-1", receiptId: "R-4", lines: [], closeOrder: true }));
  assert.equal(ended.answer.status, "CLOSED");
  assert.deepEqual(await w.audits("PO-1"), [
    ...["receive", "startReceiving", "close", "receive", "startReceiving", "receive", "close"],
  ]);
  await w.assertSound();
});

test("a wrong receipt is refused with all errors, and writes nothing", async () => {
  const w = await intakeWorld("RCV5");
  await w.items(["A", "B"]);
  await w.items(["KEPT"], { attributes: { CaptureSerial: "true", CaptureExpiry: "true" } });
  await w.purchaseOrder("PO-1", [
    ["A", 10],
    ["B", 5],
    ["KEPT", 2],
  ]);
  const lines = [
    { sku: "NEVER", qty: 1 },
    { sku: "A", qty: 0 },
    { sku: "A", qty: -1 },
    { sku: "A", qty: 1.5 },
    { lineNumber: 9, sku: "A", qty: 1 },
    { lineNumber: 2, sku: "A", qty: 1 },
    { sku: "KEPT", qty: 2, serials: ["S1"] },
  ];
  assert.equal(
    refusalOf(await w.receive({ poNumber: "PO-1", receiptId: "R-1", lines })),
    [
      "422 lines[1]: the quantity 0 is not above 0 with at most 3 fraction digits.",
      "lines[2]: the quantity -1 is not above 0 with at most 3 fraction digits.",
      "lines[0]: SKU NEVER is not known; send it with a CAT first.",
      "lines[3]: 1.5 of SKU A is not a whole number of EA.",
      "lines[4]: line 9 is not on purchase order PO-1.",
      "lines[5]: line 2 of purchase order PO-1 is SKU B, not A.",
      "lines[6]: SKU KEPT is kept by expiry date: send its expiryDate.",
      "lines[6]: SKU KEPT is kept by serial number: send as many serials as the quantity 2, there are 1.",
    ].join(" "),
  );
  assert.deepEqual(await w.stockOf(), []);
  assert.equal((await orderOf(w, "PO-1")).status, "OPEN");
  assert.deepEqual(await w.audits("PO-1"), []);

  const good = { lines: [{ sku: "A", qty: 1 }] };
  const unknown = await w.receive({ poNumber: "PO-9", receiptId: "R-1", ...good });
  assert.equal(refusalOf(unknown), "404 The client has no purchase order PO-9 at facility DC1.");
  const elsewhere = await w.receive({ poNumber: "PO-1", receiptId: "R-1", ...good }, { facilityCode: "DC2" });
  assert.equal(refusalOf(elsewhere), "404 The client has no purchase order PO-1 at facility DC2.");
  const notice = await w.receive({ poNumber: "PO-1", vendorOrderId: "ASN-9", receiptId: "R-1", ...good });
  assert.equal(
    refusalOf(notice),
    "404 The client has no purchase order PO-1 with vendorOrderId ASN-9 at facility DC1.",
  );
  const other = await intakeWorld("RCV5B");
  assert.match(refusalOf(await other.receive({ poNumber: "PO-1", receiptId: "R-1", ...good })), /^404 /);
  const empty = await w.receive({ poNumber: "PO-1", receiptId: "R-1", lines: [] });
  assert.equal(refusalOf(empty), "409 Purchase order PO-1: the receipt has no lines.");
  const closing = await w.receive({ poNumber: "PO-1", receiptId: "R-1", lines: [], closeOrder: true });
  assert.match(refusalOf(closing), /it is OPEN; only an order in receipt can be closed without goods\.$/);

  await w.query(
    sql`update purchase_order set status = 'CANCELLED' where client_id = ${tenant} and po_number = 'PO-1' returning status`,
  );
  const cancelled = await w.receive({ poNumber: "PO-1", receiptId: "R-1", lines: [], closeOrder: true });
  assert.match(refusalOf(cancelled), /it is CANCELLED; only an order in receipt can be closed without goods\.$/);
  await w.assertSound();
});

test("receipts of one order at once are booked one after the other", async () => {
  const w = await intakeWorld("RCV10");
  await w.items(["A"]);
  await w.purchaseOrder("PO-1", [["A", 10]]);
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      w.receive({ poNumber: "PO-1", receiptId: `R-${i}`, lines: [{ sku: "A", qty: 2 }] }),
    ),
  );
  const drafts = results.flatMap((result) => accepted(result).events);
  assert.equal(contents(drafts).length, 8);
  assert.equal(topics(drafts).filter((topic) => topic === "purchaseOrder:received").length, 1);
  assert.deepEqual(await w.stockOf(), ["A GOOD: 11", "A ON_HOLD: 5"]);
  assert.deepEqual((await orderOf(w, "PO-1")).lines, ["1: 16/10, 0 damaged, OVER"]);
  await w.assertSound();
});
