import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Action,
  type Component,
  outstanding,
  quantityTaken,
  stateAfter,
  surplus,
} from "#/modules/workorders/domain.ts";
import type { WorkOrderState } from "#/modules/workorders/states.ts";

const report = (isFinished: boolean, isClosed: boolean): Action => ({ type: "report", isFinished, isClosed });

const actions = {
  "some components": { type: "allocation", isComplete: false },
  "all components": { type: "allocation", isComplete: true },
  update: { type: "update" },
  cancel: { type: "cancel" },
  "a part is made": report(false, false),
  "a part is made, and no more": report(false, true),
  "all is made": report(true, false),
  "all is made, and no more": report(true, true),
} as const satisfies Record<string, Action>;

type Row = readonly [
  some: WorkOrderState | "",
  all: WorkOrderState | "",
  update: WorkOrderState | "",
  cancel: WorkOrderState | "",
  part: WorkOrderState | "",
  partAndClose: WorkOrderState | "",
  whole: WorkOrderState | "",
  wholeAndClose: WorkOrderState | "",
];

/** lifecycle.md §4, every state with every action; '' is forbidden. */
const table: Readonly<Record<WorkOrderState, Row>> = {
  CREATED: ["WAITING_COMPONENTS", "RELEASED", "CREATED", "CANCELLED", "", "", "", ""],
  WAITING_COMPONENTS: ["WAITING_COMPONENTS", "RELEASED", "WAITING_COMPONENTS", "CANCELLED", "", "", "", ""],
  RELEASED: [
    "WAITING_COMPONENTS",
    "RELEASED",
    "RELEASED",
    "CANCELLED",
    "IN_PROGRESS",
    "CLOSED_SHORT",
    "COMPLETED",
    "COMPLETED",
  ],
  IN_PROGRESS: ["IN_PROGRESS", "IN_PROGRESS", "", "", "IN_PROGRESS", "CLOSED_SHORT", "COMPLETED", "COMPLETED"],
  COMPLETED: ["", "", "", "", "", "", "", ""],
  CLOSED_SHORT: ["", "", "", "", "", "", "", ""],
  CANCELLED: ["", "", "", "", "", "", "", ""],
};

for (const [state, row] of Object.entries(table) as [WorkOrderState, Row][]) {
  test(`a work order that is ${state} makes the transitions of the table, and no others`, () => {
    const found = Object.values(actions).map((action) => stateAfter(state, action) ?? "");
    assert.deepEqual(found, [...row]);
  });
}

test("the table has every state and every action", () => {
  assert.equal(Object.keys(table).length, 7);
  for (const row of Object.values(table)) assert.equal(row.length, Object.keys(actions).length);
});

test("a component quantity is exact if possible, else rounded up to its unit", () => {
  assert.equal(quantityTaken(3_000, { qtyPer: 2_000, uom: "EA" }), 6_000);
  assert.equal(quantityTaken(3_000, { qtyPer: 333, uom: "KG" }), 999);
  assert.equal(quantityTaken(1_500, { qtyPer: 333, uom: "KG" }), 500);
  assert.equal(quantityTaken(2_500, { qtyPer: 1_000, uom: "EA" }), 3_000);
  assert.equal(quantityTaken(0, { qtyPer: 1_000, uom: "EA" }), 0);
});

test("a product above the largest quantity is refused", () => {
  assert.equal(quantityTaken(999_999_999_000, { qtyPer: 1_000, uom: "EA" }), 999_999_999_000);
  assert.equal(quantityTaken(999_999_999_000, { qtyPer: 1_001, uom: "KG" }), undefined);
});

test("partial consumption adds up to the total consumption", () => {
  for (const uom of ["EA", "KG"]) {
    for (const qtyPer of [1, 333, 1_000, 1_500]) {
      let sum = 0;
      let made = 0;
      for (const part of [1, 999, 250, 2_000, 1_750]) {
        const before = quantityTaken(made, { qtyPer, uom }) as number;
        made += part;
        const taken = (quantityTaken(made, { qtyPer, uom }) as number) - before;
        assert.ok(taken >= 0);
        sum += taken;
      }
      assert.equal(sum, quantityTaken(5_000, { qtyPer, uom }));
    }
  }
});

test("scrap is replaced, and surplus consumption leaves nothing outstanding", () => {
  const component: Component = {
    lineNumber: 1,
    sku: "A",
    uom: "EA",
    qtyPer: 1_000,
    required: 10_000,
    allocated: 4_000,
    consumed: 5_000,
    scrapped: 0,
  };
  assert.deepEqual([outstanding(component), surplus(component)], [1_000, 0]);
  assert.deepEqual(
    [outstanding({ ...component, scrapped: 2_000 }), surplus({ ...component, scrapped: 2_000 })],
    [3_000, 0],
  );
  assert.deepEqual(
    [outstanding({ ...component, consumed: 8_000 }), surplus({ ...component, consumed: 8_000 })],
    [0, 2_000],
  );
  assert.deepEqual(
    [outstanding({ ...component, consumed: 12_000 }), surplus({ ...component, consumed: 12_000 })],
    [0, 4_000],
  );
});
