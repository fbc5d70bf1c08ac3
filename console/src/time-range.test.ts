import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "./durations.ts";
import { keyOfEnds, momentAt, rangeOf } from "./time-range.ts";

const window = (key: string, timezone = "UTC") => rangeOf(key, "any").window(timezone);

test("days of a range are whole days of the zone, the last one included, also where the clocks change", () => {
  assert.deepEqual(window("2026-11-01..2026-11-03"), {
    from: "2026-11-01T00:00:00.000Z",
    to: "2026-11-04T00:00:00.000Z",
  });
  assert.deepEqual(window("2026-10-25..2026-10-25", "Europe/London"), {
    from: "2026-10-24T23:00:00.000Z",
    to: "2026-10-26T00:00:00.000Z",
  });
  assert.deepEqual(window("2026-03-08..2026-03-08", "America/New_York"), {
    from: "2026-03-08T05:00:00.000Z",
    to: "2026-03-09T04:00:00.000Z",
  });
  assert.equal(momentAt("2026-11-20T14:00", "Asia/Kolkata"), Date.parse("2026-11-20T08:30:00Z"));
});

test("a moment is used unchanged, and an open end sets no limit", () => {
  const from = "2026-11-20T14:00:00.000Z";
  assert.deepEqual(window(keyOfEnds(from, "")), { from });
  assert.deepEqual(window(keyOfEnds("", "2026-11-20")), { to: "2026-11-21T00:00:00.000Z" });
  assert.deepEqual(window("any"), {});
});

test("a preset ends at the next full minute, and the days of it are counted in the zone", () => {
  const { from = "", to = "" } = window("24h");
  assert.equal(Date.parse(to) - Date.parse(from), dayMs);
  const today = rangeOf("today", "any").days("Pacific/Auckland");
  assert.equal(today.from, today.to);
  const { from: start = "", to: end = "" } = window("yesterday", "Europe/Berlin");
  assert.ok(Date.parse(start) < Date.parse(end) && Date.parse(end) <= Date.now());
});

test("last week is the seven days that end on the last Sunday", () => {
  const { from = "", to = "" } = rangeOf("last-week", "any").days("Pacific/Auckland");
  assert.equal(new Date(`${from}T00:00:00Z`).getUTCDay(), 1);
  assert.equal(Date.parse(to) - Date.parse(from), 6 * dayMs);
  const { to: today = "" } = rangeOf("today", "any").days("Pacific/Auckland");
  const since = Date.parse(today) - Date.parse(to);
  assert.ok(since >= dayMs && since <= 7 * dayMs, `${to} is the Sunday before ${today}`);
});

test("an unreadable key gives the fallback range", () => {
  for (const key of ["", "..", "2026-13-45..", "yesteryear", "2026-11-01..2026-11-02..2026-11-03", "toString"]) {
    assert.equal(rangeOf(key, "24h").key, "24h", key);
  }
  assert.equal(rangeOf(null, "7d").key, "7d");
});

test("labels name days without times, and moments with them", () => {
  assert.equal(rangeOf("24h", "any").label("UTC"), "Last 24 hours");
  assert.match(rangeOf("2026-11-01..2026-11-03", "any").label("UTC"), /^1\s*–\s*3 Nov 2026$/);
  assert.equal(rangeOf("2026-11-01..2026-11-01", "any").label("UTC"), "1 Nov 2026");
  assert.equal(rangeOf("..2026-11-03", "any").label("UTC"), "Until 3 Nov 2026");
  assert.match(
    rangeOf("2026-11-01T10:00:00.000Z..2026-11-01T11:00:00.000Z", "any").label("UTC"),
    /^1 Nov 2026, 10:00\s*–\s*11:00$/,
  );
});
