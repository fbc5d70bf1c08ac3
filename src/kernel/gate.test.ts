import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as tick } from "node:timers/promises";
import { createGate, forEachAtOnce } from "#/kernel/gate.ts";

test("so much runs at a time; what waits goes in its order, and what fails gives its place back", async () => {
  const gate = createGate(2);
  const begun: number[] = [];
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<number>());
  const all = ends.map(({ promise }, i) =>
    gate(() => {
      begun.push(i);
      return promise;
    }),
  );
  await tick();
  assert.deepEqual(begun, [0, 1]);
  ends[1]?.reject(new Error("it failed"));
  await assert.rejects(all[1] as Promise<number>, /it failed/);
  assert.deepEqual(begun, [0, 1, 2]);
  ends[0]?.resolve(7);
  assert.equal(await all[0], 7);
  assert.deepEqual(begun, [0, 1, 2, 3]);
  for (const { resolve } of ends) resolve(0);
  await Promise.all([all[2], all[3]]);
});

test("the first failure keeps what is behind it from beginning, and is thrown when what had begun has ended", async () => {
  const begun: number[] = [];
  const slow = Promise.withResolvers<void>();
  let hasThrown = false;
  const all = forEachAtOnce([0, 1, 2, 3], 2, async (i) => {
    begun.push(i);
    if (i === 0) throw new Error("it failed");
    await slow.promise;
  }).catch((error: Error) => {
    hasThrown = true;
    return error.message;
  });
  await tick();
  assert.deepEqual([begun, hasThrown], [[0, 1], false]);
  slow.resolve();
  assert.equal(await all, "it failed");
  assert.deepEqual(begun, [0, 1]);
});
