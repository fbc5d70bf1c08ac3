import assert from "node:assert/strict";
import { test } from "node:test";
import { daysOf, daysText } from "./weekdays.ts";

test("spans of days are read in the order of the week, across its end too", () => {
  assert.deepEqual(daysOf("MON-FRI"), ["MON", "TUE", "WED", "THU", "FRI"]);
  assert.deepEqual(daysOf("SAT-MON, WED"), ["MON", "WED", "SAT", "SUN"]);
  assert.deepEqual(daysOf("none"), []);
});

test("days are shown in words", () => {
  assert.equal(daysText("MON-FRI"), "Monday to Friday");
  assert.equal(daysText("MON,TUE,THU,FRI,SAT"), "Monday, Tuesday, Thursday to Saturday");
});
