import assert from "node:assert/strict";
import { test } from "node:test";
import { headerLines, headersPatchOf } from "./header-lines.ts";

test("unchanged lines keep the stored values, and a missing line removes its header", () => {
  const stored = ["X-Hook-Key", "X-Shop"];
  assert.deepEqual(headersPatchOf(headerLines(stored), stored), { patch: { "X-Hook-Key": "***", "X-Shop": "***" } });
  assert.deepEqual(headersPatchOf("x-shop: 12:30\n\n X-New :  a key \n", stored), {
    patch: { "x-shop": "12:30", "X-New": "a key", "X-Hook-Key": null },
  });
  assert.deepEqual(headersPatchOf("", []), { patch: {} });
});

test("a line without a name and a repeated name are faults", () => {
  assert.deepEqual(headersPatchOf("only a value", []), {
    fault: "“only a value” is not a header: write “Name: value”.",
  });
  assert.ok("fault" in headersPatchOf(": value", []));
  assert.ok("fault" in headersPatchOf("X-A: 1\nx-a: 2", []));
});
