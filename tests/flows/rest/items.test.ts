// rest.md §3 and §4, Item Master service; feeds.md §4, CAT.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue, type Parts } from "../../support/builders/documents.ts";
import { pointersOf, restCalls } from "../../support/http/rest-calls.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const other = await server.onboard("OTHER");
const listed = await server.onboard("LISTED");
const merging = await server.onboard("MERGING", { settings: { catMode: "MERGE" } });
const prefix = "/v1/itemMasterService";
const call = restCalls(server.url, prefix, demo.credentials);

type Item = Record<string, unknown>;

async function findItem(sku: string, by = call): Promise<Item> {
  const { status, body } = await by("GET", `/findItemBySku?${new URLSearchParams({ sku })}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function findItems(skus: readonly string[], by = call): Promise<Item[]> {
  const { status, body } = await by("POST", "/findItemBySkuList", { skus });
  assert.equal(status, 200, JSON.stringify(body));
  return body.items as Item[];
}

test("the list of a look-up is named skus or products in every service", async () => {
  await demo.accept("CAT", catalogue("DEMO", ["NAMED"]));
  const inventory = restCalls(server.url, "/v1/inventoryService", demo.credentials);
  for (const name of ["skus", "products"]) {
    const { status, body } = await call("POST", "/findItemBySkuList", { [name]: ["NAMED", "OTHER"], clientId: null });
    assert.deepEqual([status, (body.items as Item[]).map(({ found }) => found)], [200, [true, false]], name);
    for (const operation of ["findInventoryBySkuList", "findInventoryDetailsBySkuList"]) {
      const answer = await inventory("POST", `/${operation}`, { distributionCentre: "DC1", [name]: ["NAMED"] });
      assert.equal(answer.status, 200, `${operation} ${name}`);
    }
  }
  const both = await call("POST", "/findItemBySkuList", { skus: ["A"], products: ["B"] });
  assert.deepEqual(pointersOf(both), ["#/products"]);
});

test("a read comes in gzip to a client that accepts it, with the tag of its version", async () => {
  const extendedAttributes = attributes({ Note: "n".repeat(1_000) });
  await demo.accept("CAT", catalogue("DEMO", [{ sku: "ZIPPED", extendedAttributes }]));
  const coded = (accepted: string) =>
    call("GET", "/findItemBySku?sku=ZIPPED", undefined, { "accept-encoding": accepted });
  const [plain, zipped] = [await coded("identity"), await coded("br, gzip")];
  assert.deepEqual([plain.headers.get("content-encoding"), plain.headers.get("vary")], [null, "Accept-Encoding"]);
  assert.deepEqual([zipped.headers.get("content-encoding"), zipped.headers.get("vary")], ["gzip", "Accept-Encoding"]);
  assert.deepEqual(zipped.body, plain.body);
  assert.equal(zipped.headers.get("etag"), '"1"');
});

test("an item has every field of its catalogue, and what the platform adds", async () => {
  const { token } = await demo.accept(
    "CAT",
    readFileSync(new URL("../../../samples/accepted/CAT.xml", import.meta.url)),
  );
  const { status, headers, body } = await call("GET", "/findItemBySku?sku=OIL-OLIVE-500&clientId=DEMO");
  assert.equal(status, 200);
  assert.equal(headers.get("etag"), '"1"');
  const { createdAt, updatedAt, extendedAttributes, ...rest } = body;
  assert.deepEqual(rest, {
    sku: "OIL-OLIVE-500",
    found: true,
    name: "Olive oil, extra virgin, 500 ml",
    altSku: "OIL-500",
    eanCode: "4006381334013",
    weight: 910,
    weightUomCode: "G",
    height: 27,
    length: 7,
    width: 7,
    dimensionsUomCode: "CM",
    productType: "FOOD",
    countryOfOrigin: "IT",
    imageUrl: "https://images.example.com/oil-olive-500.jpg",
    availableFrom: null,
    dangerousGoods: null,
    captureBatchRef: true,
    gtinBarcodes: ["4006381334013"],
    components: [],
    stockUom: "EA",
    active: true,
    warnings: [],
    version: 1,
    feedToken: token,
  });
  assert.deepEqual((extendedAttributes as Item).MinShelfLifeDays, "60");
  assert.ok(Math.abs(Date.now() - Date.parse(createdAt as string)) < 60_000);
  assert.equal(createdAt, updatedAt);
});

test("every SKU asked for is answered in its order, duplicates once, unknown ones with nothing but that", async () => {
  const { status, body } = await call("POST", "/findItemBySkuList", {
    clientId: "DEMO",
    skus: ["NONE", "LAMP-DESK-01", "MUG-BLUE-330", "NONE", "lamp-desk-01", "LAMP-DESK-01"],
  });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ["clientId", "items"]);
  assert.equal(body.clientId, "DEMO");
  const items = body.items as Item[];
  assert.deepEqual(
    items.map(({ sku, found, name }) => [sku, found, name]),
    [
      ["NONE", false, null],
      ["LAMP-DESK-01", true, "Desk lamp with battery"],
      ["MUG-BLUE-330", true, "Ceramic mug, blue, 330 ml"],
      ["lamp-desk-01", false, null],
    ],
  );
  const [none, lamp] = items as [Item, Item];
  assert.deepEqual(Object.keys(none).sort(), Object.keys(lamp).sort(), "an unknown SKU has the same fields");
  for (const [field, value] of Object.entries(none)) {
    if (field !== "sku" && field !== "found") assert.equal(value, null, field);
  }
  assert.deepEqual(lamp, await findItem("LAMP-DESK-01"));
  const { status: single, headers, body: unknown } = await call("GET", "/findItemBySku?sku=NONE");
  assert.deepEqual([single, headers.get("etag"), unknown], [200, null, none]);
});

test("a thousand SKUs go into one request, one more does not", async () => {
  const skus = Array.from({ length: 1_000 }, (_, i) => `BULK-${i}`);
  await demo.accept("CAT", catalogue("DEMO", skus.slice(0, 600)));
  const items = await findItems(skus);
  assert.deepEqual(
    items.map(({ sku }) => sku),
    skus,
  );
  assert.equal(items.filter(({ found }) => found).length, 600);
  const many = await call("POST", "/findItemBySkuList", { skus: [...skus, "BULK-1000"] });
  assert.deepEqual([many.status, pointersOf(many)], [400, ["#/skus"]]);
});

test("SKUs may have any character that a catalogue may have", async () => {
  const skus = [
    "A/B",
    "50%",
    "50%25",
    "it's",
    '"quoted"',
    "a b  c",
    "Größe-ß",
    "日本語",
    "👟-42",
    "{x}",
    "\\",
    "a+b&c=d",
    "NULL",
  ];
  await demo.accept("CAT", catalogue("DEMO", skus));
  const items = await findItems(skus);
  assert.deepEqual(
    items.map(({ sku, found }) => [sku, found]),
    skus.map((sku) => [sku, true]),
  );
  for (const sku of skus) assert.equal((await findItem(sku)).found, true, sku);
});

test("an item belongs to its client", async () => {
  await other.accept("CAT", catalogue("OTHER", [{ sku: "MUG-BLUE-330", name: "Another client's mug" }, "ONLY-OTHER"]));
  const asOther = restCalls(server.url, prefix, other.credentials);
  assert.equal((await findItem("MUG-BLUE-330", asOther)).name, "Another client's mug");
  assert.equal((await findItem("MUG-BLUE-330")).name, "Ceramic mug, blue, 330 ml");
  assert.equal((await findItem("ONLY-OTHER")).found, false);
  assert.deepEqual(
    (await findItems(["ONLY-OTHER", "LAMP-DESK-01"], asOther)).map(({ found }) => found),
    [true, false],
  );
  for (const [method, path, body] of [
    ["GET", "/findItemBySku?sku=A&clientId=OTHER", undefined],
    ["GET", "/item/list?clientId=OTHER", undefined],
    ["POST", "/findItemBySkuList", { clientId: "OTHER", skus: ["A"] }],
    ["POST", "/findItemBySkuList?clientId=OTHER", { skus: ["A"] }],
  ] as const) {
    const foreign = await call(method, path, body);
    assert.deepEqual([foreign.status, foreign.body.type], [403, "/problems/client-forbidden"], path);
  }
});

test("an item's warnings are what the last catalogue said of it, in both modes", async () => {
  const date = (day: number) => `2026-11-0${day}T08:00:00Z`;
  for (const [client, clientId] of [
    [demo, "DEMO"],
    [merging, "MERGING"],
  ] as const) {
    const by = restCalls(server.url, prefix, client.credentials);
    const warned = async (sku: string) => (await findItem(sku, by)).warnings;
    const send = (items: readonly (string | Parts)[], day: number) =>
      client.accept("CAT", catalogue(clientId, items, date(day)));
    await send([{ sku: "W-OLD", gtinBarcodes: { barcode: ["SCAN-W"] } }, "W-PLAIN"], 3);
    assert.deepEqual(await warned("W-OLD"), []);
    const wrong = { eanCode: "4006381333930", gtinBarcodes: { barcode: ["SCAN-W", "96385075"] } };
    await send([{ sku: "W-NEW", ...wrong }, "W-PLAIN"], 2);
    assert.deepEqual(await warned("W-NEW"), [
      "[GTIN] the check digit of '4006381333930' of SKU W-NEW is wrong",
      "[GTIN] the check digit of '96385075' of SKU W-NEW is wrong",
      "[BARCODE] Barcode SCAN-W of SKU W-NEW is also on SKU W-OLD",
    ]);
    assert.deepEqual(await warned("W-PLAIN"), [
      "[OLDER] date 2026-11-02T08:00:00Z is older than 2026-11-03T08:00:00.000Z, the date of the stored SKU W-PLAIN",
    ]);
    assert.deepEqual(await warned("W-OLD"), [], "of another item's catalogue it has nothing");
    // A repeated item gives the same warnings, without duplicates.
    await send([{ sku: "W-NEW", ...wrong }], 4);
    assert.equal(((await warned("W-NEW")) as string[]).length, 3);
    await send([{ sku: "W-NEW", eanCode: "5901234123457", gtinBarcodes: { barcode: ["W-OWN"] } }, "W-PLAIN"], 5);
    assert.deepEqual([await warned("W-NEW"), await warned("W-PLAIN")], [[], []]);
  }
});

const callListed = restCalls(server.url, prefix, listed.credentials);

async function listItems(query: Record<string, string> = {}): Promise<{ items: Item[]; nextCursor: string | null }> {
  const { status, body } = await callListed("GET", `/item/list?${new URLSearchParams(query)}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body as unknown as { items: Item[]; nextCursor: string | null };
}

/** The SKUs of all pages; `between` runs after each page. */
async function listAll(query: Record<string, string>, between = async () => {}): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await listItems(cursor ? { ...query, cursor } : query);
    seen.push(...page.items.map(({ sku }) => sku));
    cursor = page.nextCursor;
    await between();
  }
  return seen;
}

test("items are listed by receipt, paged, in both directions, while others arrive", async () => {
  const first = ["L-3", "L-1", "L-2"];
  await listed.accept("CAT", catalogue("LISTED", first));
  await listed.accept(
    "CAT",
    catalogue("LISTED", [{ sku: "L-0", extendedAttributes: attributes({ Active: "false" }) }]),
  );
  const sorted = ["L-1", "L-2", "L-3", "L-0"];
  assert.deepEqual(await listAll({}), sorted);
  assert.deepEqual(await listAll({ limit: "1" }), sorted);
  assert.deepEqual(await listAll({ limit: "2", sort: "-receivedAt" }), sorted.toReversed());
  assert.deepEqual(await listAll({ active: "true" }), ["L-1", "L-2", "L-3"]);
  assert.deepEqual(await listAll({ active: "false" }), ["L-0"]);
  let comes = 0;
  const more = async () => {
    if (++comes <= 2) await listed.accept("CAT", catalogue("LISTED", [`A-${comes}`]));
  };
  assert.deepEqual(await listAll({ limit: "2" }, more), [...sorted, "A-1", "A-2"]);
  const { items } = await listItems({ limit: "1" });
  const { found, ...item } = await findItem("L-1", callListed);
  assert.equal(found, true);
  assert.deepEqual(items, [item], "a listed item is the item that is found");
});

test("updatedSince finds what a catalogue brought since, new or known before", async () => {
  const since = String((await findItem("A-2", callListed)).updatedAt);
  assert.deepEqual(await listAll({ updatedSince: since }), ["A-2"]);
  await listed.accept("CAT", catalogue("LISTED", [{ sku: "L-2", name: "Anew" }, "Z-NEW", { sku: "L-0" }]));
  for (const limit of ["1", "50"]) {
    assert.deepEqual(await listAll({ updatedSince: since, limit }), ["L-2", "L-0", "A-2", "Z-NEW"]);
    const newestFirst = await listAll({ updatedSince: since, limit, sort: "-receivedAt" });
    assert.deepEqual(newestFirst, ["Z-NEW", "A-2", "L-0", "L-2"]);
  }
  const { version, name, createdAt, updatedAt } = await findItem("L-2", callListed);
  assert.deepEqual([version, name], [2, "Anew"]);
  assert.ok(Date.parse(String(createdAt)) < Date.parse(String(updatedAt)));
  assert.deepEqual(await listAll({ updatedSince: "2999-01-01T00:00:00Z" }), []);
});

test("all errors of a request are reported at once", async () => {
  const refusals = [
    [await call("GET", "/findItemBySku"), ["/query/sku"]],
    [await call("GET", "/findItemBySku?sku="), ["/query/sku"]],
    [await call("GET", `/findItemBySku?sku=${"x".repeat(65)}`), ["/query/sku"]],
    [await call("GET", "/findItemBySku?sku=A&sku=B"), ["/query/sku"]],
    [await call("GET", "/findItemBySku?sku=%00"), ["/query/sku"]],
    [await call("GET", "/findItemBySku?sku=A&colour=red"), ["/query/colour"]],
    [await call("POST", "/findItemBySkuList", {}), ["#/skus"]],
    [await call("POST", "/findItemBySkuList", { skus: [] }), ["#/skus"]],
    [await call("POST", "/findItemBySkuList", { skus: ["A", 1, ""], sku: "A" }), ["#/sku", "#/skus/1", "#/skus/2"]],
    [await call("POST", "/findItemBySkuList", '{"skus":["\\ud800","a\\u0000"]}'), ["#/skus/0", "#/skus/1"]],
    [await call("POST", "/findItemBySkuList?clientId=DEMO", { clientId: 1, skus: ["A"] }), ["#/clientId"]],
    [await call("GET", "/item/list?active=yes&updatedSince=yesterday&limit=501&sort=sku"), undefined],
    [await call("GET", "/item/list?cursor=made-up"), ["/query/cursor"]],
  ] as const;
  for (const [answer, pointers] of refusals) {
    assert.deepEqual(
      [answer.status, answer.body.type],
      [400, "/problems/invalid-request"],
      JSON.stringify(answer.body),
    );
    assert.deepEqual(
      pointersOf(answer).toSorted(),
      pointers ?? ["/query/active", "/query/limit", "/query/sort", "/query/updatedSince"],
    );
  }
  const { nextCursor } = await listItems({ limit: "1" });
  const turned = await callListed("GET", `/item/list?sort=-receivedAt&cursor=${nextCursor}`);
  assert.deepEqual([turned.status, pointersOf(turned)], [400, ["/query/cursor"]], "a cursor is of one sort");
});

test("a body that is empty, too large or of another kind is refused, and so are other methods and paths", async () => {
  assert.equal((await call("POST", "/findItemBySkuList", "{")).status, 400);
  const large = await call("POST", "/findItemBySkuList", { skus: ["x".repeat(1_100_000)] });
  assert.equal(large.status, 413);
  const text = await call("POST", "/findItemBySkuList", "skus=A", { "content-type": "text/plain" });
  assert.equal(text.status, 415);
  assert.equal((await call("DELETE", "/item/list")).status, 405);
  assert.equal((await call("GET", "/item/get/MUG-BLUE-330")).status, 404);
});

test("a stored item is answered as a body of item/upsert, alone and with others", async () => {
  await demo.accept("CAT", catalogue("DEMO", [{ sku: "T/1", altSku: "T", captureBatchRef: "true" }, "T2"]));
  const empty = { captureBatchRef: false, extendedAttributes: {}, gtinBarcodes: [], components: [] };
  const first = { sku: "T/1", name: "Item T/1", altSku: "T", ...empty, captureBatchRef: true };
  const alone = await call("GET", `/item/template?${new URLSearchParams({ sku: "T/1" })}`);
  assert.deepEqual([alone.status, alone.body], [200, { items: [first] }]);
  const several = await call("POST", "/item/template", { skus: ["T2", "T/1", "T2"] });
  assert.deepEqual([several.status, several.body], [200, { items: [{ sku: "T2", name: "Item T2", ...empty }, first] }]);
  const written = await call("POST", "/item/upsert", several.body);
  assert.deepEqual([written.status, written.body.warnings], [200, []]);
  assert.equal((await call("GET", "/item/template?sku=NONE")).status, 404);
  const unknown = await call("POST", "/item/template", { skus: ["T2", "NONE", "GHOST"] });
  assert.deepEqual([unknown.status, pointersOf(unknown)], [422, ["#/skus/1", "#/skus/2"]]);
  assert.equal((await restCalls(server.url, prefix, other.credentials)("GET", "/item/template?sku=T2")).status, 404);
});
