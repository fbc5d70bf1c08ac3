import assert from "node:assert/strict";
import { test } from "node:test";
import { sql, tenant } from "#/store/db/sql.ts";
import {
  accepted,
  assertSound,
  database,
  dataOf,
  refusedBy,
  world,
} from "../../../tests/support/warehouse/work-orders.ts";

const recipe = [
  { sku: "MUG", qtyPer: 2 },
  { sku: "BOX", qtyPer: 1 },
];

async function countRows(clientId: string): Promise<number> {
  const [row] = await database
    .of(clientId)
    .query<{ n: number }>(sql`select (select count(*) from work_order where client_id = ${tenant})
      + (select count(*) from stock_book where client_id = ${tenant})
      + (select count(*) from stock_movement where client_id = ${tenant}) as n limit 1`);
  return Number(row?.n);
}

test("a work order with all components in stock is released with reservations", async () => {
  const w = await world("C1");
  await w.items(["SET", "MUG", "BOX"]);
  await w.stock({ sku: "MUG", qty: 10 }, { sku: "BOX", qty: 5 });
  const { answer: workOrder, events: drafts } = accepted(
    await w.create({ workOrderId: "WO-1", qty: 4, components: recipe }),
  );
  assert.equal(await w.shown("WO-1"), "RELEASED, MUG 8/0 of 8, BOX 4/0 of 4");
  assert.deepEqual(await w.held("WO-1"), ["BOX : 4 FIFO", "MUG : 8 FIFO"]);
  assert.deepEqual(
    drafts.map(({ topic, objectType, objectId, facilityCode }) => [topic, objectType, objectId, facilityCode]),
    [["workOrder:created", "workOrder", "WO-1", "DC1"]],
  );
  assert.equal(dataOf(drafts)[0]?.status, "RELEASED");
  assert.deepEqual(await w.read("WO-1"), workOrder);
  await assertSound("C1");
});

test("a work order with missing components reserves the available stock and waits", async () => {
  const w = await world("C2");
  await w.items(["SET", "MUG", "BOX"]);
  await w.stock({ sku: "MUG", qty: 3 }, { sku: "BOX", qty: 5, facilityCode: "DC2" });
  accepted(await w.create({ workOrderId: "WO-1", qty: 4, components: recipe }));
  assert.equal(await w.shown("WO-1"), "WAITING_COMPONENTS, MUG 3/0 of 8, BOX 0/0 of 4");
  await assertSound("C2");
});

test("lots are reserved by expiry, then by receipt, and only GOOD stock", async () => {
  const w = await world("C3");
  await w.items(["SET", "MUG", "OIL"]);
  await w.items(["OFF"], { isActive: false });
  await w.stock(
    { sku: "OIL", qty: 1, batchRef: "NEVER" },
    { sku: "OIL", qty: 1, batchRef: "LATE", expiryDate: "2027-06-30" },
    { sku: "OIL", qty: 1, batchRef: "SOON", expiryDate: "2027-01-31" },
    { sku: "OIL", qty: 9, batchRef: "GONE", expiryDate: "2026-11-01" },
    { sku: "OIL", qty: 9, batchRef: "THEIRS", stockPool: "B2B" },
    { sku: "MUG", qty: 2, batchRef: "NEW", at: "2026-10-02T00:00:00.000Z" },
    { sku: "OFF", qty: 9 },
  );
  const components = [
    { sku: "OIL", qtyPer: 1 },
    { sku: "MUG", qtyPer: 1 },
    { sku: "OFF", qtyPer: 1 },
  ];
  accepted(await w.create({ workOrderId: "WO-1", qty: 2, components }));
  assert.deepEqual(await w.held("WO-1"), ["MUG NEW: 2 FIFO", "OIL LATE: 1 FEFO", "OIL SOON: 1 FEFO"]);
  accepted(await w.create({ workOrderId: "WO-2", qty: 9, components }));
  assert.deepEqual(await w.held("WO-2"), ["OIL NEVER: 1 FIFO"]);
  await assertSound("C3");
});

test("a request with faults is refused with all of them, and writes nothing", async () => {
  const w = await world("C4");
  await w.items(["SET", "MUG"]);
  const before = await countRows("C4");
  const fault = refusedBy(
    await w.create({
      qty: 1.0001,
      components: [
        { sku: "MUG", qtyPer: 1 },
        { sku: "SET", qtyPer: 1 },
        { sku: "MUG", qtyPer: 0.0005 },
      ],
    }),
  );
  assert.equal(fault.kind, "invalid");
  assert.deepEqual(fault.errors, [
    { pointer: "#/qty", message: "must have at most three decimals" },
    { pointer: "#/components/1/sku", message: "is the finished good itself" },
    { pointer: "#/components/2/qtyPer", message: "must have at most three decimals" },
    { pointer: "#/components/2/sku", message: "is present twice, first in components/0" },
  ]);
  assert.equal(await countRows("C4"), before);
});

test("a request with unknown values is refused with all of them, and writes nothing", async () => {
  const w = await world("C5");
  await w.items(["SET", "MUG"]);
  await w.items(["CHIP"], { attributes: { CaptureSerial: "true" } });
  const before = await countRows("C5");
  const components = [
    { sku: "NOWHERE", qtyPer: 1 },
    { sku: "MUG", qtyPer: 0.5 },
    { sku: "CHIP", qtyPer: 1 },
  ];
  const fault = refusedBy(await w.create({ facilityCode: "DC3", qty: 1.5, components }));
  assert.equal(fault.kind, "unprocessable");
  assert.deepEqual(
    fault.errors?.map(({ pointer }) => pointer),
    ["#/facilityCode", "#/qty", "#/components/0/sku", "#/components/1/qtyPer", "#/components/2/sku"],
  );
  assert.equal(
    refusedBy(await w.create({ finishedGoodSku: "NEITHER", qty: 1, components: [{ sku: "MUG", qtyPer: 1 }] })).kind,
    "unprocessable",
  );
  assert.equal(await countRows("C5"), before);
});

test("a workOrderId is unique; an omitted one is generated", async () => {
  const w = await world("C6");
  await w.items(["SET", "MUG", "BOX"]);
  accepted(await w.create({ workOrderId: "WO-1", qty: 1, components: recipe }));
  assert.equal(refusedBy(await w.create({ workOrderId: "WO-1", qty: 1, components: recipe })).kind, "conflict");
  assert.equal(
    refusedBy(await w.create({ workOrderId: "WO-1", facilityCode: "DC2", qty: 1, components: recipe })).kind,
    "conflict",
  );
  const { answer: workOrder } = accepted(await w.create({ qty: 1, components: recipe }));
  assert.match(workOrder.workOrderId, /^[0-9a-f-]{36}$/);
});

test("stock that arrives goes to the highest priority, then to the one received first", async () => {
  const w = await world("A1");
  await w.items(["SET", "MUG"]);
  const components = [{ sku: "MUG", qtyPer: 1 }];
  accepted(await w.create({ workOrderId: "LATER", qty: 4, components }));
  accepted(await w.create({ workOrderId: "LAST", qty: 4, components }));
  accepted(await w.create({ workOrderId: "FIRST", qty: 4, priority: 1, components }));
  await w.stock({ sku: "MUG", qty: 10 });
  const drafts = await w.allocate("MUG", "NOWHERE");
  assert.deepEqual(
    drafts.map(({ topic, objectId, data }) => [topic, objectId, (data as { status: string }).status]),
    [
      ["workOrder:updated", "FIRST", "RELEASED"],
      ["workOrder:updated", "LATER", "RELEASED"],
      ["workOrder:updated", "LAST", "WAITING_COMPONENTS"],
    ],
  );
  assert.equal(await w.shown("LAST"), "WAITING_COMPONENTS, MUG 2/0 of 4");
  assert.deepEqual(await w.allocate("MUG"), []);
  await assertSound("A1");
});

test("more work orders than one batch are all served", async () => {
  const w = await world("A2");
  await w.items(["SET", "MUG"]);
  for (let i = 0; i < 230; i++) {
    accepted(await w.create({ workOrderId: `WO-${i}`, qty: 1, components: [{ sku: "MUG", qtyPer: 1 }] }));
  }
  await w.stock({ sku: "MUG", qty: 225 });
  assert.equal((await w.allocate("MUG")).length, 225);
  assert.equal(await w.shown("WO-224"), "RELEASED, MUG 1/0 of 1");
  assert.equal(await w.shown("WO-225"), "WAITING_COMPONENTS, MUG 0/0 of 1");
  await assertSound("A2");
});

test("missing stock is taken from the lowest priority, then from the newest work order", async () => {
  const w = await world("F1");
  await w.items(["SET", "MUG"]);
  await w.stock({ sku: "MUG", qty: 12, batchRef: "B1" });
  const components = [{ sku: "MUG", qtyPer: 1 }];
  accepted(await w.create({ workOrderId: "OLD", qty: 3, components }));
  accepted(await w.create({ workOrderId: "NEW", qty: 3, components }));
  accepted(await w.create({ workOrderId: "LOW", qty: 3, priority: 9, components }));
  accepted(await w.create({ workOrderId: "HIGH", qty: 3, priority: 1, components }));
  const { freed, drafts } = await w.free({ sku: "MUG", batchRef: "B1" }, 5);
  assert.equal(freed, 5_000);
  assert.deepEqual(
    drafts.map(({ objectId }) => objectId),
    ["LOW", "NEW"],
  );
  assert.equal(await w.shown("LOW"), "WAITING_COMPONENTS, MUG 0/0 of 3");
  assert.equal(await w.shown("NEW"), "WAITING_COMPONENTS, MUG 1/0 of 3");
  assert.equal(await w.shown("OLD"), "RELEASED, MUG 3/0 of 3");
  assert.equal((await w.free({ sku: "MUG", batchRef: "B1" }, 50)).freed, 7_000);
  assert.deepEqual(await w.free({ sku: "MUG", batchRef: "OTHER" }, 1), { freed: 0, drafts: [] });
  await assertSound("F1");
});

test("an update frees unneeded reservations and adds missing ones", async () => {
  const w = await world("U1");
  await w.items(["SET", "MUG", "BOX", "CARD"]);
  await w.stock({ sku: "MUG", qty: 20 }, { sku: "BOX", qty: 20 }, { sku: "CARD", qty: 3 });
  accepted(await w.create({ workOrderId: "WO-1", qty: 4, components: recipe }));
  const { answer: workOrder, events: drafts } = accepted(await w.update("WO-1", { qty: 2 }));
  assert.deepEqual([workOrder.version, drafts[0]?.topic], [2, "workOrder:updated"]);
  assert.equal(await w.shown("WO-1"), "RELEASED, MUG 4/0 of 4, BOX 2/0 of 2");
  await assertSound("U1");
  accepted(
    await w.update("WO-1", {
      qty: 4,
      components: [
        { sku: "CARD", qtyPer: 1 },
        { sku: "MUG", qtyPer: 1 },
      ],
    }),
  );
  assert.equal(await w.shown("WO-1"), "WAITING_COMPONENTS, MUG 4/0 of 4, CARD 3/0 of 4");
  assert.deepEqual(await w.held("WO-1"), ["CARD : 3 FIFO", "MUG : 4 FIFO"]);
  await assertSound("U1");
  accepted(await w.update("WO-1", { components: [{ sku: "MUG", qtyPer: 1 }] }));
  assert.equal(await w.shown("WO-1"), "RELEASED, MUG 4/0 of 4");
  await assertSound("U1");
});

test("an update of other fields keeps the reservations; null restores the default", async () => {
  const w = await world("U2");
  await w.items(["SET", "MUG", "BOX"]);
  await w.stock({ sku: "MUG", qty: 8 }, { sku: "BOX", qty: 4 });
  accepted(await w.create({ workOrderId: "WO-1", qty: 4, components: recipe }));
  const dueDate = "2026-12-01T12:00:00+01:00";
  const first = accepted(await w.update("WO-1", { dueDate, notes: "red", priority: 2 })).answer;
  assert.deepEqual([first.dueDate, first.notes, first.priority], ["2026-12-01T11:00:00.000Z", "red", 2]);
  assert.deepEqual(await w.read("WO-1"), first);
  const again = accepted(await w.update("WO-1", { dueDate, priority: 2 }));
  assert.deepEqual([again.answer.version, again.events], [2, []]);
  const second = accepted(await w.update("WO-1", { dueDate: null, notes: null, priority: null })).answer;
  assert.deepEqual(
    [second.dueDate, second.notes, second.priority, second.status],
    [undefined, undefined, 5, "RELEASED"],
  );
  await assertSound("U2");
});

test("an update is refused as the create would be, for another version, and once work has begun", async () => {
  const w = await world("U3");
  await w.items(["SET", "MUG", "BOX"]);
  await w.stock({ sku: "MUG", qty: 8 }, { sku: "BOX", qty: 4 });
  accepted(await w.create({ workOrderId: "WO-1", qty: 4, components: recipe }));
  assert.equal(refusedBy(await w.update("NONE", { qty: 2 })).kind, "notFound");
  assert.equal(refusedBy(await w.update("WO-1", { qty: 2 }, '"7"')).kind, "outdated");
  assert.equal(refusedBy(await w.update("WO-1", { qty: 0.5 })).kind, "unprocessable");
  assert.equal(refusedBy(await w.update("WO-1", { components: [{ sku: "SET", qtyPer: 1 }] })).kind, "invalid");
  assert.equal(refusedBy(await w.update("WO-1", { components: [{ sku: "NONE", qtyPer: 1 }] })).kind, "unprocessable");
  accepted(await w.report("WO-1", { finishedGood: { qty: 1 } }));
  assert.equal(refusedBy(await w.update("WO-1", { qty: 2 })).kind, "conflict");
  assert.equal(refusedBy(await w.cancel("WO-1")).kind, "conflict");
  assert.equal((await w.read("WO-1")).version, 2);
});

test("a cancelled work order holds nothing, and cannot be cancelled again", async () => {
  const w = await world("X1");
  await w.items(["SET", "MUG", "BOX"]);
  await w.stock({ sku: "MUG", qty: 8 }, { sku: "BOX", qty: 1 });
  accepted(await w.create({ workOrderId: "WO-1", qty: 4, components: recipe }));
  const { events: drafts } = accepted(await w.cancel("WO-1"));
  assert.equal(drafts[0]?.topic, "workOrder:cancelled");
  assert.equal(await w.shown("WO-1"), "CANCELLED, MUG 0/0 of 8, BOX 0/0 of 4");
  assert.deepEqual(await w.held("WO-1"), []);
  assert.equal(refusedBy(await w.cancel("WO-1")).kind, "conflict");
  assert.equal(refusedBy(await w.cancel("NONE")).kind, "notFound");
  const wanted = await database
    .of("X1")
    .query<{ sku: string }>(
      sql`select sku from stock_change where client_id = ${tenant} and needs_allocation order by sku limit 10`,
    );
  assert.deepEqual(
    wanted.map(({ sku }) => sku),
    ["BOX", "MUG"],
  );
  await assertSound("X1");
});

test("two that create at once for the last components do not get the same unit", async () => {
  const w = await world("P1");
  await w.items(["SET", "MUG"]);
  await w.stock({ sku: "MUG", qty: 8 });
  const components = [{ sku: "MUG", qtyPer: 1 }];
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, i) => w.create({ workOrderId: `WO-${i}`, qty: 1, components })),
  );
  const released = all.filter((result) => accepted(result).answer.status === "RELEASED");
  assert.equal(released.length, 8);
  await assertSound("P1");
});

test("every change leaves an audit line", async () => {
  const lines = await database
    .of("U3")
    .query<{ action: string }>(
      sql`select action from audit_log where client_id = ${tenant} and object_type = 'workOrder' order by audit_id limit 10`,
    );
  assert.deepEqual(
    lines.map(({ action }) => action),
    ["create", "report"],
  );
});
