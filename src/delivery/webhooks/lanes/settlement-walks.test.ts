// Compares the settlement of a window of attempts with a model of each attempt, on walks of the requested length
// (tests/support/app/walks.ts).
import assert from "node:assert/strict";
import { test } from "node:test";
import { type BreakerState, closedBreaker, stepBreaker } from "#/delivery/webhooks/lanes/breaker.ts";
import type { AttemptOutcome } from "#/delivery/webhooks/lanes/retry-plan.ts";
import { type Begun, type Ended, settle } from "#/delivery/webhooks/lanes/settlement.ts";
import { hourMs } from "#/kernel/values/durations.ts";
import { type Walker, walkAll } from "../../../../tests/support/app/walks.ts";

const schedule = [5, 30, 120, 600];

function begunOf(walker: Walker, i: number, nowMs: number): Begun {
  const attempts = walker.integer(0, 4);
  return {
    deliveryId: `D-${i}`,
    attemptId: `T-${i}`,
    objectType: "order",
    objectId: `O-${i}`,
    isProbe: walker.chance(0.1),
    hasUnblocked: walker.chance(0.1),
    state: {
      attempts,
      rejections: walker.integer(0, Math.min(2, attempts)),
      blocksUntilMs: attempts === 0 ? undefined : nowMs + walker.integer(-hourMs, hourMs),
    },
  };
}

function endedOf(walker: Walker, begun: Begun, endedAtMs: number): Ended {
  if (walker.chance(0.1)) return { kind: walker.oneOf(["LOST", "LOST", "EXPIRED"]), begun, endedAtMs };
  const status = walker.oneOf([200, 200, 204, 302, 400, 404, 410, 422, 429, 500, 503]);
  const outcome: AttemptOutcome = walker.oneOf([
    { kind: "answered", status },
    { kind: "answered", status },
    { kind: "failed" },
    { kind: "blocked" },
  ]);
  const nothing = { phases: {}, headers: {}, body: Buffer.alloc(0), startedAtMs: endedAtMs - 10, endedAtMs };
  return { kind: "SENT", begun, result: { outcome, errorClass: "status", ...nothing } };
}

const endOf = (ended: Ended) => (ended.kind === "SENT" ? ended.result.endedAtMs : ended.endedAtMs);

/** The result of one attempt according to the contract. */
function fateOf(ended: Ended): "DELIVERED" | "FAILED" | "AGAIN" {
  if (ended.kind !== "SENT") return ended.kind === "LOST" ? "AGAIN" : "FAILED";
  const { outcome } = ended.result;
  if (outcome.kind === "blocked") return "FAILED";
  if (outcome.kind === "answered" && Math.floor(outcome.status / 100) === 2) return "DELIVERED";
  if (outcome.kind === "answered" && outcome.status === 410) return "FAILED";
  return !ended.begun.isProbe && ended.begun.state.attempts === schedule.length ? "FAILED" : "AGAIN";
}

test("deliveries that end together each get their result, their objects continue, and the breaker sees them in order", () => {
  walkAll((walker) => {
    let breaker: BreakerState = closedBreaker;
    let nowMs = Date.UTC(2026, 10, 20);
    let steps = 0;
    for (let window = 0; window < 20; window++) {
      nowMs += walker.integer(0, 60_000);
      const all = Array.from({ length: walker.integer(1, 20) }, (_, i) =>
        endedOf(walker, begunOf(walker, i, nowMs), nowMs + walker.integer(0, 5_000)),
      );
      const isPaused = walker.chance(0.2);
      const settled = settle(breaker, all, { schedule, random: walker.random, isPaused });
      const byAttempt = new Map(settled.deliveries.map((delivery) => [delivery.attemptId, delivery]));
      const logged = new Map(settled.attempts.map((attempt) => [attempt.attemptId, attempt]));
      const moved = new Set(settled.moved.map(({ objectId }) => objectId));
      assert.deepEqual([byAttempt.size, logged.size, settled.deliveries.length], [all.length, all.length, all.length]);
      let expected = breaker;
      for (const ended of all.toSorted((a, b) => endOf(a) - endOf(b))) {
        const { begun } = ended;
        const delivery = byAttempt.get(begun.attemptId);
        assert.ok(delivery && delivery.deliveryId === begun.deliveryId);
        const fate = fateOf(ended);
        assert.equal(delivery.status, fate === "AGAIN" ? (isPaused ? "HELD" : "RETRYING") : fate);
        assert.equal(delivery.settledAt !== undefined, fate !== "AGAIN");
        assert.equal(delivery.dueAt !== undefined, fate === "AGAIN" && !isPaused);
        assert.equal(moved.has(begun.objectId), fate !== "AGAIN" || (delivery.hasUnblocked && !begun.hasUnblocked));
        assert.ok(delivery.hasUnblocked || !begun.hasUnblocked);
        assert.equal(logged.get(begun.attemptId)?.state, ended.kind === "LOST" ? "UNKNOWN" : "ENDED");
        if (ended.kind === "LOST" && !isPaused) assert.equal(Date.parse(delivery.dueAt ?? ""), endOf(ended));
        if (ended.kind === "SENT") {
          const step = { isSuccess: fate === "DELIVERED", isProbe: begun.isProbe, nowMs: endOf(ended) };
          expected = stepBreaker(schedule, expected, step).state;
        }
      }
      const sent = all.filter((ended) => ended.kind === "SENT");
      const hasAnswer = (status: number) =>
        sent.some(({ result: { outcome } }) => outcome.kind === "answered" && outcome.status === status);
      assert.deepEqual(settled.breaker, expected);
      assert.equal(settled.incidents.length, sent.length);
      assert.equal(settled.isGone, hasAnswer(410));
      breaker = settled.breaker;
      steps += all.length;
    }
    return steps;
  });
});
