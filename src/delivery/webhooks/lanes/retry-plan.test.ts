import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type AttemptOutcome,
  isDelivered,
  planRetry,
  type RetryState,
  retryDelaysSeconds,
  stopsBlocking,
  unattempted,
} from "#/delivery/webhooks/lanes/retry-plan.ts";
import { dayMs, hourMs } from "#/kernel/values/durations.ts";

const answered = (status: number, retryAfterMs?: number): AttemptOutcome => ({
  kind: "answered",
  status,
  retryAfterMs,
});
const at = (nowMs: number) => ({ nowMs, random: 0, isProbe: false });

/** Fails every attempt until the delivery ends; returns the moments of its attempts. */
function attemptsOf(
  outcome: AttemptOutcome,
  random: number,
): { moments: number[]; last: ReturnType<typeof planRetry> } {
  const moments: number[] = [];
  let state = unattempted;
  for (let nowMs = 0; ; ) {
    moments.push(nowMs);
    const plan = planRetry(retryDelaysSeconds, state, outcome, { nowMs, random, isProbe: false });
    if (plan.verdict.state !== "SCHEDULED") return { moments, last: plan };
    state = plan.state;
    nowMs = plan.verdict.atMs;
  }
}

test("a delivery that never succeeds has 17 attempts over eight days, with up to 10 % jitter", () => {
  const { moments, last } = attemptsOf(answered(500), 0);
  assert.equal(moments.length, 17);
  const waits = moments.slice(1).map((moment, i) => (moment - (moments[i] as number)) / 1_000);
  assert.deepEqual(waits, retryDelaysSeconds);
  assert.deepEqual(last.verdict, { state: "FAILED", reason: "EXHAUSTED", disables: false });
  assert.equal(Math.round((moments.at(-1) as number) / dayMs), 8);
  const late = attemptsOf({ kind: "failed" }, 1).moments;
  assert.ok(late.every((moment, i) => moment >= (moments[i] as number) && moment <= (moments[i] as number) * 1.1 + 1));
});

test("any 2xx delivers; a redirect, a refusal and a failure do not", () => {
  for (const status of [200, 201, 204, 299])
    assert.equal(planRetry([1], unattempted, answered(status), at(0)).verdict.state, "SUCCEEDED");
  for (const status of [199, 301, 302, 304, 400, 500])
    assert.equal(isDelivered(answered(status)), false, String(status));
  assert.equal(isDelivered({ kind: "failed" }), false);
});

test("a blocked address ends a delivery at once; a 410 also disables the subscription", () => {
  assert.deepEqual(planRetry([1], unattempted, { kind: "blocked" }, at(0)).verdict, {
    state: "FAILED",
    reason: "BLOCKED",
    disables: false,
  });
  assert.deepEqual(planRetry([1], unattempted, answered(410), at(0)).verdict, {
    state: "FAILED",
    reason: "GONE",
    disables: true,
  });
});

test("Retry-After of 429 and 503 delays the next attempt by up to ten hours; it never brings it forward, and is ignored for other answers", () => {
  const next = (status: number, retryAfterMs: number) => {
    const { verdict } = planRetry([60], unattempted, answered(status, retryAfterMs), at(0));
    assert.equal(verdict.state, "SCHEDULED");
    return verdict.state === "SCHEDULED" ? verdict.atMs : 0;
  };
  assert.equal(next(429, 120_000), 120_000);
  assert.equal(next(503, 120_000), 120_000);
  assert.equal(next(503, 1_000), 60_000);
  assert.equal(next(503, 99 * hourMs), 10 * hourMs);
  assert.equal(next(500, 120_000), 60_000);
});

test("later events wait for an hour of failed attempts, or until the third final refusal", () => {
  let state = planRetry(retryDelaysSeconds, unattempted, answered(500), at(1_000)).state;
  assert.equal(state.blocksUntilMs, 1_000 + hourMs);
  state = planRetry(retryDelaysSeconds, state, answered(422), at(6_000)).state;
  state = planRetry(retryDelaysSeconds, state, answered(404), at(36_000)).state;
  state = planRetry(retryDelaysSeconds, state, answered(400), at(156_000)).state;
  assert.equal(state.blocksUntilMs, 1_000 + hourMs);
  state = planRetry(retryDelaysSeconds, state, answered(413), at(756_000)).state;
  assert.ok(stopsBlocking(state, { nowMs: 756_000, isProbe: false }));
  assert.equal(state.blocksUntilMs, 1_000 + hourMs);
});

test("a probe does not count as an attempt of the delivery", () => {
  const { state, verdict } = planRetry([5, 30], unattempted, answered(500), { ...at(0), isProbe: true });
  assert.equal(state.attempts, 0);
  assert.deepEqual(verdict, { state: "SCHEDULED", atMs: 5_000 });
});

const outcomes = fc.oneof(
  fc.record({
    kind: fc.constant("answered" as const),
    status: fc.integer({ min: 100, max: 599 }),
    retryAfterMs: fc.option(fc.nat(50 * hourMs), { nil: undefined }),
  }),
  fc.constant({ kind: "failed" as const }),
);

test("after any answers, a delivery ends after one attempt more than the schedule has delays, and time never runs backwards", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 86_400 }), { minLength: 1, maxLength: 20 }),
      fc.infiniteStream(outcomes),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })),
      (schedule, answers, randoms) => {
        let state: RetryState = unattempted;
        let nowMs = 0;
        for (const outcome of answers) {
          const plan = planRetry(schedule, state, outcome, { nowMs, random: randoms.next().value, isProbe: false });
          assert.equal(plan.state.attempts, state.attempts + 1);
          if (plan.verdict.state === "SUCCEEDED") return isDelivered(outcome);
          if (plan.verdict.state === "FAILED") {
            return plan.verdict.reason === "GONE" || plan.state.attempts === schedule.length + 1;
          }
          assert.ok(plan.verdict.atMs > nowMs && plan.state.attempts <= schedule.length);
          assert.ok((plan.state.blocksUntilMs as number) <= (state.blocksUntilMs ?? nowMs + hourMs));
          state = plan.state;
          nowMs = plan.verdict.atMs;
        }
        return false;
      },
    ),
    { numRuns: 2_000 },
  );
});
