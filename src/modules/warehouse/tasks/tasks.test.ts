import assert from "node:assert/strict";
import { test } from "node:test";
import type { Work, WorkLine } from "#/modules/facilities/index.ts";
import type { Task } from "#/modules/warehouse/tasks/task-repository.ts";
import { changesOfTasks } from "#/modules/warehouse/tasks/tasks.ts";

const at = "2026-11-20T10:00:00.000Z";
const later = "2026-11-20T11:00:00.000Z";

const line = (lineNumber: number, qty: number, more: Partial<WorkLine> = {}): WorkLine => ({
  lineNumber,
  sku: "A",
  qty: qty * 1000,
  uom: "EA",
  stockPool: "DEFAULT",
  ...more,
});

const pick = (more: Partial<Work> = {}): Work => ({
  type: "PICK",
  objectId: "O-1",
  facilityCode: "DC1",
  isWanted: true,
  priority: 5,
  lines: [line(1, 5)],
  shipTo: { city: "Leeds" },
  ...more,
});

const changes = (work: Work, tasks: readonly Task[], moment = later) =>
  changesOfTasks([work], tasks, moment, () => "T-1");

function released(work = pick(), more: Partial<Task> = {}): Task {
  const { released, changed, progressed } = changes(work, [], at);
  assert.deepEqual([released.length, changed, progressed], [1, [], []]);
  return { ...(released[0] as Task), ...more };
}

/** The result of a change: a new version, progress, or nothing. */
function newsOf(task: Task, work: Work): readonly [string, (Task | undefined)?] {
  const { released, changed, progressed } = changes(work, [task]);
  assert.deepEqual(released, []);
  if (changed.length + progressed.length === 0) return ["NOTHING"];
  return changed.length > 0 ? ["VERSION", changed[0]] : ["PROGRESS", progressed[0]];
}

test("new work is released in version 1; unchanged work keeps its version, with fields in any order", () => {
  const task = released();
  assert.deepEqual(task, {
    type: "PICK",
    objectId: "O-1",
    facilityCode: "DC1",
    taskId: "T-1",
    version: 1,
    priority: 5,
    dueAt: null,
    releasedAt: at,
    acceptedAt: null,
    withdrawnAt: null,
    content: {
      lines: [{ lineNumber: 1, sku: "A", qty: 5, uom: "EA", stockPool: "DEFAULT" }],
      shipTo: { city: "Leeds" },
    },
  });
  const stored = { shipTo: { city: "Leeds" }, lines: task.content.lines.map((line) => ({ ...line, lineNumber: 1 })) };
  assert.deepEqual(newsOf({ ...task, content: stored }, pick()), ["NOTHING"]);
  assert.deepEqual(newsOf(task, pick({ lines: [line(1, 5, { batchRef: "", expiryDate: "infinity" })] })), ["NOTHING"]);
});

test("a change of lines, address, carrier, priority or due time makes a version until the work is taken", () => {
  const others: Partial<Work>[] = [
    { lines: [line(1, 4)] },
    { lines: [line(1, 5, { batchRef: "B" })] },
    { shipTo: { city: "York" } },
    { carrierCode: "RM" },
    { priority: 1 },
    { dueAt: later },
  ];
  for (const more of others) {
    const [news, task] = newsOf(released(), pick(more));
    assert.deepEqual([news, task?.version], ["VERSION", 2], JSON.stringify(more));
  }
});

test("the task of a work order has the quantity to make; a partial report makes a version", () => {
  const toMake = { sku: "KIT", qty: 4500, uom: "EA", consumption: "REPORTED" } as const;
  const work = pick({ type: "WORK_ORDER", shipTo: undefined, finishedGood: toMake });
  const task = released(work, { acceptedAt: at });
  assert.deepEqual(task.content.finishedGood, { ...toMake, qty: 4.5 });
  const [news, next] = newsOf(task, { ...work, finishedGood: { ...toMake, qty: 2000 } });
  assert.deepEqual([news, next?.content.finishedGood?.qty], ["VERSION", 2]);
  assert.deepEqual(newsOf(task, work), ["NOTHING"]);
  assert.ok(!("finishedGood" in released().content));
});

test("a taken pick shrinks without a new version; an added quantity makes a version", () => {
  const two = pick({ lines: [line(1, 5), line(2, 3)] });
  const taken = released(two, { acceptedAt: at });
  const [news, task] = newsOf(taken, pick({ lines: [line(1, 2)] }));
  assert.deepEqual([news, task?.version], ["PROGRESS", 1]);
  assert.deepEqual(
    task?.content.lines.map(({ lineNumber, qty }) => [lineNumber, qty]),
    [[1, 2]],
  );
  // Stock for the short quantity was found in another lot: this is news, although the order is not larger than before.
  const found = pick({ lines: [line(1, 1), line(1, 1, { batchRef: "B" })] });
  assert.equal(newsOf(task as Task, found)[0], "VERSION");
  assert.equal(newsOf(task as Task, pick({ lines: [line(1, 3)] }))[0], "VERSION");
  assert.equal(newsOf(taken, { ...two, shipTo: { city: "York" } })[0], "VERSION");
});

test("work that is not needed any more is withdrawn once, and can be released again", () => {
  const [news, withdrawn] = newsOf(released(pick(), { acceptedAt: at }), pick({ isWanted: false, lines: [] }));
  assert.deepEqual([news, withdrawn?.version, withdrawn?.withdrawnAt], ["VERSION", 2, later]);
  // The withdrawn task keeps its lines.
  assert.equal(withdrawn?.content.lines.length, 1);
  assert.deepEqual(newsOf(withdrawn as Task, pick({ isWanted: false, lines: [] })), ["NOTHING"]);
  const [, again] = newsOf(withdrawn as Task, pick());
  assert.deepEqual(
    [again?.version, again?.withdrawnAt, again?.acceptedAt, again?.releasedAt, again?.taskId],
    [3, null, null, later, "T-1"],
  );
  assert.deepEqual(changes(pick({ isWanted: false }), []).released, []);
});

test("work that moves to another facility is withdrawn at the first and released at the second", () => {
  const task = released();
  const { released: fresh, changed } = changes(pick({ facilityCode: "DC2" }), [task]);
  assert.deepEqual(
    changed.map(({ facilityCode, version, withdrawnAt }) => [facilityCode, version, withdrawnAt]),
    [["DC1", 2, later]],
  );
  assert.deepEqual(
    fresh.map(({ facilityCode, version }) => [facilityCode, version]),
    [["DC2", 1]],
  );
});
