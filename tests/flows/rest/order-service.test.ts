// rest.md §3 and §4, orders as a client reads them: every field of the feed, stable lists, and the state of an order.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { order } from "../../support/builders/documents.ts";
import { lifeOf } from "../../support/builders/life.ts";
import type { Answer } from "../../support/http/call.ts";
import { pointersOf, restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const life = await lifeOf(server, dc1, "DEMO");
const other = await server.onboard("OTHER");
const call = restCalls(server.url, "/v1/orderService", life.client.credentials);
const foreign = restCalls(server.url, "/v1/orderService", other.credentials);
const samples = new URL("../../../samples/accepted/", import.meta.url);

const get = (path: string) => call("GET", path);
const at = (operation: string, orderId: string) => `/order/${operation}/${encodeURIComponent(orderId)}`;

async function answered(promised: Promise<Answer>): Promise<Record<string, unknown>> {
  const { status, body } = await promised;
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const list = async (query: Readonly<Record<string, string>> = {}) => {
  const { items, nextCursor } = await answered(get(`/order/list?${new URLSearchParams(query)}`));
  const records = items as readonly Record<string, unknown>[];
  return { ids: records.map(({ orderId }) => orderId as string), records, nextCursor: nextCursor as string | null };
};

/** Reads all pages, and runs `between` after each. */
async function walk(query: Readonly<Record<string, string>>, between = async () => {}): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await list(cursor === undefined ? query : { ...query, cursor });
    seen.push(...page.ids);
    cursor = page.nextCursor;
    await between();
  }
  return seen;
}

test("an order has every field of its feed under the feed's name", async () => {
  const full = await server.onboard("FULL");
  const read = (name: string) =>
    readFileSync(new URL(name, samples), "utf8").replaceAll("<clientId>DEMO", "<clientId>FULL");
  await full.accept("CAT", read("CAT.xml"));
  const { token } = await full.accept("NO", read("NO.xml"));
  const { body, headers } = await restCalls(
    server.url,
    "/v1/orderService",
    full.credentials,
  )("GET", at("get", "WEB-100045"));
  const euro = (amount: number) => ({ amount, currency: "EUR" });
  const taxes = (amount: number, ...tax: [type: string, amount: number][]) => ({
    ...euro(amount),
    tax: tax.map(([type, amount]) => ({ type, amount })),
  });
  const { lines, milestones, holds, olpns, ...header } = body;
  const { status, statusReason, receivedAt, updatedAt, version, despatchBy, personalDataErasedAt, ...ofFeed } = header;
  assert.equal(headers.get("etag"), `"${version}"`);
  assert.deepEqual([statusReason, personalDataErasedAt, holds, olpns], [null, null, [], []]);
  assert.equal(despatchBy, ofFeed.shipBy);
  assert.ok(["RECEIVED", "BACKORDERED"].includes(status as string));
  assert.ok(String(updatedAt) >= String(receivedAt));
  assert.deepEqual((milestones as { code: number; name: string }[])[0], {
    code: 10,
    name: "Order Received",
    at: receivedAt,
  });
  assert.deepEqual(ofFeed, {
    orderId: "WEB-100045",
    clientId: "FULL",
    externalOrderReference: "SHOP-2026-77812",
    catalogId: "AUTUMN-2026",
    doNotShip: false,
    origin: "WEBSHOP",
    language: "en-GB",
    shipAfter: "2026-11-03T05:00:00.000Z",
    shipBy: "2029-11-05T16:00:00.000Z",
    deliverBy: "2029-11-08T17:00:00.000Z",
    orderDate: "2026-11-02T08:41:12.250Z",
    shippingMethod: "STANDARD",
    shippingCost: euro(4.99),
    subtotal: euro(104.16),
    totalPrice: euro(109.15),
    taxes: taxes(18.19, ["VAT", 17.36], ["SHIPPING_VAT", 0.83]),
    billToAddress: {
      addressId: "B-3301",
      title: "Dr.",
      companyName: "Muster & Söhne GmbH",
      department: "Einkauf",
      firstName: "Jürgen",
      lastName: "Groß",
      address1: "Unter den Linden 21",
      address2: "Hinterhaus",
      city: "Berlin",
      zip: "10117",
      state: "Berlin",
      country: "DE",
      phone: "+49 30 5550100",
      mobile: "+49 151 5550101",
      email: "einkauf@muster.example",
    },
    shipToAddress: {
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
    },
    payments: [
      { type: "CARD", tender: "VISA" },
      { type: "VOUCHER", tender: "AUTUMN10" },
    ],
    distributionCentre: "DC1",
    distributionCentres: ["DC1"],
    carrierCode: "RM",
    extendedAttributes: {
      WebOrderId: "77812",
      IncotermName: "DAP",
      PackingSlipLanguage: "en",
      PrintPricesOnPackingSlip: "false",
      Priority: "3",
      ShipPartial: "true",
      GiftMessage: "Happy birthday & <3 from Jürgen",
      Revision: "3",
    },
    priority: 3,
    shipPartial: true,
    feedToken: token,
  });
  const [, oil] = lines as Record<string, unknown>[];
  const { status: _status, qtyOpen, qtyBackordered, ...line } = oil ?? {};
  assert.equal(Number(qtyOpen) + Number(qtyBackordered), 3);
  assert.deepEqual(line, {
    lineNumber: 2,
    sku: "OIL-OLIVE-500",
    qty: 3,
    qtyUom: "EA",
    uom: "EA",
    stockPool: "DEFAULT",
    qtyOrdered: 3,
    qtyAllocated: 0,
    qtyPicked: 0,
    qtyPacked: 0,
    qtyDespatched: 0,
    qtyCancelled: 0,
    qtyDelivered: 0,
    qtyReturned: 0,
    components: [],
    distributionCentre: "DC1",
    promisedOn: null,
    lineTotal: euro(36),
    unitNetPrice: euro(10),
    extendedUnitNetPrice: euro(30),
    unitGrossPrice: euro(12),
    taxes: taxes(6, ["VAT", 6]),
    extendedAttributes: { IsHazmat: "false", ProductCategoryCode: "FO-110" },
  });
});

test("an orderId may contain every character that the feed allows", async () => {
  for (const orderId of ["a/b c%2Fd", "100%", "Ünï-çødé 注文", "q?x=1#y;z", "...", "'--\\\""]) {
    await life.place(orderId, ["A"]);
    assert.equal((await answered(get(at("get", orderId)))).orderId, orderId);
    assert.equal((await answered(get(at("status", orderId)))).orderId, orderId);
    await answered(call("POST", at("hold", orderId)));
    const { order: cancelled } = await answered(call("POST", at("cancel", orderId), { reason: "odd" }));
    assert.equal((cancelled as { orderId: string }).orderId, orderId);
  }
});

test("another client's order and one that is not there are the same 404, for every operation", async () => {
  await life.place("MINE", ["A"]);
  const before = await answered(get(at("get", "MINE")));
  const operations: readonly (readonly [method: string, path: (orderId: string) => string, body?: object])[] = [
    ["GET", (id) => at("get", id)],
    ["GET", (id) => at("status", id)],
    ["POST", (id) => at("cancel", id), { reason: "x" }],
    ["PATCH", (id) => at("update", id), { priority: 1 }],
    ["POST", (id) => at("hold", id), {}],
    ["POST", (id) => at("release", id), {}],
    ["POST", (id) => `/orderLine/cancel/${id}/1`, { reason: "x" }],
    ["PATCH", (id) => `/orderLine/update/${id}/1`, { qty: 2 }],
  ];
  for (const [method, path, body] of operations) {
    const answers = [await foreign(method, path("MINE"), body), await foreign(method, path("NONE"), body)];
    for (const { status, body: problem } of answers) {
      assert.equal(status, 404, path("…"));
      assert.equal(problem.type, "/problems/not-found");
    }
    const [theirs, none] = answers.map(({ body: { detail } }) => String(detail).replace(/MINE|NONE/, ""));
    assert.equal(theirs, none);
  }
  assert.deepEqual(await answered(get(at("get", "MINE"))), before);
  assert.deepEqual((await foreign("GET", "/order/list")).body, { items: [], nextCursor: null });
  assert.equal((await foreign("GET", `${at("get", "MINE")}?clientId=DEMO`)).status, 403);
});

test("the status of an order tells what has happened, and where its parcels are", async () => {
  await life.stock([{ sku: "B", qty: 3 }]);
  await life.place("SENT", [{ sku: "B", qty: 3 }]);
  const waiting = await get(at("status", "SENT"));
  const { version, milestones, updatedAt, ...rest } = waiting.body;
  assert.equal(waiting.headers.get("etag"), `"${version}"`);
  assert.deepEqual(rest, { orderId: "SENT", clientId: "DEMO", status: "ALLOCATED", statusReason: null, parcels: [] });
  assert.deepEqual(
    (milestones as { code: number }[]).map(({ code }) => code),
    [10, 20, 40, 50],
  );
  const { receivedAt } = await answered(get(at("get", "SENT")));
  const ofReceipt = (milestones as { code: number; at: string }[]).filter(({ code }) => code <= 20);
  assert.deepEqual(
    new Set(ofReceipt.map(({ at }) => at)),
    new Set([receivedAt]),
    "allocation does not move the receipt",
  );
  await life.pick("SENT", 3);
  const [gone = "", voided = ""] = await life.pack("SENT", 1, 2);
  await dc1.report("parcel/void", { clientId: "DEMO", olpnId: voided });
  await life.despatch(gone);
  const { parcels, ...sent } = await answered(get(at("status", "SENT")));
  const full = await answered(get(at("get", "SENT")));
  assert.deepEqual(full.olpns, [gone]);
  for (const field of Object.keys(sent)) assert.deepEqual(sent[field], full[field], field);
  assert.equal(sent.status, "PARTIALLY_DESPATCHED");
  assert.notEqual(sent.updatedAt, updatedAt);
  const [parcel, ...none] = parcels as Record<string, unknown>[];
  assert.deepEqual(none, []);
  assert.deepEqual([parcel?.olpnId, parcel?.status], [gone, "DESPATCHED"]);
  assert.ok(String(parcel?.despatchedAt) >= String(parcel?.packedAt));
});

test("lists hold still while orders come in, either way", async () => {
  const before = await walk({ limit: "500" });
  let more = 0;
  const insert = async () => void (await life.client.accept("NO", order("DEMO", `NEW-${++more}`, ["A"])));
  const oldestFirst = await walk({ limit: "2" }, async () => {
    if (more < 3) await insert();
  });
  assert.deepEqual(oldestFirst, [...before, "NEW-1", "NEW-2", "NEW-3"]);
  const newestFirst = await walk({ limit: "2", sort: "-receivedAt" }, async () => {
    if (more < 6) await insert();
  });
  assert.deepEqual(newestFirst, oldestFirst.toReversed());
  // Allocation creates another version of an order at an unknown moment.
  await life.quiet();
  const { records } = await list({ limit: "1", sort: "-receivedAt" });
  assert.deepEqual(records, [await answered(get(at("get", "NEW-6")))]);
});

test("filters limit the list by state, facility, reference, receipt and change, alone and combined", async () => {
  const filtering = await lifeOf(server, dc1, "FILTER");
  const read = restCalls(server.url, "/v1/orderService", filtering.client.credentials);
  const idsOf = async (query: Readonly<Record<string, string>>, limit = "2") => {
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = new URLSearchParams({ ...query, limit, ...(cursor === undefined ? {} : { cursor }) });
      const { items, nextCursor } = await answered(read("GET", `/order/list?${page}`));
      seen.push(...(items as { orderId: string }[]).map(({ orderId }) => orderId));
      cursor = nextCursor as string | null;
    }
    return seen.join(" ");
  };
  for (const i of [1, 2, 3, 4, 5, 6]) {
    const more = { distributionCentre: i % 2 === 0 ? "DC2" : "DC1", externalOrderReference: i < 3 ? "SAME" : `R-${i}` };
    await filtering.place(`F-${i}`, ["A"], more);
  }
  const times = await answered(read("GET", "/order/list"));
  const receivedAt = (times.items as { receivedAt: string }[]).map((record) => record.receivedAt);
  const [, second = "", , fourth = "", , last = ""] = receivedAt;
  await answered(read("POST", "/order/hold/F-5", { reason: "look" }));
  await answered(read("POST", "/order/hold/F-2", { reason: "look" }));
  await filtering.quiet();
  assert.equal(await idsOf({ status: "ON_HOLD" }), "F-2 F-5");
  assert.equal(await idsOf({ status: "ON_HOLD", sort: "-receivedAt" }, "1"), "F-5 F-2");
  assert.equal(await idsOf({ status: "ON_HOLD", distributionCentre: "DC2" }), "F-2");
  assert.equal(await idsOf({ distributionCentre: "DC2" }), "F-2 F-4 F-6");
  assert.equal(await idsOf({ distributionCentre: "DC2", sort: "-receivedAt" }), "F-6 F-4 F-2");
  assert.equal(await idsOf({ externalOrderReference: "SAME" }), "F-1 F-2");
  assert.equal(await idsOf({ externalOrderReference: "SAME", status: "ON_HOLD" }), "F-2");
  assert.equal(await idsOf({ receivedFrom: second, receivedTo: fourth }), "F-2 F-3");
  assert.equal(await idsOf({ receivedFrom: fourth, sort: "-receivedAt", status: "BACKORDERED" }), "F-6 F-4");
  // Inclusive: orders received or changed at that very moment are included, and older ones that changed since.
  const changed = { updatedSince: last };
  assert.equal(await idsOf(changed), "F-2 F-5 F-6");
  assert.equal(await idsOf(changed, "1"), "F-2 F-5 F-6");
  assert.equal(await idsOf({ ...changed, sort: "-receivedAt" }), "F-6 F-5 F-2");
  assert.equal(await idsOf({ ...changed, sort: "-receivedAt" }, "1"), "F-6 F-5 F-2");
  assert.equal(await idsOf({ ...changed, status: "ON_HOLD", distributionCentre: "DC1" }), "F-5");
  assert.equal(await idsOf({ ...changed, externalOrderReference: "SAME" }), "F-2");
  assert.equal(await idsOf({ ...changed, receivedTo: last }), "F-2 F-5");
  assert.equal(await idsOf({ updatedSince: "2000-01-01T00:00:00Z" }), "F-1 F-2 F-3 F-4 F-5 F-6");
  const { updatedAt } = await answered(read("GET", "/order/get/F-2"));
  assert.equal(await idsOf({ updatedSince: String(updatedAt) }), "F-2");
  assert.equal(await idsOf({ updatedSince: "2999-01-01T00:00:00Z" }), "");
});

test("what is wrong with a list's parameters is reported, all of it; a cursor is of one list and one sort", async () => {
  const wrong = await get("/order/list?limit=501&status=LOST&updatedSince=monday&receivedFrom=2026-11-02&size=1");
  assert.equal(wrong.status, 400);
  const names = ["limit", "receivedFrom", "size", "status", "updatedSince"];
  assert.deepEqual(
    pointersOf(wrong).sort(),
    names.map((name) => `/query/${name}`),
  );
  const { nextCursor } = await list({ limit: "1" });
  for (const query of [`cursor=${nextCursor}&sort=-receivedAt`, "cursor=eyJ2IjoxfQ", "cursor=%00", "cursor=!"]) {
    const refused = await get(`/order/list?${query}`);
    assert.equal(refused.status, 400, query);
    assert.deepEqual(pointersOf(refused).slice(0, 1), ["/query/cursor"]);
  }
  const rmas = await call("GET", `/rma/list?cursor=${nextCursor}`);
  assert.equal(rmas.status, 400);
  const unknown = await get("/order/list?distributionCentre=DC9");
  assert.deepEqual([unknown.status, pointersOf(unknown)], [422, ["/query/distributionCentre"]]);
  assert.match(String(unknown.body.detail), /'DC9' is not a facility of the client; did you mean DC1\?/);
  assert.equal((await get("/order/list?distributionCentre=DC9&limit=0")).status, 400, "the shape is judged before");
  const none = await foreign("GET", "/order/list?distributionCentre=DC1");
  assert.deepEqual([none.status, none.body], [200, { items: [], nextCursor: null }]);
  for (const path of ["/order/get/%00", `/order/get/${"x".repeat(65)}`, "/order/status/%00"]) {
    const refused = await get(path);
    assert.equal(refused.status, 400, path);
    assert.deepEqual(pointersOf(refused), ["/path/orderId"]);
  }
  assert.equal((await get("/order/status/A?full=1")).status, 400);
});
