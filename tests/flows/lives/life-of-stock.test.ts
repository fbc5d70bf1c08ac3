// lifecycle.md §8 from outside: adjustments and conditions, the resulting quantities, and which orders give way.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { reasonCodes, reasonSigns } from "#/modules/inventory/adjustments/reports.ts";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue, order } from "../../support/builders/documents.ts";
import { goodsOf, inDays, runJob } from "../../support/builders/goods.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO", { settings: { stockPools: "B2B" } });
const other = await server.onboard("OTHER");
const goods = goodsOf(server, demo);
const dc1 = await warehouseOf(server);
const skus = ["A", "B", "C", "D", "E", "F", "G", "AHEAD", { sku: "LOT", captureBatchRef: "true" }];
const serial = { sku: "SER", extendedAttributes: attributes({ CaptureSerial: "true" }) };
const low = { sku: "LOW", extendedAttributes: attributes({ LowStockThreshold: "5" }) };
await demo.accept("CAT", catalogue("DEMO", [...skus, serial, low]));
await other.accept("CAT", catalogue("OTHER", ["A"]));
afterEach(() => goods.assertSound());

const clientId = "DEMO";
const adjustment = (
  adjustmentId: string,
  lines: readonly { sku: string; qty: number; [field: string]: unknown }[],
  more: object = {},
) => ({
  clientId,
  adjustmentId,
  reasonCode: lines.every(({ qty }) => qty > 0) ? "FOUND" : "CORRECTION",
  lines,
  ...more,
});
const adjust = (...of: Parameters<typeof adjustment>) => dc1.report("adjustment", adjustment(...of));
const holdBody = (sku: string, qty: number, fromCondition: string, toCondition: string, more: object = {}) => ({
  clientId,
  reasonCode: "CONDITION",
  lines: [{ sku, qty, fromCondition, toCondition, ...more }],
});
const hold = (...of: Parameters<typeof holdBody>) => dc1.report("hold", holdBody(...of));
const refuse = (kind: string, body: object, status: number) => goods.unchanged(() => dc1.refuse(kind, body, status));
const send = async (orderId: string, sku: string, qty: number, priority = 5) => {
  const more = { distributionCentre: "DC1", extendedAttributes: attributes({ Priority: priority }) };
  await demo.accept("NO", order("DEMO", orderId, [{ sku, qty }], more));
  await dc1.task(({ type, objectId }) => type === "PICK" && objectId === orderId);
};
const pick = (orderId: string, qtyPicked: number, more: object = {}) =>
  dc1.report("pick", { clientId, orderId, lines: [{ lineNumber: 1, qtyPicked, ...more }] });
const stateOf = async (orderId: string) => {
  await goods.outbound("OS", orderId);
  return (await demo.order(orderId))?.status;
};
const adjustments = async (adjustmentId: string) =>
  (await goods.outbound("ADJ", adjustmentId)).map(({ root }) => [
    root.text("reasonCode"),
    ...root.all("lines/line").map((line) =>
      line
        .texts("sku", "qty", "fromCondition", "toCondition", "batchRef", "stockPool", "qtyOnHandAfter")
        .map((text) => text ?? "-")
        .join(" "),
    ),
  ]);
const movements = (referenceId: string) =>
  server.rows<{ position: string; entry: string }>(
    `select position, concat_ws(' ', type, condition, trim_scale(qty), reason) as entry from stock_movement
     where client_id = 'DEMO' and reference_id = $1 order by position`,
    referenceId,
  );

test("each reason makes one adjustment, one ADJ and one event", async () => {
  const codes = reasonCodes.filter((code) => code !== "POOL_TRANSFER");
  const qtyOf = (code: (typeof codes)[number]) => (reasonSigns[code] === "loss" ? -1 : 1);
  for (const reasonCode of codes) {
    await adjust(`EACH-${reasonCode}`, [{ sku: "A", qty: qtyOf(reasonCode) }], { reasonCode });
  }
  const documents = await goods.outbound("ADJ");
  assert.deepEqual(documents.map(({ root }) => root.text("reasonCode")).sort(), codes.toSorted());
  const events = (await goods.events("stock", "DC1/A")).filter(({ topic }) => topic === "inventory:adjusted");
  assert.deepEqual(
    events.map(({ data }) => [data.sku, data.reason, (data.quantities as { onHand: number }).onHand]),
    codes.map((code, i) => ["A", code, codes.slice(0, i + 1).reduce((sum, earlier) => sum + qtyOf(earlier), 0)]),
  );
  await adjust("TO-TWELVE", [{ sku: "A", qty: 12 - codes.reduce((sum, code) => sum + qtyOf(code), 0) }]);
  await refuse("adjustment", adjustment("NO-REASON", [{ sku: "A", qty: 1 }], { reasonCode: "WHIM" }), 400);
  const pools = [
    { sku: "A", qty: -4 },
    { sku: "A", qty: 4, stockPool: "B2B" },
  ];
  const reasonCode = "POOL_TRANSFER";
  await refuse("adjustment", adjustment("POOL", [{ sku: "A", qty: 1 }], { reasonCode }), 422);
  await adjust("POOL", pools, { reasonCode });
  assert.deepEqual(await goods.stock("A"), ["GOOD 8/0", "GOOD B2B 4/0"]);
  assert.deepEqual(await adjustments("POOL"), [[reasonCode, "A -4 GOOD - - DEFAULT 12", "A 4 - GOOD - B2B 12"]]);
});

test("an ADJ says what there is of each SKU after it, over conditions, lots and pools", async () => {
  const lines = [
    { sku: "B", qty: 10 },
    { sku: "B", qty: 3, condition: "DAMAGED", stockPool: "B2B" },
    { sku: "LOT", qty: 5, batchRef: "B1" },
    { sku: "SER", qty: 2, serials: ["S1", "S2"] },
  ];
  await adjust("MANY", lines);
  assert.deepEqual(await adjustments("MANY"), [
    [
      "FOUND",
      "B 10 - GOOD - DEFAULT 13",
      "B 3 - DAMAGED - B2B 13",
      "LOT 5 - GOOD B1 DEFAULT 5",
      "SER 2 - GOOD - DEFAULT 2",
    ],
  ]);
  const entries = await movements("MANY");
  assert.deepEqual(
    entries.map(({ entry }) => entry),
    ["ADJUSTMENT GOOD 10 FOUND", "ADJUSTMENT DAMAGED 3 FOUND", "ADJUSTMENT GOOD 5 FOUND", "ADJUSTMENT GOOD 2 FOUND"],
  );
  const positions = entries.map(({ position }) => Number(position));
  assert.deepEqual(
    positions,
    positions.map((_, i) => (positions[0] as number) + i),
  );
});

test("a change of condition is two rows, and one ADJ; what is held is not for sale", async () => {
  const answer = await hold("B", 4, "GOOD", "ON_HOLD");
  const held = String(answer.adjustmentId);
  assert.deepEqual(await adjustments(held), [["CONDITION", "B 4 GOOD ON_HOLD - DEFAULT 13"]]);
  assert.deepEqual(
    (await movements(held)).map(({ entry }) => entry),
    ["HOLD GOOD -4 CONDITION", "HOLD ON_HOLD 4 CONDITION"],
  );
  await hold("B", 1, "ON_HOLD", "QUARANTINE");
  await hold("B", 1, "ON_HOLD", "DAMAGED");
  const released = String((await hold("B", 1, "ON_HOLD", "GOOD")).adjustmentId);
  assert.deepEqual(
    (await movements(released)).map(({ entry }) => entry),
    ["RELEASE ON_HOLD -1 CONDITION", "RELEASE GOOD 1 CONDITION"],
  );
  assert.deepEqual(await goods.stock("B"), [
    "DAMAGED 1/0",
    "DAMAGED B2B 3/0",
    "GOOD 7/0",
    "ON_HOLD 1/0",
    "QUARANTINE 1/0",
  ]);
  const item = (await goods.snapshot()).get("B");
  assert.deepEqual(item?.texts("onHand", "allocated", "onHold", "damaged", "available"), ["10", "0", "2", "1", "7"]);
  assert.match(await refuse("hold", holdBody("B", 2, "ON_HOLD", "GOOD"), 409), /there are 1/);
  await refuse("hold", holdBody("B", 1, "GOOD", "GOOD"), 422);
  // Released stock goes to the orders that need it.
  await adjust("C-1", [{ sku: "C", qty: 2, condition: "ON_HOLD" }]);
  await demo.accept("NO", order("DEMO", "WAITS", [{ sku: "C", qty: 2 }], { distributionCentre: "DC1" }));
  assert.equal(await stateOf("WAITS"), "BACKORDERED");
  await hold("C", 2, "ON_HOLD", "GOOD");
  assert.equal(await stateOf("WAITS"), "ALLOCATED");
});

test("a reduction takes what no one has, then from the lowest priority and the newest order, never what is picked", async () => {
  await adjust("D-1", [{ sku: "D", qty: 10 }]);
  await send("D-HIGH", "D", 3, 1);
  await send("D-OLD", "D", 3, 9);
  await send("D-NEW", "D", 3, 9);
  await adjust("D-2", [{ sku: "D", qty: -1 }]);
  assert.deepEqual(await goods.stock("D"), ["GOOD 9/9"]);
  await adjust("D-3", [{ sku: "D", qty: -2 }]);
  assert.deepEqual([await stateOf("D-OLD"), await stateOf("D-NEW")], ["ALLOCATED", "PARTIALLY_ALLOCATED"]);
  await hold("D", 1, "GOOD", "DAMAGED");
  assert.deepEqual([await stateOf("D-OLD"), await stateOf("D-NEW")], ["ALLOCATED", "BACKORDERED"]);
  await adjust("D-4", [{ sku: "D", qty: -3 }]);
  assert.deepEqual([await stateOf("D-HIGH"), await stateOf("D-OLD")], ["ALLOCATED", "BACKORDERED"]);
  await pick("D-HIGH", 3);
  const gone = adjustment("D-5", [{ sku: "D", qty: -1 }]);
  assert.match(await refuse("adjustment", gone, 409), /picked/);
  assert.match(await refuse("hold", holdBody("D", 1, "GOOD", "ON_HOLD"), 409), /picked/);
  const olpns = [{ weight: 1, weightUomCode: "KG", contents: [{ lineNumber: 1, qty: 3 }] }];
  await dc1.report("pack", { clientId, orderId: "D-HIGH", olpns });
  assert.match(await refuse("adjustment", gone, 409), /packed/);
  assert.match(
    await refuse(
      "count",
      { clientId, countId: "D-6", includesStaged: true, lines: [{ sku: "D", countedQty: 2 }] },
      409,
    ),
    /packed/,
  );
  assert.deepEqual(await goods.stock("D"), ["DAMAGED 1/0", "GOOD 3/3"]);
});

test("quantities are reported at most every ten seconds, and a low stock when it comes to be low", async () => {
  await adjust("LOW-1", [{ sku: "LOW", qty: 9 }]);
  await adjust("LOW-2", [{ sku: "LOW", qty: -4 }]);
  await runJob(server, "stock-changes", { now: () => Date.now() + 11_000 });
  const events = (await goods.events("stock", "DC1/LOW")).filter(({ topic }) => topic !== "inventory:adjusted");
  assert.deepEqual(
    events.map(({ topic, data }) => [topic, (data.quantities as { available: number }).available]),
    [
      ["inventory:changed", 5],
      ["inventory:low", 5],
    ],
  );
  assert.equal(typeof events[0]?.data.position, "number");
});

test("a change is published in time although the clock was a day ahead at an earlier one", async () => {
  await adjust("AHEAD-1", [{ sku: "AHEAD", qty: 9 }]);
  await server.rows("update stock_change set changed_at = changed_at + interval '1 day' where sku = 'AHEAD'");
  await adjust("AHEAD-2", [{ sku: "AHEAD", qty: -4 }]);
  await runJob(server, "stock-changes", { now: () => Date.now() + 11_000 });
  const changes = (await goods.events("stock", "DC1/AHEAD")).filter(({ topic }) => topic === "inventory:changed");
  assert.deepEqual(
    changes.map(({ data }) => (data.quantities as { available: number }).available),
    [5],
  );
});

test("a serial is in one place: it can be received again only after it has left", async () => {
  const taken = adjustment("SER-1", [{ sku: "SER", qty: 1, serials: ["S1"] }]);
  assert.match(await refuse("adjustment", taken, 409), /in stock/);
  assert.match(await refuse("adjustment", adjustment("SER-1", [{ sku: "SER", qty: -1, serials: ["S9"] }]), 409), /S9/);
  await refuse("adjustment", adjustment("SER-1", [{ sku: "SER", qty: 1 }]), 422);
  await hold("SER", 1, "GOOD", "DAMAGED", { serials: ["S1"] });
  const wrong = adjustment("SER-1", [{ sku: "SER", qty: -1, serials: ["S1"] }]);
  assert.match(await refuse("adjustment", wrong, 409), /S1/);
  await adjust("SER-2", [{ sku: "SER", qty: -1, condition: "DAMAGED", serials: ["S1"] }]);
  await adjust("SER-3", [{ sku: "SER", qty: 1, serials: ["S1"] }]);
  assert.deepEqual(await goods.stock("SER"), ["GOOD 2/0"]);
});

test("the stock unit of an item stays as long as there is stock of it, in any condition", async () => {
  const unit = (StockUom: string) => catalogue("DEMO", [{ sku: "UNIT", extendedAttributes: attributes({ StockUom }) }]);
  await demo.accept("CAT", unit("EA"));
  await adjust("UNIT-IN", [{ sku: "UNIT", qty: 2, condition: "DAMAGED" }]);
  const refusal = "[VALUE] StockUom of SKU UNIT cannot change from EA to KG while stock or open documents of it exist";
  await demo.refuse("CAT", unit("KG"), refusal);
  await adjust("UNIT-OUT", [{ sku: "UNIT", qty: -2, condition: "DAMAGED" }], { reasonCode: "DISPOSAL" });
  await demo.accept("CAT", unit("KG"));
});

test("a reason has one direction, and nothing is reported from the future", async () => {
  for (const [reasonCode, qty] of [
    ["LOST", 3],
    ["FOUND", -3],
    ["EXPIRED", 3],
  ] as const) {
    const body = { ...adjustment("SIGN", [{ sku: "F", qty }]), reasonCode };
    assert.match(await refuse("adjustment", body, 422), new RegExp(`the reason ${reasonCode} is a (?:loss|gain)`));
  }
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const body = adjustment("FUTURE", [{ sku: "F", qty: 1 }]);
  assert.match(await refuse("adjustment", { ...body, occurredAt: inMinutes(60) }, 422), /is in the future/);
  await adjust("FUTURE", [{ sku: "F", qty: 1 }], { occurredAt: inMinutes(5) });
  await adjust("FUTURE-BACK", [{ sku: "F", qty: -1 }]);
});

test("a wrong request is refused as a whole, and nothing changes", async () => {
  const fine = { sku: "F", qty: 1 };
  await refuse("adjustment", adjustment("N", [fine, { sku: "G", qty: 1.0001 }]), 400);
  const unprocessable = [
    { sku: "G", qty: 0 },
    { sku: "G", qty: 0.5 },
    { sku: "GHOST", qty: 1 },
    { sku: "LOT", qty: 1 },
  ];
  for (const line of unprocessable) await refuse("adjustment", adjustment("N", [fine, line]), 422);
  await refuse("adjustment", adjustment("N", [fine, { sku: "G", qty: -1 }]), 409);
  await refuse("adjustment", adjustment("N", [fine, { sku: "G", qty: 1, condition: "FINE" }]), 400);
  await refuse("hold", holdBody("GHOST", 1, "GOOD", "ON_HOLD"), 422);
  await refuse("hold", holdBody("G", -1, "GOOD", "ON_HOLD"), 400);
  await refuse("count", { clientId, countId: "N", lines: [{ sku: "F", countedQty: -1 }] }, 400);
  await refuse("count", { clientId, countId: "N", lines: [{ sku: "GHOST", countedQty: 1 }] }, 422);
  await refuse("adjustment", adjustment("N", [fine], { clientId: "GHOST" }), 404);
  // One client's stock is not another's, although both use the SKU A.
  const before = await goods.trace();
  await dc1.refuse("adjustment", adjustment("N", [{ sku: "A", qty: -1 }], { clientId: "OTHER" }), 409);
  assert.equal(await goods.trace(), before);
});

// From here on, the last booking is a week ahead; no booking precedes an earlier one.
test("expired stock is not available, and orders that reserved it get other stock", async () => {
  const lots = [
    { sku: "E", qty: 3, batchRef: "OLD", expiryDate: "2020-01-31" },
    { sku: "E", qty: 4, batchRef: "SOON", expiryDate: new Date(inDays(5).now()).toISOString().slice(0, 10) },
    { sku: "E", qty: 2 },
  ];
  await adjust("E-1", lots);
  const quantities = ["onHand", "allocated", "onHold", "damaged", "available"];
  assert.deepEqual((await goods.snapshot()).get("E")?.texts(...quantities), ["9", "0", "3", "0", "6"]);
  await send("E-O", "E", 5);
  assert.match((await goods.stock("E")).join(), /OLD 2020-01-31 3\/0,GOOD SOON \S+ 4\/4/);
  await runJob(server, "stock-expiry", inDays(7));
  await goods.outbound("OS", "E-O");
  assert.match((await goods.stock("E")).join(), /^GOOD 2\/2,GOOD OLD 2020-01-31 3\/0,GOOD SOON \S+ 4\/0$/);
  assert.equal(await stateOf("E-O"), "PARTIALLY_ALLOCATED");
});
