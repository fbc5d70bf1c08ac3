import assert from "node:assert/strict";
import { test } from "node:test";
import { nextCutOff, type WorkingCalendar } from "#/kernel/values/working-calendar.ts";

const london: WorkingCalendar = {
  timezone: "Europe/London",
  cutOffTime: "17:00",
  operatingDays: ["MON", "TUE", "WED", "THU", "FRI"],
  holidays: [],
};

test("an order until the cut-off of an operating day leaves that day, also at the cut-off itself", () => {
  // 2026-11-20 is a Friday.
  for (const at of ["2026-11-20T00:00:00Z", "2026-11-20T16:59:59.999Z", "2026-11-20T17:00:00.000Z"])
    assert.equal(nextCutOff(london, at), "2026-11-20T17:00:00.000Z", at);
});

test("an order after the cut-off leaves on the next operating day, also over a weekend", () => {
  assert.equal(nextCutOff(london, "2026-11-20T17:00:00.001Z"), "2026-11-23T17:00:00.000Z");
  assert.equal(nextCutOff(london, "2026-11-21T08:00:00Z"), "2026-11-23T17:00:00.000Z");
  assert.equal(nextCutOff(london, "2026-11-23T16:00:00Z"), "2026-11-23T17:00:00.000Z");
});

test("holidays on any day of the week are skipped", () => {
  const calendar = { ...london, holidays: [{ date: "2026-12-25" }, { date: "2026-12-28" }] };
  assert.equal(nextCutOff(calendar, "2026-12-24T18:00:00Z"), "2026-12-29T17:00:00.000Z");
});

test("the cut-off is by the facility's own clock, summer and winter, on the days when clocks change too", () => {
  const daily = { ...london, operatingDays: ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] } as const;
  // Clocks go forward on 2026-03-29 and back on 2026-10-25.
  assert.equal(nextCutOff(daily, "2026-03-28T12:00:00Z"), "2026-03-28T17:00:00.000Z");
  assert.equal(nextCutOff(daily, "2026-03-29T00:30:00Z"), "2026-03-29T16:00:00.000Z");
  assert.equal(nextCutOff(daily, "2026-10-24T12:00:00Z"), "2026-10-24T16:00:00.000Z");
  assert.equal(nextCutOff(daily, "2026-10-25T00:30:00Z"), "2026-10-25T17:00:00.000Z");
  // New York's clocks change on 2026-03-08 and 2026-11-01.
  const newYork = { ...daily, timezone: "America/New_York", cutOffTime: "15:30" };
  assert.equal(nextCutOff(newYork, "2026-03-07T12:00:00Z"), "2026-03-07T20:30:00.000Z");
  assert.equal(nextCutOff(newYork, "2026-03-08T12:00:00Z"), "2026-03-08T19:30:00.000Z");
  assert.equal(nextCutOff(newYork, "2026-10-31T12:00:00Z"), "2026-10-31T19:30:00.000Z");
  assert.equal(nextCutOff(newYork, "2026-11-01T12:00:00Z"), "2026-11-01T20:30:00.000Z");
});

test("a cut-off that clocks skip is later by the skipped time; of a repeated one the first applies", () => {
  const sundays = { ...london, operatingDays: ["SUN"] as const, cutOffTime: "01:30" };
  assert.equal(nextCutOff(sundays, "2026-03-28T12:00:00Z"), "2026-03-29T01:30:00.000Z");
  assert.equal(nextCutOff(sundays, "2026-10-24T12:00:00Z"), "2026-10-25T00:30:00.000Z");
});

test("the day is the facility's own: in Auckland it is tomorrow already", () => {
  const auckland = { ...london, timezone: "Pacific/Auckland", cutOffTime: "09:00" };
  // Sunday evening in London is Monday morning there.
  assert.equal(nextCutOff(auckland, "2026-11-22T19:00:00Z"), "2026-11-22T20:00:00.000Z");
  // Friday evening in London is Saturday there.
  assert.equal(nextCutOff(auckland, "2026-11-20T19:00:00Z"), "2026-11-22T20:00:00.000Z");
});

test("without a cut-off time or operating days there is no due time", () => {
  assert.equal(nextCutOff({ ...london, cutOffTime: null }, "2026-11-20T12:00:00Z"), null);
  assert.equal(nextCutOff({ ...london, operatingDays: [] }, "2026-11-20T12:00:00Z"), null);
  const holidays = Array.from({ length: 400 }, (_, i) => {
    return { date: new Date(Date.UTC(2026, 10, 20 + i)).toISOString().slice(0, 10) };
  });
  assert.equal(nextCutOff({ ...london, holidays }, "2026-11-20T12:00:00Z"), null);
});

test("an earlier moment than the last one is computed again", () => {
  assert.equal(nextCutOff(london, "2026-11-24T12:00:00Z"), "2026-11-24T17:00:00.000Z");
  assert.equal(nextCutOff(london, "2026-11-24T16:00:00Z"), "2026-11-24T17:00:00.000Z");
  assert.equal(nextCutOff(london, "2026-11-23T12:00:00Z"), "2026-11-23T17:00:00.000Z");
});
