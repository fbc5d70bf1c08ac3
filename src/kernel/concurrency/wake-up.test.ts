import assert from "node:assert/strict";
import { test } from "node:test";
import { createWakeUp } from "#/kernel/concurrency/wake-up.ts";

test("a wait ends with a wake-up, or at its time-out", async () => {
  const wakeUp = createWakeUp();
  const started = performance.now();
  await wakeUp.wait(20);
  assert.ok(performance.now() - started >= 19);
  const resting = wakeUp.wait(60_000);
  wakeUp.notify();
  await resting;
});

test("a wake-up without a waiter is kept, and is consumed once", async () => {
  const wakeUp = createWakeUp();
  wakeUp.notify();
  await wakeUp.wait(60_000);
  wakeUp.reset();
  const started = performance.now();
  await wakeUp.wait(20);
  assert.ok(performance.now() - started >= 19);
});
