import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  isDelivered,
  judgeTry,
  passes,
  type RetryState,
  type TryOutcome,
  untried,
} from "#/delivery/webhooks/lanes/retry-plan.ts";
import { webhookRetryDelaysSeconds } from "#/kernel/config/config.ts";

const hourMs = 3_600_000;
const answered = (status: number, retryAfterMs?: number): TryOutcome => ({ kind: "answered", status, retryAfterMs });
const at = (nowMs: number) => ({ nowMs, random: 0, isProbe: false });

/** Fails every attempt until the delivery ends; returns the moments of its attempts. */
function triesOf(outcome: TryOutcome, random: number): { moments: number[]; last: ReturnType<typeof judgeTry> } {
  const moments: number[] = [];
  let state = untried;
  for (let nowMs = 0; ; ) {
    moments.push(nowMs);
    const judged = judgeTry(webhookRetryDelaysSeconds, state, outcome, { nowMs, random, isProbe: false });
    if (judged.verdict.state !== "SCHEDULED") return { moments, last: judged };
    state = judged.state;
    nowMs = judged.verdict.atMs;
  }
}

test("what never succeeds is tried seventeen times over eight days, each wait up to a tenth longer", () => {
  const { moments, last } = triesOf(answered(500), 0);
  assert.equal(moments.length, 17);
  const waits = moments.slice(1).map((moment, i) => (moment - (moments[i] as number)) / 1_000);
  assert.deepEqual(waits, webhookRetryDelaysSeconds);
  assert.deepEqual(last.verdict, { state: "FAILED", reason: "EXHAUSTED", disables: false });
  assert.equal(Math.round((moments.at(-1) as number) / 86_400_000), 8);
  const late = triesOf({ kind: "failed" }, 1).moments;
  assert.ok(late.every((moment, i) => moment >= (moments[i] as number) && moment <= (moments[i] as number) * 1.1 + 1));
});

test("any 2xx delivers; a redirect, a refusal and a failure do not", () => {
  for (const status of [200, 201, 204, 299])
    assert.equal(judgeTry([1], untried, answered(status), at(0)).verdict.state, "SUCCEEDED");
  for (const status of [199, 301, 302, 304, 400, 500])
    assert.equal(isDelivered(answered(status)), false, String(status));
  assert.equal(isDelivered({ kind: "failed" }), false);
});

test("a blocked address ends it at once, 410 ends it and disables the subscription", () => {
  assert.deepEqual(judgeTry([1], untried, { kind: "blocked" }, at(0)).verdict, {
    state: "FAILED",
    reason: "BLOCKED",
    disables: false,
  });
  assert.deepEqual(judgeTry([1], untried, answered(410), at(0)).verdict, {
    state: "FAILED",
    reason: "GONE",
    disables: true,
  });
});

test("Retry-After of 429 and 503 puts the next try off, up to ten hours; it never brings it forward, and of others it says nothing", () => {
  const next = (status: number, retryAfterMs: number) => {
    const { verdict } = judgeTry([60], untried, answered(status, retryAfterMs), at(0));
    assert.equal(verdict.state, "SCHEDULED");
    return verdict.state === "SCHEDULED" ? verdict.atMs : 0;
  };
  assert.equal(next(429, 120_000), 120_000);
  assert.equal(next(503, 120_000), 120_000);
  assert.equal(next(503, 1_000), 60_000);
  assert.equal(next(503, 99 * hourMs), 10 * hourMs);
  assert.equal(next(500, 120_000), 60_000);
});

test("later events wait for an hour of failed attempts, or until the third refusal; it has failed for an hour then as well", () => {
  let state = judgeTry(webhookRetryDelaysSeconds, untried, answered(500), at(1_000)).state;
  assert.equal(state.blocksUntilMs, 1_000 + hourMs);
  state = judgeTry(webhookRetryDelaysSeconds, state, answered(422), at(6_000)).state;
  state = judgeTry(webhookRetryDelaysSeconds, state, answered(404), at(36_000)).state;
  state = judgeTry(webhookRetryDelaysSeconds, state, answered(400), at(156_000)).state;
  assert.equal(state.blocksUntilMs, 1_000 + hourMs);
  state = judgeTry(webhookRetryDelaysSeconds, state, answered(413), at(756_000)).state;
  assert.ok(passes(state, { nowMs: 756_000, isProbe: false }));
  assert.equal(state.blocksUntilMs, 1_000 + hourMs);
});

test("a probe is none of the delivery's attempts", () => {
  const { state, verdict } = judgeTry([5, 30], untried, answered(500), { ...at(0), isProbe: true });
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

test("whatever comes back, a delivery ends after as many attempts as the schedule has and one, and time never runs backwards", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 86_400 }), { minLength: 1, maxLength: 20 }),
      fc.infiniteStream(outcomes),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })),
      (schedule, answers, randoms) => {
        let state: RetryState = untried;
        let nowMs = 0;
        for (const outcome of answers) {
          const judged = judgeTry(schedule, state, outcome, { nowMs, random: randoms.next().value, isProbe: false });
          assert.equal(judged.state.attempts, state.attempts + 1);
          if (judged.verdict.state === "SUCCEEDED") return isDelivered(outcome);
          if (judged.verdict.state === "FAILED") {
            return judged.verdict.reason === "GONE" || judged.state.attempts === schedule.length + 1;
          }
          assert.ok(judged.verdict.atMs > nowMs && judged.state.attempts <= schedule.length);
          assert.ok((judged.state.blocksUntilMs as number) <= (state.blocksUntilMs ?? nowMs + hourMs));
          state = judged.state;
          nowMs = judged.verdict.atMs;
        }
        return false;
      },
    ),
    { numRuns: 2_000 },
  );
});
