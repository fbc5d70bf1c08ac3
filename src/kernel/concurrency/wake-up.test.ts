import assert from "node:assert/strict";
import { test } from "node:test";
import { createAlarm } from "#/kernel/concurrency/wake-up.ts";

test("a rest ends with a ring, or when its time is over", async () => {
  const alarm = createAlarm();
  const started = performance.now();
  await alarm.rest(20);
  assert.ok(performance.now() - started >= 19);
  const resting = alarm.rest(60_000);
  alarm.ring();
  await resting;
});

test("a ring while no one rests is not lost, and one that was heard wakes no one", async () => {
  const alarm = createAlarm();
  alarm.ring();
  await alarm.rest(60_000);
  alarm.hear();
  const started = performance.now();
  await alarm.rest(20);
  assert.ok(performance.now() - started >= 19);
});
