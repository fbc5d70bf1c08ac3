// feeds.md §4, PO.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ssccOf } from "#/modules/parcels/sscc.ts";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue, type Parts, purchaseOrder } from "../../support/builders/documents.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
await demo.accept("CAT", catalogue("DEMO", ["A", "B", { sku: "C", extendedAttributes: attributes({ "Uom.CS": 12 }) }]));

const po = (poNumber: string, lines: readonly (string | Parts)[], more: Parts = {}) =>
  purchaseOrder("DEMO", poNumber, lines, more);
const update = (poNumber: string, lines: readonly (string | Parts)[], more: Parts = {}) =>
  po(poNumber, lines, { actionType: "UPDATE", ...more });
const cancel = (poNumber: string, more: Parts = {}) => po(poNumber, [], { actionType: "CANCEL", ...more });
const revision = (value: string | number): Parts => ({ extendedAttributes: attributes({ Revision: value }) });

interface StoredOrder {
  readonly vendor_order_id: string;
  readonly status: string;
  readonly distribution_centre: string;
  readonly revision: string | null;
}

const ordersOf = (poNumber: string) =>
  server.rows<StoredOrder>(
    "select vendor_order_id, status, distribution_centre, revision from purchase_order where po_number = $1 order by vendor_order_id",
    poNumber,
  );

async function linesOf(poNumber: string, vendorOrderId = ""): Promise<unknown[][]> {
  const rows = await server.rows<Record<string, unknown>>(
    "select line_number, sku, qty, feed_qty, feed_uom from purchase_order_line where po_number = $1 and vendor_order_id = $2 order by 1",
    poNumber,
    vendorOrderId,
  );
  return rows.map((row) => [row.line_number, row.sku, Number(row.qty), Number(row.feed_qty), row.feed_uom]);
}

/** Does what a warehouse's receipt does. */
async function receive(poNumber: string, lineNumber: number, qty: number, status = "RECEIVING"): Promise<void> {
  await server.rows(
    "update purchase_order_line set qty_received = $3 where po_number = $1 and line_number = $2",
    poNumber,
    lineNumber,
    qty,
  );
  await server.rows("update purchase_order set status = $2 where po_number = $1", poNumber, status);
}

test("a purchase order is stored with its lines in the stock unit; one that exists is refused", async () => {
  const document = po("PO-1", ["A", { sku: "C", qty: 2, qtyUom: "CS" }]);
  const { token } = await demo.accept("PO", document);
  assert.deepEqual(await linesOf("PO-1"), [
    [1, "A", 1, 1, null],
    [2, "C", 24, 2, "CS"],
  ]);
  const { receivedAt } = await demo.status(token);
  const first = `received as document ${token} at ${receivedAt}`;
  await demo.refuse(
    "PO",
    document,
    `[DUPLICATE] Purchase order PO-1 exists already: ${first}; its bytes are identical`,
  );
  await demo.refuse(
    "PO",
    po("PO-1", ["B"]),
    `[DUPLICATE] Purchase order PO-1 exists already: ${first}; its bytes are different`,
  );
  await demo.accept("PO", po("po-1", ["A"]));
});

test("several shipping notices of one order are several purchase orders", async () => {
  await demo.accept("PO", po("PO-2", ["A"], { vendorOrderId: "ASN-1" }));
  await demo.accept("PO", po("PO-2", ["B"], { vendorOrderId: "ASN-2" }));
  await demo.accept("PO", po("PO-2", ["A", "B"]));
  assert.deepEqual(
    (await ordersOf("PO-2")).map(({ vendor_order_id }) => vendor_order_id),
    ["", "ASN-1", "ASN-2"],
  );
  const twice = await demo.send("PO", po("PO-2", ["A"], { vendorOrderId: "ASN-2" }));
  assert.match(twice.errors[0] as string, /^\[DUPLICATE\] Purchase order PO-2 with vendorOrderId ASN-2 exists already/);
});

test("an UPDATE replaces header and lines", async () => {
  await demo.accept("PO", po("PO-3", ["A", "B", "C"]));
  const lines = [
    { sku: "C", lineNumber: 3, qty: 5 },
    { sku: "A", lineNumber: 4 },
    { sku: "B", lineNumber: 1 },
  ];
  await demo.accept("PO", update("PO-3", lines, { distributionCentre: "DC2" }));
  assert.deepEqual(await linesOf("PO-3"), [
    [1, "B", 1, 1, null],
    [3, "C", 5, 5, null],
    [4, "A", 1, 1, null],
  ]);
  assert.equal((await ordersOf("PO-3"))[0]?.distribution_centre, "DC2");
});

test("UPDATE and CANCEL of an unknown order are refused until a NEW", async () => {
  await demo.refuse("PO", update("PO-4", ["A"]), "[NOT_FOUND] UPDATE: purchase order PO-4 is not known");
  await demo.refuse("PO", cancel("PO-4"), "[NOT_FOUND] CANCEL: purchase order PO-4 is not known");
  const named = "[NOT_FOUND] CANCEL: purchase order PO-4 with vendorOrderId ASN-9 is not known";
  await demo.refuse("PO", cancel("PO-4", { vendorOrderId: "ASN-9" }), named);
  await demo.accept("PO", po("PO-4", ["A"]));
  await demo.accept("PO", update("PO-4", ["B"]));
  await demo.accept("PO", cancel("PO-4"));
  assert.equal((await ordersOf("PO-4"))[0]?.status, "CANCELLED");
});

test("vendorOrderId may be left out of UPDATE and CANCEL while only one exists", async () => {
  await demo.accept("PO", po("PO-5", ["A"], { vendorOrderId: "ASN-1" }));
  await demo.accept("PO", update("PO-5", ["B"]));
  assert.deepEqual(await linesOf("PO-5", "ASN-1"), [[1, "B", 1, 1, null]]);
  await demo.accept("PO", po("PO-5", ["A"], { vendorOrderId: "ASN-2" }));
  const several = (action: string) =>
    `[VALUE] vendorOrderId: required for ${action}, because purchase order PO-5 has several: ASN-1, ASN-2`;
  await demo.refuse("PO", update("PO-5", ["A"]), several("UPDATE"));
  await demo.refuse("PO", cancel("PO-5"), several("CANCEL"));
  await demo.accept("PO", cancel("PO-5", { vendorOrderId: "ASN-1" }));
  assert.deepEqual(
    (await ordersOf("PO-5")).map(({ status }) => status),
    ["CANCELLED", "OPEN"],
  );
});

test("no line of an UPDATE falls below what was received; each line concerned is named", async () => {
  await demo.accept(
    "PO",
    po("PO-6", [
      { sku: "A", qty: 10 },
      { sku: "B", qty: 10 },
      { sku: "C", qty: 10 },
    ]),
  );
  for (const line of [1, 2, 3]) await receive("PO-6", line, 4);
  const says = (what: string) => `[STATE] Purchase order PO-6: UPDATE ${what}`;
  await demo.refuse(
    "PO",
    update("PO-6", [
      { sku: "A", qty: 3 },
      { sku: "A", qty: 10 },
    ]),
    says("asks for 3 in line 1: 4 of SKU A were received"),
    says("changes the SKU of line 2: 4 of SKU B were received"),
    says("leaves out line 3: 4 of SKU C were received"),
  );
  assert.equal((await linesOf("PO-6"))[0]?.[2], 10);
  await demo.accept("PO", update("PO-6", [{ sku: "A", qty: 4 }, { sku: "B", qty: 5 }, { sku: "C", qty: 4 }, "A"]));
  const received = await server.rows("select from purchase_order_line where po_number = 'PO-6' and qty_received = 4");
  assert.equal(received.length, 3, "what was received stays");
});

test("a CANCEL is taken before any receipt only, and nothing after it", async () => {
  await demo.accept("PO", po("PO-7", [{ sku: "A", qty: 10 }]));
  await receive("PO-7", 1, 1);
  const received = "[STATE] Purchase order PO-7: CANCEL is not allowed in state RECEIVING: goods were received";
  await demo.refuse("PO", cancel("PO-7"), received);
  await receive("PO-7", 1, 0, "OPEN");
  await demo.accept("PO", cancel("PO-7"));
  const over = (action: string) => `[STATE] Purchase order PO-7: ${action} is not allowed in state CANCELLED`;
  await demo.refuse("PO", cancel("PO-7"), over("CANCEL"));
  await demo.refuse("PO", update("PO-7", ["A"]), over("UPDATE"));
  const again = await demo.send("PO", po("PO-7", ["A"]));
  assert.match(again.errors[0] as string, /^\[DUPLICATE\] Purchase order PO-7/);
});

test("a Revision that is not above the stored one is stale", async () => {
  await demo.accept("PO", po("PO-8", ["A"], revision(3)));
  const stale = (revision: number, stored: number) =>
    `[STALE] Purchase order PO-8: Revision ${revision} is not above the stored Revision ${stored}`;
  await demo.refuse("PO", update("PO-8", ["B"], revision(3)), stale(3, 3));
  await demo.refuse("PO", update("PO-8", ["B"], revision(2)), stale(2, 3));
  await demo.accept("PO", update("PO-8", ["B"], revision(10)));
  await demo.refuse("PO", cancel("PO-8", revision(9)), stale(9, 10));
  await demo.accept("PO", update("PO-8", ["A"]));
  assert.equal(Number((await ordersOf("PO-8"))[0]?.revision), 10, "an UPDATE without one keeps what is stored");
  await demo.accept("PO", cancel("PO-8", revision(11)));
  const path = "extendedAttributes/attribute[@name='Revision']";
  for (const text of ["1.5", "-1", "new"])
    await demo.refuse(
      "PO",
      po("PO-9", ["A"], revision(text)),
      `[VALUE] ${path}: '${text}' is not a whole number, 0 or above`,
    );
});

test("a facility that is unknown or not open to the client is refused", async () => {
  const closed = await server.onboard("CLOSED", { facilities: ["DC3"] });
  await closed.accept("CAT", catalogue("CLOSED", ["A"]));
  const sentence = (code: string, client: string) =>
    `[FACILITY] distributionCentre '${code}' is unknown or not open to client ${client}`;
  await demo.refuse("PO", po("PO-10", ["A"], { distributionCentre: "DC3" }), sentence("DC3", "DEMO"));
  await demo.refuse("PO", po("PO-10", ["A"], { distributionCentre: "NOWHERE" }), sentence("NOWHERE", "DEMO"));
  await demo.refuse("PO", po("PO-10", ["A"], { distributionCentre: "dc1" }), sentence("dc1", "DEMO"));
  await closed.refuse("PO", purchaseOrder("CLOSED", "PO-10", ["A"]), sentence("DC1", "CLOSED"));
  await closed.accept("PO", purchaseOrder("CLOSED", "PO-10", ["A"], { distributionCentre: "DC3" }));
  await demo.accept("PO", po("PO-10", ["A"]));
});

test("line numbers are unique in a document", async () => {
  const lines = ["A", { sku: "B", lineNumber: 1 }, { sku: "C", lineNumber: "001" }];
  await demo.refuse(
    "PO",
    po("PO-11", lines),
    "[VALUE] lines/line[2]/lineNumber: '1' is used more than once",
    "[VALUE] lines/line[3]/lineNumber: '1' is used more than once",
  );
  await demo.accept("PO", po("PO-11", ["A", "B", "C"]));
});

test("unknown SKUs are refused, also in an UPDATE; only those of the same client count", async () => {
  const other = await server.onboard("OTHER");
  await other.accept("CAT", catalogue("OTHER", ["X"]));
  const unknown = "[UNKNOWN_SKU] The request references unknown SKUs: X";
  const { missingSkus, objectId } = await demo.refuse("PO", po("PO-12", ["X", "A"]), unknown);
  assert.deepEqual([missingSkus, objectId], [["X"], "PO-12"]);
  await demo.accept("PO", po("PO-12", ["A"]));
  await demo.refuse("PO", update("PO-12", ["A", "X"]), unknown);
  await demo.accept("CAT", catalogue("DEMO", ["X"]));
  await demo.accept("PO", update("PO-12", ["A", "X"]));
});

test("a CANCEL needs no lines, and none that it names is looked at", async () => {
  await demo.accept("PO", po("PO-13", ["A"]));
  await demo.accept("PO", po("PO-13", [{ sku: "NEVER", qtyUom: "PAL" }], { actionType: "CANCEL" }));
});

test("an unknown SKU is answered with the known one that differs by case or a hyphen", async () => {
  await demo.accept("CAT", catalogue("DEMO", ["Tee-M", "MUG330"]));
  const skus = ["tee-m", "MUG-330", "NONE"];
  const { missingSkus } = await demo.refuse(
    "PO",
    purchaseOrder("DEMO", "SPELT", skus),
    "[UNKNOWN_SKU] The request references unknown SKUs: tee-m, MUG-330, NONE; similar known SKUs: Tee-M for tee-m, MUG330 for MUG-330",
  );
  assert.deepEqual(missingSkus, skus);
});

interface Content {
  readonly lineNumber?: number;
  readonly sku?: string;
  readonly qty: number;
  readonly qtyUom?: string;
}

const carton = (serial: number, lines: readonly Content[] = []): Parts => ({
  sscc: ssccOf("4012345", serial),
  lines: { line: lines as unknown as Parts[] },
});
const withCartons = (cartons: readonly Parts[], more: Parts = {}): Parts => ({ ...more, cartons: { carton: cartons } });
const cartonsOf = async (poNumber: string) =>
  (
    await server.rows<{ sscc: string; lines: { lineNumber: number | null; sku: string; qty: number }[] }>(
      "select sscc, lines from purchase_order_carton where po_number = $1 order by sscc",
      poNumber,
    )
  ).map(({ sscc, lines }) => [sscc, lines.map(({ lineNumber, sku, qty }) => [lineNumber, sku, qty])]);

test("cartons are stored with their content in stock units; an UPDATE replaces them", async () => {
  const lines = ["A", { sku: "C", qty: 2, qtyUom: "CS" }];
  await demo.accept(
    "PO",
    po(
      "PO-C1",
      lines,
      withCartons(
        [
          carton(1, [{ lineNumber: 2, qty: 1 }]),
          carton(2, [
            { sku: "C", qty: 12, qtyUom: "EA" },
            { sku: "A", qty: 1 },
          ]),
        ],
        {
          expectedDate: "2026-11-20",
          extendedAttributes: attributes({ ExpectedDate: "next week" }),
        },
      ),
    ),
  );
  assert.deepEqual(await cartonsOf("PO-C1"), [
    [ssccOf("4012345", 1), [[2, "C", 12]]],
    [
      ssccOf("4012345", 2),
      [
        [null, "C", 12],
        [null, "A", 1],
      ],
    ],
  ]);
  const [{ day } = { day: "" }] = await server.rows<{ day: string }>(
    "select extended_attributes ->> 'ExpectedDate' as day from purchase_order where po_number = 'PO-C1'",
  );
  assert.equal(day, "2026-11-20");
  await demo.accept("PO", update("PO-C1", lines, withCartons([carton(2), carton(3)])));
  assert.deepEqual(await cartonsOf("PO-C1"), [
    [ssccOf("4012345", 2), []],
    [ssccOf("4012345", 3), []],
  ]);
  await demo.accept("PO", update("PO-C1", lines));
  assert.deepEqual(await cartonsOf("PO-C1"), []);
});

test("a carton that cannot be is refused with its place", async () => {
  const refused = async (
    cartons: readonly Parts[],
    message: RegExp,
    lines: readonly (string | Parts)[] = ["A", "B"],
  ) => {
    const { errors } = await demo.send("PO", po("PO-C9", lines, withCartons(cartons)));
    assert.equal(errors.length, 1, JSON.stringify(errors));
    assert.match(errors[0] as string, message);
  };
  await refused([carton(11), carton(11)], /^\[VALUE\] cartons\/carton\[2\]\/sscc: '0\d{17}' is used more than once$/);
  await refused([{ sscc: "040123450000000017" }], /^\[VALUE\] cartons\/carton\/sscc: .* its check digit is wrong$/);
  await refused(
    [{ sscc: "12" }],
    /^\[XSD\].*cartons\/carton\/sscc: '12' is not a valid carton number: an SSCC of 18 digits/,
  );
  const content = /cartons\/carton\/lines\/line/;
  await refused(
    [carton(11, [{ lineNumber: 7, qty: 1 }])],
    new RegExp(`${content.source}/lineNumber: '7' is not a line of the document`),
  );
  await refused(
    [carton(11, [{ sku: "C", qty: 1 }])],
    new RegExp(`${content.source}/sku: 'C' is on no line of the document`),
  );
  await refused([carton(11, [{ lineNumber: 1, sku: "B", qty: 1 }])], /'B' is not the SKU of line 1, which is A$/);
  await refused([carton(11, [{ qty: 1 }])], /has neither lineNumber nor sku$/);
  await refused([carton(11, [{ lineNumber: 1, qty: 0.5 }])], /'0.5' is not a whole number of EA$/);
  await refused(
    [carton(11, [{ lineNumber: 1, qty: 1 }]), carton(12, [{ lineNumber: 1, qty: 1 }])],
    /carton\[2\]\/lines\/line\/qty: '1' is too much: the cartons would hold 2 of line 1, which orders 1$/,
  );
  await refused(
    [
      carton(11, [
        { lineNumber: 1, qty: 3 },
        { sku: "A", qty: 3 },
      ]),
    ],
    /'3' is too much: the cartons would hold 6 of SKU A, which orders 5$/,
    [
      { sku: "A", qty: 3 },
      { sku: "A", qty: 2 },
    ],
  );
});

test("a carton is announced by one open purchase order at a time", async () => {
  await demo.accept("PO", po("PO-C2", ["A"], withCartons([carton(21)])));
  const elsewhere = `[VALUE] cartons/carton/sscc: '${ssccOf("4012345", 21)}' is of purchase order PO-C2, which expects it`;
  await demo.refuse("PO", po("PO-C3", ["A"], withCartons([carton(21)])), elsewhere);
  await demo.refuse("PO", po("PO-C2", ["A"], withCartons([carton(21)], { vendorOrderId: "V-1" })), elsewhere);
  await demo.accept("PO", update("PO-C2", ["A"], withCartons([carton(21)])));
  const other = await server.onboard("THIRD");
  await other.accept("CAT", catalogue("THIRD", ["A"]));
  await other.accept("PO", purchaseOrder("THIRD", "PO-C3", ["A"], withCartons([carton(21)])));
  await demo.accept("PO", cancel("PO-C2"));
  await demo.accept("PO", po("PO-C3", ["A"], withCartons([carton(21)])));
});
