// lifecycle.md §4 from outside: the changes of a work order that a client may make, and refusals.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import type { WorkOrderCreate, WorkOrderPatch } from "@crossdock/client/work-order";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue } from "../../support/builders/documents.ts";
import { goodsOf } from "../../support/builders/goods.ts";
import { answered, clientOf, refused } from "../../support/http/rest-client.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const other = await server.onboard("OTHER");
const goods = goodsOf(server, demo);
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");
const { workOrders } = clientOf(server, demo);
const { workOrders: foreign } = clientOf(server, other);
await demo.accept("CAT", catalogue("DEMO", ["KIT", "MUG", "BOX"]));
await other.accept("CAT", catalogue("OTHER", ["KIT", "MUG"]));
const clientId = "DEMO";
afterEach(() => goods.assertSound());

const service = "/v1/workOrderService/workOrder";
const at = (workOrderId: string) => ({ params: { path: { workOrderId } } });
const create = (
  workOrderId: string,
  components: WorkOrderCreate["components"],
  more: Partial<WorkOrderCreate> = {},
) => {
  const body = { clientId, facilityCode: "DC1", workOrderId, finishedGoodSku: "KIT", qty: 4, components, ...more };
  return answered(201, workOrders.POST(`${service}/create`, { body }));
};
const get = (workOrderId: string) => answered(200, workOrders.GET(`${service}/get/{workOrderId}`, at(workOrderId)));
const cancel = (workOrderId: string, more: { reason?: string } = {}) =>
  workOrders.POST(`${service}/cancel/{workOrderId}`, { ...at(workOrderId), body: { clientId, ...more } });
const update = (workOrderId: string, change: WorkOrderPatch, header: { "if-match"?: string } = {}) =>
  workOrders.PATCH(`${service}/update/{workOrderId}`, {
    params: { path: { workOrderId }, header },
    body: { clientId, ...change },
  });
const report = (workOrderId: string, body: object) => dc1.report("workOrder", { clientId, workOrderId, ...body });
const refuse = (status: number, workOrderId: string, body: object) =>
  goods.unchanged(() => dc1.refuse("workOrder", { clientId, workOrderId, ...body }, status));
await dc1.report("adjustment", {
  clientId,
  adjustmentId: "OPENING",
  reasonCode: "INITIAL",
  lines: ["BOX", "MUG"].map((sku) => ({ sku, qty: 30 })),
});

test("cancelled before the first report it frees all; after it no more, and no update", async () => {
  const before = await goods.stock("BOX");
  await create("C-1", [{ sku: "BOX", qtyPer: 1 }]);
  assert.notDeepEqual(await goods.stock("BOX"), before);
  assert.equal((await answered(200, cancel("C-1", { reason: "Not wanted" }))).status, "CANCELLED");
  assert.deepEqual(await goods.stock("BOX"), before);
  assert.equal((await goods.topics("workOrder", "C-1")).at(-1), "workOrder:cancelled");
  assert.match(await refuse(409, "C-1", { finishedGood: { qty: 1 } }), /CANCELLED/);
  await goods.unchanged(() => refused(409, cancel("C-1")));
  await create("C-2", [{ sku: "BOX", qtyPer: 1 }]);
  await report("C-2", { finishedGood: { qty: 1 } });
  await goods.unchanged(() => refused(409, cancel("C-2")));
  await goods.unchanged(() => refused(409, update("C-2", { qty: 9 })));
  await report("C-2", { close: true });
});

test("updated until work begins: what is not needed is freed, what is needed besides reserved", async () => {
  await create("U-1", [{ sku: "BOX", qtyPer: 1 }]);
  const boxes = await goods.stock("BOX");
  const components = [
    { sku: "BOX", qtyPer: 1 },
    { sku: "MUG", qtyPer: 3 },
  ];
  const changed = await answered(200, update("U-1", { qty: 2, priority: 1, components }));
  assert.deepEqual([changed.qtyOrdered, changed.version], [2, 2]);
  assert.deepEqual(
    (await get("U-1")).components.map(({ sku, qtyRequired, qtyAllocated }) => [sku, qtyRequired, qtyAllocated]),
    [
      ["BOX", 2, 2],
      ["MUG", 6, 6],
    ],
  );
  assert.notDeepEqual(await goods.stock("BOX"), boxes);
  await refused(412, update("U-1", { qty: 3 }, { "if-match": '"1"' }));
  const fixed: object = { consumption: "REPORTED" };
  await refused(400, update("U-1", fixed));
  await answered(200, cancel("U-1"));
});

test("the stock unit of a component stays while its work order is open", async () => {
  const inKg = catalogue("DEMO", [{ sku: "PART", extendedAttributes: attributes({ StockUom: "KG" }) }]);
  await demo.accept("CAT", catalogue("DEMO", ["SET", "PART"]));
  await create("UNIT", [{ sku: "PART", qtyPer: 1 }], { finishedGoodSku: "SET" });
  const refusal = "StockUom of SKU PART cannot change from EA to KG while stock or open documents of it exist";
  await demo.refuse("CAT", inKg, `[VALUE] ${refusal}`);
  await cancel("UNIT");
  await demo.accept("CAT", inKg);
});

test("a wrong request is refused as a whole, and nothing changes", async () => {
  const valid = {
    clientId,
    facilityCode: "DC1",
    finishedGoodSku: "KIT",
    qty: 1,
    components: [{ sku: "MUG", qtyPer: 1 }],
  };
  const refusals: [change: object, status: number][] = [
    [{ qty: 0 }, 400],
    [{ qty: -1 }, 400],
    [{ qty: 0.5 }, 422],
    [{ components: [{ sku: "MUG", qtyPer: -1 }] }, 400],
    [{ components: [] }, 400],
    [{ components: [{ sku: "KIT", qtyPer: 1 }] }, 400],
    [{ components: [{ sku: "GHOST", qtyPer: 1 }] }, 422],
    [{ finishedGoodSku: "GHOST" }, 422],
    [{ facilityCode: "DC3" }, 422],
    [{ clientId: "OTHER" }, 403],
    [{ workOrderId: "C-1" }, 409],
  ];
  for (const [change, status] of refusals) {
    const body = { ...valid, ...change };
    await goods.unchanged(() => refused(status, workOrders.POST(`${service}/create`, { body })));
  }
  await create("N-1", [{ sku: "MUG", qtyPer: 1 }], { qty: 1 });
  const theirs = { ...at("N-1"), body: { clientId: "OTHER" } };
  await goods.unchanged(() => refused(404, foreign.GET(`${service}/get/{workOrderId}`, at("N-1"))));
  await goods.unchanged(() => refused(404, foreign.PATCH(`${service}/update/{workOrderId}`, theirs)));
  await goods.unchanged(() => refused(404, foreign.POST(`${service}/cancel/{workOrderId}`, theirs)));
  for (const qty of [0, -1]) await refuse(400, "N-1", { finishedGood: { qty } });
  await refuse(422, "N-1", { finishedGood: { qty: 0.5 } });
  await refuse(422, "N-1", { finishedGood: { qty: 1 }, components: [{ sku: "GHOST", qty: 1, reason: "SCRAP" }] });
  await refuse(422, "N-1", {});
  await refuse(404, "GHOST", { finishedGood: { qty: 1 } });
  await refuse(404, "N-1", { clientId: "OTHER", finishedGood: { qty: 1 } });
  await goods.unchanged(() => dc2.refuse("workOrder", { clientId, workOrderId: "N-1", finishedGood: { qty: 1 } }, 404));
});
