import assert from "node:assert/strict";
import { test } from "node:test";
import { createLookPause, pollUntil, startPolling } from "#/kernel/concurrency/polling.ts";

/** A polling loop of an hour whose turns the test counts and ends. */
function loop(pauses: readonly number[] = [], beginsWithPause = false) {
  let turns = 0;
  let onTurn = () => {};
  const polling = startPolling({
    name: "test",
    everyMs: 3_600_000,
    beginsWithPause,
    turn: async () => {
      const pauseMs = pauses[turns++];
      onTurn();
      return pauseMs;
    },
  });
  const hasRun = (count: number) =>
    new Promise<void>((resolve) => {
      onTurn = () => void (turns >= count && resolve());
      onTurn();
    });
  return { polling, hasRun, turns: () => turns };
}

test("a loop pauses after a turn until it is woken", async () => {
  const { polling, hasRun, turns } = loop();
  await hasRun(1);
  polling.wake();
  await hasRun(2);
  await polling.stop();
  assert.equal(turns(), 2);
});

test("a turn that returns 0 is followed by the next at once", async () => {
  const { polling, hasRun, turns } = loop([0, 0]);
  await hasRun(3);
  await polling.stop();
  assert.equal(turns(), 3);
});

test("a loop that begins with a pause runs its first turn after it", async () => {
  const { polling, hasRun, turns } = loop([], true);
  assert.equal(turns(), 0);
  polling.wake();
  await hasRun(1);
  await polling.stop();
  assert.equal(turns(), 1);
});

test("a stopped loop ends with its current turn", async () => {
  let finish = () => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let turns = 0;
  const polling = startPolling({
    name: "test",
    everyMs: 1,
    turn: async () => {
      turns++;
      await ended;
    },
  });
  const stopped = polling.stop();
  finish();
  await stopped;
  assert.equal(turns, 1);
});

test("a poll ends with the first result, or without one when its time is over", async () => {
  let probes = 0;
  assert.equal(await pollUntil(() => (++probes === 3 ? "found" : undefined), { everyMs: 1, msMax: 60_000 }), "found");
  assert.equal(probes, 3);
  assert.equal(await pollUntil(() => undefined, { everyMs: 1, msMax: 0 }), undefined);
  assert.equal(await pollUntil(() => false, { everyMs: 1, msMax: 60_000 }), false);
});

test("a look for work pauses longer after ten seconds without work, and briefly again once there was some", (t) => {
  let nowMs = 0;
  t.mock.method(performance, "now", () => nowMs);
  const pause = createLookPause(1_000);
  assert.equal(pause.after(false), 1_000);
  nowMs = 9_999;
  assert.equal(pause.after(false), 1_000);
  nowMs = 10_000;
  assert.equal(pause.after(false), 5_000);
  assert.equal(pause.after(true), 1_000);
  nowMs = 19_999;
  assert.equal(pause.after(false), 1_000);
  nowMs = 20_000;
  assert.equal(pause.after(false), 5_000);
  nowMs = 26_500;
  assert.equal(pause.after(false), 3_500, "loops at rest look at the same moment");
  nowMs = 29_999;
  assert.equal(pause.after(false), 5_001, "and not twice where a timer fires early");
});
