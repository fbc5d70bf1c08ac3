// The search box of the console: any identifier leads to the object that it names, within the user's limits.
import assert from "node:assert/strict";
import { test } from "node:test";
import { eraseOrders } from "#/app/retention/erasure/erase-orders.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue } from "../../support/builders/documents.ts";
import { lifeOf, parcel } from "../../support/builders/life.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const first = await lifeOf(server, dc1, "ONE", { items: ["MUG-BLUE", { sku: "MUG-RED", eanCode: "4006381333931" }] });
const second = await lifeOf(server, dc1, "TWO", { items: ["MUG-BLUE"] });
const anna = await signIn(server, "viewer");

type Found = Record<string, unknown>;

async function search(text: string, user = anna): Promise<Found[]> {
  const { status, body } = await user.get(`/search?text=${encodeURIComponent(text)}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.items;
}
const lines = (items: Found[]) =>
  items.map(({ kind, clientId, id, isExact }) => `${isExact ? "" : "~"}${kind} ${clientId ?? "-"} ${id}`);

await first.stock([{ sku: "MUG-BLUE", qty: 10 }]);
const token = await first.place("WEB-1", [{ sku: "MUG-BLUE", qty: 1 }], {
  distributionCentre: "DC1",
  externalOrderReference: "Shop-900",
});
await first.place("WEB-12", [{ sku: "MUG-BLUE", qty: 1 }]);
await second.place("web-1", [{ sku: "MUG-BLUE", qty: 1 }]);

test("an order is found by its id, the beginning of it, and its reference, in any case", async () => {
  assert.deepEqual(lines(await search("web-1")), ["ORDER ONE WEB-1", "ORDER TWO web-1", "~ORDER ONE WEB-12"]);
  assert.deepEqual(lines(await search("WEB-12")), ["ORDER ONE WEB-12"]);
  assert.deepEqual(lines(await search("shop-900")), ["ORDER ONE WEB-1"]);
  const [order] = await search("SHOP-9");
  assert.deepEqual([order?.label, order?.state, order?.isExact], ["Shop-900", "ALLOCATED", false]);
  assert.deepEqual(await search("nothing of this kind"), []);
  assert.deepEqual(await search(" "), []);
});

test("a token leads to its feed document, and one that no one has to nothing", async () => {
  assert.deepEqual(lines(await search(token.toUpperCase())), [`FEED ONE ${token}`]);
  const [feed] = await search(token);
  assert.deepEqual([feed?.label, feed?.state], ["Order WEB-1", "PROCESSED"]);
  assert.deepEqual(await search("019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"), []);
});

test("a batch leads to the lots of each product that has it, a serial number to its unit and the order that took it", async () => {
  const attributesOf = attributes({ CaptureSerial: "true" });
  await first.client.accept("CAT", catalogue("ONE", [{ sku: "RADIO", extendedAttributes: attributesOf }]));
  await dc1.report("adjustment", {
    clientId: "ONE",
    adjustmentId: "LOTS",
    reasonCode: "FOUND",
    lines: [
      { sku: "MUG-BLUE", qty: 2, batchRef: "B-77" },
      { sku: "MUG-RED", qty: 1, batchRef: "B-77" },
      { sku: "RADIO", qty: 1, serials: ["SN-4711"] },
    ],
  });
  const lots = await search("b-77");
  assert.deepEqual(
    lots.map(({ kind, clientId, id, parentId }) => [kind, clientId, id, parentId]),
    [
      ["LOT", "ONE", "B-77", "MUG-BLUE"],
      ["LOT", "ONE", "B-77", "MUG-RED"],
    ],
  );
  assert.deepEqual(await search("B-7"), [], "a batch is found by its whole name only");
  const [unit] = await search("SN-4711");
  assert.deepEqual(
    [unit?.kind, unit?.id, unit?.label, unit?.parentId, unit?.state],
    ["SERIAL", "SN-4711", "RADIO", null, "IN_STOCK"],
  );
  await first.place("WEB-30", [{ sku: "RADIO", qty: 1 }]);
  await first.pick("WEB-30", 1, { serials: ["SN-4711"] });
  const olpns = [parcel([{ lineNumber: 1, qty: 1, serials: ["SN-4711"] }])];
  const packed = await dc1.report("pack", { clientId: "ONE", orderId: "WEB-30", olpns });
  await first.despatch(...(packed.olpns as { olpnId: string }[]).map(({ olpnId }) => olpnId));
  const [gone] = await search("SN-4711");
  assert.deepEqual([gone?.parentId, gone?.state], ["WEB-30", "GONE"]);
  const ofTwo = await signIn(server, "viewer", { clientIds: ["TWO"] });
  assert.deepEqual([await search("B-77", ofTwo), await search("SN-4711", ofTwo)], [[], []]);
});

test("an order is found by its customer: name in either order, e-mail address, postcode, telephone; not after erasure", async () => {
  const shipToAddress = {
    firstName: "Greta",
    lastName: "Archer",
    address1: "4 Park Row",
    city: "Bristol",
    zip: "BS1 5HX",
    country: "GB",
    email: "Greta.Archer@example.com",
    phone: "+44 (0)7700 900123",
  };
  await first.place("CUST-1", [{ sku: "MUG-BLUE", qty: 1 }], { distributionCentre: "DC1", shipToAddress });
  const [greta] = await search("Greta Archer");
  assert.deepEqual([greta?.kind, greta?.id, greta?.label, greta?.isExact], ["ORDER", "CUST-1", "Greta Archer", true]);
  const listed = async (query: string, user = anna) => {
    const { status, body } = await user.get(`/order/list?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    const count = await user.get(`/order/count?${query}`);
    assert.equal(count.body.count, body.items.length);
    return body.items.map(({ orderId }: { orderId: string }) => orderId);
  };
  const texts = ["archer", "ARCHER, GRETA", "Archer Gr", "greta.archer@", "bs15hx", "BS1 5H"];
  const numbers = ["07700 900123", "+44 7700 900123", "0044-7700-900123", "07700900123"];
  const ofCustomer = (text: string) => `customer=${encodeURIComponent(text)}`;
  for (const text of [...texts, ...numbers]) {
    assert.deepEqual(lines(await search(text)), ["~ORDER ONE CUST-1"], text);
    assert.deepEqual(await listed(ofCustomer(text)), ["CUST-1"], text);
  }
  assert.deepEqual(await listed(`${ofCustomer("archer")}&sku=MUG-BLUE&status=ALLOCATED`), ["CUST-1"]);
  assert.deepEqual(await listed(`${ofCustomer("archer")}&sku=MUG-RED`), []);
  assert.deepEqual(await listed("serialNumber=SN-4711"), ["WEB-30"]);
  const ofTwo = await signIn(server, "viewer", { clientIds: ["TWO"] });
  const atDc2 = await signIn(server, "viewer", { facilityCodes: ["DC2"] });
  for (const user of [ofTwo, atDc2]) {
    for (const text of ["Greta Archer", "07700 900123"]) assert.deepEqual(await search(text, user), [], text);
    assert.deepEqual(await listed(ofCustomer("archer"), user), []);
  }
  await server.operate((tx, change) => eraseOrders(tx.of("ONE", change), ["CUST-1"]));
  assert.deepEqual(await listed(ofCustomer("07700 900124")), []);
  for (const text of [...texts, ...numbers])
    assert.deepEqual([await search(text), await listed(ofCustomer(text))], [[], []], text);
});

test("a parcel is found by SSCC, as a scanner and as a label give it, and by tracking number", async () => {
  const [olpnId = ""] = await first.ship("WEB-20", "MUG-BLUE", 1);
  for (const text of [olpnId, `00${olpnId}`, `(00) ${olpnId}`]) {
    const [found] = await search(text);
    assert.deepEqual([found?.kind, found?.id, found?.parentId, found?.isExact], ["PARCEL", olpnId, "WEB-20", true]);
  }
  const [row] = await server.rows<{ tracking_number: string }>(
    "select tracking_number from parcel where olpn_id = $1",
    olpnId,
  );
  assert.deepEqual(lines(await search(row?.tracking_number ?? "")).includes(`PARCEL ONE ${olpnId}`), true);
});

test("items are found by SKU and EAN, clients and facilities by code and name", async () => {
  assert.deepEqual(lines(await search("MUG-BLUE")), ["ITEM ONE MUG-BLUE", "ITEM TWO MUG-BLUE"]);
  assert.deepEqual(lines(await search("mug-r")), ["~ITEM ONE MUG-RED"]);
  assert.deepEqual(lines(await search("4006381333931")), ["ITEM ONE MUG-RED"]);
  assert.ok(lines(await search("one")).includes("CLIENT ONE ONE"));
  assert.ok(lines(await search("DC1")).includes("FACILITY - DC1"));
});

test("outbound documents and deliveries are found by their ids, other objects by their numbers", async () => {
  await first.quiet();
  const [document] = await server.rows<{ message_id: string }>(
    "select message_id::text as message_id from outbound_document where client_id = 'ONE' limit 1",
  );
  assert.deepEqual(lines(await search(document?.message_id ?? "")), [`OUTBOUND ONE ${document?.message_id}`]);
});

test("a user with limits finds what is within them", async () => {
  const ofTwo = await signIn(server, "viewer", { clientIds: ["TWO"] });
  assert.deepEqual(lines(await search("web-1", ofTwo)), ["ORDER TWO web-1"]);
  assert.deepEqual(await search(token, ofTwo), []);
  assert.deepEqual(lines(await search("one", ofTwo)), []);
  const atDc2 = await signIn(server, "viewer", { facilityCodes: ["DC2"] });
  assert.deepEqual(await search("WEB-1", atDc2), []);
  assert.ok(lines(await search("DC", atDc2)).every((line) => line.endsWith("DC2")));
});
