import assert from "node:assert/strict";
import { test } from "node:test";
import { weightOf } from "#/outbox/append.ts";

test("an event weighs one, plus one per line of its object, omitted lines included", () => {
  const lines = Array.from({ length: 200 }, (_, i) => ({ lineNumber: i + 1 }));
  assert.equal(weightOf({ data: { orderId: "O-1" } }), 1);
  assert.equal(weightOf({ data: null }), 1);
  assert.equal(weightOf({ data: { lines } }), 201);
  assert.equal(weightOf({ data: { lines, linesTotal: 500 } }), 501);
  assert.equal(weightOf({ data: {}, outbound: { type: "GR", objectId: "PO-1", content: { lines } } }), 201);
});
