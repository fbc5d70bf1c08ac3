import assert from "node:assert/strict";
import { test } from "node:test";
import { holidaysOf, holidaysText, weeksOf, withHolidays } from "./holidays.ts";

test("holidays are read, and written as they were", () => {
  const text = "2026-12-25:Christmas Day,2026-12-26,2027-01-01:New Year: closed";
  assert.equal(holidaysText(holidaysOf(text)), text);
  assert.deepEqual(holidaysOf(""), []);
});

test("a range of days is added in order, a day that is there gets the new name, and a wrong range is refused", () => {
  const before = holidaysOf("2026-12-25:Christmas Day,2027-01-01");
  const added = withHolidays(before, { first: "2026-12-24", last: "2026-12-25", name: "Closed, all day" });
  assert.equal(holidaysText(added), "2026-12-24:Closed  all day,2026-12-25:Closed  all day,2027-01-01");
  assert.throws(() => withHolidays([], { first: "2026-12-25", last: "2026-12-24", name: "" }), /before the first/);
  assert.throws(() => withHolidays([], { first: "2026-01-01", last: "2028-01-01", name: "" }), /at most a year/);
});

test("a month has whole weeks from Monday to Sunday", () => {
  const weeks = weeksOf("2026-02");
  assert.equal(weeks.length, 5);
  assert.deepEqual(weeks[0], [null, null, null, null, null, null, "2026-02-01"]);
  assert.deepEqual(weeks[4]?.slice(4), ["2026-02-27", "2026-02-28", null]);
  assert.deepEqual(weeksOf("2026-06")[0]?.[0], "2026-06-01");
});
