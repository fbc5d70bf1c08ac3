import assert from "node:assert/strict";
import { test } from "node:test";
import { believableAddresses } from "#/http/server/listener.ts";

const attempts: readonly (readonly [header: string, expected: string | undefined])[] = [
  ["203.0.113.1", "203.0.113.1"],
  ["203.0.113.1, 10.0.0.1", "203.0.113.1, 10.0.0.1"],
  ["2001:db8::1", "2001:db8::1"],
  ["203.0.113.1:4711", "203.0.113.1"],
  ["[2001:db8::1]:4711, [2001:db8::2]", "2001:db8::1, 2001:db8::2"],
  ["<script>", undefined],
  ["unknown", undefined],
  ["", undefined],
  ["203.0.113.1, ", undefined],
  ["203.0.113.999", undefined],
  ["0x7f.1", undefined],
  ["'; drop table audit_log; --", undefined],
  ["203.0.113.1, evil, 198.51.100.2", "198.51.100.2"],
  ["evil, 203.0.113.1, 10.0.0.1", "203.0.113.1, 10.0.0.1"],
  ["203.0.113.1, evil", undefined],
  ["[::1", undefined],
];

for (const [header, expected] of attempts) {
  test(`${JSON.stringify(header)} gives the address ${expected ?? "nothing"}`, () => {
    assert.equal(believableAddresses(header), expected);
  });
}
