import assert from "node:assert/strict";
import { test } from "node:test";
import { truncateLines, weightOf } from "#/store/outbox/append.ts";

test("an event weighs one, plus one per line of its object, omitted lines included", () => {
  const lines = Array.from({ length: 200 }, (_, i) => ({ lineNumber: i + 1 }));
  assert.equal(weightOf({ data: { orderId: "O-1" } }), 1);
  assert.equal(weightOf({ data: null }), 1);
  assert.equal(weightOf({ data: { lines } }), 201);
  assert.equal(weightOf({ data: { lines, linesTotal: 500 } }), 501);
  assert.equal(weightOf({ data: {}, outbound: { type: "GR", objectId: "PO-1", content: { lines } } }), 201);
});

const href = "/v1/orderService/order/get/O-1";
const many = (count: number) => Array.from({ length: count }, (_, i) => ({ lineNumber: i + 1 }));

test("up to 200 lines are reported, without a total", () => {
  assert.deepEqual(truncateLines(many(200), { href }), { lines: many(200) });
  assert.deepEqual(truncateLines([]), { lines: [] });
});

test("lines after the 200th are omitted, with their number and the path of all lines", () => {
  assert.deepEqual(truncateLines(many(201), { href }), {
    lines: many(200),
    linesTotal: 201,
    linesTruncated: true,
    href,
  });
  assert.deepEqual(truncateLines(many(201)), { lines: many(200), linesTotal: 201, linesTruncated: true });
});

test("long lines are left out where the body would become larger than it may be, to the last of them", () => {
  const long = (count: number, serials: number) =>
    Array.from({ length: count }, () => ({ serials: Array.from({ length: serials }, () => "é".repeat(32)) }));
  const some = truncateLines(long(200, 100), { href, hasLongLines: true });
  assert.deepEqual({ ...some, lines: [] }, { lines: [], linesTotal: 200, linesTruncated: true, href });
  assert.ok(some.lines.length > 20 && Buffer.byteLength(JSON.stringify(some)) < 200 * 1024);
  const truncated = truncateLines(long(1, 10_000), { hasLongLines: true });
  assert.deepEqual(truncated, { lines: [], linesTotal: 1, linesTruncated: true });
  assert.equal(truncateLines(long(200, 1), { hasLongLines: true }).lines.length, 200);
});
