import assert from "node:assert/strict";
import { test } from "node:test";
import { createTaskWatch, readWithin, type TaskWatch } from "#/modules/warehouse/tasks/task-watch.ts";

interface Page {
  readonly rows: readonly string[];
  readonly nextPosition: number;
}

/** A feed whose reads are counted, and a wait on it that only a wake-up shortens. */
function world(watch: TaskWatch = createTaskWatch()) {
  const rows: string[] = [];
  const reads: (number | undefined)[] = [];
  const left = new AbortController();
  const wait = (onRead: () => void = () => {}) =>
    readWithin<Page>(
      async (last) => {
        reads.push(last?.nextPosition);
        const page = { rows: [...rows], nextPosition: reads.length };
        onRead();
        return page;
      },
      {
        watch,
        facilityCode: "DC1",
        waitMs: 600_000,
        signal: left.signal,
        onWaited: () => {},
        recheckMsMax: 600_000,
      },
    );
  return { watch, rows, reads, left, wait };
}

test("an entry is answered at once", async () => {
  const { rows, reads, wait } = world();
  rows.push("A");
  assert.deepEqual((await wait()).rows, ["A"]);
  assert.deepEqual(reads, [undefined]);
});

test("a task of the facility ends the wait; another facility's does not", async () => {
  const { watch, rows, reads, wait } = world();
  const page = wait();
  await new Promise(setImmediate);
  watch.notify("DC2");
  await new Promise(setImmediate);
  assert.equal(reads.length, 1);
  // Tasks of other types: the wait goes on from where they end.
  watch.notify("DC1");
  await new Promise(setImmediate);
  assert.deepEqual(reads, [undefined, 1]);
  rows.push("A");
  watch.notify();
  assert.deepEqual((await page).rows, ["A"]);
});

test("a task that arrives between the read and the wait is not missed", async () => {
  const { watch, rows, wait } = world();
  const page = wait(() => {
    if (rows.length > 0) return;
    rows.push("A");
    watch.notify("DC1");
  });
  assert.deepEqual((await page).rows, ["A"]);
});

test("the wait ends when the sender disconnects, and when the process stops", async () => {
  const gone = world();
  const abandoned = gone.wait();
  await new Promise(setImmediate);
  gone.left.abort();
  assert.deepEqual((await abandoned).rows, []);

  const stopped = world();
  const page = stopped.wait();
  await new Promise(setImmediate);
  stopped.watch.end();
  assert.deepEqual((await page).rows, []);
  assert.deepEqual((await stopped.wait()).rows, []);
});
