import assert from "node:assert/strict";
import { test } from "node:test";
import { contentAfter, type PickedLine } from "#/modules/warehouse/tasks/picked-task.ts";
import type { TaskLine } from "#/modules/warehouse/tasks/task-repository.ts";

const line = (lineNumber: number, qty: number, batchRef?: string): TaskLine => ({
  lineNumber,
  sku: "A",
  qty,
  uom: "EA",
  stockPool: "DEFAULT",
  ...(batchRef === undefined ? {} : { batchRef }),
});

const after = (lines: readonly TaskLine[], ...picked: PickedLine[]) =>
  contentAfter({ lines, carrierCode: "RM" }, picked).lines.map(
    ({ lineNumber, qty, batchRef = "" }) => `${lineNumber}${batchRef} ${qty}`,
  );

test("picked and short quantities leave the task, the named lot first", () => {
  const lines = [line(1, 3, "L1"), line(1, 2, "L2"), line(2, 0.3)];
  assert.deepEqual(after(lines, { lineNumber: 1, qtyPicked: 1, qtyShort: 1, batchRef: "L2" }), ["1L1 3", "2 0.3"]);
  assert.deepEqual(after(lines, { lineNumber: 2, qtyPicked: 0.1 }), ["1L1 3", "1L2 2", "2 0.2"]);
  assert.deepEqual(after(lines, { lineNumber: 1, qtyPicked: 4 }, { lineNumber: 2, qtyPicked: 0.3 }), ["1L2 1"]);
});

test("a pick of another lot replaces the lot of the task; a surplus takes nothing from other lines", () => {
  const lines = [line(1, 3, "L1"), line(2, 5)];
  assert.deepEqual(after(lines, { lineNumber: 1, qtyPicked: 2, batchRef: "L9" }), ["1L1 1", "2 5"]);
  assert.deepEqual(after(lines, { lineNumber: 1, qtyPicked: 9 }), ["2 5"]);
  assert.equal(contentAfter({ lines, carrierCode: "RM" }, []).carrierCode, "RM");
});
