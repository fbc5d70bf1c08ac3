import assert from "node:assert/strict";
import { test } from "node:test";
import { listBalances, listSerials } from "#/modules/inventory/index.ts";
import { listAssemblyWork } from "#/modules/workorders/index.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import type { EventDraft } from "#/store/outbox/append.ts";
import {
  accepted,
  assertSound,
  database,
  dataOf,
  refusedBy,
  world,
} from "../../../../tests/support/warehouse/work-orders.ts";

const recipe = [
  { sku: "MUG", qtyPer: 2 },
  { sku: "BOX", qtyPer: 1 },
];

/** `role sku qty of qtyTotal batch status` of each completion event. */
const textsOf = (drafts: readonly EventDraft[]) =>
  drafts.map(({ topic, data }) => {
    const fields = data as Record<string, unknown>;
    if (topic !== "workOrder:completion") return `${topic} ${fields.status}`;
    return `${fields.role} ${fields.sku} ${fields.qty} of ${fields.qtyTotal} ${fields.batchRef ?? "-"} ${fields.status}`;
  });

/** `sku batch condition: pieces` on hand. */
async function onHand(clientId: string, ...skus: readonly string[]): Promise<string[]> {
  const balances = await listBalances(database.of(clientId), "DC1", skus);
  return balances.map(({ sku, batchRef, condition, qty }) => `${sku} ${batchRef} ${condition}: ${qty / 1000}`).sort();
}

async function lotUses(clientId: string): Promise<string[]> {
  const rows = await database.of(clientId).query<{
    f: string;
    s: string;
    c: string;
    q: string;
  }>(sql`select finished_batch_ref as f, component_sku as s, component_batch_ref as c, qty as q from work_order_lot
      where client_id = ${tenant} order by entry_id limit 100`);
  return rows.map(({ f, s, c, q }) => `${f}: ${Number(q)} ${s} ${c}`);
}

test("a finished good consumes its reserved components, until the order is complete", async () => {
  const w = await world("B1");
  await w.items(["SET", "MUG", "BOX"]);
  await w.stock({ sku: "MUG", qty: 9 }, { sku: "BOX", qty: 4 });
  accepted(await w.create({ workOrderId: "WO-1", qty: 4, components: recipe }));
  const first = accepted(await w.report("WO-1", { finishedGood: { qty: 1 } }));
  assert.deepEqual(textsOf(first.events), [
    "FINISHED_GOOD SET 1 of 1 - IN_PROGRESS",
    "COMPONENT MUG 2 of 2 - IN_PROGRESS",
    "COMPONENT BOX 1 of 1 - IN_PROGRESS",
  ]);
  assert.deepEqual(first.answer, {
    workOrderId: "WO-1",
    status: "IN_PROGRESS",
    qtyOrdered: 4,
    qtyCompleted: 1,
    components: [
      { sku: "MUG", qtyConsumed: 2, qtyAllocated: 6 },
      { sku: "BOX", qtyConsumed: 1, qtyAllocated: 3 },
    ],
  });
  const last = accepted(await w.report("WO-1", { finishedGood: { qty: 3 }, occurredAt: "2026-11-02T12:00:00+02:00" }));
  assert.deepEqual(textsOf(last.events), [
    "FINISHED_GOOD SET 3 of 4 - COMPLETED",
    "COMPONENT MUG 6 of 8 - COMPLETED",
    "COMPONENT BOX 3 of 4 - COMPLETED",
  ]);
  assert.equal(dataOf(last.events)[0]?.reportedAt, "2026-11-02T10:00:00.000Z");
  assert.equal(await w.shown("WO-1"), "COMPLETED, MUG 0/8 of 8, BOX 0/4 of 4");
  assert.deepEqual(await onHand("B1", "SET", "MUG", "BOX"), ["MUG  GOOD: 1", "SET  GOOD: 4"]);
  await assertSound("B1");
});

test("ended and waiting work orders and those of another facility take no report", async () => {
  const w = await world("B2");
  await w.items(["SET", "MUG", "BOX"]);
  await w.stock({ sku: "MUG", qty: 9 }, { sku: "BOX", qty: 1 });
  accepted(await w.create({ workOrderId: "WAITS", qty: 4, components: recipe }));
  const waiting = refusedBy(await w.report("WAITS", { finishedGood: { qty: 1 } }));
  assert.deepEqual([waiting.kind, /WAITING_COMPONENTS/.test(waiting.detail)], ["conflict", true]);
  assert.equal(refusedBy(await w.report("WAITS", { finishedGood: { qty: 1 } }, "DC2")).kind, "notFound");
  assert.equal(refusedBy(await w.report("NONE", { finishedGood: { qty: 1 } })).kind, "notFound");
  accepted(await w.cancel("WAITS"));
  assert.equal(refusedBy(await w.report("WAITS", { close: true })).kind, "conflict");
  assert.equal(await w.shown("WAITS"), "CANCELLED, MUG 0/0 of 8, BOX 0/0 of 4");
});

test("a close ends the work order CLOSED_SHORT and frees its reservations", async () => {
  const w = await world("B3");
  await w.items(["SET", "MUG", "BOX"]);
  await w.stock({ sku: "MUG", qty: 8 }, { sku: "BOX", qty: 4 });
  accepted(await w.create({ workOrderId: "WO-1", qty: 4, components: recipe }));
  accepted(await w.report("WO-1", { finishedGood: { qty: 1 } }));
  assert.deepEqual(textsOf(accepted(await w.report("WO-1", { close: true })).events), [
    "workOrder:updated CLOSED_SHORT",
  ]);
  assert.equal(await w.shown("WO-1"), "CLOSED_SHORT, MUG 0/2 of 8, BOX 0/1 of 4");
  accepted(await w.create({ workOrderId: "WO-2", qty: 3, components: recipe }));
  assert.equal(await w.shown("WO-2"), "RELEASED, MUG 6/0 of 6, BOX 3/0 of 3");
  assert.equal(refusedBy(await w.report("WO-1", { finishedGood: { qty: 1 } })).kind, "conflict");
  await assertSound("B3");
});

test("surplus production consumes free stock, and is refused without it", async () => {
  const w = await world("B4");
  await w.items(["SET", "MUG", "BOX"]);
  await w.stock({ sku: "MUG", qty: 14 }, { sku: "BOX", qty: 10 });
  accepted(await w.create({ workOrderId: "WO-1", qty: 4, components: recipe }));
  accepted(await w.create({ workOrderId: "WO-2", qty: 1, components: recipe }));
  const fault = refusedBy(await w.report("WO-1", { finishedGood: { qty: 7 } }));
  assert.equal(fault.kind, "conflict");
  assert.match(fault.detail, /14 EA of component MUG would be consumed, but 12 are reserved for it or free/);
  assert.equal(await w.shown("WO-1"), "RELEASED, MUG 8/0 of 8, BOX 4/0 of 4");
  accepted(await w.report("WO-1", { finishedGood: { qty: 6 } }));
  assert.equal(await w.shown("WO-1"), "COMPLETED, MUG 0/12 of 8, BOX 0/6 of 4");
  assert.equal(await w.shown("WO-2"), "RELEASED, MUG 2/0 of 2, BOX 1/0 of 1");
  await assertSound("B4");
});

test("a backflush takes lots by expiry, and the finished lot records them", async () => {
  const w = await world("B5");
  await w.items(["SET"], { captureBatchRef: true });
  await w.items(["OIL"], { captureBatchRef: true });
  await w.stock(
    { sku: "OIL", qty: 3, batchRef: "LATE", expiryDate: "2027-06-30" },
    { sku: "OIL", qty: 2, batchRef: "SOON", expiryDate: "2027-01-31" },
  );
  accepted(await w.create({ workOrderId: "WO-1", qty: 5, components: [{ sku: "OIL", qtyPer: 1 }] }));
  const missing = refusedBy(await w.report("WO-1", { finishedGood: { qty: 1 } }));
  assert.deepEqual([missing.kind, /kept by batch/.test(missing.detail)], ["unprocessable", true]);
  const { events: drafts } = accepted(await w.report("WO-1", { finishedGood: { qty: 1, batchRef: "F1" } }));
  assert.deepEqual(textsOf(drafts), [
    "FINISHED_GOOD SET 1 of 1 F1 IN_PROGRESS",
    "COMPONENT OIL 1 of 1 SOON IN_PROGRESS",
  ]);
  const two = accepted(await w.report("WO-1", { finishedGood: { qty: 2, batchRef: "F2" } }));
  assert.equal(textsOf(two.events)[1], "COMPONENT OIL 2 of 3 - IN_PROGRESS", "with several lots no batch is published");
  assert.deepEqual(await lotUses("B5"), ["F1: 1 OIL SOON", "F2: 1 OIL SOON", "F2: 1 OIL LATE"]);
  assert.deepEqual(await onHand("B5", "SET", "OIL"), ["OIL LATE GOOD: 2", "SET F1 GOOD: 1", "SET F2 GOOD: 2"]);
  await assertSound("B5");
});

test("with BACKFLUSH components are reported only as scrap, which is replaced", async () => {
  const w = await world("B6");
  await w.items(["SET", "MUG", "BOX"]);
  await w.stock({ sku: "MUG", qty: 9 }, { sku: "BOX", qty: 4 });
  accepted(await w.create({ workOrderId: "WO-1", qty: 4, components: recipe }));
  const fault = refusedBy(await w.report("WO-1", { components: [{ sku: "MUG", qty: 1 }] }));
  assert.deepEqual([fault.kind, /reason SCRAP/.test(fault.detail)], ["conflict", true]);
  const { events: drafts } = accepted(
    await w.report("WO-1", { components: [{ sku: "MUG", qty: 2, reason: "SCRAP" }] }),
  );
  assert.deepEqual(textsOf(drafts), ["COMPONENT MUG 2 of 2 - IN_PROGRESS"]);
  assert.equal(await w.shown("WO-1"), "IN_PROGRESS, MUG 7/2 of 8, BOX 4/0 of 4", "one of two was there to be reserved");
  await w.stock({ sku: "MUG", qty: 5 });
  assert.equal((await w.allocate("MUG")).length, 1);
  assert.equal(await w.shown("WO-1"), "IN_PROGRESS, MUG 8/2 of 8, BOX 4/0 of 4");
  const last = accepted(await w.report("WO-1", { finishedGood: { qty: 4 } }));
  assert.equal(textsOf(last.events)[1], "COMPONENT MUG 8 of 10 - COMPLETED");
  assert.deepEqual(await lotUses("B6"), [": 8 MUG ", ": 4 BOX "], "scrap went into nothing");
  await assertSound("B6");
});

test("with REPORTED only reported components are consumed", async () => {
  const w = await world("R1");
  await w.items(["SET", "MUG", "BOX"]);
  await w.stock({ sku: "MUG", qty: 20 }, { sku: "BOX", qty: 4 });
  accepted(await w.create({ workOrderId: "WO-1", qty: 4, components: recipe, consumption: "REPORTED" }));
  accepted(await w.report("WO-1", { finishedGood: { qty: 1 } }));
  assert.equal(await w.shown("WO-1"), "IN_PROGRESS, MUG 8/0 of 8, BOX 4/0 of 4");
  const { events: drafts } = accepted(
    await w.report("WO-1", {
      finishedGood: { qty: 3 },
      components: [
        { sku: "MUG", qty: 5 },
        { sku: "MUG", qty: 4, reason: "BROKEN" },
        { sku: "BOX", qty: 3 },
      ],
    }),
  );
  assert.deepEqual(textsOf(drafts), [
    "FINISHED_GOOD SET 3 of 4 - COMPLETED",
    "COMPONENT MUG 5 of 5 - COMPLETED",
    "COMPONENT MUG 4 of 9 - COMPLETED",
    "COMPONENT BOX 3 of 3 - COMPLETED",
  ]);
  assert.equal(await w.shown("WO-1"), "COMPLETED, MUG 0/9 of 8, BOX 0/3 of 4");
  assert.deepEqual(await onHand("R1", "MUG", "BOX"), ["BOX  GOOD: 1", "MUG  GOOD: 11"]);
  await assertSound("R1");
});

test("a named lot is consumed, also of free stock, and the reservation of the other lot is freed", async () => {
  const w = await world("R2");
  await w.items(["SET", "OIL"]);
  await w.stock(
    { sku: "OIL", qty: 4, batchRef: "SOON", expiryDate: "2027-01-31" },
    { sku: "OIL", qty: 4, batchRef: "LATE", expiryDate: "2027-06-30" },
  );
  const components = [{ sku: "OIL", qtyPer: 1 }];
  accepted(await w.create({ workOrderId: "WO-1", qty: 4, components, consumption: "REPORTED" }));
  const line = { sku: "OIL", qty: 2, batchRef: "LATE" };
  const { events: drafts } = accepted(await w.report("WO-1", { components: [line] }));
  assert.deepEqual(textsOf(drafts), ["COMPONENT OIL 2 of 2 LATE IN_PROGRESS"]);
  assert.deepEqual(await w.held("WO-1"), ["OIL SOON: 2 FEFO"]);
  assert.equal(refusedBy(await w.report("WO-1", { components: [{ ...line, qty: 3 }] })).kind, "conflict");
  assert.equal(refusedBy(await w.report("WO-1", { components: [{ ...line, batchRef: "NONE" }] })).kind, "conflict");
  accepted(await w.report("WO-1", { components: [{ sku: "OIL", qty: 1 }, line] }));
  assert.deepEqual(await onHand("R2", "OIL"), ["OIL SOON GOOD: 3"]);
  await assertSound("R2");
});

test("a report must name components in valid quantities", async () => {
  const w = await world("R3");
  await w.items(["SET", "MUG", "BOX"]);
  await w.stock({ sku: "MUG", qty: 8 }, { sku: "BOX", qty: 4 });
  accepted(await w.create({ workOrderId: "WO-1", qty: 4, components: recipe, consumption: "REPORTED" }));
  const fault = refusedBy(
    await w.report("WO-1", {
      finishedGood: { qty: 0.5 },
      components: [
        { sku: "SET", qty: 1 },
        { sku: "MUG", qty: 1.0001 },
        { sku: "BOX", qty: 1.5 },
      ],
    }),
  );
  assert.equal(fault.kind, "unprocessable");
  for (const part of [
    "0.5 of SKU SET",
    "SKU SET is not one of its components",
    "1.0001 of SKU MUG",
    "1.5 of SKU BOX",
  ]) {
    assert.ok(fault.detail.includes(part), `${part} in: ${fault.detail}`);
  }
  assert.equal(refusedBy(await w.report("WO-1", {})).kind, "unprocessable");
  assert.equal((await w.read("WO-1")).version, 1);
});

test("serial numbers of consumed components leave the stock, those of finished goods enter it", async () => {
  const w = await world("S1");
  await w.items(["SET", "CHIP"], { attributes: { CaptureSerial: "true" } });
  await w.stock({ sku: "CHIP", qty: 3, serials: ["C1", "C2", "C3"] });
  const components = [{ sku: "CHIP", qtyPer: 1 }];
  accepted(await w.create({ workOrderId: "WO-1", qty: 2, components, consumption: "REPORTED" }));
  const chip = (...serials: string[]) => ({ sku: "CHIP", qty: serials.length, serials });
  const refuse = async (body: Parameters<typeof w.report>[1]) => refusedBy(await w.report("WO-1", body)).kind;
  assert.equal(await refuse({ components: [{ sku: "CHIP", qty: 1 }] }), "unprocessable");
  assert.equal(await refuse({ components: [chip("C9")] }), "conflict");
  assert.equal(await refuse({ components: [chip("C1"), chip("C1")] }), "conflict");
  assert.equal(await refuse({ components: [{ ...chip("C1"), batchRef: "OTHER" }] }), "conflict");
  accepted(await w.report("WO-1", { finishedGood: { qty: 1, serials: ["S1"] }, components: [chip("C3")] }));
  assert.equal(await refuse({ components: [chip("C3")] }), "conflict");
  assert.equal(await refuse({ finishedGood: { qty: 1, serials: ["S1"] } }), "conflict");
  const places = [
    ...(await listSerials(database.of("S1"), "CHIP", ["C1", "C3"])),
    ...(await listSerials(database.of("S1"), "SET", ["S1"])),
  ];
  assert.deepEqual(places.map(({ serial, state, ownerId }) => `${serial} ${state} ${ownerId ?? "-"}`).sort(), [
    "C1 IN_STOCK -",
    "C3 GONE WO-1",
    "S1 IN_STOCK -",
  ]);
  await assertSound("S1");
});

test("a component with serial numbers refuses a backflush", async () => {
  const w = await world("S2");
  await w.items(["SET", "CHIP"]);
  await w.stock({ sku: "CHIP", qty: 2 });
  accepted(await w.create({ workOrderId: "WO-1", qty: 2, components: [{ sku: "CHIP", qtyPer: 1 }] }));
  await database
    .of("S2")
    .query(
      sql`update item set extended_attributes = ${'{"CaptureSerial":"true"}'}::jsonb where client_id = ${tenant} and sku = 'CHIP'`,
    );
  assert.equal(refusedBy(await w.report("WO-1", { finishedGood: { qty: 1 } })).kind, "conflict");
  accepted(await w.report("WO-1", { close: true }));
});

test("a work order has a task from release to its end, with the reserved lots", async () => {
  const w = await world("W1");
  await w.items(["SET", "OIL"]);
  await w.stock({ sku: "OIL", qty: 3, batchRef: "SOON", expiryDate: "2027-01-31" });
  const components = [{ sku: "OIL", qtyPer: 1 }];
  const dueDate = "2026-11-30T12:00:00Z";
  const notes = "Use the blue box";
  accepted(await w.create({ workOrderId: "WO-1", qty: 4, components, dueDate, priority: 3, notes }));
  const work = async () => (await listAssemblyWork(database.of("W1"), ["WO-1", "NONE"]))[0];
  assert.deepEqual([(await work())?.isWanted, (await work())?.lines], [false, []]);
  await w.stock({ sku: "OIL", qty: 9 });
  await w.allocate("OIL");
  const line = { lineNumber: 1, sku: "OIL", uom: "EA", stockPool: "DEFAULT" };
  assert.deepEqual(await work(), {
    type: "WORK_ORDER",
    objectId: "WO-1",
    facilityCode: "DC1",
    isWanted: true,
    priority: 3,
    dueAt: "2026-11-30T12:00:00.000Z",
    notes,
    lines: [
      { ...line, qty: 3_000, batchRef: "SOON", expiryDate: "2027-01-31" },
      { ...line, qty: 1_000 },
    ],
    finishedGood: { sku: "SET", qty: 4_000, uom: "EA", consumption: "BACKFLUSH" },
  });
  accepted(await w.report("WO-1", { finishedGood: { qty: 3 } }));
  assert.deepEqual((await work())?.lines, [{ ...line, qty: 1_000 }]);
  accepted(await w.report("WO-1", { finishedGood: { qty: 1 } }));
  assert.equal((await work())?.isWanted, false);
});
