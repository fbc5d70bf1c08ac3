// lifecycle.md §4 from outside: what a client may still change of a work order, and what is refused.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { catalogue } from "../support/documents.ts";
import { goodsOf, restOf } from "../support/goods.ts";
import { testServer } from "../support/server.ts";
import { warehouseOf } from "../support/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const other = await server.onboard("OTHER");
const goods = goodsOf(server, demo);
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");
const rest = await restOf(server, demo);
const foreign = await restOf(server, other);
await demo.accept("CAT", catalogue("DEMO", ["KIT", "MUG", "BOX"]));
await other.accept("CAT", catalogue("OTHER", ["KIT", "MUG"]));
const clientId = "DEMO";
afterEach(() => goods.assertSound());

const path = (operation: string, workOrderId = "") => `/workOrderService/workOrder/${operation}/${workOrderId}`;
const create = async (workOrderId: string, components: object, more: object = {}) => {
  const body = { clientId, facilityCode: "DC1", workOrderId, finishedGoodSku: "KIT", qty: 4, components, ...more };
  const answer = await rest("POST", "/workOrderService/workOrder/create", body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
};
const get = async (workOrderId: string) => {
  const { status, body } = await rest("GET", path("get", workOrderId));
  assert.equal(status, 200);
  return body as { status: string; qtyCompleted: number; components: Record<string, unknown>[] } & Record<
    string,
    unknown
  >;
};
const report = (workOrderId: string, body: object) => dc1.report("workOrder", { clientId, workOrderId, ...body });
const refuse = (status: number, workOrderId: string, body: object) =>
  goods.unchanged(() => dc1.refuse("workOrder", { clientId, workOrderId, ...body }, status));
await dc1.report("adjustment", {
  ...{ clientId, adjustmentId: "OPENING", reasonCode: "INITIAL" },
  lines: ["BOX", "MUG"].map((sku) => ({ sku, qty: 30 })),
});

test("cancelled before the first report it frees all; after it no more, and no update", async () => {
  const before = await goods.stock("BOX");
  await create("C-1", [{ sku: "BOX", qtyPer: 1 }]);
  assert.notDeepEqual(await goods.stock("BOX"), before);
  const cancelled = await rest("POST", path("cancel", "C-1"), { clientId, reason: "Not wanted" });
  assert.deepEqual([cancelled.status, cancelled.body.status], [200, "CANCELLED"]);
  assert.deepEqual(await goods.stock("BOX"), before);
  assert.equal((await goods.topics("workOrder", "C-1")).at(-1), "workOrder:cancelled");
  assert.match(await refuse(409, "C-1", { finishedGood: { qty: 1 } }), /CANCELLED/);
  const again = await goods.unchanged(() => rest("POST", path("cancel", "C-1"), { clientId }));
  assert.equal(again.status, 409);
  await create("C-2", [{ sku: "BOX", qtyPer: 1 }]);
  await report("C-2", { finishedGood: { qty: 1 } });
  const late = await goods.unchanged(() => rest("POST", path("cancel", "C-2"), { clientId }));
  assert.equal(late.status, 409);
  const update = await goods.unchanged(() => rest("PATCH", path("update", "C-2"), { clientId, qty: 9 }));
  assert.equal(update.status, 409);
  await report("C-2", { close: true });
});

test("updated until work begins: what is not needed is freed, what is needed besides reserved", async () => {
  await create("U-1", [{ sku: "BOX", qtyPer: 1 }]);
  const boxes = await goods.stock("BOX");
  const changed = await rest("PATCH", path("update", "U-1"), {
    ...{ clientId, qty: 2, priority: 1 },
    components: [
      { sku: "BOX", qtyPer: 1 },
      { sku: "MUG", qtyPer: 3 },
    ],
  });
  assert.deepEqual([changed.status, changed.body.qtyOrdered, changed.body.version], [200, 2, 2]);
  assert.deepEqual(
    (await get("U-1")).components.map(({ sku, qtyRequired, qtyAllocated }) => [sku, qtyRequired, qtyAllocated]),
    [
      ["BOX", 2, 2],
      ["MUG", 6, 6],
    ],
  );
  assert.notDeepEqual(await goods.stock("BOX"), boxes);
  const stale = await rest("PATCH", path("update", "U-1"), { clientId, qty: 3 }, { "if-match": '"1"' });
  assert.equal(stale.status, 412);
  const fixed = await rest("PATCH", path("update", "U-1"), { clientId, consumption: "REPORTED" });
  assert.equal(fixed.status, 400);
  await rest("POST", path("cancel", "U-1"), { clientId });
});

test("what cannot be is refused whole, and nothing changes", async () => {
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
    const answer = await goods.unchanged(() =>
      rest("POST", "/workOrderService/workOrder/create", { ...valid, ...change }),
    );
    assert.equal(answer.status, status, JSON.stringify(change));
  }
  await create("N-1", [{ sku: "MUG", qtyPer: 1 }], { qty: 1 });
  for (const [method, operation] of [
    ["GET", "get"],
    ["PATCH", "update"],
    ["POST", "cancel"],
  ] as const) {
    const body = method === "GET" ? undefined : { clientId: "OTHER" };
    const answer = await goods.unchanged(() => foreign(method, path(operation, "N-1"), body));
    assert.equal(answer.status, 404, operation);
  }
  for (const qty of [0, -1]) await refuse(400, "N-1", { finishedGood: { qty } });
  await refuse(422, "N-1", { finishedGood: { qty: 0.5 } });
  await refuse(422, "N-1", { finishedGood: { qty: 1 }, components: [{ sku: "GHOST", qty: 1, reason: "SCRAP" }] });
  await refuse(422, "N-1", {});
  await refuse(404, "GHOST", { finishedGood: { qty: 1 } });
  await refuse(404, "N-1", { clientId: "OTHER", finishedGood: { qty: 1 } });
  await goods.unchanged(() => dc2.refuse("workOrder", { clientId, workOrderId: "N-1", finishedGood: { qty: 1 } }, 404));
});
