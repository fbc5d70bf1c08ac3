// lifecycle.md §3: returns of an order: with an authorisation that names it, or as a parcel returned to its sender.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { attributes, authorisation, catalogue, order } from "../../support/builders/documents.ts";
import { goodsOf } from "../../support/builders/goods.ts";
import { assertSignals } from "../../support/oracles/order-signals.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const other = await server.onboard("OTHER");
const goods = goodsOf(server, demo);
const dc1 = await warehouseOf(server);
const serial = { sku: "SER", extendedAttributes: attributes({ CaptureSerial: "true" }) };
await demo.accept("CAT", catalogue("DEMO", ["A", "B", serial]));
await other.accept("CAT", catalogue("OTHER", ["A"]));
const clientId = "DEMO";
const opening = { clientId, adjustmentId: "OPENING", reasonCode: "INITIAL" };
await dc1.report("adjustment", {
  ...opening,
  lines: [
    { sku: "A", qty: 20 },
    { sku: "B", qty: 20 },
    { sku: "SER", qty: 3, serials: ["S1", "S2", "S3"] },
  ],
});
afterEach(() => goods.assertSound());

/** Despatches all lines in one parcel. @returns its OLPN. */
async function despatch(orderId: string, lines: { sku: string; qty: number; serials?: string[] }[]): Promise<string> {
  const document = order(
    "DEMO",
    orderId,
    lines.map(({ sku, qty }) => ({ sku, qty })),
    { distributionCentre: "DC1" },
  );
  await demo.accept("NO", document);
  await dc1.task(({ type, objectId }) => type === "PICK" && objectId === orderId);
  const picked = lines.map(({ qty, serials }, i) => ({ lineNumber: i + 1, qtyPicked: qty, serials }));
  await dc1.report("pick", { clientId, orderId, lines: picked });
  const contents = lines.map(({ qty, serials }, i) => ({ lineNumber: i + 1, qty, serials }));
  const packed = await dc1.report("pack", { clientId, orderId, olpns: [{ weight: 1, weightUomCode: "KG", contents }] });
  const [{ olpnId }] = packed.olpns as [{ olpnId: string }];
  await dc1.report("despatch", { clientId, olpnIds: [olpnId] });
  return olpnId;
}

const returnedOf = async (orderId: string) => {
  await goods.outbound("OS");
  const { lines } = (await demo.order(orderId)) as { lines: { qtyReturned: number }[] };
  return lines.map(({ qtyReturned }) => qtyReturned);
};
const back = (sku: string, qty: number, more: object = {}) => ({ sku, qty, disposition: "RESELLABLE", ...more });

test("what the order shipped counts as returned, also beyond the announced; a second time it is in quarantine", async () => {
  await despatch("O-1", [
    { sku: "A", qty: 3 },
    { sku: "B", qty: 2 },
  ]);
  const more = { orderReference: "O-1" };
  await demo.accept("RMA", authorisation("DEMO", "R-1", [{ sku: "A", quantityReturned: 2 }], more));
  await dc1.report("return", { clientId, rmaNumber: "R-1", lines: [back("A", 3), back("B", 1)] });
  assert.deepEqual(await returnedOf("O-1"), [3, 1]);
  const [rs] = await goods.outbound("RS", "R-1");
  assert.deepEqual(rs?.root.texts("orderReference", "status"), ["O-1", "RECEIVED"]);
  assert.deepEqual([await goods.stock("A"), await goods.stock("B")], [["GOOD 20/0"], ["GOOD 19/0"]]);
  const again = authorisation("DEMO", "R-1-AGAIN", [{ sku: "A", quantityReturned: 1 }], more);
  const { token } = await demo.accept("RMA", again);
  assert.deepEqual((await demo.outcome(token)).warnings, [
    "[OVER_RETURN] 1 of SKU A are announced, 3 were despatched with order O-1, and 3 of them came back",
  ]);
  await dc1.report("return", { clientId, rmaNumber: "R-1-AGAIN", lines: [back("A", 1)] });
  assert.deepEqual(await returnedOf("O-1"), [3, 1]);
  assert.deepEqual(await goods.stock("A"), ["GOOD 20/0", "QUARANTINE 1/0"]);
  const [raised] = await goods.exceptions("R-1-AGAIN");
  assert.equal(raised?.kind, "OVER_RETURN");
  await dc1.report("hold", {
    clientId,
    reasonCode: "CONDITION",
    lines: [{ sku: "A", qty: 1, fromCondition: "QUARANTINE", toCondition: "DAMAGED" }],
  });
});

test("the report of its last units ends a parcel and its order, whether a carrier reports the way back or not", async () => {
  const olpnId = await despatch("O-BACK", [{ sku: "A", qty: 2 }]);
  const seen = async (orderId: string) => {
    const returned = await returnedOf(orderId);
    const [row] = await server.rows<{ status: string; of_parcel: string }>(
      `select o.status, p.status as of_parcel from sales_order o join parcel p using (client_id, order_id)
       where o.client_id = 'DEMO' and o.order_id = $1`,
      orderId,
    );
    return [row?.status, row?.of_parcel, ...returned];
  };
  await dc1.report("return", { clientId, olpnId, lines: [back("A", 1)] });
  assert.deepEqual(await seen("O-BACK"), ["DESPATCHED", "RETURNING", 1]);
  await dc1.report("return", { clientId, olpnId, lines: [back("A", 1)] });
  assert.deepEqual(await seen("O-BACK"), ["RETURNED_TO_SENDER", "RETURNED_TO_SENDER", 2]);
  await dc1.report("carrierEvent", { olpnId, eventCode: 200, occurredAt: new Date().toISOString() });
  assert.deepEqual(await seen("O-BACK"), ["RETURNED_TO_SENDER", "RETURNED_TO_SENDER", 2]);
  const events = await server.rows<{ topic: string; data: { eventCode?: number } }>(
    `select topic, data from event
     where client_id = 'DEMO' and object_id = 'O-BACK' order by position desc limit 4`,
  );
  assert.deepEqual(events.map(({ topic, data }) => String(data.eventCode ?? topic)).reverse(), [
    "270",
    "order:returnedToSender",
    "300",
    "200",
  ]);
  // Of a parcel that is closed, the warehouse expects no more.
  const torn = await despatch("O-TORN", [{ sku: "A", qty: 2 }]);
  await dc1.report("return", { clientId, olpnId: torn, lines: [back("A", 1)], close: true });
  assert.deepEqual(await seen("O-TORN"), ["RETURNED_TO_SENDER", "RETURNED_TO_SENDER", 1]);
  // A carrier that has reported the end first leaves nothing to add but the quantity.
  const third = await despatch("O-TOLD", [{ sku: "A", qty: 1 }]);
  await dc1.report("carrierEvent", { olpnId: third, eventCode: 300, occurredAt: new Date().toISOString() });
  await dc1.report("return", { clientId, olpnId: third, lines: [back("A", 1)] });
  assert.deepEqual(await seen("O-TOLD"), ["RETURNED_TO_SENDER", "RETURNED_TO_SENDER", 1]);
  await assertSignals(server, "DEMO", demo);
});

test("a parcel comes back to its sender by its OLPN, without an authorisation, and an RS names parcel and order", async () => {
  const olpnId = await despatch("O-2", [
    { sku: "A", qty: 2 },
    { sku: "SER", qty: 2, serials: ["S1", "S2"] },
  ]);
  const unknown = { clientId, olpnId, lines: [back("SER", 1, { serials: ["S9"] })] };
  assert.match(await goods.unchanged(() => dc1.refuse("return", unknown, 409)), /S9/);
  const still = { clientId, olpnId, lines: [back("SER", 1, { serials: ["S3"] })] };
  assert.match(await goods.unchanged(() => dc1.refuse("return", still, 409)), /S3/);
  const lines = [back("A", 2), { sku: "SER", qty: 1, disposition: "DAMAGED", serials: ["S1"] }];
  const answer = await dc1.report("return", { clientId, olpnId, lines });
  assert.deepEqual([answer.rmaNumber, answer.olpnId], [null, olpnId]);
  assert.deepEqual(await returnedOf("O-2"), [2, 1]);
  assert.deepEqual(await goods.stock("SER"), ["DAMAGED 1/0", "GOOD 1/0"]);
  const [movement] = await server.rows(
    "select reference_type, reference_id from stock_movement where type = 'RETURN' and sku = 'SER'",
  );
  assert.deepEqual(movement, { reference_type: "parcel", reference_id: olpnId });
  const [rs, ...others] = await goods.outbound("RS", olpnId);
  assert.deepEqual(others, []);
  assert.deepEqual(rs?.root.texts("rmaNumber", "olpnId", "returnType", "orderId", "status"), [
    ...[undefined, olpnId, "RETURN_TO_SENDER", "O-2", "RECEIVED"],
  ]);
  assert.deepEqual(
    rs?.root.all("lines/line").map((line) => line.texts("lineNumber", "sku", "quantityReturned", "quantityReceived")),
    [
      ["1", "A", "2", "2"],
      ["2", "SER", "2", "1"],
    ],
  );
  assert.deepEqual(await goods.topics("return", olpnId), ["return:received"]);
  // Another client's parcel is unknown to this client.
  const foreign = { clientId: "OTHER", olpnId, lines: [back("A", 1)] };
  await goods.unchanged(() => dc1.refuse("return", foreign, 404));
});

test("a parcel that has not left cannot come back", async () => {
  await demo.accept("NO", order("DEMO", "O-3", ["A"], { distributionCentre: "DC1" }));
  await dc1.task(({ type, objectId }) => type === "PICK" && objectId === "O-3");
  await dc1.report("pick", { clientId, orderId: "O-3", lines: [{ lineNumber: 1, qtyPicked: 1 }] });
  const olpns = [{ weight: 1, weightUomCode: "KG", contents: [{ lineNumber: 1, qty: 1 }] }];
  const packed = await dc1.report("pack", { clientId, orderId: "O-3", olpns });
  const [{ olpnId }] = packed.olpns as [{ olpnId: string }];
  const body = { clientId, olpnId, lines: [back("A", 1)] };
  assert.match(await goods.unchanged(() => dc1.refuse("return", body, 409)), /PACKED/);
});

test("two authorisations of one order never return more than was despatched", async () => {
  await despatch("O-4", [{ sku: "A", qty: 2 }]);
  for (const rmaNumber of ["R-4A", "R-4B"]) {
    const lines = [{ sku: "A", quantityReturned: 2 }];
    await demo.accept("RMA", authorisation("DEMO", rmaNumber, lines, { orderReference: "O-4" }));
    await dc1.report("return", { clientId, rmaNumber, lines: [back("A", 2)] });
  }
  assert.deepEqual(await returnedOf("O-4"), [2]);
});
