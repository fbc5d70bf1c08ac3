import assert from "node:assert/strict";
import { test } from "node:test";
import { planResend } from "#/delivery/mail/mailer.ts";
import { dayMs, minuteMs } from "#/kernel/values/durations.ts";

test("a refused mail is retried at growing delays for a day", () => {
  const delays: number[] = [];
  let nowMs = 0;
  for (let attempts = 1; ; attempts++) {
    const verdict = planResend(attempts, 0, nowMs);
    if (verdict.status === "FAILED") break;
    delays.push((verdict.dueAtMs - nowMs) / minuteMs);
    nowMs = verdict.dueAtMs;
  }
  assert.deepEqual(delays, [1, 5, 30, 120, 240, 240, 240, 240, 240]);
  assert.ok(nowMs <= dayMs);
});

test("a mail whose first attempt is days late still gets one attempt", () => {
  assert.deepEqual(planResend(1, 0, 2 * dayMs), { status: "FAILED" });
});
