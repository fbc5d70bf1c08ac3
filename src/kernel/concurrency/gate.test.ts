import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as tick } from "node:timers/promises";
import { createFairGate, createGate } from "#/kernel/concurrency/gate.ts";

test("a gate limits concurrent work; waiting work keeps its order, and failed work frees its slot", async () => {
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

test("owners with slow work hold at most half of the slots until one of their tasks is fast", async () => {
  let nowMs = 0;
  const gate = createFairGate(4, { slowMs: 1_000, now: () => nowMs });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string) =>
    gate(name.charAt(0), () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await tick();
  };
  for (const name of ["a1", "a2", "b1", "b2", "a3", "a4", "b3", "c1"]) void start(name);
  await tick();
  assert.deepEqual(begun.splice(0), ["a1", "a2", "b1", "b2"]);
  nowMs = 1_000;
  await end("a1");
  assert.deepEqual(begun.splice(0), ["c1"], "two of the others still run, and they are slow by now");
  await end("a2");
  await end("b1");
  assert.deepEqual(begun.splice(0), ["a3"], "a second slow one runs, and no third");
  void start("c2");
  await tick();
  assert.deepEqual(begun.splice(0), ["c2"], "the other half is for the others");
  await end("b2");
  assert.deepEqual(begun.splice(0), ["b3"]);
  nowMs = 1_100;
  await end("a3");
  assert.deepEqual(begun.splice(0), ["a4"], "one that was quick is not slow any more");
  for (const name of ["b4", "b5"]) void start(name);
  await end("c1");
  assert.deepEqual(begun.splice(0), ["b4"]);
  await end("c2");
  assert.deepEqual(begun.splice(0), []);
  void start("d1");
  await tick();
  assert.deepEqual(begun.splice(0), ["d1"]);
});
