import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "#/kernel/values/durations.ts";
import { createStoreClock } from "#/store/db/store/clock.ts";

const startMs = 1_800_000_000_000;

function world() {
  let monotonicMs = 5_000;
  let wallAheadMs = 0;
  let storeAheadMs = 0;
  const reports: string[] = [];
  const trueMs = () => startMs + monotonicMs;
  const clock = createStoreClock({
    wall: () => trueMs() + wallAheadMs,
    monotonic: () => monotonicMs,
    onSkew: (skewMs, level) => void reports.push(`${level} ${Math.round(skewMs)}`),
  });
  return {
    clock,
    reports,
    trueMs,
    pass: (ms: number) => {
      monotonicMs += ms;
    },
    setWall: (ms: number) => {
      wallAheadMs = ms;
    },
    setStore: (ms: number) => {
      storeAheadMs = ms;
    },
    /** @param awayMs latency to the store, and the same back. */
    measure: (awayMs = 0) =>
      clock.measure(async () => {
        monotonicMs += awayMs;
        const answer = trueMs() + storeAheadMs;
        monotonicMs += awayMs;
        return answer;
      }),
  };
}

test("the clock is the store's, not the machine's", async () => {
  const { clock, trueMs, setWall, measure, pass } = world();
  setWall(dayMs);
  await measure();
  assert.equal(clock.now(), trueMs());
  setWall(-600_000);
  pass(1_000);
  assert.equal(clock.now(), trueMs());
  assert.equal(clock.skewMs(), -600_000);
});

test("a slow answer does not move a clock that agrees with it", async () => {
  const { clock, trueMs, measure } = world();
  await measure();
  await measure(900);
  assert.equal(clock.now(), trueMs());
  assert.equal(clock.aheadUntilMs(), Number.NEGATIVE_INFINITY);
});

test("a clock that is 2 s off is reported; one that is 60 s off stops timed work until it is right again", async () => {
  const { clock, reports, setWall, measure } = world();
  for (const ms of [1_900, 2_100, 2_200, 60_100, -60_100, 1_000]) {
    setWall(ms);
    await measure();
    assert.equal(clock.isRight(), Math.abs(ms) <= 60_000);
  }
  assert.deepEqual(reports, ["off 2100", "stopped 60100", "right 1000"]);
});

test("the clock follows a database clock that is set back, and records the end of the lead", async () => {
  const { clock, trueMs, setStore, measure, pass } = world();
  setStore(600_000);
  await measure();
  pass(1_000);
  setStore(0);
  await measure();
  assert.equal(clock.now(), trueMs());
  assert.equal(clock.aheadUntilMs(), trueMs() + 600_000);
  clock.noteAhead(trueMs() + 1);
  assert.equal(clock.aheadUntilMs(), trueMs() + 600_000);
});
