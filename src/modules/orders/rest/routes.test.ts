import assert from "node:assert/strict";
import { test } from "node:test";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { plainLine } from "../../../../tests/support/builders/order-content.ts";
import { database, get, idsOf, insert, list, statements } from "../../../../tests/support/builders/order-service.ts";

for (const clientId of ["DEMO", "OTHER"]) await insertClient(database, { clientId });

const address = {
  addressId: "S-3302",
  title: "Ms",
  companyName: "Muster UK Ltd",
  department: "Goods in",
  firstName: "Zoë",
  lastName: "O’Neill",
  address1: "12 Harbour Road",
  address2: "Unit 4",
  city: "Bristol",
  zip: "BS1 5TY",
  state: "Avon",
  country: "GB",
  phone: "+44 117 4960100",
  mobile: "+44 7700 900100",
  email: "zoe.oneill@muster.example",
};
const taxes = {
  unit: "EUR",
  amount: "18.19",
  tax: [
    { type: "VAT", amount: "17.36" },
    { type: undefined, amount: "0.83" },
  ],
};
const since = "2026-11-02T10:00:01.000Z";

await insert("DEMO", {
  orderId: "WEB/1 ü",
  status: "ON_HOLD",
  holds: [{ type: "DO_NOT_SHIP", reason: "doNotShip of the order", since, by: "feed" }],
  token: "019a4405-6a00-7000-8000-000000000001",
  content: {
    externalOrderReference: "SHOP-1",
    catalogId: "AUTUMN",
    origin: "WEBSHOP",
    language: "en-GB",
    shippingMethod: "STANDARD",
    currency: "EUR",
    shippingCost: "4.99",
    subtotal: "104.16",
    totalPrice: "109.1501",
    taxes,
    billToAddress: { country: "DE", zip: "10117" },
    shipToAddress: address,
    payments: [{ type: "CARD", tender: "VISA" }, { type: "VOUCHER" }],
    carrierCode: "RM",
    extendedAttributes: { WebOrderId: "77812", Priority: "2" },
    priority: 2,
    shipPartial: true,
    lines: [
      {
        ...plainLine,
        lineNumber: 10,
        feedQty: 1500,
        feedUom: "CS",
        qty: 18_000,
        lineTotal: "20.16",
        unitNetPrice: "8.4",
        extendedUnitNetPrice: "16.8",
        unitGrossPrice: "10.08",
        taxes,
        extendedAttributes: { IsHazmat: "false" },
      },
      { ...plainLine, lineNumber: 2, sku: "OIL", qty: 2500, feedQty: 2500, uom: "KG" },
    ],
  },
});

const bareAddress = Object.fromEntries(Object.keys(address).map((name) => [name, null]));
const taxRecord = {
  amount: 18.19,
  currency: "EUR",
  tax: [
    { type: "VAT", amount: 17.36 },
    { type: null, amount: 0.83 },
  ],
};
const bucketsOf = (ordered: number) => ({
  qtyOrdered: ordered,
  qtyOpen: ordered,
  qtyBackordered: 0,
  qtyAllocated: 0,
  qtyPicked: 0,
  qtyPacked: 0,
  qtyDespatched: 0,
  qtyCancelled: 0,
  qtyDelivered: 0,
  qtyReturned: 0,
  promisedOn: null,
  components: [],
});
const euro = (amount: number) => ({ amount, currency: "EUR" });

const fullRecord = {
  orderId: "WEB/1 ü",
  clientId: "DEMO",
  status: "ON_HOLD",
  statusReason: null,
  externalOrderReference: "SHOP-1",
  catalogId: "AUTUMN",
  doNotShip: true,
  origin: "WEBSHOP",
  language: "en-GB",
  shipAfter: null,
  shipBy: null,
  deliverBy: null,
  orderDate: "2026-11-02T08:41:12.250Z",
  shippingMethod: "STANDARD",
  shippingCost: euro(4.99),
  subtotal: euro(104.16),
  totalPrice: euro(109.1501),
  taxes: taxRecord,
  billToAddress: { ...bareAddress, country: "DE", zip: "10117" },
  shipToAddress: address,
  payments: [
    { type: "CARD", tender: "VISA" },
    { type: "VOUCHER", tender: null },
  ],
  distributionCentre: "DC1",
  distributionCentres: ["DC1"],
  carrierCode: "RM",
  extendedAttributes: { WebOrderId: "77812", Priority: "2" },
  priority: 2,
  shipPartial: true,
  holds: [{ type: "DO_NOT_SHIP", reason: "doNotShip of the order", since, by: "feed" }],
  lines: [
    {
      lineNumber: 2,
      distributionCentre: "DC1",
      sku: "OIL",
      status: "ON_HOLD",
      qty: 2.5,
      qtyUom: null,
      uom: "KG",
      ...bucketsOf(2.5),
      stockPool: "DEFAULT",
      lineTotal: null,
      unitNetPrice: null,
      extendedUnitNetPrice: null,
      unitGrossPrice: null,
      taxes: null,
      extendedAttributes: {},
    },
    {
      lineNumber: 10,
      distributionCentre: "DC1",
      sku: "MUG",
      status: "ON_HOLD",
      qty: 1.5,
      qtyUom: "CS",
      uom: "EA",
      ...bucketsOf(18),
      stockPool: "DEFAULT",
      lineTotal: euro(20.16),
      unitNetPrice: euro(8.4),
      extendedUnitNetPrice: euro(16.8),
      unitGrossPrice: euro(10.08),
      taxes: taxRecord,
      extendedAttributes: { IsHazmat: "false" },
    },
  ],
  milestones: [
    { code: 10, name: "Order Received", at: "2026-11-02T10:00:00.000Z" },
    { code: 20, name: "Order Validated", at: "2026-11-02T10:00:00.000Z" },
    { code: 30, name: "Order On Hold", at: since },
  ],
  olpns: [],
  despatchBy: null,
  feedToken: "019a4405-6a00-7000-8000-000000000001",
  receivedAt: "2026-11-02T10:00:00.000Z",
  updatedAt: "2026-11-02T10:00:00.000Z",
  personalDataErasedAt: null,
  version: 1,
};

test("an order has every field of its feed and what the platform adds, and its version as ETag", async () => {
  const { status, headers, body } = await get("DEMO", `/order/get/${encodeURIComponent("WEB/1 ü")}`);
  assert.equal(status, 200);
  assert.equal(headers.get("etag"), '"1"');
  assert.deepEqual(body, fullRecord);
});

test("the list has the same records, and lines of all its orders come in one statement", async () => {
  statements.length = 0;
  const page = await list("DEMO");
  assert.deepEqual(page, { items: [fullRecord], nextCursor: null });
  assert.equal(statements.filter(({ text }) => text.includes("from sales_order_line")).length, 1);
});

test("an order with only required fields has null in the others", async () => {
  await insert("OTHER", { orderId: "bare" });
  const { body } = await get("OTHER", "/order/get/bare");
  assert.deepEqual(body.shipToAddress, { ...bareAddress, country: "GB" });
  for (const name of [
    "billToAddress",
    "totalPrice",
    "taxes",
    "carrierCode",
    "statusReason",
    "externalOrderReference",
  ]) {
    assert.equal(body[name], null, name);
  }
  assert.deepEqual([body.payments, body.holds, body.doNotShip], [[], [], false]);
});

test("another client's order and an unknown order are the same 404", async () => {
  await insert("OTHER", { orderId: "theirs" });
  const answers = [await get("DEMO", "/order/get/theirs"), await get("DEMO", "/order/get/nowhere")];
  for (const { status, body } of answers) {
    assert.equal(status, 404);
    assert.equal(body.type, "/problems/not-found");
  }
  assert.equal(answers[0]?.body.detail, answers[1]?.body.detail);
  assert.ok(!idsOf(await list("DEMO")).includes("theirs"));
});

test("a cancelled order has its milestone", async () => {
  await insert("OTHER", { orderId: "gone", status: "CANCELLED" });
  const { body } = await get("OTHER", "/order/get/gone");
  assert.deepEqual(
    (body.milestones as { code: number }[]).map(({ code }) => code),
    [10, 20, 90],
  );
});
