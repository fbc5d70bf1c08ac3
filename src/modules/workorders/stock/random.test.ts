// Random sequences of all actions on work orders, checked against the invariants.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hasEnded } from "#/modules/workorders/domain.ts";
import type { WorkOrderState } from "#/modules/workorders/states.ts";
import { assertSound, world } from "../../../../tests/support/warehouse/work-orders.ts";

type World = Awaited<ReturnType<typeof world>>;

const steps: Readonly<Record<WorkOrderState, readonly WorkOrderState[]>> = {
  CREATED: [],
  WAITING_COMPONENTS: ["WAITING_COMPONENTS", "RELEASED", "CANCELLED"],
  RELEASED: ["WAITING_COMPONENTS", "RELEASED", "IN_PROGRESS", "COMPLETED", "CLOSED_SHORT", "CANCELLED"],
  IN_PROGRESS: ["IN_PROGRESS", "COMPLETED", "CLOSED_SHORT"],
  COMPLETED: ["COMPLETED"],
  CLOSED_SHORT: ["CLOSED_SHORT"],
  CANCELLED: ["CANCELLED"],
};

const id = fc.constantFrom("WO-1", "WO-2", "WO-3");
const sku = fc.constantFrom("A", "B");
const qty = fc.integer({ min: 1, max: 6 });
const batchRef = fc.constantFrom("", "L1", "L2");
const priority = fc.integer({ min: 1, max: 3 });
const components = fc.uniqueArray(fc.record({ sku, qtyPer: fc.integer({ min: 1, max: 3 }) }), {
  minLength: 1,
  maxLength: 2,
  selector: (component) => component.sku,
});
const consumption = fc.constantFrom("BACKFLUSH", "REPORTED");

const action = fc.oneof(
  fc.record({ id, qty, priority, components, consumption }).map(
    ({ id: workOrderId, ...rest }) =>
      (w: World) =>
        w.create({ workOrderId, ...rest }),
  ),
  fc.record({ id, qty, components }).map(
    ({ id, ...patch }) =>
      (w: World) =>
        w.update(id, patch),
  ),
  id.map((id) => (w: World) => w.cancel(id)),
  fc.record({ sku, qty, batchRef }).map((lot) => (w: World) => w.stock({ ...lot, qty: lot.qty * 3 })),
  fc.constant((w: World) => w.allocate("A", "B")),
  fc.record({ sku, qty, batchRef }).map(
    ({ qty, ...lot }) =>
      (w: World) =>
        w.free(lot, qty),
  ),
  fc.record({ id, qty }).map(
    ({ id, qty }) =>
      (w: World) =>
        w.report(id, { finishedGood: { qty } }),
  ),
  fc
    .record({ id, sku, qty, batchRef: fc.option(fc.constantFrom("L1", "L2"), { nil: undefined }), scrap: fc.boolean() })
    .map(({ id, scrap, ...line }) => (w: World) => {
      return w.report(id, { components: [{ ...line, reason: scrap ? "SCRAP" : undefined }] });
    }),
  fc.record({ id, qty }).map(
    ({ id, qty }) =>
      (w: World) =>
        w.report(id, { finishedGood: { qty }, close: true }),
  ),
);

test("after any actions, stock and work orders agree, and no state changes against the rules", async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 30 }), async (actions) => {
      const w = await world(`R${++run}`);
      await w.items(["SET", "A", "B"]);
      await w.stock({ sku: "A", qty: 20 }, { sku: "B", qty: 10, batchRef: "L1" });
      const states = new Map<string, WorkOrderState>();
      for (const act of actions) {
        await act(w);
        for (const workOrder of await w.all(["WO-1", "WO-2", "WO-3"])) {
          const { workOrderId, status } = workOrder;
          const before = states.get(workOrderId);
          assert.ok(!before || steps[before].includes(status), `${workOrderId} went from ${before} to ${status}`);
          assert.notEqual(status, "CREATED");
          if (hasEnded(status)) for (const { allocated } of workOrder.components) assert.equal(allocated, 0);
          states.set(workOrderId, status);
        }
      }
      await assertSound(w.clientId);
    }),
    { numRuns: 40 },
  );
});
