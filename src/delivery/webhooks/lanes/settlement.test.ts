import assert from "node:assert/strict";
import { test } from "node:test";
import { closedBreaker } from "#/delivery/webhooks/lanes/breaker.ts";
import { unattempted } from "#/delivery/webhooks/lanes/retry-plan.ts";
import { type Begun, type Ended, settle } from "#/delivery/webhooks/lanes/settlement.ts";

const nowMs = Date.UTC(2026, 10, 20, 10);
const options = { schedule: [5, 30, 120], random: () => 0, isPaused: false };
const begun = (objectId: string, more: Partial<Begun> = {}): Begun => ({
  deliveryId: `delivery ${objectId}`,
  attemptId: `try ${objectId}`,
  isProbe: false,
  objectType: "order",
  objectId,
  state: unattempted,
  hasUnblocked: false,
  ...more,
});

function sent(attempt: Begun, status: number, endedAtMs = nowMs): Ended {
  const nothing = { phases: {}, headers: {}, body: Buffer.alloc(0), startedAtMs: endedAtMs - 10, endedAtMs };
  const failure = status === 200 ? {} : { errorClass: "status" as const, detail: "not 2xx" };
  return {
    kind: "SENT",
    begun: attempt,
    result: { outcome: { kind: "answered", status }, status, ...failure, ...nothing },
  };
}

test("after a delivered event its object continues; after a failed one the object waits", () => {
  const { deliveries, moved, breaker, lastError } = settle(
    closedBreaker,
    [sent(begun("O-1"), 200), sent(begun("O-2"), 500)],
    options,
  );
  assert.deepEqual(
    deliveries.map(({ status, dueAt, settledAt }) => [status, dueAt, settledAt]),
    [
      ["DELIVERED", undefined, "2026-11-20T10:00:00.000Z"],
      ["RETRYING", "2026-11-20T10:00:05.000Z", undefined],
    ],
  );
  assert.deepEqual(moved, [{ objectType: "order", objectId: "O-1" }]);
  assert.equal(breaker.failures, 1);
  assert.deepEqual(lastError, { errorClass: "status", text: "status: answered 500" });
});

test("the breaker sees ended attempts in the order of their ends", () => {
  const ends = [sent(begun("O-1"), 500, nowMs + 1), sent(begun("O-2"), 200, nowMs)];
  assert.equal(settle(closedBreaker, ends, options).breaker.failures, 1);
  assert.equal(
    settle(closedBreaker, [sent(begun("O-1"), 500, nowMs - 1), ends[1] as Ended], options).breaker.failures,
    0,
  );
});

test("after an attempt with an unknown result the delivery is due at once, and the receiver has no failure", () => {
  const lost: Ended = { kind: "LOST", begun: begun("O-1"), endedAtMs: nowMs };
  const { deliveries, attempts, breaker, incidents } = settle(closedBreaker, [lost], options);
  assert.deepEqual(
    deliveries.map(({ status, dueAt, attempts: count }) => [status, dueAt, count]),
    [["RETRYING", "2026-11-20T10:00:00.000Z", 1]],
  );
  assert.equal(attempts[0]?.state, "UNKNOWN");
  assert.deepEqual([breaker, incidents], [closedBreaker, []]);
});

test("in a paused subscription failed deliveries are held, and successful ones delivered", () => {
  const ends = [sent(begun("O-1"), 200), sent(begun("O-2"), 500)];
  const { deliveries } = settle(closedBreaker, ends, { ...options, isPaused: true });
  assert.deepEqual(
    deliveries.map(({ status, dueAt }) => [status, dueAt]),
    [
      ["DELIVERED", undefined],
      ["HELD", undefined],
    ],
  );
});

test("a probe does not count as an attempt of the delivery", () => {
  const { deliveries } = settle(closedBreaker, [sent(begun("O-1", { isProbe: true }), 500)], options);
  assert.equal(deliveries[0]?.attempts, 0);
});

test("a delivery of a deleted event fails, and its object continues", () => {
  const { deliveries, moved } = settle(
    closedBreaker,
    [{ kind: "EXPIRED", begun: begun("O-1"), endedAtMs: nowMs }],
    options,
  );
  assert.equal(deliveries[0]?.status, "FAILED");
  assert.equal(moved.length, 1);
});
