import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { noFaults } from "#/kernel/config/parsers.ts";
import { createJobQueue, type JobQueue } from "#/sandbox/simulator/job-queue.ts";
import { openJournal } from "#/sandbox/simulator/journal.ts";
import type { Report, Task } from "#/sandbox/simulator/port.ts";
import { atEnd } from "../../../tests/support/app/at-end.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "crossdock-sim-desk-"));
atEnd(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const key = "order ACME O-1";

const pickTask = (version: number, qty: number): Task => ({
  taskId: "T-1",
  type: "PICK",
  clientId: "ACME",
  objectId: "O-1",
  version,
  releasedAt: "2026-11-20T10:00:00.000Z",
  withdrawnAt: null,
  lines: [{ lineNumber: 1, sku: "MUG", qty, stockPool: "DEFAULT" }],
});

/** A desk with an accepted order that is about to be picked. Its list has been read up to `first`. */
function open() {
  const file = path.join(folder, `${++files}`);
  let nowMs = 1_000_000;
  const clock = { now: () => nowMs };
  const pace = { speed: 1, faults: noFaults, byHand: new Set<string>() };
  const start = () => createJobQueue({ facilityCode: "DC1", journal: openJournal(file), clock, seed: "x", pace });
  const queue = start();
  queue.takeTasks([pickTask(1, 2)], "first", nowMs);
  const accept = queue.begin(key) as Report;
  queue.settle(key, accept, { results: [{ status: "ACCEPTED" }] });
  return { desk: queue, start, now: () => nowMs, pass: (ms: number) => (nowMs += ms) };
}

const pickedOf = (report: Report | undefined) => (report?.body.lines as { qtyPicked: number }[] | undefined)?.[0];

/** Reads the list again from the desk's cursor and finds the current task. */
function beginAfterReread(queue: JobQueue, now: number): Report | undefined {
  assert.equal(queue.taskCursor(), "first");
  queue.takeTasks([pickTask(2, 1)], "second", now);
  return queue.begin(key);
}

test("a task change during a pick is read again after the answer to the pick", () => {
  const { desk: queue, now, pass } = open();
  const pick = queue.begin(key) as Report;
  queue.takeTasks([pickTask(2, 1)], "second", now());
  assert.equal(queue.begin(key), pick, "what is under way is sent again as it is");
  queue.settle(key, pick, {});
  assert.equal(queue.taskCursor(), "second", "not before the platform has published what the pick led to");
  pass(2_500);
  assert.equal(pickedOf(beginAfterReread(queue, now()))?.qtyPicked, 1);
});

test("a page requested before the answer and read after it is read again", () => {
  const { desk: queue, now, pass } = open();
  const askedMs = now();
  const pick = queue.begin(key) as Report;
  pass(10);
  queue.settle(key, pick, {});
  queue.takeTasks([pickTask(2, 1)], "second", askedMs);
  assert.equal(queue.begin(key)?.action, "pack", "nothing is picked twice");
  pass(2_500);
  const pack = beginAfterReread(queue, now()) as Report;
  assert.equal(pack.action, "pack");
  queue.settle(key, pack, { olpns: [{ olpnId: "P-1" }] });
  assert.equal(pickedOf(queue.begin(key))?.qtyPicked, 1, "what is new is picked next");
});

test("a worker that ends before a second read starts its list before the skipped changes", () => {
  const { desk: queue, start, now } = open();
  const pick = queue.begin(key) as Report;
  queue.takeTasks([pickTask(2, 1)], "second", now());
  const next = start();
  assert.deepEqual(next.begin(key), pick);
  assert.equal(next.taskCursor(), "first");
});

test("a task change with a refusal is applied at once", () => {
  const { desk: queue, now } = open();
  const pick = queue.begin(key) as Report;
  queue.takeTasks([pickTask(2, 1)], "second", now());
  queue.refuse(key, pick, 409);
  assert.equal(pickedOf(queue.begin(key))?.qtyPicked, 1);
});
