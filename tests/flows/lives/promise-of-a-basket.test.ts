// rest.md §3, order/promise: what an order of a basket would get, before there is an order.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "#/kernel/values/durations.ts";
import { testServer } from "../../support/app/server.ts";
import { attributes, type Parts, purchaseOrder } from "../../support/builders/documents.ts";
import { type Life, lifeOf } from "../../support/builders/life.ts";
import { carrierDataOf, saveCarriers, serviceOf } from "../../support/carriers/carriers.ts";
import { pointersOf, restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");

const dayIn = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const leeds = { country: "GB", zip: "LS1 4AP" };
const weighed = (sku: string): Parts => ({ sku, weight: "1", weightUomCode: "KG" });

interface Line {
  readonly sku: string;
  readonly qtyAvailable: number;
  readonly qtyShort: number;
  readonly availableOn: string | null;
}
interface Shipment {
  readonly availableOn: string | null;
  readonly despatchBy: string | null;
  readonly carrier: {
    readonly serviceCode: string;
    readonly price: { readonly total: object };
    readonly despatchDate: string;
    readonly estimatedDelivery: string;
  } | null;
  readonly lines: readonly { readonly lineNumber: number; readonly qty: number }[];
}
interface Promised {
  readonly distributionCentre: string;
  readonly routedBy: string;
  readonly lines: readonly Line[];
  readonly shipments: readonly Shipment[];
  readonly warnings: readonly string[];
}

const callsOf = (life: Life) => restCalls(server.url, "/v1/orderService", life.client.credentials);
async function promise(life: Life, lines: readonly object[], more: object = {}): Promise<Promised> {
  const answer = await callsOf(life)("POST", "/order/promise", { shipToAddress: leeds, lines, ...more });
  assert.equal(answer.status, 200, answer.bytes.toString());
  return answer.body as unknown as Promised;
}
const shown = ({ lines }: Promised) =>
  lines.map(({ sku, qtyAvailable, qtyShort, availableOn }) => `${sku} ${qtyAvailable}/${qtyShort} ${availableOn}`);
const parts = ({ shipments }: Promised) =>
  shipments.map(
    ({ availableOn, lines }) => `${availableOn}: ${lines.map(({ lineNumber, qty }) => `${lineNumber} ${qty}`).join()}`,
  );
const expect = (life: Life, poNumber: string, lines: readonly Parts[], day: string) =>
  life.client.accept(
    "PO",
    purchaseOrder(life.clientId, poNumber, lines, { extendedAttributes: attributes({ ExpectedDate: day }) }),
  );

test("goods at hand: the facility of the routing, the carrier of the determination with price and day; nothing is reserved", async () => {
  const life = await lifeOf(server, dc1, "HAND", { items: [weighed("A"), weighed("B")] });
  await saveCarriers(
    server.database,
    carrierDataOf(
      serviceOf("SLOW", "SPEEDY", 3, { transitDays: { ALL: 30 } }),
      serviceOf("FAST", "SPEEDY", 9, { transitDays: { ALL: 3 } }),
    ),
    "HAND",
  );
  await life.stock([{ sku: "A", qty: 5 }]);
  await life.stock(
    [
      { sku: "A", qty: 2 },
      { sku: "B", qty: 1 },
    ],
    dc2,
  );
  const basket = [
    { sku: "A", qty: 2 },
    { sku: "B", qty: 1 },
  ];
  const promised = await promise(life, basket);
  assert.deepEqual([promised.distributionCentre, promised.routedBy], ["DC2", "FILLS"]);
  assert.deepEqual(shown(promised), ["A 2/0 null", "B 1/0 null"]);
  const [shipment] = promised.shipments;
  assert.deepEqual(
    [shipment?.carrier?.serviceCode, shipment?.carrier?.price.total],
    ["SLOW", { amount: 3, currency: "GBP" }],
  );
  const inTime = await promise(life, basket, { deliverBy: `${dayIn(12)}T00:00:00Z` });
  assert.equal(inTime.shipments[0]?.carrier?.serviceCode, "FAST");
  const later = await promise(life, basket, { shipAfter: `${dayIn(9)}T12:00:00Z` });
  const carrier = later.shipments[0]?.carrier;
  assert.ok(carrier && carrier.despatchDate >= dayIn(9) && carrier.estimatedDelivery > carrier.despatchDate);
  assert.equal(await life.stockOf("A"), "GOOD 5/0");
  await life.place("1", basket, {});
  const { distributionCentre, status } = await life.shown("1");
  assert.deepEqual([distributionCentre, status], ["DC2", "ALLOCATED"]);
});

test("what is missing has the day of open purchase orders, behind the orders that wait", async () => {
  const life = await lifeOf(server, dc1, "LATER", { items: [weighed("A"), weighed("B")] });
  await life.stock([{ sku: "A", qty: 1 }]);
  await expect(life, "PO-2", [{ sku: "A", qty: 5 }], dayIn(20));
  await expect(life, "PO-1", [{ sku: "A", qty: 5 }], dayIn(10));
  await expect(life, "PO-0", [{ sku: "A", qty: 50 }], dayIn(-1));
  await expect(life, "PO-9", [{ sku: "A", qty: 50 }], "some day");
  const to = { distributionCentre: "DC1" };
  const first = await promise(life, [{ sku: "A", qty: 6 }], to);
  assert.deepEqual(shown(first), [`A 1/5 ${dayIn(10)}`]);
  // The client's orders wait until they are whole.
  assert.deepEqual(parts(first), [`${dayIn(10)}: 1 6`]);
  await life.place("W", [{ sku: "A", qty: 4 }]);
  assert.equal((await life.shown("W")).status, "PARTIALLY_ALLOCATED");
  const second = await promise(
    life,
    [
      { sku: "A", qty: 2 },
      { sku: "A", qty: 1 },
      { sku: "A", qty: 5 },
    ],
    to,
  );
  assert.deepEqual(shown(second), [`A 0/2 ${dayIn(10)}`, `A 0/1 ${dayIn(20)}`, "A 0/5 null"]);
  assert.deepEqual(parts(second), ["null: 1 2,2 1,3 5"]);
  assert.deepEqual([second.shipments[0]?.carrier, second.shipments[0]?.despatchBy], [null, null]);
  const inParts = await promise(
    life,
    [
      { sku: "A", qty: 2 },
      { sku: "A", qty: 1 },
      { sku: "B", qty: 5 },
    ],
    {
      ...to,
      extendedAttributes: { ShipPartial: "true" },
    },
  );
  assert.deepEqual(parts(inParts), [`${dayIn(10)}: 1 2`, `${dayIn(20)}: 2 1`, "null: 3 5"]);
  const departure = inParts.shipments[0]?.carrier?.despatchDate;
  assert.ok(departure !== undefined && departure >= dayIn(10), `despatch ${departure}`);
});

test("a kit takes stock of the kit and whole kits of components, and lacks the component with the latest day", async () => {
  const set = {
    sku: "SET",
    components: {
      component: [
        { sku: "CUP", qty: 2 },
        { sku: "TRAY", qty: 1 },
      ],
    },
  };
  const life = await lifeOf(server, dc1, "KITS", {
    items: [weighed("CUP"), weighed("TRAY"), { ...weighed("SET"), ...set }],
  });
  await life.stock([
    { sku: "SET", qty: 1 },
    { sku: "CUP", qty: 5 },
    { sku: "TRAY", qty: 9 },
  ]);
  await expect(
    life,
    "PO-1",
    [
      { sku: "CUP", qty: 4 },
      { sku: "TRAY", qty: 9 },
    ],
    dayIn(10),
  );
  const to = { distributionCentre: "DC1" };
  const promised = await promise(
    life,
    [
      { sku: "SET", qty: 5 },
      { sku: "CUP", qty: 1 },
    ],
    to,
  );
  // Two kits leave a cup, which the next line gets.
  assert.deepEqual(shown(promised), [`SET 3/2 ${dayIn(10)}`, "CUP 1/0 null"]);
  await life.place("1", [
    { sku: "SET", qty: 5 },
    { sku: "CUP", qty: 1 },
  ]);
  assert.equal(await life.stands("1"), "PARTIALLY_ALLOCATED Backordered 2 Allocated 3");
  assert.equal(await life.stands("1", 2), "PARTIALLY_ALLOCATED Allocated 1");
});

test("faults are those of an order, with pointers into the basket; an item without weight has no carrier", async () => {
  const life = await lifeOf(server, dc1, "FAULTS");
  await life.stock([{ sku: "A", qty: 5 }]);
  const post = (body: object) => callsOf(life)("POST", "/order/promise", body);
  const unknown = await post({ shipToAddress: leeds, lines: [{ sku: "NONE", qty: 1 }] });
  assert.equal(unknown.status, 422);
  assert.deepEqual(unknown.body.missingSkus, ["NONE"]);
  const refused = await post({
    shipToAddress: { country: "GB", zip: "12345" },
    distributionCentre: "DC9",
    lines: [
      { sku: "A", qty: 1 },
      { sku: "A", qty: 1.5 },
      { sku: "B", qty: 1, qtyUom: "CS" },
      { sku: "B", qty: 1, stockPool: "?" },
    ],
  });
  assert.deepEqual(pointersOf(refused).sort(), [
    "#/distributionCentre",
    "#/lines/1/qty",
    "#/lines/2/qtyUom",
    "#/lines/3/stockPool",
    "#/shipToAddress/zip",
  ]);
  assert.doesNotMatch(refused.bytes.toString(), /BASKET/);
  const bare = await post({ shipToAddress: leeds, lines: [] });
  assert.equal(bare.status, 400);
  const { shipments, warnings } = await promise(life, [{ sku: "A", qty: 1 }]);
  assert.equal(shipments[0]?.carrier, null);
  assert.deepEqual(warnings, ["no carrier is chosen: items without weight: A"]);
});
