// docs/contract: what its documents show of data is what the published schemas say.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fencesOf, remarkOf } from "./fences.ts";
import { judgeJson } from "./shown-data.ts";

test("the push that the contract shows is an event of the catalogue", () => {
  const shown = fencesOf("docs/contract/webhooks.md").filter(
    (fence) => remarkOf(fence, "run-by") === "tests/guides/contract.test.ts",
  );
  assert.equal(shown.length, 1);
  for (const fence of shown) judgeJson({ ...fence, remark: "shows: event" });
});
