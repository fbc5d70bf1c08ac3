import assert from "node:assert/strict";
import { test } from "node:test";
import { isTrue } from "#/kernel/values/flag.ts";

test("true and 1 are true, with blanks around them too; all else is false", () => {
  assert.deepEqual(["true", "1", " true\n", "false", "0", "", "TRUE", undefined].map(isTrue), [
    ...[true, true, true],
    ...[false, false, false, false, false],
  ]);
});
