import assert from "node:assert/strict";
import { test } from "node:test";
import { createWakeUp } from "#/kernel/concurrency/wake-up.ts";

test("a rest ends with a ring, or when its time is over", async () => {
  const wakeUp = createWakeUp();
  const started = performance.now();
  await wakeUp.wait(20);
  assert.ok(performance.now() - started >= 19);
  const resting = wakeUp.wait(60_000);
  wakeUp.notify();
  await resting;
});

test("a ring while no one rests is not lost, and one that was heard wakes no one", async () => {
  const wakeUp = createWakeUp();
  wakeUp.notify();
  await wakeUp.wait(60_000);
  wakeUp.reset();
  const started = performance.now();
  await wakeUp.wait(20);
  assert.ok(performance.now() - started >= 19);
});
