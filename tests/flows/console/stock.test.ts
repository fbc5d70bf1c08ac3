// Stock and warehouse work as operators see them, over all clients (contract rest.md §3, operator; lifecycle.md §2–§4,
// §8).
import assert from "node:assert/strict";
import { test } from "node:test";
import { signIn } from "../../support/app/console.ts";
import { clearOfMidnight, dateIn } from "../../support/app/midnight.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { attributes, authorisation, catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";
import { goodsOf } from "../../support/builders/goods.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO", { facilities: ["DC1", "DC2"] });
const other = await server.onboard("OTHER", { facilities: ["DC1"] });
const goods = goodsOf(server, demo);
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");
const rest = restCalls(server.url, "/v1", demo.credentials);
const anna = await signIn(server, "operator");
const ofOther = await signIn(server, "viewer", { clientIds: ["OTHER"] });
const ofDc2 = await signIn(server, "viewer", { facilityCodes: ["DC2"] });

const lot = {
  sku: "LOT",
  captureBatchRef: "true",
  extendedAttributes: attributes({ CaptureExpiry: "true", MinShelfLifeDays: "30" }),
};
for (const client of [demo, other]) {
  await client.accept("CAT", catalogue(client.credentials.clientId, ["A", "B", "KIT", lot]));
}

type Row = Readonly<Record<string, unknown>>;

async function items(path: string, who = anna): Promise<Row[]> {
  const { status, body } = await who.get(path);
  assert.equal(status, 200, JSON.stringify(body));
  return (body as { items: Row[] }).items;
}

/** Reads every page of a list, two rows at a time. */
async function every(path: string): Promise<Row[]> {
  const all: Row[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: { status: number; body: unknown } = await anna.get(
      `${path}${path.includes("?") ? "&" : "?"}limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`,
    );
    assert.equal(page.status, 200, JSON.stringify(page.body));
    const body = page.body as { items: Row[]; nextCursor: string | null };
    all.push(...body.items);
    cursor = body.nextCursor;
  }
  return all;
}

const adjusted = (port: typeof dc1, clientId: string, lines: readonly object[], adjustmentId: string) =>
  port.report("adjustment", { clientId, adjustmentId, reasonCode: "FOUND", lines });
// Dates in the facility's time zone.
const inDays = (days: number) => dateIn("Europe/London", days);
await clearOfMidnight("Europe/London");

await adjusted(
  dc1,
  "DEMO",
  [
    { sku: "A", qty: 10 },
    { sku: "B", qty: 4 },
  ],
  "A-1",
);
await adjusted(dc2, "DEMO", [{ sku: "A", qty: 7 }], "A-2");
await adjusted(dc1, "OTHER", [{ sku: "A", qty: 3 }], "A-3");
await adjusted(dc1, "DEMO", [{ sku: "LOT", qty: 60, batchRef: "SOON", expiryDate: inDays(10) }], "A-4");
await adjusted(dc1, "DEMO", [{ sku: "LOT", qty: 5, batchRef: "LATER", expiryDate: inDays(300) }], "A-5");
await dc1.report("hold", {
  clientId: "DEMO",
  reasonCode: "CONDITION",
  lines: [{ sku: "A", qty: 3, fromCondition: "GOOD", toCondition: "ON_HOLD" }],
});
await demo.accept("NO", order("DEMO", "O-1", [{ sku: "A", qty: 2 }], { distributionCentre: "DC1" }));
await goods.outbound("OS", "O-1");

test("levels are those of the Inventory service, of every client, by SKU, page by page", async () => {
  const rows = await every("/stock/list");
  assert.deepEqual(
    rows.map(({ sku, clientId, distributionCentre, onHand }) => [sku, clientId, distributionCentre, onHand]),
    [
      ["A", "DEMO", "DC1", 10],
      ["A", "DEMO", "DC2", 7],
      ["A", "OTHER", "DC1", 3],
      ["B", "DEMO", "DC1", 4],
      ["LOT", "DEMO", "DC1", 65],
    ],
  );
  for (const row of rows.filter(
    ({ clientId, distributionCentre }) => `${clientId} ${distributionCentre}` === "DEMO DC1",
  )) {
    const { body } = await rest("GET", `/inventoryService/findInventoryBySku?sku=${row.sku}&distributionCentre=DC1`);
    const [ours] = body.items as Row[];
    for (const field of ["onHand", "available", "allocated", "onHold", "damaged", "unsellable"]) {
      assert.equal(row[field], ours?.[field], `${row.sku} ${field}`);
    }
  }
  const [a] = rows;
  assert.deepEqual([a?.available, a?.unsellable], [5, 3]);
  // The lot with ten days left is too near its expiry for the item.
  const aged = rows.at(-1);
  assert.deepEqual([aged?.available, aged?.unsellable], [5, 60]);
});

test("levels are filtered by client, facility and the beginning of the SKU, and by what the user may see", async () => {
  const places = async (path: string, who = anna) =>
    (await items(path, who)).map((row) => `${row.sku} ${row.clientId} ${row.distributionCentre}`);
  assert.deepEqual(await places("/stock/list?clientId=OTHER"), ["A OTHER DC1"]);
  assert.deepEqual(await places("/stock/list?distributionCentre=DC2"), ["A DEMO DC2"]);
  assert.deepEqual(await places("/stock/list?clientId=DEMO&distributionCentre=DC1&text=L"), ["LOT DEMO DC1"]);
  assert.deepEqual(await places("/stock/list?text=nothing"), []);
  assert.deepEqual(await places("/stock/list", ofOther), ["A OTHER DC1"]);
  assert.deepEqual(await places("/stock/list", ofDc2), ["A DEMO DC2"]);
});

test("levels name the item, and each unsellable unit has its reason", async () => {
  const rows = await items("/stock/list?clientId=DEMO&distributionCentre=DC1");
  assert.deepEqual(
    rows.map(({ sku, name, unsellableReasons }) => [sku, name, unsellableReasons]),
    [
      ["A", "Item A", [{ reason: "ON_HOLD", qty: 3 }]],
      ["B", "Item B", []],
      ["LOT", "Item LOT", [{ reason: "SHELF_LIFE", qty: 60 }]],
    ],
  );
});

test("levels are filtered by what is unavailable, unsellable or about to expire, alone and together", async () => {
  const places = async (query: string, who = anna) =>
    (await items(`/stock/list?${query}`, who)).map((row) => `${row.sku} ${row.clientId} ${row.distributionCentre}`);
  assert.deepEqual(await places("isUnavailable=true"), []);
  assert.deepEqual(await places("isUnsellable=true"), ["A DEMO DC1", "LOT DEMO DC1"]);
  assert.deepEqual(await places("isUnsellable=true&clientId=DEMO&isOnHold=true"), ["A DEMO DC1"]);
  assert.deepEqual(await places("expiresWithinDays=10"), ["LOT DEMO DC1"]);
  assert.deepEqual(await places("expiresWithinDays=9"), []);
  assert.deepEqual(await places("expiresWithinDays=10&clientId=OTHER"), []);
  assert.deepEqual(await places("isUnsellable=true", ofDc2), []);
  // All that is left of B in DC2 is damaged; in DC1 four can be sold.
  await adjusted(dc2, "DEMO", [{ sku: "B", qty: 2, condition: "DAMAGED" }], "A-6");
  assert.deepEqual(await places("isUnavailable=true"), ["B DEMO DC2"]);
  assert.deepEqual(await places("isUnavailable=true&clientId=DEMO&distributionCentre=DC1"), []);
  assert.deepEqual(await places("isUnavailable=true&clientId=DEMO&isUnsellable=true"), ["B DEMO DC2"]);
  const bad = await anna.get("/stock/list?expiresWithinDays=-1");
  assert.equal(bad.status, 400);
  const filtered = await every("/stock/list?isUnsellable=true");
  assert.deepEqual(
    filtered.map(({ sku, distributionCentre }) => `${sku} ${distributionCentre}`),
    ["A DC1", "B DC2", "LOT DC1"],
  );
});

test("lots of a product are shown for all facilities that the user may see", async () => {
  const lots = await items("/stock/lots?clientId=DEMO&sku=LOT");
  assert.deepEqual(
    lots.map(({ batchRef, qty, condition, distributionCentre }) => [batchRef, qty, condition, distributionCentre]),
    [
      ["SOON", 60, "GOOD", "DC1"],
      ["LATER", 5, "GOOD", "DC1"],
    ],
  );
  assert.deepEqual(await items("/stock/lots?clientId=DEMO&sku=LOT", ofDc2), []);
});

test("the ledger runs backwards from the present balance, over pages", async () => {
  const rows = await every("/stock/statement?clientId=DEMO&distributionCentre=DC1&sku=A");
  assert.deepEqual(
    rows.map(({ type, qty, onHandAfter }) => [type, qty, onHandAfter]),
    [
      ["ALLOCATION", 2, 10],
      ["HOLD", 3, 10],
      ["HOLD", -3, 7],
      ["ADJUSTMENT", 10, 10],
    ],
  );
  assert.deepEqual(rows[3]?.reference, { type: "adjustment", id: "A-1", poNumber: null, vendorOrderId: null });
  const page = await anna.get("/stock/statement?clientId=DEMO&distributionCentre=DC1&sku=A&limit=1");
  const { nextCursor } = page.body as { nextCursor: string };
  const foreign = await anna.get(
    `/stock/statement?clientId=DEMO&distributionCentre=DC1&sku=B&limit=1&cursor=${nextCursor}`,
  );
  assert.equal(foreign.status, 400);
});

test("what expires is listed with what will be left of it", async () => {
  const [lotRow, ...rest] = await items("/stock/expiring");
  assert.deepEqual(rest, []);
  const { batchRef, daysLeft, qty, despatchedPerDay, coverDays, atRisk, name } = lotRow as Row;
  assert.equal(name, "Item LOT");
  assert.deepEqual([batchRef, daysLeft, qty, despatchedPerDay, coverDays, atRisk], ["SOON", 10, 60, 0, null, 60]);
  assert.equal((await every(`/stock/expiring?to=${inDays(400)}`)).length, 2);
  assert.deepEqual(await items("/stock/expiring?clientId=OTHER"), []);
  const bad = await anna.get("/stock/expiring?from=tomorrow");
  assert.equal(bad.status, 400);
});

test("a purchase order shows what was expected, what came, and each receipt", async () => {
  await demo.accept("PO", purchaseOrder("DEMO", "PO-1", [{ sku: "A", qty: 6 }], { vendorOrderId: "V-1" }));
  await other.accept("PO", purchaseOrder("OTHER", "PO-2", [{ sku: "A", qty: 1 }], { vendorOrderId: "V-1" }));
  await demo.accept("PO", purchaseOrder("DEMO", "PO-3", [{ sku: "A", qty: 1 }], { vendorOrderId: "V-1" }));
  await dc1.report("goodsReceipt", {
    clientId: "DEMO",
    poNumber: "PO-1",
    vendorOrderId: "V-1",
    receiptId: "R-1",
    lines: [
      { sku: "A", qty: 3, condition: "GOOD" },
      { sku: "A", qty: 1, condition: "DAMAGED" },
    ],
  });
  const rows = await every("/purchaseOrder/list?sort=-receivedAt");
  assert.deepEqual(
    rows.map(({ poNumber, status, qty, qtyReceived, qtyDamaged }) => [poNumber, status, qty, qtyReceived, qtyDamaged]),
    [
      ["PO-3", "OPEN", 1, 0, 0],
      ["PO-2", "OPEN", 1, 0, 0],
      ["PO-1", "RECEIVING", 6, 4, 1],
    ],
  );
  const receiving = await every("/purchaseOrder/list?status=RECEIVING&clientId=DEMO&distributionCentre=DC1");
  assert.deepEqual(
    receiving.map(({ poNumber }) => poNumber),
    ["PO-1"],
  );
  const open = await every("/purchaseOrder/list?status=RECEIVING&status=OPEN&clientId=DEMO&distributionCentre=DC1");
  assert.deepEqual(open.map(({ status }) => status).toSorted(), ["OPEN", "RECEIVING"]);
  assert.deepEqual((await every("/purchaseOrder/list?status=CLOSED")).length, 0);

  const { status, body } = await anna.get("/purchaseOrder/get/PO-1?clientId=DEMO&vendorOrderId=V-1");
  assert.equal(status, 200, JSON.stringify(body));
  const { lines, receipts } = body as { lines: Row[]; receipts: { receiptId: string; entries: Row[] }[] };
  assert.deepEqual([lines[0]?.qty, lines[0]?.qtyReceived, lines[0]?.qtyDamaged], [6, 4, 1]);
  assert.equal(receipts[0]?.receiptId, "R-1");
  assert.deepEqual(
    receipts[0]?.entries.map(({ condition, qty }) => [condition, qty]),
    [
      ["GOOD", 3],
      ["DAMAGED", 1],
    ],
  );
  const path = "/purchaseOrder/get/PO-1?clientId=DEMO&vendorOrderId=";
  assert.equal((await anna.get(`${path}V-2`)).status, 404);
  assert.equal((await ofDc2.get(`${path}V-1`)).status, 404);
});

test("a purchase order is found without a vendorOrderId, by its id of events, and by a number that only one has", async () => {
  const notice = (poNumber: string, vendorOrderId?: string) =>
    demo.accept("PO", purchaseOrder("DEMO", poNumber, [{ sku: "A", qty: 6 }], vendorOrderId ? { vendorOrderId } : {}));
  await notice("PO-20");
  await notice("PO-20", "V-1");
  await notice("PO-21", "V-1");
  await notice("PO-21", "V-2");
  await notice("PO-22", "V/3");
  const answerFor = async (id: string, query = "") => {
    const { status, body } = await anna.get(`/purchaseOrder/get/${encodeURIComponent(id)}?clientId=DEMO${query}`);
    return status === 200 ? [body.poNumber, body.vendorOrderId] : [status, body.detail];
  };
  assert.deepEqual(await answerFor("PO-20"), ["PO-20", ""]);
  assert.deepEqual(await answerFor("PO-20", "&vendorOrderId="), ["PO-20", ""]);
  assert.deepEqual(await answerFor("PO-20/V-1"), ["PO-20", "V-1"]);
  assert.deepEqual(await answerFor("PO-22"), ["PO-22", "V/3"]);
  assert.deepEqual(await answerFor("PO-22/V/3"), ["PO-22", "V/3"]);
  assert.deepEqual(await answerFor("PO-21"), [
    409,
    "Purchase order PO-21 has several vendorOrderIds; name one of them: V-1, V-2.",
  ]);
  assert.equal((await answerFor("PO-21", "&vendorOrderId="))[0], 404);
  assert.equal((await answerFor("PO-99"))[0], 404);
  assert.equal((await ofDc2.get("/purchaseOrder/get/PO-20?clientId=DEMO")).status, 404);
});

test("returns and work orders are listed with what is short", async () => {
  await demo.accept("RMA", authorisation("DEMO", "RMA-1", [{ sku: "A", quantityReturned: 2 }]));
  await demo.accept("RMA", authorisation("DEMO", "RMA-2", [{ sku: "B", quantityReturned: 1 }]));
  await demo.accept("RMA", authorisation("DEMO", "RMA-3", [{ sku: "B", quantityReturned: 1 }]));
  const returns = await every("/return/list");
  assert.deepEqual(
    returns.map(({ rmaNumber, status, qtyExpected, qtyReceived }) => [rmaNumber, status, qtyExpected, qtyReceived]),
    [
      ["RMA-1", "AUTHORISED", 2, 0],
      ["RMA-2", "AUTHORISED", 1, 0],
      ["RMA-3", "AUTHORISED", 1, 0],
    ],
  );
  assert.deepEqual(await every("/return/list?status=EXPIRED"), []);
  for (const workOrderId of ["WO-1", "WO-2", "WO-3"]) {
    const created = await rest("POST", "/workOrderService/workOrder/create", {
      facilityCode: "DC1",
      workOrderId,
      finishedGoodSku: "KIT",
      qty: 3,
      components: [{ sku: "B", qtyPer: 1 }],
    });
    assert.equal(created.status, 201, JSON.stringify(created.body));
  }
  const work = await every("/workOrder/list?sort=-receivedAt");
  assert.deepEqual(
    work.map((row) => [row.workOrderId, row.finishedGoodName, row.qtyOrdered, row.components, row.shortages]),
    [
      ["WO-3", "Item KIT", 3, 1, 1],
      ["WO-2", "Item KIT", 3, 1, 1],
      ["WO-1", "Item KIT", 3, 1, 0],
    ],
  );
  assert.equal((await every("/workOrder/list?status=WAITING_COMPONENTS")).length, 2);
});

test("a product that orders wait for is listed with its name", async () => {
  await demo.accept("NO", order("DEMO", "O-2", [{ sku: "B", qty: 9 }], { distributionCentre: "DC1" }));
  const wanted = await until("the back-order", async () => (await items("/stock/backordered"))[0]);
  assert.deepEqual([wanted.sku, wanted.name, wanted.orders], ["B", "Item B", 1]);
});

test("what waits for a product is listed as it gets stock, and what comes by its day", async () => {
  await until("the back-order", async () => (await items("/stock/backordered"))[0]);
  const waiting = await every("/stock/waiting?clientId=DEMO&sku=B");
  assert.deepEqual(
    waiting.map(({ kind, id, lineNumber, distributionCentre, qty, qtyWanted, status }) => [
      kind,
      id,
      lineNumber,
      distributionCentre,
      [qty, qtyWanted],
      status,
    ]),
    [
      ["WORK_ORDER", "WO-2", 1, "DC1", [2, 3], "WAITING_COMPONENTS"],
      ["WORK_ORDER", "WO-3", 1, "DC1", [3, 3], "WAITING_COMPONENTS"],
      ["ORDER", "O-2", 1, "DC1", [9, 9], "BACKORDERED"],
    ],
  );
  assert.deepEqual(await items("/stock/waiting?clientId=DEMO&sku=B&distributionCentre=DC2"), []);
  assert.deepEqual(await items("/stock/waiting?clientId=DEMO&sku=B", ofDc2), []);
  const [order2] = await items("/order/list?text=O-2");
  assert.deepEqual(order2?.missingSkus, ["B"]);

  for (const [poNumber, expectedDate] of [
    ["PO-LATER", "2026-12-31"],
    ["PO-SOME-DAY", "in spring"],
    ["PO-SOON", "2026-12-01"],
  ] as const) {
    const extendedAttributes = attributes({ ExpectedDate: expectedDate });
    await demo.accept("PO", purchaseOrder("DEMO", poNumber, [{ sku: "B", qty: 20 }], { extendedAttributes }));
  }
  const expected = await items("/stock/expected?clientId=DEMO&sku=B");
  assert.deepEqual(
    expected
      .filter(({ poNumber }) => /^PO-S|LATER/.test(String(poNumber)))
      .map((row) => [row.poNumber, row.expectedDate, row.qty]),
    [
      ["PO-SOON", "2026-12-01", 20],
      ["PO-LATER", "2026-12-31", 20],
      ["PO-SOME-DAY", null, 20],
    ],
  );
  assert.deepEqual(await items("/stock/expected?clientId=DEMO&sku=B", ofDc2), []);
});

test("purchase orders that arrive today, and overdue ones, are found by the day of their facility", async () => {
  const dates = { "PO-TODAY": inDays(0), "PO-OVERDUE": inDays(-2), "PO-TOMORROW": inDays(1), "PO-NEVER": "soon" };
  for (const [poNumber, expectedDate] of Object.entries(dates)) {
    const more = { extendedAttributes: attributes({ ExpectedDate: expectedDate }) };
    await demo.accept("PO", purchaseOrder("DEMO", poNumber, [{ sku: "A", qty: 5 }], more));
  }
  const listed = async (query: string, who = anna) =>
    (await items(`/purchaseOrder/list?${query}`, who))
      .filter(({ poNumber }) => String(poNumber) in dates)
      .map(({ poNumber, expectedDate, due }) => [poNumber, expectedDate, due]);
  assert.deepEqual(await listed("limit=500"), [
    ["PO-TODAY", inDays(0), "TODAY"],
    ["PO-OVERDUE", inDays(-2), "OVERDUE"],
    ["PO-TOMORROW", inDays(1), "LATER"],
    ["PO-NEVER", null, null],
  ]);
  assert.deepEqual(await listed("due=TODAY"), [["PO-TODAY", inDays(0), "TODAY"]]);
  assert.deepEqual(await listed("due=OVERDUE&sort=-receivedAt"), [["PO-OVERDUE", inDays(-2), "OVERDUE"]]);
  assert.deepEqual(await listed("due=OVERDUE&status=CLOSED"), []);
  assert.deepEqual(await listed("due=OVERDUE", ofOther), []);
  const overdue = await items("/purchaseOrder/list?due=OVERDUE&limit=500");
  const { body } = await anna.get("/purchaseOrder/figures");
  assert.deepEqual(body, { today: 1, overdue: overdue.length });
  assert.deepEqual((await ofDc2.get("/purchaseOrder/figures")).body, { today: 0, overdue: 0 });
  const closed = await anna.post("/client/purchaseOrder/close/PO-OVERDUE?clientId=DEMO", { reason: "never sent" });
  assert.equal(closed.status, 200, JSON.stringify(closed.body));
  assert.deepEqual(await listed("due=OVERDUE"), []);
});
