// feeds.md §4, RMA; §2 [UNKNOWN_ORDER].
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import {
  attributes,
  authorisation,
  cancelOrder,
  catalogue,
  order,
  type Parts,
} from "../../support/builders/documents.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const other = await server.onboard("OTHER");
await demo.accept("CAT", catalogue("DEMO", ["A", { sku: "C", extendedAttributes: attributes({ "Uom.CS": 12 }) }]));
await other.accept("CAT", catalogue("OTHER", ["A"]));
await demo.accept("NO", order("DEMO", "1001", ["A"], { externalOrderReference: "SHOP-1" }));
await demo.accept("NO", order("DEMO", "SHOP-2", ["A"], { externalOrderReference: "SHOP-1" }));
await demo.accept("NO", order("DEMO", "1003", ["A"], { externalOrderReference: "SHOP-2" }));
await other.accept("NO", order("OTHER", "THEIRS", ["A"], { externalOrderReference: "THEIRS-TOO" }));

const rma = (rmaNumber: string, more: Parts = {}, lines: readonly (string | Parts)[] = ["A"]) =>
  authorisation("DEMO", rmaNumber, lines, more);

async function orderOf(rmaNumber: string): Promise<unknown> {
  const rows = await server.rows<{ order_id: string }>(
    "select order_id from return_authorisation where client_id = 'DEMO' and rma_number = $1",
    rmaNumber,
  );
  return rows[0]?.order_id;
}

test("a return is stored with its lines in the stock unit", async () => {
  await demo.accept(
    "RMA",
    rma("R-1", { creationTimeStamp: "2026-11-09T16:30:00Z" }, [
      { sku: "C", quantityReturned: 2, qtyUom: "CS", returnReasonCode: "DAMAGED", attributeOne: "Handle broken" },
      "A",
    ]),
  );
  const rows = await server.rows<{ n: number; qty: string; reason: string }>(
    "select line_number as n, qty_expected as qty, return_reason_code as reason from return_authorisation_line where rma_number = 'R-1' order by 1",
  );
  assert.deepEqual(
    rows.map(({ n, qty, reason }) => [n, Number(qty), reason]),
    [
      [1, 24, "DAMAGED"],
      [2, 1, null],
    ],
  );
  assert.equal(await orderOf("R-1"), null);
});

test("an rmaNumber that exists is refused with any settings of the client", async () => {
  const { token } = await demo.accept("RMA", rma("R-2"));
  const { receivedAt } = await demo.status(token);
  const sentence = (bytes: string) =>
    `[DUPLICATE] Return R-2 exists already: received as document ${token} at ${receivedAt}; its bytes are ${bytes}`;
  await demo.refuse("RMA", rma("R-2"), sentence("identical"));
  await demo.refuse("RMA", rma("R-2", {}, ["C"]), sentence("different"));
  await demo.set({ identicalResend: "REPLAY" });
  await demo.refuse("RMA", rma("R-2"), sentence("identical"));
  await demo.accept("RMA", rma("r-2"));
  await other.accept("RMA", authorisation("OTHER", "R-2", ["A"]));
});

test("orderReference is an orderId, else an externalOrderReference, of the same client", async () => {
  const cases = [
    ["1001", "1001"],
    ["SHOP-2", "SHOP-2"],
  ] as const;
  for (const [orderReference, orderId] of cases) {
    await demo.accept("RMA", rma(`BY-${orderReference}`, { orderReference }));
    assert.equal(await orderOf(`BY-${orderReference}`), orderId, "an orderId goes before a reference of the same text");
  }
  await demo.accept("RMA", rma("BY-SHOP-1", { orderReference: "SHOP-1" }));
  assert.ok(["1001", "SHOP-2"].includes((await orderOf("BY-SHOP-1")) as string));
});

test("an orderReference that is unknown is refused, and taken once the order is there", async () => {
  const unknown = (reference: string) => `[UNKNOWN_ORDER] orderReference '${reference}' is not an order of client DEMO`;
  for (const reference of ["THEIRS", "THEIRS-TOO", "shop-1", "%"]) {
    const answer = await demo.refuse("RMA", rma("R-4", { orderReference: reference }), unknown(reference));
    assert.equal(answer.objectId, "R-4");
  }
  await demo.refuse("RMA", rma("R-4", { orderReference: "1004" }), unknown("1004"));
  await demo.accept("NO", order("DEMO", "1004", ["A"]));
  await demo.accept("RMA", rma("R-4", { orderReference: "1004" }));
  await demo.accept("RMA", rma("R-4B", { orderReference: "" }));
});

test("a return of a cancelled order is accepted", async () => {
  await demo.accept("NO", order("DEMO", "1005", ["A"]));
  await demo.accept("NO", cancelOrder("DEMO", "1005"));
  await demo.accept("RMA", rma("R-5", { orderReference: "1005" }));
});

test("more than was despatched is a warning, shown by the status call", async () => {
  const { token } = await demo.accept(
    "NO",
    order("DEMO", "1006", [
      { sku: "A", qty: 3 },
      { sku: "C", qty: 12 },
    ]),
  );
  // The allocation has finished, and does not interfere.
  await demo.becomes(token, "PROCESSED");
  const all = "qty_despatched = qty_ordered, qty_open = 0, qty_backordered = 0";
  await server.rows(`update sales_order_line set ${all} where order_id = '1006'`);
  const fitting = [
    { sku: "A", quantityReturned: 2 },
    { sku: "A", quantityReturned: 1 },
  ];
  const exact = await demo.accept("RMA", rma("R-6", { orderReference: "1006" }, fitting));
  assert.deepEqual((await demo.outcome(exact.token)).warnings, []);
  const more = [
    { sku: "A", quantityReturned: 2 },
    { sku: "A", quantityReturned: 2 },
    { sku: "C", quantityReturned: 1, qtyUom: "CS" },
  ];
  const above = await demo.accept("RMA", rma("R-7", { orderReference: "1006" }, more));
  assert.deepEqual((await demo.outcome(above.token)).warnings, [
    "[OVER_RETURN] 4 of SKU A are announced, 3 were despatched with order 1006",
  ]);
});

test("facility, SKUs, units and line numbers are judged as in the other feeds", async () => {
  const wrong = [
    { sku: "X", lineNumber: 7 },
    { sku: "A", lineNumber: 7, qtyUom: "CS" },
    { sku: "A", quantityReturned: "0.5" },
  ];
  const answer = await demo.refuse(
    "RMA",
    rma("R-8", { distributionCentre: "DC3" }, wrong),
    "[FACILITY] distributionCentre 'DC3' is unknown or not open to client DEMO",
    "[VALUE] line[2]/lineNumber: '7' is used more than once",
    "[VALUE] line[2]/qtyUom: 'CS' is not a unit of SKU A; allowed: EA",
    "[VALUE] line[3]/quantityReturned: '0.5' is not a whole number of EA",
    "[UNKNOWN_SKU] The request references unknown SKUs: X",
  );
  assert.deepEqual([answer.missingSkus, answer.objectId], [["X"], "R-8"]);
  await demo.accept("CAT", catalogue("DEMO", ["X"]));
  await demo.accept("RMA", rma("R-8", {}, ["X", "A"]));
});
