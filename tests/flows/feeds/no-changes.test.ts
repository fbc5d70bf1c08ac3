// feeds.md §4, NO: UPDATE and CANCEL; §2 [NOT_FOUND], [STATE], [STALE].
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { attributes, cancelOrder, catalogue, leeds, order, type Parts } from "../../support/builders/documents.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
await demo.accept("CAT", catalogue("DEMO", ["A", "B"]));

const no = (orderId: string, lines: readonly (string | Parts)[], more: Parts = {}) =>
  order("DEMO", orderId, lines, more);
const update = (orderId: string, lines: readonly (string | Parts)[], more: Parts = {}) =>
  no(orderId, lines, { actionType: "UPDATE", ...more });
const cancel = (orderId: string, more: Parts = {}) => cancelOrder("DEMO", orderId, more);
const revision = (value: string | number): Parts => ({ extendedAttributes: attributes({ Revision: value }) });

interface Shown {
  readonly status: string;
  readonly lines: Record<string, unknown>[];
  readonly holds: { type: string }[];
  readonly shipToAddress: Record<string, unknown>;
  readonly distributionCentre: string;
  readonly receivedAt: string;
  readonly version: number;
}

const shown = async (orderId: string) => (await demo.order(orderId)) as unknown as Shown;

test("an UPDATE replaces what the order said before and keeps its receipt", async () => {
  await demo.accept("NO", no("1001", ["A", "B"], { shippingMethod: "EXPRESS", distributionCentre: "DC2" }));
  const before = await shown("1001");
  const lines = [
    { sku: "B", lineNumber: 2, qty: 5 },
    { sku: "A", lineNumber: 7 },
  ];
  await demo.accept("NO", update("1001", lines, { shipToAddress: { ...leeds, zip: "LS2 7EY" } }));
  const after = await shown("1001");
  assert.deepEqual(
    // Before or after the allocation attempt: a line without stock waits.
    after.lines.map((line) => [
      line.lineNumber,
      line.sku,
      line.qtyOrdered,
      Number(line.qtyOpen) + Number(line.qtyBackordered),
    ]),
    [
      [2, "B", 5, 5],
      [7, "A", 1, 1],
    ],
  );
  assert.deepEqual(
    [after.shipToAddress.zip, after.receivedAt, (after as unknown as Parts).shippingMethod],
    ["LS2 7EY", before.receivedAt, null],
  );
  assert.ok(after.version > before.version);
  assert.equal(after.distributionCentre, "DC2", "a routed order stays where it is");
});

test("UPDATE and CANCEL of an unknown order are refused; sent as NEW it is taken", async () => {
  await demo.refuse("NO", update("1002", ["A"]), "[NOT_FOUND] UPDATE: order 1002 is not known");
  const answer = await demo.refuse("NO", cancel("1002"), "[NOT_FOUND] CANCEL: order 1002 is not known");
  assert.equal(answer.objectId, "1002");
  await demo.accept("NO", no("1002", ["A"]));
  await demo.accept("NO", update("1002", ["B"]));
  await demo.accept("NO", cancel("1002"));
  const other = await server.onboard("OTHER");
  await other.refuse("NO", cancelOrder("OTHER", "1002"), "[NOT_FOUND] CANCEL: order 1002 is not known");
});

test("a CANCEL cancels every line; after it nothing can be changed, nor the orderId used again", async () => {
  await demo.accept("NO", no("1003", ["A", "B"]));
  await demo.accept("NO", cancel("1003"));
  const { status, lines } = await shown("1003");
  assert.equal(status, "CANCELLED");
  for (const line of lines) assert.deepEqual([line.status, line.qtyOpen, line.qtyCancelled], ["CANCELLED", 0, 1]);
  const over = (action: string) => `[STATE] Order 1003: ${action} is not allowed in state CANCELLED`;
  await demo.refuse("NO", cancel("1003"), over("CANCEL"));
  await demo.refuse("NO", update("1003", ["A"]), over("UPDATE"));
  const again = await demo.send("NO", no("1003", ["A"]));
  assert.match(again.errors[0] as string, /^\[DUPLICATE\] Order 1003 exists already/);
});

test("an UPDATE is validated like a NEW, and a refused one changes nothing", async () => {
  const { token } = await demo.accept("NO", no("1004", ["A"]));
  await demo.becomes(token, "PROCESSED");
  const before = await shown("1004");
  const wrong: [Parts[], Parts, RegExp][] = [
    [[{ sku: "X" }], {}, /^\[UNKNOWN_SKU\]/],
    [[{ sku: "A", qty: "0.5" }], {}, /^\[VALUE\]/],
    [[{ sku: "A" }], { shipToAddress: { ...leeds, zip: "1" } }, /^\[POSTCODE\]/],
    [[{ sku: "A" }], { distributionCentre: "DC3" }, /^\[FACILITY\]/],
  ];
  for (const [lines, more, says] of wrong) await demo.refuse("NO", update("1004", lines, more), says);
  assert.deepEqual(await shown("1004"), before);
  await demo.accept("NO", update("1004", ["A", "B"]));
});

test("doNotShip is a hold until an UPDATE clears it", async () => {
  await demo.accept("NO", no("1005", ["A"], { doNotShip: 1 }));
  assert.equal((await shown("1005")).status, "ON_HOLD");
  await demo.accept("NO", update("1005", ["A", "B"], { doNotShip: 1 }));
  assert.deepEqual(
    (await shown("1005")).holds.map(({ type }) => type),
    ["DO_NOT_SHIP"],
  );
  const { token } = await demo.accept("NO", update("1005", ["A"], { doNotShip: 0 }));
  await demo.becomes(token, "PROCESSED");
  const { status, holds } = await shown("1005");
  assert.deepEqual([status, holds], ["BACKORDERED", []]);
  await demo.accept("NO", update("1005", ["A"], { doNotShip: "true" }));
  const held = await demo.accept("NO", cancel("1005"));
  await demo.becomes(held.token, "PROCESSED");
  const topics = await server.rows<{ topic: string }>(
    "select topic from event where client_id = 'DEMO' and object_id = '1005' and topic like 'order:%' order by position",
  );
  assert.deepEqual(
    topics.map(({ topic }) => topic),
    [
      ...["order:received", "order:held", "order:updated", "order:updated", "order:released"],
      "order:backordered",
      ...["order:updated", "order:held", "order:cancelled"],
    ],
  );
});

test("a hold that is not the feed's stays through an UPDATE", async () => {
  const { token } = await demo.accept("NO", no("1006", ["A"]));
  // The allocation has finished, and does not interfere.
  await demo.becomes(token, "PROCESSED");
  const hold = JSON.stringify([{ type: "HAZMAT_REVIEW", reason: "lithium", since: "2026-11-02T09:00:00Z", by: "op" }]);
  await server.rows("update sales_order set holds = $1::jsonb, status = 'ON_HOLD' where order_id = '1006'", hold);
  await demo.accept("NO", update("1006", ["B"], { doNotShip: 0 }));
  const { status, holds } = await shown("1006");
  assert.deepEqual([status, holds.map(({ type }) => type)], ["ON_HOLD", ["HAZMAT_REVIEW"]]);
});

test("a Revision that is not above the stored one is stale", async () => {
  await demo.accept("NO", no("1007", ["A"], revision(7)));
  const stale = (revision: number, stored: number) =>
    `[STALE] Order 1007: Revision ${revision} is not above the stored Revision ${stored}`;
  await demo.refuse("NO", update("1007", ["B"], revision(7)), stale(7, 7));
  await demo.refuse("NO", update("1007", ["B"], revision(6)), stale(6, 7));
  await demo.accept("NO", update("1007", ["B"], revision(10)));
  await demo.refuse("NO", update("1007", ["A"], revision(9)), stale(9, 10));
  await demo.accept("NO", update("1007", ["A"]));
  await demo.refuse("NO", cancel("1007", revision(10)), stale(10, 10));
  await demo.accept("NO", cancel("1007", revision(11)));
  await demo.refuse(
    "NO",
    no("1008", ["A"], revision("latest")),
    "[VALUE] extendedAttributes/attribute[@name='Revision']: 'latest' is not a whole number, 0 or above",
  );
});

test("a despatched order can be neither changed nor cancelled, and the error names the RMA", async () => {
  const { token } = await demo.accept("NO", no("1009", ["A", { sku: "B", qty: 2 }]));
  await demo.becomes(token, "PROCESSED");
  const all = "qty_despatched = qty_ordered, qty_open = 0, qty_backordered = 0";
  await server.rows(`update sales_order_line set ${all} where order_id = '1009'`);
  await server.rows("update sales_order set status = 'DESPATCHED' where order_id = '1009'");
  for (const [action, document] of [
    ["UPDATE", update("1009", ["A"])],
    ["CANCEL", cancel("1009")],
  ] as const) {
    const answer = await demo.send("NO", document);
    assert.equal(answer.errors.length, 1);
    assert.match(
      answer.errors[0] as string,
      new RegExp(`^\\[STATE\\] Order 1009: ${action} is not allowed in state DESPATCHED: .*lines? 1.*2.*RMA`),
    );
  }
});

test("of a partly despatched order a CANCEL cancels the rest", async () => {
  const { token } = await demo.accept(
    "NO",
    no("1010", [
      { sku: "A", qty: 3 },
      { sku: "B", qty: 2 },
    ]),
  );
  await demo.becomes(token, "PROCESSED");
  const part = "qty_despatched = 1, qty_open = 2, qty_backordered = 0";
  await server.rows(`update sales_order_line set ${part} where order_id = '1010' and line_number = 1`);
  await server.rows("update sales_order set status = 'PARTIALLY_DESPATCHED' where order_id = '1010'");
  await demo.accept("NO", cancel("1010"));
  const { status, lines } = await shown("1010");
  assert.deepEqual(
    [status, ...lines.map(({ qtyOpen, qtyDespatched, qtyCancelled }) => [qtyOpen, qtyDespatched, qtyCancelled])],
    ["DESPATCHED", [0, 1, 2], [0, 0, 2]],
  );
  await demo.refuse("NO", cancel("1010"), /^\[STATE\] Order 1010: CANCEL is not allowed in state DESPATCHED/);
});
