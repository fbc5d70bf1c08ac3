import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type BreakerState,
  breakerLimits,
  closedBreaker,
  disableAfterMs,
  disablesAtMs,
  isOpen,
  stepBreaker,
} from "#/delivery/webhooks/lanes/breaker.ts";
import { retryDelaysSeconds as schedule } from "#/delivery/webhooks/lanes/retry-plan.ts";

/** Failures (and a success as `true`) at seconds; returns the changes and the last state. */
function walk(steps: readonly (readonly [second: number, isSuccess?: boolean])[], from = closedBreaker) {
  let state: BreakerState = from;
  const changes = steps.map(([second, isSuccess = false]) => {
    const step = stepBreaker(schedule, state, { isSuccess, isProbe: isOpen(state), nowMs: second * 1_000 });
    state = step.state;
    return step.change;
  });
  return { state, changes };
}

test("the breaker opens at the third consecutive failure, at least 35 seconds after the first", () => {
  assert.deepEqual(walk([[0], [5], [35]]).changes, [undefined, undefined, "OPENED"]);
  assert.deepEqual(walk([[0], [5], [34.9], [34.95]]).changes, [undefined, undefined, undefined, undefined]);
  assert.deepEqual(walk([[0], [60]]).changes, [undefined, undefined]);
  assert.deepEqual(walk([[0], [5], [20, true], [35], [60]]).changes, [
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("probes start after 30 seconds, with doubling delays up to 15 minutes", () => {
  let { state } = walk([[0], [5], [35]]);
  const delays: number[] = [];
  for (let i = 0; i < 8; i++) {
    delays.push((state.probeDelayMs as number) / 1_000);
    state = stepBreaker(schedule, state, {
      isSuccess: false,
      isProbe: true,
      nowMs: state.nextProbeAtMs as number,
    }).state;
  }
  assert.deepEqual(delays, [30, 60, 120, 240, 480, 900, 900, 900]);
});

test("attempts that were running when the breaker opened do not delay a probe", () => {
  const { state } = walk([[0], [5], [35]]);
  const late = stepBreaker(schedule, state, { isSuccess: false, isProbe: false, nowMs: 36_000 }).state;
  assert.deepEqual([late.nextProbeAtMs, late.failures], [65_000, 4]);
});

test("a shorter schedule has shorter probes and opens sooner", () => {
  assert.deepEqual(breakerLimits([0.2, 1, 5]), { distanceMs: 1_200, firstProbeMs: 1_000, probeMsMax: 5_000 });
  assert.deepEqual(breakerLimits([2]), { distanceMs: 2_000, firstProbeMs: 2_000, probeMsMax: 2_000 });
});

test("one success closes the breaker and resets it", () => {
  const { state, changes } = walk([[0], [5], [35], [65, true], [70], [75]]);
  assert.deepEqual(changes, [undefined, undefined, "OPENED", "CLOSED", undefined, undefined]);
  assert.equal(state.failures, 2);
});

test("eight days of failures disable the subscription; a success between them restarts the count", () => {
  const day = 86_400;
  assert.deepEqual(walk([[0], [5], [35], [8 * day - 1], [8 * day]]).changes.slice(-2), [undefined, "DISABLED"]);
  assert.deepEqual(walk([[0], [5], [35], [day, true], [8 * day]]).changes.slice(-2), ["CLOSED", undefined]);
});

test("a failing breaker gives the time at which it disables the subscription", () => {
  assert.equal(disablesAtMs(closedBreaker), undefined);
  assert.equal(disablesAtMs(walk([[60], [65]]).state), 60_000 + disableAfterMs);
});

test("in any order of attempts: open means three failures far enough apart, and only due probes are sent", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 100_000 }), fc.boolean()), { maxLength: 300 }),
      (attempts) => {
        let state = closedBreaker;
        let nowMs = 0;
        let run = 0;
        let runStartMs = 0;
        for (const [stepMs, isSuccess] of attempts) {
          nowMs += stepMs;
          if (isSuccess) run = 0;
          else if (run++ === 0) runStartMs = nowMs;
          const { change, state: after } = stepBreaker(schedule, state, { isSuccess, isProbe: isOpen(state), nowMs });
          assert.equal(after.failures, run);
          assert.equal(change === "OPENED", !isOpen(state) && isOpen(after));
          assert.equal(change === "CLOSED", isOpen(state) && isSuccess);
          assert.equal(isOpen(after), run >= 3 && (isOpen(state) || nowMs - runStartMs >= 35_000));
          if (isOpen(after)) {
            assert.ok((after.nextProbeAtMs as number) - nowMs <= 900_000 && (after.nextProbeAtMs as number) > nowMs);
          }
          assert.ok(change !== "DISABLED" || nowMs - runStartMs >= disableAfterMs);
          state = after;
        }
      },
    ),
    { numRuns: 5_000 },
  );
});
