import assert from "node:assert/strict";
import { test } from "node:test";
import { snoozeEnd } from "./snooze-times.ts";

// Moments without an offset are in the time zone of the machine, as in the browser of a user.
const now = new Date("2026-12-31T17:45:00");
const endOf = (values: Record<string, string>) => snoozeEnd(values, now);

test("a snooze ends after hours, tomorrow at 08:00, or at 08:00 of a day", () => {
  assert.equal(endOf({ time: "1" }), new Date("2026-12-31T18:45:00").toISOString());
  assert.equal(endOf({ time: "4" }), new Date("2026-12-31T21:45:00").toISOString());
  assert.equal(endOf({ time: "tomorrow" }), new Date("2027-01-01T08:00:00").toISOString());
  assert.equal(endOf({ time: "day", day: "2027-01-15" }), new Date("2027-01-15T08:00:00").toISOString());
});

test("a snooze until a day needs the day", () => {
  assert.throws(() => endOf({ time: "day", day: "" }), /Choose the day/);
});
