// warehouse.md, unidentifiedReceipt: goods come that no purchase order names; they are outside the stock until they are bound to one.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { ssccOf } from "#/modules/parcels/sscc.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { catalogue, purchaseOrder } from "../../support/builders/documents.ts";
import { goodsOf } from "../../support/builders/goods.ts";
import { answered, clientOf, refused } from "../../support/http/rest-client.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const goods = goodsOf(server, demo);
const [dc1, dc2] = [await warehouseOf(server), await warehouseOf(server, "DC2")];
const { orders } = clientOf(server, demo);
await demo.accept("CAT", catalogue("DEMO", ["A", "B"]));
afterEach(() => goods.assertSound());

const service = "/v1/orderService/unidentifiedReceipt";
const came = (receiptId: string, more: object = {}) =>
  dc1.report("unidentifiedReceipt", { clientId: "DEMO", receiptId, packages: 2, ...more });
const idOf = async (receiptId: string, more: object = {}) => String((await came(receiptId, more)).unidentifiedId);
const path = (unidentifiedId: string) => ({ params: { path: { unidentifiedId } } });
const get = (unidentifiedId: string) =>
  answered(200, orders.GET(`${service}/get/{unidentifiedId}`, path(unidentifiedId)));
const bind = (unidentifiedId: string, poNumber: string, more: object = {}, key?: string) =>
  orders.POST(`${service}/bind/{unidentifiedId}`, {
    params: { path: { unidentifiedId }, header: key === undefined ? {} : { "idempotency-key": key } },
    body: { poNumber, ...more },
  });
const close = (unidentifiedId: string, outcome: "RETURNED" | "DISPOSED" | "REPORTED" = "RETURNED") =>
  orders.POST(`${service}/close/{unidentifiedId}`, {
    ...path(unidentifiedId),
    body: { outcome, reason: "Wrong house" },
  });
const received = async (poNumber: string) => {
  const order = await answered(
    200,
    orders.GET("/v1/orderService/purchaseOrder/get/{poNumber}", { params: { path: { poNumber } } }),
  );
  return [order.status, order.lines.map(({ qtyReceived }) => qtyReceived), order.receipts.map((r) => r.receiptId)];
};
const waiting = async () => {
  const query = { status: "WAITING" as const };
  const { items } = await answered(200, orders.GET(`${service}/list`, { params: { query } }));
  return items.map(({ receiptId }) => receiptId);
};

test("goods without a purchase order are listed and outside the stock; bound to one, its receipt is booked once", async () => {
  await demo.accept("PO", purchaseOrder("DEMO", "PO-1", [{ sku: "A", qty: 10 }, "B"]));
  const lines = [
    { sku: "A", qty: 6 },
    { sku: "A", qty: 1, condition: "DAMAGED" },
  ];
  const body = { marks: "Oak & Sons 1180", carrierCode: "HAULIER", trackingNumber: "CN-1", lines };
  const first = await came("R-1", body);
  assert.deepEqual([first.status, first.distributionCentre, first.packages], ["WAITING", "DC1", 2]);
  assert.deepEqual(await came("R-1", body), first, "a repeat gets the first answer");
  const id = String(first.unidentifiedId);
  assert.deepEqual(await get(id), first);
  assert.deepEqual(await waiting(), ["R-1"]);
  assert.deepEqual(await goods.stock("A"), []);

  const bound = await answered(200, bind(id, "PO-1", { reason: "No notice in the box" }, "bind-1"));
  assert.deepEqual([bound.status, bound.poNumber, bound.reason], ["BOUND", "PO-1", "No notice in the box"]);
  assert.deepEqual(await goods.stock("A"), ["DAMAGED 1/0", "GOOD 6/0"]);
  assert.deepEqual(await received("PO-1"), ["RECEIVING", [7, 0], ["R-1"]]);
  const [gr] = await goods.outbound("GR", "PO-1");
  assert.deepEqual(gr?.root.texts("poNumber", "receiptId"), ["PO-1", "R-1"]);
  assert.deepEqual(await goods.topics("unidentifiedReceipt", id), [
    "unidentifiedReceipt:received",
    "unidentifiedReceipt:bound",
  ]);
  assert.ok((await goods.topics("purchaseOrder", "PO-1")).includes("goodsReceipt:received"));
  assert.deepEqual(await waiting(), []);

  await goods.unchanged(async () => {
    const repeat = await answered(200, bind(id, "PO-1", { reason: "No notice in the box" }, "bind-1"));
    assert.deepEqual(repeat, bound);
    const { detail } = await refused(409, bind(id, "PO-1"));
    assert.match(detail, /R-1 are BOUND to purchase order PO-1 since .*correction of receipt R-1/);
    await refused(409, close(id));
  });
  await dc1.report("goodsReceipt", {
    clientId: "DEMO",
    poNumber: "PO-1",
    receiptId: "R-1b",
    correctsReceiptId: "R-1",
    lines: [{ sku: "A", qty: 5 }],
  });
  assert.deepEqual(await goods.stock("A"), ["GOOD 5/0"]);
});

test("a carton that is announced after it came is bound with its announced content", async () => {
  const sscc = ssccOf("4012345", 1);
  const unknown = await dc1.refuse("goodsReceipt", { clientId: "DEMO", receiptId: "R-2", sscc }, 404);
  assert.match(unknown, /unidentifiedReceipt\/report/);
  const id = await idOf("R-2", { sscc, packages: 1 });
  await demo.accept(
    "PO",
    purchaseOrder("DEMO", "PO-2", [{ sku: "B", qty: 4 }], {
      cartons: { carton: [{ sscc, lines: { line: [{ sku: "B", qty: 4 }] } }] },
    }),
  );
  await answered(200, bind(id, "PO-2"));
  assert.deepEqual(await received("PO-2"), ["RECEIVED", [4], ["R-2"]]);
  assert.deepEqual(await goods.stock("B"), ["GOOD 4/0"]);
  const { detail } = await refused(409, bind(await idOf("R-2b", { sscc }), "PO-2"));
  assert.match(detail, /came with receipt R-2 already/);
});

test("what cannot be bound changes nothing, and names why", async () => {
  await demo.accept("PO", purchaseOrder("DEMO", "PO-3", [{ sku: "A", qty: 10 }]));
  await demo.accept("PO", purchaseOrder("DEMO", "PO-4", [{ sku: "A", qty: 1 }], { distributionCentre: "DC2" }));
  const id = await idOf("R-3");
  await goods.unchanged(async () => {
    assert.match((await refused(422, bind(id, "PO-3"))).detail, /R-3 were not counted; name them in lines/);
    await refused(404, bind(id, "PO-9", { lines: [{ sku: "A", qty: 1 }] }));
    await refused(404, bind(id, "PO-4", { lines: [{ sku: "A", qty: 1 }] }));
    await refused(422, bind(id, "PO-3", { lines: [{ sku: "Q", qty: 1 }] }));
    const pool = await refused(422, bind(id, "PO-3", { lines: [{ sku: "A", qty: 1, stockPool: "NONE" }] }));
    assert.deepEqual(
      pool.errors.map(({ pointer }) => pointer),
      ["#/lines/0/stockPool"],
    );
    await refused(400, bind(id, "PO-3", { lines: [{ sku: "A", qty: 0 }] }));
    await refused(404, bind("none", "PO-3"));
    await refused(404, close("none"));
    await refused(404, orders.GET(`${service}/get/{unidentifiedId}`, path("none")));
    const stale = { path: { unidentifiedId: id }, header: { "if-match": '"7"' } };
    await refused(412, orders.POST(`${service}/bind/{unidentifiedId}`, { params: stale, body: { poNumber: "PO-3" } }));
    await refused(
      412,
      orders.POST(`${service}/close/{unidentifiedId}`, { params: stale, body: { outcome: "DISPOSED", reason: "x" } }),
    );
    await refused(422, orders.GET(`${service}/list`, { params: { query: { distributionCentre: "DC9" } } }));
  });
  await answered(200, bind(id, "PO-3", { lines: [{ sku: "A", qty: 3 }] }));
  assert.deepEqual(await received("PO-3"), ["RECEIVING", [3], ["R-3"]]);
});

test("goods end without a purchase order with what became of them", async () => {
  const id = await idOf("R-5");
  const ended = await answered(200, close(id));
  assert.deepEqual([ended.status, ended.reason, ended.poNumber], ["RETURNED", "Wrong house", null]);
  assert.match((await refused(409, bind(id, "PO-3"))).detail, /R-5 are RETURNED since/);
  assert.equal((await goods.topics("unidentifiedReceipt", id)).at(-1), "unidentifiedReceipt:closed");
  await dc1.refuse("unidentifiedReceipt", { clientId: "DEMO", receiptId: "R-3", packages: 1, reportId: "Z" }, 409);
  const other = await dc2.report("unidentifiedReceipt", { clientId: "DEMO", receiptId: "R-5", packages: 1 });
  assert.equal(other.distributionCentre, "DC2", "the ids are those of a facility");
});

test("an operator finds them among the exceptions and binds them", async () => {
  const operator = await signIn(server);
  const id = await idOf("R-6", { trackingNumber: "CN-6", lines: [{ sku: "A", qty: 2 }] });
  const query = "clientId=DEMO&distributionCentre=DC1";
  const listed = await operator.get(`/exception/list?${query}&type=RECEIPT_UNIDENTIFIED`);
  const [exception] = listed.body.items as { objectId: string; nextStep: string; cure: { verb: string } }[];
  assert.deepEqual([exception?.objectId, exception?.cure.verb], [id, "Bind goods"]);
  assert.match(JSON.stringify(exception), /2 packages \(CN-6\) came to DC1 without a known purchase order/);
  const rows = await operator.get(`/unidentifiedReceipt/list?${query}&status=WAITING`);
  assert.deepEqual(
    (rows.body.items as { receiptId: string }[]).map(({ receiptId }) => receiptId),
    ["R-2b", "R-6"],
  );
  await demo.accept("PO", purchaseOrder("DEMO", "PO-6", [{ sku: "A", qty: 2 }]));
  const bound = await operator.post(`/client/unidentifiedReceipt/bind/${id}?clientId=DEMO`, { poNumber: "PO-6" });
  assert.equal(bound.status, 200, JSON.stringify(bound.body));
  const after = await operator.get(`/exception/list?${query}&type=RECEIPT_UNIDENTIFIED`);
  assert.deepEqual(
    (after.body.items as { objectId: string }[]).filter(({ objectId }) => objectId === id),
    [],
  );
});

test("goods of a stock pool that the client does not have are refused", async () => {
  const body = {
    clientId: "DEMO",
    receiptId: "R-POOL",
    packages: 1,
    lines: [{ sku: "A", qty: 1, stockPool: "RETIAL" }],
  };
  assert.match(await dc1.refuse("unidentifiedReceipt", body, 422), /'RETIAL' is not a stock pool of the client/);
});
