// warehouse.md: the change feeds of tasks and items.
import assert from "node:assert/strict";
import { test } from "node:test";
import { changeClient } from "#/modules/clients/index.ts";
import { testServer } from "../../support/app/server.ts";
import {
  attributes,
  authorisation,
  cancelOrder,
  catalogue,
  order,
  type Parts,
  purchaseOrder,
} from "../../support/builders/documents.ts";
import { allTasks, type Port, type PortTask, warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");
await demo.accept("CAT", catalogue("DEMO", ["A", "B"]));
await dc1.report("adjustment", {
  clientId: "DEMO",
  adjustmentId: "OPENING",
  reasonCode: "INITIAL",
  lines: ["A", "B"].map((sku) => ({ sku, qty: 10_000 })),
});

const toDc1 = { distributionCentre: "DC1" };
const isTask = (type: string, objectId: string) => (task: PortTask) => task.type === type && task.objectId === objectId;

/** Reads a feed from a cursor to its current end. */
async function readOn<Row>(port: Port, path: string, from: string | undefined, limit = 50) {
  const items: Row[] = [];
  for (let cursor = from; ; ) {
    const query = new URLSearchParams({ limit: String(limit), ...(cursor === undefined ? {} : { cursor }) });
    const { status, body } = await port.get(`${path}?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    const page = body.items as Row[];
    items.push(...page);
    cursor = body.nextCursor as string;
    assert.equal(typeof cursor, "string");
    if (page.length < limit) return { items, cursor };
  }
}

test("orders, purchase orders and returns are work of their facility, and of no other", async () => {
  await demo.accept("NO", order("DEMO", "T-1", [{ sku: "A", qty: 2 }], toDc1));
  await demo.accept("PO", purchaseOrder("DEMO", "T-PO", [{ sku: "B", qty: 5 }]));
  await demo.accept("RMA", authorisation("DEMO", "T-RMA", ["A"]));
  const pick = await dc1.task(isTask("PICK", "T-1"));
  assert.deepEqual(
    [pick.version, pick.withdrawnAt, pick.clientId, pick.lines],
    [
      ...[1, null, "DEMO"],
      [{ lineNumber: 1, sku: "A", qty: 2, uom: "EA", stockPool: "DEFAULT", isHazmat: false, isBulky: false }],
    ],
  );
  const receipt = await dc1.task(isTask("PURCHASE_ORDER", "T-PO"));
  assert.deepEqual(
    receipt.lines.map(({ sku, qty }) => [sku, qty]),
    [["B", 5]],
  );
  assert.equal((await dc1.task(isTask("RETURN", "T-RMA"))).version, 1);
  assert.deepEqual(await allTasks(dc2), []);
});

test("a pick carries the order's reference, shipping method, language, gift message, incoterm and attributes", async () => {
  const fields = {
    ...toDc1,
    externalOrderReference: "SHOP-77",
    shippingMethod: "EXPRESS",
    language: "de-CH",
    extendedAttributes: attributes({
      GiftMessage: "Viel Glück",
      IncotermName: "DAP",
      Colour: "red",
      PackingInstruction: "No flyers",
      PrintPricesOnPackingSlip: "1",
    }),
  };
  const engraving = { Engraving: "Zoë", PackingInstruction: "Tissue paper" };
  const engraved = { sku: "A", qty: 1, extendedAttributes: attributes(engraving) };
  const document = (more: Parts) => order("DEMO", "D-1", [engraved, "B"], { ...fields, ...more });
  await demo.accept("NO", document({}));
  const task = await dc1.task(isTask("PICK", "D-1"));
  assert.deepEqual(task.order, {
    externalOrderReference: "SHOP-77",
    shippingMethod: "EXPRESS",
    language: "de-CH",
    packingInstruction: "No flyers",
    packingSlipLanguage: "de",
    hasPrices: true,
    giftMessage: "Viel Glück",
    incoterm: "DAP",
    extendedAttributes: {
      Colour: "red",
      GiftMessage: "Viel Glück",
      IncotermName: "DAP",
      PackingInstruction: "No flyers",
      PrintPricesOnPackingSlip: "1",
    },
  });
  const place = { uom: "EA", stockPool: "DEFAULT", isHazmat: false, isBulky: false };
  const details = { extendedAttributes: engraving, packingInstruction: "Tissue paper" };
  assert.deepEqual(task.lines, [
    { lineNumber: 1, sku: "A", qty: 1, ...place, ...details },
    { lineNumber: 2, sku: "B", qty: 1, ...place },
  ]);
  await demo.accept(
    "NO",
    document({ actionType: "UPDATE", extendedAttributes: attributes({ GiftMessage: "Alles Gute" }) }),
  );
  const changed = await dc1.task(
    (candidate) => isTask("PICK", "D-1")(candidate) && candidate.order?.giftMessage === "Alles Gute",
  );
  assert.ok(changed.version > task.version);
  assert.deepEqual(changed.order?.extendedAttributes, { GiftMessage: "Alles Gute" });
});

test("an open pick carries its service level, papers, dangerous goods and an estimate, from the data of the moment", async () => {
  const sides = { length: "30", width: "20", height: "10", dimensionsUomCode: "CM" };
  const weighed = (more: Parts) => ({ sku: "HEAVY", weight: "500", weightUomCode: "G", ...sides, ...more });
  await demo.accept("CAT", catalogue("DEMO", [weighed({})], "2026-11-02T09:00:00Z"));
  await dc1.report("adjustment", {
    clientId: "DEMO",
    adjustmentId: "HEAVY",
    reasonCode: "INITIAL",
    lines: [{ sku: "HEAVY", qty: 100 }],
  });
  const line = { sku: "HEAVY", qty: 3 };
  const abroad = { firstName: "Ann", lastName: "Lee", address1: "1 Pine St", city: "Bern", zip: "3011", country: "CH" };
  await demo.accept("NO", order("DEMO", "SHIP-1", [line], { ...toDc1, shipToAddress: abroad }));
  const isHere = isTask("PICK", "SHIP-1");
  const task = await dc1.task(isHere);
  assert.deepEqual(task.shipment, {
    serviceLevel: "STANDARD",
    documents: ["PACKING_SLIP", "SHIPPING_LABEL", "COMMERCIAL_INVOICE"],
    isHazmat: false,
    isBulky: false,
    estimate: {
      weight: 1.5,
      weightUomCode: "KG",
      length: 30,
      width: 20,
      height: 30,
      dimensionsUomCode: "CM",
      volume: 18,
    },
  });
  // The catalogue and the order's line make it dangerous and bulky: that is not a new version of the task.
  const flagged = weighed({
    extendedAttributes: attributes({ UnNumber: "UN3481", HazardClass: "9" }),
    weight: "2",
    weightUomCode: "KG",
  });
  await demo.accept("CAT", catalogue("DEMO", [flagged], "2026-11-03T09:00:00Z"));
  const { body } = await dc1.get(`/task/get/${task.taskId}`);
  const again = body as unknown as PortTask & { shipment: { isHazmat: boolean; estimate: { weight: number } } };
  assert.deepEqual([again.version, again.shipment.isHazmat, again.shipment.estimate.weight], [task.version, true, 6]);
  const [goods] = (body as unknown as { lines: { dangerousGoods?: object }[] }).lines;
  assert.deepEqual(goods?.dangerousGoods, {
    unNumber: "UN3481",
    hazardClass: "9",
    packingGroup: null,
    isLimitedQuantity: false,
  });
  // An item without a weight, at home.
  const bulky = { sku: "A", qty: 1, extendedAttributes: attributes({ IsBulkyFlag: "1" }) };
  await demo.accept("NO", order("DEMO", "SHIP-2", [bulky], { ...toDc1, shippingMethod: "SAME_DAY" }));
  const home = await dc1.task(isTask("PICK", "SHIP-2"));
  assert.deepEqual(home.shipment, {
    serviceLevel: "SAME_DAY",
    documents: ["PACKING_SLIP", "SHIPPING_LABEL"],
    isHazmat: false,
    isBulky: true,
    estimate: null,
  });
  await demo.accept("NO", cancelOrder("DEMO", "SHIP-1"));
  const withdrawn = await dc1.task((candidate) => isHere(candidate) && candidate.withdrawnAt !== null);
  assert.equal(withdrawn.shipment, undefined);
});

test("a receipt carries supplier, expected date and notes; a return its order", async () => {
  const named = { SupplierCode: "POTTERIES", ExpectedDate: "2026-11-30", Notes: "Ramp 4", PurchaseOrderType: "STD" };
  const more = { vendorOrderId: "V-9", extendedAttributes: attributes(named) };
  await demo.accept("PO", purchaseOrder("DEMO", "F-PO", ["A"], more));
  const receipt = await dc1.task(isTask("PURCHASE_ORDER", "F-PO/V-9"));
  assert.deepEqual(
    [receipt.purchaseOrder, receipt.notes, receipt.extendedAttributes],
    [
      {
        poNumber: "F-PO",
        vendorOrderId: "V-9",
        supplierCode: "POTTERIES",
        expectedDate: "2026-11-30",
        carrierCode: null,
        trackingNumber: null,
        cartons: [],
      },
      "Ramp 4",
      named,
    ],
  );
  const plain = await dc1.task(isTask("PURCHASE_ORDER", "T-PO"));
  assert.deepEqual(
    [plain.purchaseOrder, plain.notes],
    [
      {
        poNumber: "T-PO",
        vendorOrderId: null,
        supplierCode: null,
        expectedDate: null,
        carrierCode: null,
        trackingNumber: null,
        cartons: [],
      },
      undefined,
    ],
  );
  await demo.accept("NO", order("DEMO", "F-1", ["A"], { ...toDc1, externalOrderReference: "SHOP-F" }));
  await demo.accept("RMA", authorisation("DEMO", "F-RMA", ["A"], { orderReference: "SHOP-F" }));
  const back = await dc1.task(isTask("RETURN", "F-RMA"));
  assert.deepEqual([back.orderReference, back.orderId], ["SHOP-F", "F-1"]);
});

test("a cancelled order's task is withdrawn in a new version after the reader's cursor", async () => {
  await demo.accept("NO", order("DEMO", "W-1", ["A"], toDc1));
  const task = await dc1.task(isTask("PICK", "W-1"));
  const { cursor } = await readOn<PortTask>(dc1, "/task/list", undefined);
  const { items: none, cursor: same } = await readOn<PortTask>(dc1, "/task/list", cursor);
  assert.deepEqual([none, same], [[], cursor]);
  await demo.accept("NO", cancelOrder("DEMO", "W-1"));
  await dc1.task((candidate) => isTask("PICK", "W-1")(candidate) && candidate.withdrawnAt !== null);
  const { items } = await readOn<PortTask>(dc1, "/task/list", cursor);
  assert.deepEqual(
    items.map(({ taskId, version }) => [taskId, version]),
    [[task.taskId, 2]],
  );
});

test("accepting takes the order; what is withdrawn or not the facility's is answered for itself", async () => {
  await demo.accept("NO", order("DEMO", "ACC-1", ["A"], toDc1));
  const { taskId } = await dc1.task(isTask("PICK", "ACC-1"));
  const { taskId: withdrawn } = await dc1.task(isTask("PICK", "W-1"));
  const unknown = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11";
  const taskIds = [unknown, taskId, withdrawn];
  const { status, body } = await dc1.post("/task/accept", { taskIds });
  assert.equal(status, 200);
  assert.deepEqual(body.results, [
    { taskId: unknown, status: "UNKNOWN" },
    { taskId, status: "ACCEPTED" },
    { taskId: withdrawn, status: "WITHDRAWN" },
  ]);
  assert.deepEqual((await dc2.post("/task/accept", { taskIds: [taskId] })).body.results, [
    { taskId, status: "UNKNOWN" },
  ]);
  // Repeated: the task is still accepted.
  assert.deepEqual((await dc1.post("/task/accept", { taskIds: [taskId] })).body.results, [
    { taskId, status: "ACCEPTED" },
  ]);
  // Once the task is accepted, a cancellation is a request to the warehouse.
  await demo.accept("NO", cancelOrder("DEMO", "ACC-1"));
  const request = await dc1.task(isTask("CANCEL_REQUEST", "ACC-1"));
  assert.equal(request.lines[0]?.qty, 1);
});

test("a replacement for a short unit is more to pick, also from the same lot: the task appears again", async () => {
  await demo.accept("NO", order("DEMO", "SHORT-1", [{ sku: "A", qty: 3 }], toDc1));
  const { cursor } = await (async () => {
    await dc1.task(isTask("PICK", "SHORT-1"));
    return readOn<PortTask>(dc1, "/task/list", undefined);
  })();
  const pick = (qtyPicked: number, qtyShort?: number) =>
    dc1.report("pick", { clientId: "DEMO", orderId: "SHORT-1", lines: [{ lineNumber: 1, qtyPicked, qtyShort }] });
  await pick(1);
  await pick(1, 1);
  const comesBehind = (version: number) =>
    dc1.task((task) => isTask("PICK", "SHORT-1")(task) && task.version > version && task.withdrawnAt === null);
  // A worker that processes the first report after the second one arrived finds nothing to pick: the task is withdrawn
  // in between.
  const again = await comesBehind(1);
  assert.deepEqual(
    again.lines.map(({ sku, qty }) => [sku, qty]),
    [["A", 1]],
  );
  const { items } = await readOn<PortTask>(dc1, "/task/list", cursor);
  assert.deepEqual(
    items.filter(isTask("PICK", "SHORT-1")).map(({ version }) => version),
    [again.version],
  );
  // Everything that was left is short: the same work, once more, is a new version.
  await pick(0, 1);
  await comesBehind(again.version);
  await pick(1);
  await dc1.task((task) => isTask("PICK", "SHORT-1")(task) && task.withdrawnAt !== null);
});

test("a reader that polls while orders arrive misses none, and each position has one version", async () => {
  const orders = Array.from({ length: 120 }, (_, i) => `POLL-${i}`);
  let { cursor } = await readOn<PortTask>(dc1, "/task/list", undefined);
  const read: PortTask[] = [];
  let isOver = false;
  const writing = Promise.all(
    [0, 1, 2, 3].map(async (writer) => {
      for (const orderId of orders.filter((_, i) => i % 4 === writer))
        await demo.accept("NO", order("DEMO", orderId, ["B"], toDc1));
    }),
  ).then(() => {
    isOver = true;
  });
  // A second reader assigns positions at the same time.
  const rival = (async () => {
    while (!isOver) await dc1.get("/task/list?limit=1");
  })();
  for (const until = Date.now() + 90_000; ; ) {
    const page = await readOn<PortTask>(dc1, "/task/list", cursor, 7);
    read.push(...page.items);
    cursor = page.cursor;
    const seen = new Set(read.map(({ objectId }) => objectId));
    if (isOver && orders.every((orderId) => seen.has(orderId))) break;
    assert.ok(Date.now() < until, `${seen.size} of ${orders.length} orders`);
  }
  await Promise.all([writing, rival]);
  const tasks = read.filter(({ objectId }) => objectId.startsWith("POLL-"));
  assert.equal(new Set(tasks.map(({ taskId, version }) => `${taskId} ${version}`)).size, tasks.length);
  const [{ count }] = (await server.rows<{ count: number }>(
    "select count(*) - count(distinct position) as count from warehouse_task where facility_code = 'DC1' and position is not null",
  )) as [{ count: number }];
  assert.equal(count, 0);
});

test("a count that a crash left behind its tasks is repaired, and gives no position twice", async () => {
  const { cursor: before } = await readOn<PortTask>(dc1, "/task/list", undefined);
  const listed = async (cursor: string) =>
    (await readOn<PortTask>(dc1, "/task/list", cursor)).items.map(({ objectId }) => objectId);
  /** As if the transaction with the newest task was committed on a worker only. */
  const setBack = () =>
    server.rows("update warehouse_feed set last_position = last_position - 1 where facility_code = 'DC1'");
  await demo.accept("NO", order("DEMO", "CRASH-1", ["B"], toDc1));
  await dc1.task(isTask("PICK", "CRASH-1"));
  const { cursor: after } = await readOn<PortTask>(dc1, "/task/list", undefined);
  await setBack();
  assert.deepEqual(await listed(before), ["CRASH-1"]);
  assert.deepEqual(await listed(after), []);
  await setBack();
  await demo.accept("NO", order("DEMO", "CRASH-2", ["B"], toDc1));
  await dc1.task(isTask("PICK", "CRASH-2"));
  assert.deepEqual(await listed(after), ["CRASH-2"]);
  assert.deepEqual(await listed(before), ["CRASH-1", "CRASH-2"]);
});

test("type narrows the feed; its cursor goes past what was of other types", async () => {
  const { body } = await dc1.get("/task/list?type=RETURN");
  const items = body.items as PortTask[];
  assert.deepEqual(
    items.map(({ type, objectId }) => [type, objectId]),
    [
      ["RETURN", "T-RMA"],
      ["RETURN", "F-RMA"],
    ],
  );
  const next = await dc1.get(`/task/list?type=PICK&cursor=${body.nextCursor}`);
  assert.deepEqual(next.body.items, []);
  for (const query of ["type=NONE", "cursor=abc", "limit=0", "clientId=DEMO"])
    assert.equal((await dc1.get(`/task/list?${query}`)).status, 400, query);
});

test("items are listed with what a warehouse needs, and again when they change", async () => {
  const first = await readOn<Record<string, unknown>>(dc1, "/item/list", undefined, 1);
  assert.deepEqual(first.items.map(({ sku }) => sku).sort(), ["A", "B", "HEAVY"]);
  const attribute = Object.entries({
    CaptureSerial: "true",
    UnNumber: "UN 1266",
    HazardClass: "3",
    PackingGroup: "II",
    LimitedQuantity: "true",
    MinShelfLifeDays: "30",
    "Uom.CS": "12",
  }).map(([name, text]) => ({ "@name": name, "#": text }));
  const item = {
    sku: "A",
    altSku: "A-ALT",
    eanCode: "4006381333931",
    weight: "0.35",
    weightUomCode: "KGM",
    captureBatchRef: "true",
    extendedAttributes: { attribute },
  };
  await demo.accept("CAT", catalogue("DEMO", [item], "2026-11-03T08:00:00Z"));
  const { items } = await readOn<Record<string, unknown>>(dc1, "/item/list", first.cursor);
  assert.equal(items.length, 1);
  const { updatedAt, extendedAttributes, ...rest } = items[0] as Record<string, unknown>;
  assert.equal(typeof updatedAt, "string");
  assert.deepEqual(extendedAttributes, {
    CaptureSerial: "true",
    UnNumber: "UN 1266",
    HazardClass: "3",
    PackingGroup: "II",
    LimitedQuantity: "true",
    MinShelfLifeDays: "30",
    "Uom.CS": "12",
  });
  assert.deepEqual(rest, {
    clientId: "DEMO",
    sku: "A",
    altSku: "A-ALT",
    eanCode: "4006381333931",
    name: "Item A",
    weight: 0.35,
    weightUomCode: "KG",
    height: null,
    length: null,
    width: null,
    dimensionsUomCode: null,
    productType: null,
    countryOfOrigin: null,
    imageUrl: null,
    barcodes: [],
    stockUom: "EA",
    packs: { CS: 12 },
    isHazmat: true,
    dangerousGoods: { unNumber: "UN1266", hazardClass: "3", packingGroup: "II", isLimitedQuantity: true },
    isBulky: false,
    captureBatchRef: true,
    captureSerial: true,
    captureExpiry: false,
    minShelfLifeDays: 30,
    hsCode: null,
    active: true,
    version: 2,
  });
});

test("items of a client that joins the facility later are after the reader's cursor", async () => {
  const late = await server.onboard("LATE", { facilities: ["DC2"] });
  await late.accept("CAT", catalogue("LATE", ["L-1"]));
  // The other facility's reader assigns its positions, before this reader continues.
  const listed = await readOn<Record<string, unknown>>(dc2, "/item/list", undefined);
  assert.ok(listed.items.some(({ sku }) => sku === "L-1"));
  await demo.accept("CAT", catalogue("DEMO", ["LATER"], "2026-11-04T08:00:00Z"));
  const { cursor } = await readOn(dc1, "/item/list", undefined);
  await server.operate((tx, change) => changeClient(tx.of("LATE", change), { facilities: ["DC1", "DC2"] }));
  const { items } = await readOn<Record<string, unknown>>(dc1, "/item/list", cursor);
  assert.ok(items.some(({ clientId, sku }) => clientId === "LATE" && sku === "L-1"));
});

test("a return carries its order, reasons and free texts, and a purchase order its attributes", async () => {
  const line = {
    sku: "A",
    quantityReturned: 1,
    returnReasonCode: "DAMAGED",
    attributeOne: "Handle",
    attributeThree: "Photo 42",
  };
  await demo.accept("RMA", authorisation("DEMO", "D-RMA", [line, "B"], { orderReference: "T-1" }));
  const { orderReference, lines } = await dc1.task(isTask("RETURN", "D-RMA"));
  const place = { uom: "EA", stockPool: "DEFAULT" };
  assert.equal(orderReference, "T-1");
  assert.deepEqual(lines, [
    {
      lineNumber: 1,
      sku: "A",
      qty: 1,
      ...place,
      returnReasonCode: "DAMAGED",
      attributeOne: "Handle",
      attributeThree: "Photo 42",
    },
    { lineNumber: 2, sku: "B", qty: 1, ...place },
  ]);
  const supplier = { extendedAttributes: attributes({ Supplier: "Potteries Ltd" }) };
  await demo.accept("PO", purchaseOrder("DEMO", "D-PO", ["B"], supplier));
  assert.deepEqual((await dc1.task(isTask("PURCHASE_ORDER", "D-PO"))).extendedAttributes, {
    Supplier: "Potteries Ltd",
  });
});

test("each line of a pick across a customs border has its customs data, with identifiers for the European Union", async () => {
  const item: Parts = {
    sku: "BOWL",
    name: "Bowl",
    eanCode: "96385074",
    countryOfOrigin: "GB",
    extendedAttributes: attributes({ HsCode: "6912.00", ManufacturerProductId: "PB-1" }),
  };
  await demo.accept("CAT", catalogue("DEMO", [item]));
  const engraved = { CustomsDescription: "Bowl of stoneware, engraved", CountryOfOrigin: "PRT" };
  const lines = [{ sku: "BOWL", qty: 1, extendedAttributes: attributes(engraved) }];
  const address = { firstName: "Ann", lastName: "Lee", address1: "Allee 1" };
  const customsOf = async (orderId: string, place: Parts) => {
    const shipToAddress = { ...address, ...place };
    await dc1.report("adjustment", {
      clientId: "DEMO",
      adjustmentId: orderId,
      reasonCode: "INITIAL",
      lines: [{ sku: "BOWL", qty: 1 }],
    });
    await demo.accept("NO", order("DEMO", orderId, lines, { ...toDc1, shipToAddress }));
    return (await dc1.task(isTask("PICK", orderId))).lines.map(({ customs }) => customs);
  };
  const goods = { description: "Bowl of stoneware, engraved", hsCode: "6912.00", countryOfOrigin: "PT" };
  const identifiers = { merchant: "BOWL", manufacturer: "PB-1", gtin: "96385074", hasNoStandardId: false };
  assert.deepEqual(await customsOf("TO-BERLIN", { city: "Berlin", zip: "10117", country: "DE" }), [
    { ...goods, productIdentifiers: identifiers },
  ]);
  assert.deepEqual(await customsOf("TO-BERN", { city: "Bern", zip: "3011", country: "CH" }), [
    { ...goods, productIdentifiers: null },
  ]);
  assert.deepEqual(await customsOf("HOME", { city: "Leeds", zip: "LS1 4AP", country: "GB" }), [undefined]);
});
