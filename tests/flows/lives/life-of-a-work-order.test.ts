// lifecycle.md §4 from outside: created over REST, assembled by the warehouse, published as events.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import type { WorkOrderCreate } from "@crossdock/client/work-order";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue, order } from "../../support/builders/documents.ts";
import { goodsOf } from "../../support/builders/goods.ts";
import { answered, clientOf, refused } from "../../support/http/rest-client.ts";
import { type PortTask, warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const goods = goodsOf(server, demo);
const dc1 = await warehouseOf(server);
const { workOrders } = clientOf(server, demo);
const kg = { sku: "GLUE", extendedAttributes: attributes({ StockUom: "KG" }) };
await demo.accept(
  "CAT",
  catalogue("DEMO", ["KIT", "MUG", "BOX", "LID", "TRAY", kg, { sku: "LOT", captureBatchRef: "true" }]),
);
const serial = { extendedAttributes: attributes({ CaptureSerial: "true" }) };
await demo.accept(
  "CAT",
  catalogue("DEMO", [
    { sku: "SER", ...serial },
    { sku: "SERKIT", ...serial },
  ]),
);
const clientId = "DEMO";
let adjustments = 0;
const stock = (sku: string, qty: number, more: object = {}) =>
  dc1.report("adjustment", {
    clientId,
    adjustmentId: `A-${++adjustments}`,
    reasonCode: qty < 0 ? "LOST" : "FOUND",
    lines: [{ sku, qty, ...more }],
  });
afterEach(() => goods.assertSound());

const service = "/v1/workOrderService/workOrder";
type Components = WorkOrderCreate["components"];
const create = (workOrderId: string, components: Components, more: Partial<WorkOrderCreate> = {}) => {
  const body = { clientId, facilityCode: "DC1", workOrderId, finishedGoodSku: "KIT", qty: 4, components, ...more };
  return answered(201, workOrders.POST(`${service}/create`, { body }));
};
const get = (workOrderId: string) =>
  answered(200, workOrders.GET(`${service}/get/{workOrderId}`, { params: { path: { workOrderId } } }));
const stateOf = async (workOrderId: string) => (await get(workOrderId)).status;
const report = (workOrderId: string, body: object) => dc1.report("workOrder", { clientId, workOrderId, ...body });
const refuse = (status: number, workOrderId: string, body: object) =>
  goods.unchanged(() => dc1.refuse("workOrder", { clientId, workOrderId, ...body }, status));
const completions = async (workOrderId: string) =>
  (await goods.events("workOrder", workOrderId))
    .filter(({ topic }) => topic === "workOrder:completion")
    .map(({ data }) => [data.role, data.sku, data.qty, data.qtyTotal, data.batchRef, data.status]);
const isTask = (workOrderId: string) => (task: PortTask) => task.type === "WORK_ORDER" && task.objectId === workOrderId;

test("a work order waits for its components, is released with them, and a finished good consumes them by qtyPer", async () => {
  await stock("MUG", 5);
  const components = [
    { sku: "MUG", qtyPer: 2 },
    { sku: "BOX", qtyPer: 1 },
  ];
  const made = await create("W-1", components, { notes: "Use the blue box" });
  assert.deepEqual([made.status, made.consumption], ["WAITING_COMPONENTS", "BACKFLUSH"]);
  assert.deepEqual(await goods.stock("MUG"), ["GOOD 5/5"]);
  assert.match(await refuse(409, "W-1", { finishedGood: { qty: 1 } }), /WAITING_COMPONENTS/);
  await stock("MUG", 10);
  await stock("BOX", 4);
  const { lines, notes } = await dc1.task(isTask("W-1"));
  assert.equal(notes, "Use the blue box");
  assert.deepEqual(
    lines.map(({ sku, qty }) => [sku, qty]),
    [
      ["MUG", 8],
      ["BOX", 4],
    ],
  );
  assert.deepEqual([await stateOf("W-1"), await goods.stock("MUG")], ["RELEASED", ["GOOD 15/8"]]);
  assert.deepEqual((await goods.snapshot()).get("MUG")?.texts("onHand", "allocated", "available"), ["15", "8", "7"]);
  // When stock leaves, the work order waits again.
  await stock("BOX", -1);
  assert.equal(await stateOf("W-1"), "WAITING_COMPONENTS");
  await stock("BOX", 1);
  await goods.outbound("ADJ");
  assert.equal(await stateOf("W-1"), "RELEASED");
  assert.equal((await report("W-1", { finishedGood: { qty: 1 } })).status, "IN_PROGRESS");
  assert.deepEqual([await goods.stock("MUG"), await goods.stock("KIT")], [["GOOD 13/6"], ["GOOD 1/0"]]);
  assert.equal((await report("W-1", { finishedGood: { qty: 3 } })).status, "COMPLETED");
  assert.deepEqual(await completions("W-1"), [
    ["FINISHED_GOOD", "KIT", 1, 1, null, "IN_PROGRESS"],
    ["COMPONENT", "MUG", 2, 2, null, "IN_PROGRESS"],
    ["COMPONENT", "BOX", 1, 1, null, "IN_PROGRESS"],
    ["FINISHED_GOOD", "KIT", 3, 4, null, "COMPLETED"],
    ["COMPONENT", "MUG", 6, 8, null, "COMPLETED"],
    ["COMPONENT", "BOX", 3, 4, null, "COMPLETED"],
  ]);
  const topics = (await goods.topics("workOrder", "W-1")).filter((topic) => topic !== "workOrder:completion");
  assert.deepEqual([topics[0], new Set(topics.slice(1))], ["workOrder:created", new Set(["workOrder:updated"])]);
  assert.match(await refuse(409, "W-1", { finishedGood: { qty: 1 } }), /COMPLETED/);
  await dc1.task((task) => isTask("W-1")(task) && task.withdrawnAt !== null);
  const types = await server.rows<{ type: string; qty: string }>(
    "select type, trim_scale(sum(qty)) as qty from stock_movement where reference_id = 'W-1' and affects_on_hand group by 1 order by 1",
  );
  assert.deepEqual(
    types.map(({ type, qty }) => [type, Number(qty)]),
    [
      ["CONSUMPTION", -12],
      ["PRODUCTION", 4],
    ],
  );
});

test("finished goods are allocated to waiting orders", async () => {
  const [place] = await goods.stock("KIT");
  assert.equal(place, "GOOD 4/0");
  await demo.accept("NO", order("DEMO", "O-1", [{ sku: "KIT", qty: 6 }], { distributionCentre: "DC1" }));
  await create("W-2", [{ sku: "MUG", qtyPer: 1 }], { qty: 2 });
  await report("W-2", { finishedGood: { qty: 2 } });
  assert.deepEqual(await goods.stock("KIT"), ["GOOD 6/6"]);
  assert.equal((await demo.order("O-1"))?.status, "ALLOCATED");
});

test("BACKFLUSH takes component lines with reason SCRAP only, which are replaced from stock", async () => {
  await stock("LID", 10);
  await create("B-1", [{ sku: "LID", qtyPer: 1 }]);
  assert.match(await refuse(409, "B-1", { components: [{ sku: "LID", qty: 1 }] }), /BACKFLUSH/);
  assert.match(await refuse(409, "B-1", { components: [{ sku: "LID", qty: 1, reason: "LOST" }] }), /SCRAP/);
  const scrap = { sku: "LID", qty: 1, reason: "SCRAP" };
  assert.equal((await report("B-1", { components: [scrap] })).status, "IN_PROGRESS");
  assert.deepEqual(await goods.stock("LID"), ["GOOD 9/4"]);
  await report("B-1", { finishedGood: { qty: 4 }, components: [scrap] });
  assert.deepEqual(await goods.stock("LID"), ["GOOD 4/0"]);
  assert.deepEqual(await completions("B-1"), [
    ["COMPONENT", "LID", 1, 1, null, "IN_PROGRESS"],
    ["FINISHED_GOOD", "KIT", 4, 4, null, "COMPLETED"],
    ["COMPONENT", "LID", 4, 5, null, "COMPLETED"],
    ["COMPONENT", "LID", 1, 6, null, "COMPLETED"],
  ]);
  assert.equal((await get("B-1")).components[0]?.qtyConsumed, 6);
});

test("REPORTED: the warehouse says what was consumed; the finished good takes nothing by itself", async () => {
  await stock("GLUE", 2.5);
  await create("P-1", [{ sku: "GLUE", qtyPer: 0.25 }], { consumption: "REPORTED" });
  assert.equal(await stateOf("P-1"), "RELEASED");
  await report("P-1", { finishedGood: { qty: 2 } });
  assert.deepEqual(await goods.stock("GLUE"), ["GOOD 2.5/1"]);
  await report("P-1", { components: [{ sku: "GLUE", qty: 0.625 }] });
  assert.deepEqual(await goods.stock("GLUE"), ["GOOD 1.875/0.375"]);
  assert.match(await refuse(409, "P-1", { components: [{ sku: "GLUE", qty: 2 }] }), /1\.875/);
  await report("P-1", { finishedGood: { qty: 2 }, components: [{ sku: "GLUE", qty: 0.5 }] });
  // A finished work order holds no stock.
  assert.deepEqual([await stateOf("P-1"), await goods.stock("GLUE")], ["COMPLETED", ["GOOD 1.375/0"]]);
  assert.deepEqual(
    (await completions("P-1")).map(([role, , qty]) => [role, qty]),
    [
      ["FINISHED_GOOD", 2],
      ["COMPONENT", 0.625],
      ["FINISHED_GOOD", 2],
      ["COMPONENT", 0.5],
    ],
  );
});

test("finished lots remember their component lots; a named lot is taken, else the first that expires", async () => {
  await stock("LOT", 3, { batchRef: "OLD", expiryDate: "2090-01-31" });
  await stock("LOT", 3, { batchRef: "NEW", expiryDate: "2091-01-31" });
  await create("L-1", [{ sku: "LOT", qtyPer: 1 }]);
  await report("L-1", { finishedGood: { qty: 4, batchRef: "K1", expiryDate: "2090-01-31" } });
  assert.deepEqual(await goods.stock("LOT"), ["GOOD NEW 2091-01-31 2/0"]);
  assert.ok((await goods.stock("KIT")).includes("GOOD K1 2090-01-31 4/0"));
  const lots = await server.rows(
    `select finished_batch_ref, component_sku, component_batch_ref, trim_scale(qty)::float8 as qty from work_order_lot
     where work_order_id = 'L-1' order by component_batch_ref`,
  );
  assert.deepEqual(lots, [
    { finished_batch_ref: "K1", component_sku: "LOT", component_batch_ref: "NEW", qty: 1 },
    { finished_batch_ref: "K1", component_sku: "LOT", component_batch_ref: "OLD", qty: 3 },
  ]);
  assert.deepEqual(await completions("L-1"), [
    ["FINISHED_GOOD", "KIT", 4, 4, "K1", "COMPLETED"],
    ["COMPONENT", "LOT", 4, 4, null, "COMPLETED"],
  ]);
  await create("L-2", [{ sku: "LOT", qtyPer: 1 }], { qty: 1, consumption: "REPORTED" });
  const unnamed = { finishedGood: { qty: 1 }, components: [{ sku: "LOT", qty: 1 }] };
  assert.match(await refuse(422, "L-2", unnamed), /batchRef/);
  await report("L-2", { finishedGood: { qty: 1 }, components: [{ sku: "LOT", qty: 1, batchRef: "NEW" }] });
  assert.deepEqual((await completions("L-2")).at(-1), ["COMPONENT", "LOT", 1, 1, "NEW", "COMPLETED"]);
});

test("serials of components go, those of the finished good come", async () => {
  await stock("SER", 2, { serials: ["S1", "S2"] });
  const components = [{ sku: "SER", qtyPer: 1 }];
  const body = { clientId, facilityCode: "DC1", finishedGoodSku: "SERKIT", qty: 1, components };
  await refused(422, workOrders.POST(`${service}/create`, { body }));
  await create("SN-1", components, { finishedGoodSku: "SERKIT", qty: 2, consumption: "REPORTED" });
  const made = { finishedGood: { qty: 1, serials: ["K1"] } };
  assert.match(await refuse(422, "SN-1", { finishedGood: { qty: 1 } }), /serials/);
  assert.match(await refuse(422, "SN-1", { ...made, components: [{ sku: "SER", qty: 1 }] }), /serials/);
  const unknown = { ...made, components: [{ sku: "SER", qty: 1, serials: ["S9"] }] };
  assert.match(await refuse(409, "SN-1", unknown), /S9/);
  await report("SN-1", { ...made, components: [{ sku: "SER", qty: 1, serials: ["S2"] }] });
  const again = { ...made, components: [{ sku: "SER", qty: 1, serials: ["S1"] }] };
  assert.match(await refuse(409, "SN-1", again), /K1/);
  const gone = { finishedGood: { qty: 1, serials: ["K2"] }, components: [{ sku: "SER", qty: 1, serials: ["S2"] }] };
  assert.match(await refuse(409, "SN-1", gone), /S2/);
  assert.deepEqual([await goods.stock("SER"), await goods.stock("SERKIT")], [["GOOD 1/1"], ["GOOD 1/0"]]);
  await report("SN-1", { close: true });
});

test("what a report consumes and makes is in ADJ documents of the work order, unless the client does without", async () => {
  await demo.accept("CAT", catalogue("DEMO", ["PAIR", { sku: "CUP", captureBatchRef: "true" }]));
  await stock("CUP", 3, { batchRef: "C1" });
  await stock("CUP", 3, { batchRef: "C2" });
  const documents = async () =>
    (await goods.outbound("ADJ", "D-1")).map(({ root }) => [
      ...root.texts("adjustmentId", "reasonCode"),
      ...root.all("lines/line").map((line) =>
        line
          .texts("sku", "qty", "fromCondition", "toCondition", "batchRef", "qtyOnHandAfter")
          .map((text) => text ?? "-")
          .join(" "),
      ),
    ]);
  await create("D-1", [{ sku: "CUP", qtyPer: 2 }], { finishedGoodSku: "PAIR", qty: 3 });
  const scrap = { sku: "CUP", qty: 1, batchRef: "C2", reason: "SCRAP" };
  await report("D-1", { finishedGood: { qty: 2 }, components: [scrap] });
  const booked = [
    ["D-1", "PRODUCTION", "PAIR 2 - GOOD - 2"],
    ["D-1", "CONSUMPTION", "CUP -3 GOOD - C1 1", "CUP -1 GOOD - C2 1"],
    ["D-1", "CONSUMPTION", "CUP -1 GOOD - C2 1"],
  ];
  assert.deepEqual(await documents(), booked);
  await report("D-1", { close: true });
  await create("D-2", [{ sku: "CUP", qtyPer: 1 }], { finishedGoodSku: "PAIR", qty: 1 });
  await demo.set({ workOrderAdjustments: "false" });
  await report("D-2", { finishedGood: { qty: 1 } });
  await demo.set({ workOrderAdjustments: "" });
  assert.deepEqual([await documents(), await goods.outbound("ADJ", "D-2")], [booked, []]);
});

test("stock that goes is taken from the lowest priority, be it an order or a work order", async () => {
  await stock("TRAY", 6);
  const send = async (orderId: string, priority: number) => {
    const more = { distributionCentre: "DC1", extendedAttributes: attributes({ Priority: priority }) };
    await demo.accept("NO", order("DEMO", orderId, [{ sku: "TRAY", qty: 2 }], more));
    await dc1.task(({ type, objectId }) => type === "PICK" && objectId === orderId);
  };
  await send("T-HIGH", 1);
  await create("T-W", [{ sku: "TRAY", qtyPer: 1 }], { qty: 2, priority: 7 });
  await send("T-LOW", 9);
  const states = async () => {
    await goods.outbound("OS");
    const orders = await Promise.all(["T-HIGH", "T-LOW"].map((orderId) => demo.order(orderId)));
    return [orders[0]?.status, await stateOf("T-W"), orders[1]?.status];
  };
  assert.deepEqual(await states(), ["ALLOCATED", "RELEASED", "ALLOCATED"]);
  await stock("TRAY", -3);
  assert.deepEqual(await states(), ["ALLOCATED", "WAITING_COMPONENTS", "BACKORDERED"]);
  await stock("TRAY", -2);
  assert.deepEqual(await states(), ["PARTIALLY_ALLOCATED", "WAITING_COMPONENTS", "BACKORDERED"]);
  const cancel = { params: { path: { workOrderId: "T-W" } }, body: { clientId } };
  await answered(200, workOrders.POST(`${service}/cancel/{workOrderId}`, cancel));
});

test("closed short, it gives back what it holds; before anything was reported it is not closed but cancelled", async () => {
  await stock("BOX", 10);
  const held = (await goods.stock("BOX")).join();
  await create("S-1", [{ sku: "BOX", qtyPer: 1 }]);
  await report("S-1", { finishedGood: { qty: 1 } });
  assert.equal((await report("S-1", { close: true })).status, "CLOSED_SHORT");
  assert.equal((await goods.topics("workOrder", "S-1")).at(-1), "workOrder:updated");
  assert.match(await refuse(409, "S-1", { finishedGood: { qty: 1 } }), /CLOSED_SHORT/);
  assert.deepEqual(await goods.stock("BOX"), [held.replace(/\d+\/0/, (all) => `${Number.parseInt(all, 10) - 1}/0`)]);
});
