import assert from "node:assert/strict";
import { test } from "node:test";
import { lastLine } from "../../scripts/test-citus.ts";

test("a run on Citus ends with its files, its time and the errors of the nodes, and passes only without a fault", () => {
  const ofNodes = "unexpected errors in the logs of 3 nodes";
  assert.equal(lastLine(19, 19, 0, 631_000), `✔ 19 of 19 files passed in 10.5 minutes, 0 ${ofNodes}`);
  assert.equal(lastLine(18, 19, 0, 60_000), `✖ 18 of 19 files passed in 1.0 minutes, 0 ${ofNodes}`);
  assert.equal(lastLine(19, 19, 2, 60_000), `✖ 19 of 19 files passed in 1.0 minutes, 2 ${ofNodes}`);
});
