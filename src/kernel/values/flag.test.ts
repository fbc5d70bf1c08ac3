import assert from "node:assert/strict";
import { test } from "node:test";
import { isFlag, isTrue } from "#/kernel/values/flag.ts";

test("true and 1 are true, in any case and with blanks around them too; all else is false", () => {
  assert.deepEqual(["true", "1", " true\n", "TRUE", "True", "false", "0", "", "Y", undefined].map(isTrue), [
    ...[true, true, true, true, true],
    ...[false, false, false, false, false],
  ]);
});

test("a flag is true, false, 1 or 0, and no other word", () => {
  for (const text of ["true", "FALSE", " 1 ", "0"]) assert.ok(isFlag(text), text);
  for (const text of ["", "Y", "yes", "01", "truefalse"]) assert.equal(isFlag(text), false, text);
});
