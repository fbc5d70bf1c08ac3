import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { noFaults } from "#/kernel/config/parsers.ts";
import { createDesk, type Desk } from "#/warehouse-sim/job-queue.ts";
import { openJournal } from "#/warehouse-sim/journal.ts";
import type { Report, Task } from "#/warehouse-sim/port.ts";
import { atEnd } from "../../tests/support/app/at-end.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "crossdock-sim-desk-"));
atEnd(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const key = "order ACME O-1";

const pickTask = (version: number, qty: number): Task => ({
  ...{ taskId: "T-1", type: "PICK", clientId: "ACME", objectId: "O-1", version },
  ...{ releasedAt: "2026-11-20T10:00:00.000Z", withdrawnAt: null },
  lines: [{ lineNumber: 1, sku: "MUG", qty, stockPool: "DEFAULT" }],
});

/** A desk with an accepted order that is about to be picked. Its list has been read up to `first`. */
function open() {
  const file = path.join(folder, `${++files}`);
  let nowMs = 1_000_000;
  const clock = { now: () => nowMs };
  const start = () =>
    createDesk({ facilityCode: "DC1", journal: openJournal(file), clock, speed: 1, seed: "x", faults: noFaults });
  const desk = start();
  desk.takeTasks([pickTask(1, 2)], "first", nowMs);
  const accept = desk.begin(key) as Report;
  desk.settle(key, accept, { results: [{ status: "ACCEPTED" }] });
  return { desk, start, now: () => nowMs, pass: (ms: number) => (nowMs += ms) };
}

const pickedOf = (report: Report | undefined) => (report?.body.lines as { qtyPicked: number }[] | undefined)?.[0];

/** Reads the list again from the desk's cursor and finds the current task. */
function scheduleLook(desk: Desk, now: number): Report | undefined {
  assert.equal(desk.taskCursor(), "first");
  desk.takeTasks([pickTask(2, 1)], "second", now);
  return desk.begin(key);
}

test("news that comes while a pick is under way is read again once the pick is answered", () => {
  const { desk, now, pass } = open();
  const pick = desk.begin(key) as Report;
  desk.takeTasks([pickTask(2, 1)], "second", now());
  assert.equal(desk.begin(key), pick, "what is under way is sent again as it is");
  desk.settle(key, pick, {});
  assert.equal(desk.taskCursor(), "second", "not before the platform has published what the pick led to");
  pass(2_500);
  assert.equal(pickedOf(scheduleLook(desk, now()))?.qtyPicked, 1);
});

test("so is what stood in a page that was asked for before the answer and read after it", () => {
  const { desk, now, pass } = open();
  const askedMs = now();
  const pick = desk.begin(key) as Report;
  pass(10);
  desk.settle(key, pick, {});
  desk.takeTasks([pickTask(2, 1)], "second", askedMs);
  assert.equal(desk.begin(key)?.action, "pack", "nothing is picked twice");
  pass(2_500);
  const pack = scheduleLook(desk, now()) as Report;
  assert.equal(pack.action, "pack");
  desk.settle(key, pack, { olpns: [{ olpnId: "P-1" }] });
  assert.equal(pickedOf(desk.begin(key))?.qtyPicked, 1, "what is new is picked next");
});

test("a desk that ends before it has looked again begins its list before what it passed over", () => {
  const { desk, start, now } = open();
  const pick = desk.begin(key) as Report;
  desk.takeTasks([pickTask(2, 1)], "second", now());
  const next = start();
  assert.deepEqual(next.begin(key), pick);
  assert.equal(next.taskCursor(), "first");
});

test("news that came with a refusal is taken at once", () => {
  const { desk, now } = open();
  const pick = desk.begin(key) as Report;
  desk.takeTasks([pickTask(2, 1)], "second", now());
  desk.refuse(key, pick, 409);
  assert.equal(pickedOf(desk.begin(key))?.qtyPicked, 1);
});
