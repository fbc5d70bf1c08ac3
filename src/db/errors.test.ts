import assert from "node:assert/strict";
import { test } from "node:test";
import { LeaseLostError, logLevelOf, OvertakenError, StoreUnavailableError } from "#/db/errors.ts";

test("what passes by itself is a warning, and all else an error", () => {
  const passing = [new StoreUnavailableError("away"), new OvertakenError("late"), new LeaseLostError("another has it")];
  assert.deepEqual(passing.map(logLevelOf), ["warn", "warn", "warn"]);
  assert.equal(logLevelOf(new TypeError("a fault of ours")), "error");
});
