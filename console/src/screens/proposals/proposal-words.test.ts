import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldWord, objectPath, titleOf } from "./proposal-words.ts";

test("tools and fields are shown in words", () => {
  assert.equal(titleOf({ tool: "cancel_order_line", objectId: "WEB-1" }), "Cancel order line WEB-1");
  assert.equal(fieldWord("shipToAddress.city"), "Ship to address, city");
  assert.equal(fieldWord("holds.0.reason"), "Holds, 1, reason");
});

test("an object has a link, except a lot", () => {
  const proposal = { clientId: "DEMO", objectId: "X/1" } as Parameters<typeof objectPath>[0];
  assert.equal(objectPath({ ...proposal, objectType: "order" }), "/orders/DEMO/X%2F1");
  assert.equal(objectPath({ ...proposal, objectType: "lot" }), undefined);
});
