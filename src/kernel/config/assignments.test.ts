import assert from "node:assert/strict";
import { test } from "node:test";
import { readAssignments } from "#/kernel/config/assignments.ts";
import { integerBetween } from "#/kernel/config/parsers.ts";
import { ok } from "#/kernel/result.ts";

const settings = { days: { parse: integerBetween(1, 9) }, words: { parse: (text: string) => ok(text) } };
const read = (...assignments: string[]) => readAssignments(settings, "a shop", assignments);

test("values are read, a blank one returns the setting to its default, and a value may hold an equals sign", () => {
  const { ok: isRead, ...outcome } = read("days=3", "words= ");
  assert.ok(isRead && "value" in outcome);
  assert.deepEqual([[...outcome.value.values], outcome.value.cleared], [[["days", 3]], ["words"]]);
  const odd = read("words=a=b\nc");
  assert.ok(odd.ok);
  assert.equal(odd.value.values.get("words"), "a=b\nc");
});

test("every wrong value has an error sentence, in order, with long values shortened", () => {
  const long = "9".repeat(300);
  assert.deepEqual(read("day=1", "days", `days=${long}`, "words=", "words=x", "=", "toString=1"), {
    ok: false,
    fault: [
      "'day' is no setting of a shop; did you mean days?",
      "days: expected days=VALUE, or days= for the default",
      `days=${long.slice(0, 100)}: expected a whole number from 1 to 9`,
      "words is given twice",
      "'' is no setting of a shop",
      "'toString' is no setting of a shop",
    ],
  });
});
