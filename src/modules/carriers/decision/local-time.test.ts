import assert from "node:assert/strict";
import { test } from "node:test";
import { dayOf, dayText, instantOf, localMomentOf, weekdayOf } from "#/modules/carriers/decision/local-time.ts";

const local = (timezone: string, at: string) => {
  const { day, hour } = localMomentOf(timezone, Date.parse(at));
  return `${dayText(day)} ${hour}`;
};

test("the local time is right before and after a change, in any order of calls", () => {
  assert.equal(local("Europe/London", "2026-10-25T00:59:59.999Z"), "2026-10-25 1");
  assert.equal(local("Europe/London", "2026-10-25T01:00:00Z"), "2026-10-25 1");
  assert.equal(local("Europe/London", "2026-10-25T00:59:59.999Z"), "2026-10-25 1");
  assert.equal(local("Europe/London", "2026-10-24T23:30:00Z"), "2026-10-25 0");
  assert.equal(local("Asia/Kathmandu", "2026-11-20T18:15:00Z"), "2026-11-21 0");
  assert.equal(local("Pacific/Apia", "2011-12-31T09:00:00Z"), "2011-12-31 23");
  assert.equal(local("UTC", "1969-12-31T23:00:00Z"), "1969-12-31 23");
});

test("a minute of a day is an instant: as much later where clocks spring over it, the first where they repeat it", () => {
  const at = (timezone: string, day: string, minute: number) =>
    new Date(instantOf(timezone, dayOf(day), minute, Date.parse(`${day}T12:00:00Z`))).toISOString();
  assert.equal(at("Europe/London", "2026-11-20", 17 * 60), "2026-11-20T17:00:00.000Z");
  assert.equal(at("Europe/London", "2026-07-20", 17 * 60), "2026-07-20T16:00:00.000Z");
  assert.equal(at("Europe/London", "2026-10-25", 90), "2026-10-25T00:30:00.000Z");
  assert.equal(at("Europe/London", "2026-10-25", 17 * 60), "2026-10-25T17:00:00.000Z");
  assert.equal(at("Europe/London", "2027-03-28", 90), "2027-03-28T01:30:00.000Z");
  assert.equal(at("America/New_York", "2026-11-20", 0), "2026-11-20T05:00:00.000Z");
});

test("days of the week are counted from Monday", () => {
  assert.deepEqual(
    ["2026-11-16", "2026-11-22", "1969-12-29"].map((day) => weekdayOf(dayOf(day))),
    [0, 6, 0],
  );
});
