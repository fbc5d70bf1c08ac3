import assert from "node:assert/strict";
import { test } from "node:test";
import { listSerials } from "#/modules/inventory/index.ts";
import { clientsOfLoad, clientsOfParcels } from "#/modules/parcels/index.ts";
import { database, feedsOf } from "../../../../tests/support/builders/stocked-orders.ts";
import { accepted, assertRefused, eventsBy, floor, parcelOf } from "../../../../tests/support/warehouse/floor.ts";

test("the despatch of a load books out stock, reservations and parcels, and sends an OS", async () => {
  const { clientId, items, stock, picked, packOne, load, despatch, ...rest } = await floor("LOAD");
  await items(["A"]);
  await stock([{ sku: "A", qty: 5 }]);
  await picked("1", "A", 3);
  const [first, second] = [await packOne("1", 1), await packOne("1", 2)];
  const loaded = await load({ loadId: "L1", olpnIds: [first, second], vehicle: "B-XY 1" });
  assert.deepEqual(eventsBy(loaded), ["1 parcel:load", "1 parcel:load", "1 80", "1 80"]);
  const data = accepted(loaded).events[0]?.data as Record<string, unknown>;
  assert.deepEqual([data.loadId, data.olpnId, data.weight], ["L1", first, 1.25]);
  assertRefused(await load({ loadId: "L2", olpnIds: [first] }), "conflict", /is LOADED on load L1/);
  assert.deepEqual(await clientsOfLoad(database, "DC1", "L1"), [clientId]);
  assert.deepEqual([...(await clientsOfParcels(database, [first, second]))], [[clientId, [first, second].sort()]]);
  const gone = await despatch({ loadId: "L1" });
  assert.deepEqual(eventsBy(gone), ["1 order:despatched", "1 100"]);
  const [status] = feedsOf(accepted(gone).events);
  const content = status?.content as { status: string; shipments: { despatchedAt?: string }[] };
  assert.equal(content.status, "DESPATCHED");
  assert.ok(content.shipments.every(({ despatchedAt }) => despatchedAt !== undefined));
  assert.deepEqual(await rest.buckets("1"), { ordered: 3, despatched: 3 });
  assert.deepEqual(await rest.holdings("1"), []);
  assert.deepEqual(await rest.balances("A"), ["GOOD -: 2/0"]);
  assertRefused(await despatch({ loadId: "L1" }), "conflict", /All parcels of load L1 have left already/);
  assertRefused(await despatch({ loadId: "L9" }), "notFound", /no parcel on load L9/);
  assertRefused(await despatch({ olpnIds: [first] }), "conflict", /is DESPATCHED: only a PACKED or LOADED one/);
  assertRefused(await despatch({}), "unprocessable", /either a loadId or olpnIds/);
  await rest.clean();
});

test("parcels leave without a load, in parts, with an OS for each", async () => {
  const { items, stock, picked, packOne, despatch, buckets, clean } = await floor("PARTS");
  await items(["A"]);
  await stock([{ sku: "A", qty: 2 }]);
  await picked("1", "A", 2);
  const first = await despatch({ olpnIds: [await packOne("1", 1)], occurredAt: "2026-11-02T12:00:00+02:00" });
  assert.deepEqual(eventsBy(first), ["1 order:partiallyDespatched", "1 95"]);
  const second = await despatch({ olpnIds: [await packOne("1", 1)] });
  assert.deepEqual(eventsBy(second), ["1 order:despatched", "1 100"]);
  for (const result of [first, second]) {
    assert.deepEqual(
      feedsOf(accepted(result).events).map(({ type }) => type),
      ["OS"],
    );
  }
  const content = feedsOf(accepted(first).events)[0]?.content as { shipments: { despatchedAt: string }[] };
  assert.equal(content.shipments[0]?.despatchedAt, "2026-11-02T10:00:00.000Z");
  assert.deepEqual(await buckets("1"), { ordered: 2, despatched: 2 });
  await clean();
});

test("parcels can be removed from a load before its despatch", async () => {
  const { items, stock, picked, packOne, load, unload, despatch, parcels, clean } = await floor("UNLOAD");
  await items(["A"]);
  await stock([{ sku: "A", qty: 2 }]);
  await picked("1", "A", 2);
  const [first, second] = [await packOne("1", 1), await packOne("1", 1)];
  accepted(await load({ loadId: "L", olpnIds: [first, second] }));
  assertRefused(
    await unload({ loadId: "M", olpnIds: [first] }),
    "conflict",
    /is LOADED on load L: it is not LOADED on load M/,
  );
  assert.deepEqual(eventsBy(await unload({ loadId: "L", olpnIds: [first] })), ["1 order:updated"]);
  assertRefused(await unload({ loadId: "L", olpnIds: [first] }), "conflict", /is PACKED/);
  accepted(await despatch({ loadId: "L" }));
  assert.deepEqual((await parcels("1")).map(({ olpnId, status }) => [olpnId, status]).sort(), [
    [first, "PACKED"],
    [second, "DESPATCHED"],
  ]);
  await clean();
});

test("a held order is neither loaded nor despatched, and parcels of other clients are unknown", async () => {
  const { items, stock, picked, packOne, load, despatch, hold } = await floor("LOADNO");
  const other = await floor("LOADNO2");
  await items(["A"]);
  await stock([{ sku: "A", qty: 2 }]);
  await picked("1", "A", 1);
  const olpnId = await packOne("1", 1);
  for (const missing of [other.load, other.unload]) {
    assertRefused(await missing({ loadId: "L", olpnIds: [olpnId] }), "notFound", new RegExp(`no parcel ${olpnId}`));
  }
  assertRefused(await other.despatch({ olpnIds: [olpnId] }), "notFound", new RegExp(`no parcel ${olpnId}`));
  assertRefused(await load({ loadId: "L", olpnIds: [olpnId] }, "DC2"), "notFound", /at facility DC2/);
  await hold("1");
  assertRefused(await load({ loadId: "L", olpnIds: [olpnId] }), "conflict", /load it when the hold is released/);
  assertRefused(await despatch({ olpnIds: [olpnId] }), "conflict", /despatch it when the hold is released/);
});

test("serials leave with their parcel", async () => {
  const { clientId, items, stock, serials, released, pick, pack, despatch, clean } = await floor("GONE");
  await items(["S"], { attributes: { CaptureSerial: "true" } });
  await stock([{ sku: "S", qty: 1 }]);
  await serials([{ sku: "S", serial: "1", batchRef: "" }]);
  await released("1", "S", 1);
  accepted(await pick({ orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 1, serials: ["1"] }] }));
  const contents = [{ lineNumber: 1, qty: 1, serials: ["1"] }];
  const { answer } = accepted(await pack({ orderId: "1", olpns: [parcelOf(1, { contents })] }));
  const olpnIds = (answer as { olpns: { olpnId: string }[] }).olpns.map(({ olpnId }) => olpnId);
  accepted(await despatch({ olpnIds }));
  const [place] = await listSerials(database.of(clientId), "S", ["1"]);
  assert.deepEqual([place?.state, place?.ownerId], ["GONE", "1"]);
  await clean();
});
