// rest.md §3: the stock ledger as a change feed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";
import { goodsOf } from "../../support/builders/goods.ts";
import type { Answer } from "../../support/http/call.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO", { facilities: ["DC1", "DC2"], settings: { stockPools: "B2B,OTHER" } });
const other = await server.onboard("OTHER", { facilities: ["DC1"] });
const goods = goodsOf(server, demo);
const dc1 = await warehouseOf(server);
const rest = restCalls(server.url, "/v1", demo.credentials);
const restOfOther = restCalls(server.url, "/v1", other.credentials);
const serial = { sku: "SER", extendedAttributes: attributes({ CaptureSerial: "true" }) };
await demo.accept("CAT", catalogue("DEMO", ["A", "B", "C", { sku: "LOT", captureBatchRef: "true" }, serial]));

interface Listed {
  readonly position: number;
  readonly type: string;
  readonly sku: string;
  readonly qty: number;
  readonly affectsOnHand: boolean;
}

type Query = Readonly<Record<string, string | number>>;
const query = (of: Query) =>
  new URLSearchParams(Object.entries(of).map(([name, value]) => [name, String(value)])).toString();
const feed = (of: Query = {}, call = rest) =>
  call("GET", `/inventoryService/movement/list?${query({ distributionCentre: "DC1", ...of })}`);
const itemsOf = <Item = Listed>({ status, body }: Answer) => {
  assert.equal(status, 200, JSON.stringify(body));
  return body.items as Item[];
};
const cursorOf = ({ body }: Answer) => body.nextCursor as string;
const pointersOf = ({ body }: Answer) => (body.errors as { pointer: string }[]).map(({ pointer }) => pointer);

/** Reads the feed from a cursor until it returns the same cursor. */
async function readOn(of: Query, cursor?: string): Promise<{ items: Listed[]; cursor: string }> {
  const items: Listed[] = [];
  for (let at = cursor; ; ) {
    const page = await feed({ ...of, ...(at === undefined ? {} : { cursor: at }) });
    items.push(...itemsOf(page));
    if (cursorOf(page) === at) return { items, cursor: at };
    at = cursorOf(page);
  }
}

let number = 0;
const adjust = (sku: string, qty: number, more: object = {}) =>
  dc1.report("adjustment", {
    clientId: "DEMO",
    adjustmentId: `A-${++number}`,
    reasonCode: "FOUND",
    lines: [{ sku, qty, ...more }],
  });

test("a feed without entries has a cursor that leads to later entries", async () => {
  const empty = await feed();
  assert.deepEqual([itemsOf(empty), typeof cursorOf(empty)], [[], "string"]);
  await adjust("A", 10, { occurredAt: undefined });
  const next = await feed({ cursor: cursorOf(empty) });
  assert.deepEqual(
    itemsOf(next).map(({ position, type, sku, qty }) => [position, type, sku, qty]),
    [[1, "ADJUSTMENT", "A", 10]],
  );
  assert.deepEqual(itemsOf(await feed({ cursor: cursorOf(next) })), []);
});

test("every entry is listed as the warehouse reported it, reservations too", async () => {
  await demo.accept(
    "PO",
    purchaseOrder("DEMO", "PO-1", [
      { sku: "LOT", qty: 6 },
      { sku: "SER", qty: 2 },
    ]),
  );
  const occurredAt = "2026-11-01T08:00:00.000Z";
  const lot = { batchRef: "B1", expiryDate: "2031-03-31", stockPool: "B2B" };
  await dc1.report("goodsReceipt", {
    clientId: "DEMO",
    poNumber: "PO-1",
    receiptId: "R-1",
    occurredAt,
    lines: [
      { sku: "LOT", qty: 6, condition: "GOOD", ...lot },
      { sku: "SER", qty: 2, condition: "GOOD", serials: ["S1", "S2"] },
    ],
  });
  await dc1.report("hold", {
    clientId: "DEMO",
    reasonCode: "CONDITION",
    lines: [{ sku: "A", qty: 3, fromCondition: "GOOD", toCondition: "ON_HOLD" }],
  });
  await demo.accept("NO", order("DEMO", "O-1", [{ sku: "A", qty: 2 }], { distributionCentre: "DC1" }));
  await goods.outbound("OS", "O-1");
  await dc1.report("pick", { clientId: "DEMO", orderId: "O-1", lines: [{ lineNumber: 1, qtyPicked: 2 }] });
  const olpns = [{ weight: 1, weightUomCode: "KG", contents: [{ lineNumber: 1, qty: 2 }] }];
  const packed = await dc1.report("pack", { clientId: "DEMO", orderId: "O-1", olpns });
  const olpnIds = (packed.olpns as { olpnId: string }[]).map(({ olpnId }) => olpnId);
  await dc1.report("despatch", { clientId: "DEMO", olpnIds });
  const { items } = await readOn({ limit: 3 });
  assert.deepEqual(
    items.map(({ position }) => position),
    items.map((_, i) => i + 1),
  );
  assert.deepEqual(
    items.map(({ type, sku, qty, affectsOnHand }) => `${type} ${sku} ${qty} ${affectsOnHand}`),
    [
      "ADJUSTMENT A 10 true",
      "RECEIPT LOT 6 true",
      "RECEIPT SER 2 true",
      "HOLD A -3 true",
      "HOLD A 3 true",
      "ALLOCATION A 2 false",
      "PICK A 2 false",
      "DESPATCH A -2 true",
    ],
  );
  const [, receipt, serials, held] = items as unknown as Record<string, unknown>[];
  assert.deepEqual(receipt, {
    position: 2,
    at: receipt?.at,
    occurredAt,
    sku: "LOT",
    type: "RECEIPT",
    affectsOnHand: true,
    qty: 6,
    condition: "GOOD",
    lot,
    serials: [],
    reference: { type: "receipt", id: "R-1" },
    reason: null,
  });
  assert.ok(Math.abs(Date.parse(String(receipt?.at)) - Date.now()) < 60_000);
  assert.deepEqual(serials?.serials, ["S1", "S2"]);
  assert.deepEqual(serials?.lot, { stockPool: "DEFAULT", batchRef: null, expiryDate: null });
  assert.equal(held?.reason, "CONDITION");
  const onHand = items.filter((item) => item.sku === "A" && item.affectsOnHand).reduce((sum, { qty }) => sum + qty, 0);
  assert.deepEqual([onHand, await goods.stock("A")], [8, ["GOOD 5/0", "ON_HOLD 3/0"]]);
});

test("the feed is filtered by product, kind of entry, both, or position", async () => {
  const positions = async (of: Query) => (await readOn(of)).items.map(({ position }) => position);
  assert.deepEqual(await positions({ sku: "A", limit: 2 }), [1, 4, 5, 6, 7, 8]);
  assert.deepEqual(await positions({ type: "HOLD", limit: 1 }), [4, 5]);
  assert.deepEqual(await positions({ type: "RECEIPT", sku: "SER" }), [3]);
  assert.deepEqual(await positions({ sincePosition: 6 }), [7, 8]);
  assert.deepEqual(await positions({ sincePosition: 999_999_999 }), []);
  assert.deepEqual(await positions({ sku: "NEVER" }), []);
  assert.deepEqual(await positions({ distributionCentre: "DC2" }), []);
  // A cursor contains the reader's position, independent of its start.
  const { cursor } = await readOn({ sincePosition: 6, limit: 1 });
  await adjust("B", 1);
  assert.deepEqual(
    (await readOn({ sincePosition: 0 }, cursor)).items.map(({ position }) => position),
    [9],
  );
});

test("no entry is missed or repeated while others are booked", async () => {
  let isBooking = true;
  const booking = ["A", "B", "C"].map(async (sku) => {
    for (let i = 0; i < 12; i++) await adjust(sku, 1);
  });
  // Also when one of them fails: otherwise the reader would never stop.
  const done = Promise.all(booking).finally(() => {
    isBooking = false;
  });
  done.catch(() => {});
  const seen: Listed[] = [];
  let cursor: string | undefined;
  for (let isLast = false; ; isLast = !isBooking) {
    const page = await readOn({ limit: 4 }, cursor);
    seen.push(...page.items);
    cursor = page.cursor;
    if (isLast) break;
  }
  await done;
  assert.deepEqual(
    seen.map(({ position }) => position),
    Array.from({ length: 9 + 36 }, (_, i) => i + 1),
  );
});

test("another client sees nothing of the data, and another facility is unknown to it", async () => {
  assert.deepEqual(itemsOf(await feed({}, restOfOther)), []);
  const answer = await feed({ distributionCentre: "DC2" }, restOfOther);
  assert.deepEqual([answer.status, pointersOf(answer)], [422, ["/query/distributionCentre"]]);
  assert.equal((await feed({ clientId: "DEMO" }, restOfOther)).status, 403);
});

test("what cannot be a parameter of the feed is a 400, all faults at once; an unknown facility a 422", async () => {
  const faults: readonly [Query, ...string[]][] = [
    [{ limit: 0, type: "NEVER", sincePosition: -1 }, "/query/limit", "/query/sincePosition", "/query/type"],
    [{ limit: 501, nonsense: 1 }, "/query/limit", "/query/nonsense"],
    [{ sincePosition: "1.5" }, "/query/sincePosition"],
    [{ sku: "" }, "/query/sku"],
    [{ sku: "A\0" }, "/query/sku"],
    [{ cursor: "abc" }, "/query/cursor"],
  ];
  for (const [of, ...pointers] of faults) {
    const answer = await feed(of);
    assert.deepEqual([answer.status, pointersOf(answer).sort()], [400, pointers], JSON.stringify(of));
  }
  const bare = await rest("GET", "/inventoryService/movement/list");
  assert.deepEqual([bare.status, pointersOf(bare)], [400, ["/query/distributionCentre"]]);
  const cursor = cursorOf(await feed({ sku: "A" }));
  for (const query of [{ cursor }, { cursor, sku: "B" }, { cursor, sku: "A", distributionCentre: "DC2" }]) {
    const answer = await feed(query);
    assert.deepEqual([answer.status, pointersOf(answer)], [400, ["/query/cursor"]]);
  }
  const unknown = await feed({ distributionCentre: "DC9" });
  assert.deepEqual([unknown.status, pointersOf(unknown)], [422, ["/query/distributionCentre"]]);
  assert.match(String(unknown.body.detail), /did you mean DC[12]/);
});
