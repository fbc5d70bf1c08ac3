import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "#/kernel/values/durations.ts";
import { endOfDate, lastMidnight, localDate } from "#/modules/inventory/snapshots/midnight.ts";

const last = (zone: string, now: string) => {
  const { at, endedDate } = lastMidnight(zone, Date.parse(now));
  return `${at} ended ${endedDate}`;
};

test("a day ends at the facility's own midnight, in winter and in summer", () => {
  assert.equal(last("Europe/London", "2026-01-15T10:00:00Z"), "2026-01-15T00:00:00.000Z ended 2026-01-14");
  assert.equal(last("Europe/London", "2026-07-15T10:00:00Z"), "2026-07-14T23:00:00.000Z ended 2026-07-14");
  assert.equal(last("America/New_York", "2026-01-15T04:59:59Z"), "2026-01-14T05:00:00.000Z ended 2026-01-13");
  assert.equal(last("Pacific/Kiritimati", "2026-01-15T10:00:00Z"), "2026-01-15T10:00:00.000Z ended 2026-01-15");
  assert.equal(last("Asia/Kathmandu", "2026-01-15T18:14:59.999Z"), "2026-01-14T18:15:00.000Z ended 2026-01-14");
});

test("at the moment of midnight the day has ended, a millisecond before it has not", () => {
  assert.equal(last("Europe/Berlin", "2026-03-09T23:00:00.000Z"), "2026-03-09T23:00:00.000Z ended 2026-03-09");
  assert.equal(last("Europe/Berlin", "2026-03-09T22:59:59.999Z"), "2026-03-08T23:00:00.000Z ended 2026-03-08");
});

test("days of 23 and 25 hours end once, at their midnight", () => {
  assert.equal(last("Europe/Berlin", "2026-03-29T21:59:59Z"), "2026-03-28T23:00:00.000Z ended 2026-03-28");
  assert.equal(last("Europe/Berlin", "2026-03-29T22:00:00Z"), "2026-03-29T22:00:00.000Z ended 2026-03-29");
  assert.equal(last("Europe/Berlin", "2026-10-25T22:59:59Z"), "2026-10-24T22:00:00.000Z ended 2026-10-24");
  assert.equal(last("Europe/Berlin", "2026-10-25T23:00:00Z"), "2026-10-25T23:00:00.000Z ended 2026-10-25");
});

test("where clocks spring over 00:00 the day begins at 01:00", () => {
  // Chile, 6 September 2026: 24:00 of the fifth becomes 01:00 of the sixth, at 04:00 UTC.
  assert.equal(last("America/Santiago", "2026-09-06T12:00:00Z"), "2026-09-06T04:00:00.000Z ended 2026-09-05");
});

test("where clocks repeat 00:00 the day begins the first time", () => {
  // Cuba, 1 November 2026: 01:00 becomes 00:00 again at 05:00 UTC.
  assert.equal(last("America/Havana", "2026-11-01T05:30:00Z"), "2026-11-01T04:00:00.000Z ended 2026-10-31");
});

test("a local date is that of the zone", () => {
  assert.equal(localDate("Asia/Tokyo", Date.parse("2026-12-31T15:00:00Z")), "2027-01-01");
  assert.equal(localDate("UTC", Date.parse("2026-12-31T23:59:59.999Z")), "2026-12-31");
});

test("the midnight that ended a date is the one that the date's snapshot is taken of", () => {
  const zones = [
    "Europe/London",
    "America/Santiago",
    "America/Havana",
    "Pacific/Kiritimati",
    "Etc/GMT+12",
    "Asia/Kathmandu",
  ];
  for (const zone of zones) {
    for (let day = Date.parse("2026-03-01"); day < Date.parse("2026-12-01"); day += dayMs) {
      const date = new Date(day).toISOString().slice(0, 10);
      const at = endOfDate(zone, date);
      assert.deepEqual(lastMidnight(zone, Date.parse(at)), { at, endedDate: date }, zone);
    }
  }
  assert.equal(endOfDate("Europe/Berlin", "2026-10-25"), "2026-10-25T23:00:00.000Z");
});
