// rest.md §3 and §4, parcels: the parcels of an order as packed, each with its contents and its history.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { lifeOf, parcel, withLots } from "../../support/builders/life.ts";
import { faultsOf, orderOperationsOf, problemOf } from "../../support/builders/order-operations.ts";
import { carrierOf, warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const carrier = await carrierOf(server, "HBP");
const clientId = "DEMO";
const life = await lifeOf(server, dc1, clientId, { items: ["A", withLots("LOT")] });
const other = await server.onboard("OTHER");
const demo = await orderOperationsOf(server, life.client);
const stranger = await orderOperationsOf(server, other);
await life.stock([
  { sku: "A", qty: 100 },
  { sku: "LOT", qty: 5, batchRef: "B1", expiryDate: "2099-06-30" },
]);

/** Hours after a moment in the past. */
const start = Date.now() - 48 * 3_600_000;
const at = (hours: number) => new Date(start + hours * 3_600_000).toISOString();

test("a parcel tells its contents by lot and its events as they happened, in the list as by itself", async () => {
  await life.place("O-1", [{ sku: "LOT", qty: 2 }]);
  await dc1.report("pick", { clientId, orderId: "O-1", lines: [{ lineNumber: 1, qtyPicked: 2, batchRef: "B1" }] });
  const packedAt = at(0);
  const { olpns } = await dc1.report("pack", {
    clientId,
    orderId: "O-1",
    occurredAt: packedAt,
    olpns: [
      parcel([{ lineNumber: 1, qty: 2, batchRef: "B1" }], {
        weight: 1.25,
        length: 30,
        width: 20,
        height: 10,
        dimensionsUomCode: "CM",
        carrierCode: "HBP",
        carrierServiceCode: "HBP-48",
        trackingNumber: "HB1",
      }),
    ],
  });
  const [{ olpnId }] = olpns as [{ olpnId: string }];
  await life.despatch(olpnId);
  const depot = { olpnId, eventCode: 150, occurredAt: at(2), location: "Leeds", text: "At the depot" };
  await carrier.report("carrierEvent", depot);
  // A late report appears at the time of the event.
  await carrier.report("carrierEvent", { olpnId, eventCode: 110, occurredAt: at(1) });
  await life.quiet();
  const { status, body } = await demo.get(`/olpn/get/${olpnId}`);
  assert.equal(status, 200);
  const { events, ...rest } = body;
  assert.deepEqual(rest, {
    olpnId,
    orderId: "O-1",
    distributionCentre: "DC1",
    status: "IN_TRANSIT",
    trackingUrl: null,
    decisionId: null,
    carrierCode: "HBP",
    carrierServiceCode: "HBP-48",
    trackingNumber: "HB1",
    weight: { value: 1.25, uom: "KG" },
    dimensions: { length: 30, width: 20, height: 10, uom: "CM" },
    contents: [{ lineNumber: 1, sku: "LOT", qty: 2, batchRef: "B1", expiryDate: "2099-06-30", serials: [] }],
  });
  const ofCarrier = (events as { code: number; receivedAt: string }[]).filter(({ code }) => code > 100);
  assert.deepEqual(
    ofCarrier.map(({ receivedAt: _, ...event }) => event),
    [
      { code: 110, name: "Collected by Carrier", at: at(1), location: null, text: null },
      { code: 150, name: "At Delivery Depot", at: depot.occurredAt, location: "Leeds", text: "At the depot" },
    ],
  );
  assert.ok((ofCarrier[0]?.receivedAt ?? "") > (ofCarrier[1]?.receivedAt ?? "z"));
  assert.deepEqual(await demo.list("/olpn/list/O-1"), { items: [body], nextCursor: null });
});

test("an order lists its parcels as they were packed, voided ones too, page by page while more are packed", async () => {
  await life.place("O-2", [{ sku: "A", qty: 12 }]);
  assert.deepEqual(await demo.list("/olpn/list/O-2"), { items: [], nextCursor: null });
  await life.pick("O-2", 12);
  // One report packs all of them at the same moment.
  const packed = await life.pack("O-2", 1, 1, 1, 1, 1);
  const inOrder = packed.toSorted();
  await dc1.report("parcel/void", { clientId, olpnId: packed[0] });
  const later: string[] = [];
  const packMore = async () => later.push(...(await life.pack("O-2", 1)));
  const query = { limit: "2" };
  assert.deepEqual(await demo.walk("/olpn/list/O-2", "olpnId", { ...query, sort: "-receivedAt" }, packMore), [
    ...inOrder.toReversed(),
  ]);
  const before = [...inOrder, ...later];
  const forward = await demo.walk("/olpn/list/O-2", "olpnId", query, packMore);
  assert.deepEqual(forward.slice(0, before.length), before);
  assert.equal(new Set(forward).size, forward.length);
  const { items } = await demo.list("/olpn/list/O-2");
  assert.deepEqual(
    items.filter(({ status }) => status === "VOIDED").map(({ olpnId }) => olpnId),
    [packed[0]],
  );
  assert.equal((await demo.get(`/olpn/get/${packed[0]}`)).body.status, "VOIDED");
});

test("objects of another client and unknown objects are 404", async () => {
  const [olpnId] = await life.ship("O-3", "A", 1);
  for (const called of [
    await stranger.get(`/olpn/get/${olpnId}`),
    await stranger.get("/olpn/list/O-3"),
    await demo.get("/olpn/get/006141410000009999"),
    await demo.get("/olpn/get/a%2Fb%25c"),
    await demo.get("/olpn/list/NONE"),
  ]) {
    assert.equal(problemOf(called, 404).code, "not-found");
  }
});

test("parcels of an order with an odd number are found by its percent-encoded name", async () => {
  for (const orderId of ["A/B", "50% off", "Größe №7 📦", "a?b#c"]) {
    const olpnIds = await life.ship(orderId, "A", 1);
    const { items } = await demo.list(`/olpn/list/${encodeURIComponent(orderId)}`);
    assert.deepEqual(
      items.map((item) => [item.orderId, item.olpnId]),
      olpnIds.map((olpnId) => [orderId, olpnId]),
    );
  }
});

test("schema errors are reported before a query", async () => {
  assert.deepEqual(faultsOf(await demo.get("/olpn/get/A%00B")), ["/path/olpnId"]);
  assert.deepEqual(faultsOf(await demo.get("/olpn/get/A?x=1")), ["/query/x"]);
  const { nextCursor } = await demo.list("/olpn/list/O-2", { limit: "1" });
  for (const query of [`sort=-receivedAt&cursor=${nextCursor}`, "cursor=e30"]) {
    assert.deepEqual(faultsOf(await demo.get(`/olpn/list/O-2?${query}`)), ["/query/cursor"]);
  }
  const called = await demo.get(`/olpn/list/${"x".repeat(65)}?limit=501&status=PACKED`);
  assert.deepEqual(faultsOf(called).sort(), ["/path/orderId", "/query/limit", "/query/status"]);
});
