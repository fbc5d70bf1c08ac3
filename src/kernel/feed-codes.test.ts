import assert from "node:assert/strict";
import { test } from "node:test";
import { finding, sentence } from "#/kernel/feed-codes.ts";

test("a sentence starts with its code", () => {
  assert.equal(
    sentence(finding("STALE", "Order 1: Revision 2 is not above the stored Revision 3")),
    "[STALE] Order 1: Revision 2 is not above the stored Revision 3",
  );
});
