import assert from "node:assert/strict";
import { test } from "node:test";
import { everyPeriod } from "./attempt-periods.ts";

test("periods without attempts are there, with no attempts and no latency, up to now", () => {
  const period = (at: string, attempts: number) => ({
    at,
    attempts,
    succeeded: attempts - 1,
    medianMs: 80,
    p95Ms: 200,
  });
  const items = [period("2026-11-24T00:00:00Z", 4), period("2026-11-24T12:00:00Z", 9)];
  const all = everyPeriod({ items, periodSeconds: 21_600 }, Date.parse("2026-11-24T19:00:00Z"));
  assert.deepEqual(
    all.map(({ at, attempts, succeeded, medianMs }) => [
      new Date(at).toISOString().slice(11, 16),
      attempts,
      succeeded,
      medianMs,
    ]),
    [
      ["00:00", 4, 3, 80],
      ["06:00", 0, 0, null],
      ["12:00", 9, 8, 80],
      ["18:00", 0, 0, null],
    ],
  );
  assert.deepEqual(everyPeriod({ items: [], periodSeconds: 3600 }, Date.now()), []);
});
