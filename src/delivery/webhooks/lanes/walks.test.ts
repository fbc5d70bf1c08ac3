// Compares the retry plan, the breaker and the incident with models that are written from the contract alone
// (webhooks.md §2), on walks of millions of steps where requested (tests/support/app/walks.ts).
import assert from "node:assert/strict";
import { test } from "node:test";
import { type BreakerState, closedBreaker, stepBreaker } from "#/delivery/webhooks/lanes/breaker.ts";
import {
  type AttemptOutcome,
  planRetry,
  type RetryState,
  stopsBlocking,
  unattempted,
} from "#/delivery/webhooks/lanes/retry-plan.ts";
import { dayMs, hourMs, minuteMs } from "#/kernel/values/durations.ts";
import { type Walker, walkAll } from "../../../../tests/support/app/walks.ts";

const second = 1_000;

/** "Retries after 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, then 24 h six times: 17 attempts" */
const contractMs = [
  ...[5 * second, 30 * second, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs],
  ...[2 * hourMs, 5 * hourMs, 10 * hourMs, 14 * hourMs, 20 * hourMs],
  ...Array<number>(6).fill(24 * hourMs),
];
const schedule = contractMs.map((ms) => ms / second);

function outcomeOf(walker: Walker): AttemptOutcome {
  const draw = walker.random();
  if (draw < 0.25) return { kind: "failed" };
  if (draw < 0.26) return { kind: "blocked" };
  const status =
    draw < 0.31
      ? walker.integer(200, 299)
      : walker.oneOf([
          100, 301, 302, 400, 401, 403, 404, 408, 409, 410, 413, 422, 425, 429, 429, 500, 502, 503, 503, 504,
        ]);
  if (status === 410 && walker.chance(0.8)) return { kind: "failed" };
  return walker.chance(0.5)
    ? { kind: "answered", status, retryAfterMs: walker.integer(0, 20 * hourMs) }
    : { kind: "answered", status };
}

/** "a 4xx other than 401, 403, 404, 408, 409, 425, 429" */
const refuses = (outcome: AttemptOutcome) =>
  outcome.kind === "answered" &&
  String(outcome.status).startsWith("4") &&
  !["401", "403", "404", "408", "409", "425", "429"].includes(String(outcome.status));

test("a delivery is retried by the contract's schedule, and blocks later ones no longer than allowed", () => {
  let lives = 0;
  let exhausted = 0;
  const steps = walkAll((walker) => {
    lives++;
    let state: RetryState = unattempted;
    let nowMs = walker.integer(0, 10 * dayMs);
    let failedAttempts = 0;
    let rejections = 0;
    /**
     * The first failure of an attempt, without probes; for a delivery that only probes have refused for good, the time
     * of that refusal.
     */
    let firstFailureMs: number | undefined;
    for (let count = 1; ; count++) {
      const outcome = outcomeOf(walker);
      const isProbe = walker.chance(0.1);
      const { state: after, verdict } = planRetry(schedule, state, outcome, {
        nowMs,
        random: walker.random(),
        isProbe,
      });
      if (outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300) {
        assert.deepEqual(verdict, { state: "SUCCEEDED" });
        return count;
      }
      if (!isProbe) failedAttempts++;
      if (refuses(outcome)) rejections++;
      if (!isProbe || rejections >= 3) firstFailureMs ??= nowMs;
      assert.equal(after.attempts, failedAttempts);
      if (outcome.kind === "blocked") {
        assert.deepEqual(verdict, { state: "FAILED", reason: "BLOCKED", disables: false });
        return count;
      }
      if (outcome.kind === "answered" && outcome.status === 410) {
        assert.deepEqual(verdict, { state: "FAILED", reason: "GONE", disables: true });
        return count;
      }
      if (failedAttempts === 17) {
        exhausted++;
        assert.deepEqual(verdict, { state: "FAILED", reason: "EXHAUSTED", disables: false });
        return count;
      }
      assert.ok(verdict.state === "SCHEDULED", `${failedAttempts} attempts: ${verdict.state}`);
      const waitMs = verdict.atMs - nowMs;
      const usualMs = contractMs[Math.max(failedAttempts, 1) - 1] as number;
      const honours = outcome.kind === "answered" && (outcome.status === 429 || outcome.status === 503);
      const askedMs = honours ? Math.min(outcome.retryAfterMs ?? 0, 10 * hourMs) : 0;
      assert.ok(waitMs >= Math.max(usualMs, askedMs), `${waitMs} ms after try ${failedAttempts}`);
      assert.ok(waitMs <= Math.max(usualMs * 1.1, askedMs) + 1, `${waitMs} ms after try ${failedAttempts}`);
      const isAlone = rejections >= 3 || (!isProbe && nowMs - (firstFailureMs as number) >= hourMs);
      assert.equal(stopsBlocking(after, { nowMs, isProbe }), isAlone);
      assert.equal(after.blocksUntilMs, firstFailureMs === undefined ? undefined : firstFailureMs + hourMs);
      state = after;
      nowMs = verdict.atMs + (walker.chance(0.5) ? 0 : walker.integer(0, 10 * minuteMs));
    }
  });
  assert.ok(lives > steps / 17 / 2 && exhausted > 0, `${lives} lives, ${exhausted} exhausted`);
});

test("a delivery without success has 17 attempts over eight days, within the jitter", () => {
  const totalMs = contractMs.reduce((sum, ms) => sum + ms);
  assert.equal(Math.round(totalMs / dayMs), 8);
  walkAll((walker) => {
    let state: RetryState = unattempted;
    let nowMs = 0;
    for (let attempts = 1; ; attempts++) {
      const plan = planRetry(schedule, state, { kind: "failed" }, { nowMs, random: walker.random(), isProbe: false });
      if (plan.verdict.state !== "SCHEDULED") {
        assert.equal(attempts, 17);
        assert.ok(nowMs >= totalMs && nowMs <= totalMs * 1.1 + 17);
        return attempts;
      }
      state = plan.state;
      nowMs = plan.verdict.atMs;
    }
  });
});

test("the breaker opens, probes, closes and disables as the contract says", () => {
  const seen = { OPENED: 0, CLOSED: 0, DISABLED: 0 };
  walkAll((walker) => {
    let state: BreakerState = closedBreaker;
    let nowMs = walker.integer(0, dayMs);
    // Since the last success: the end of each failure and, for an open breaker, the time of its probe.
    let failures: number[] = [];
    let openedMs: number | undefined;
    let probes = 0;
    let probeMs = 0;
    const successShare = walker.oneOf([0, 0.01, 0.1, 0.5]);
    const steps = walker.integer(10, 1_500);
    for (let i = 0; i < steps; i++) {
      // An attempt in progress when the breaker opened ends soon afterwards; probes are made when they are due.
      const isProbe = openedMs !== undefined && !(nowMs - openedMs < 15 * second && walker.chance(0.5));
      nowMs = isProbe
        ? Math.max(nowMs, probeMs) + walker.integer(0, 2 * second)
        : nowMs + walker.integer(0, walker.oneOf([10, second, 20 * second, 2 * minuteMs]));
      const isSuccess = walker.chance(successShare);
      const wasOpen = openedMs !== undefined;
      const { state: after, change } = stepBreaker(schedule, state, { isSuccess, isProbe, nowMs });
      if (change !== undefined) seen[change]++;
      if (isSuccess) {
        assert.equal(change, wasOpen ? "CLOSED" : undefined);
        [failures, openedMs] = [[], undefined];
      } else {
        failures.push(nowMs);
        const spanMs = nowMs - (failures[0] as number);
        if (spanMs >= 8 * dayMs) {
          assert.equal(change, "DISABLED");
          return i + 1;
        }
        // "three attempts in a row failed and the first and last lie at least … 35 s" apart
        const opens = !wasOpen && failures.length >= 3 && spanMs >= 35 * second;
        assert.equal(change, opens ? "OPENED" : undefined);
        // "first after the schedule's second delay, then doubling up to 15 min"
        if (opens) [openedMs, probes, probeMs] = [nowMs, 0, nowMs + 30 * second];
        else if (wasOpen && isProbe) probeMs = nowMs + Math.min(30 * second * 2 ** ++probes, 15 * minuteMs);
      }
      assert.equal(after.openedAtMs, openedMs);
      assert.equal(after.nextProbeAtMs, openedMs === undefined ? undefined : probeMs);
      assert.equal(after.failures, failures.length);
      state = after;
    }
    return steps;
  });
  assert.ok(seen.OPENED > 10 && seen.CLOSED > 10 && seen.DISABLED > 0, JSON.stringify(seen));
});
