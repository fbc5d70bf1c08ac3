import assert from "node:assert/strict";
import { test } from "node:test";
import { spellingsOf } from "#/modules/catalogue/quantities.ts";

test("a SKU is found under the spellings that differ by case or a hyphen", () => {
  for (const [sent, known] of [
    ["tee-m", "TEE-M"],
    ["TEE-M", "tee-m"],
    ["TEE-M", "Tee-M"],
    ["TEEM", "TEE-M"],
    ["teem", "TEE-M"],
    ["TEE-M", "TEEM"],
    ["TEE M", "TEE-M"],
    ["TEE_M_1", "TEE-M-1"],
    ["MUG-BLUE330", "MUG-BLUE-330"],
    ["MUG-BLUE-330", "MUGBLUE330"],
  ] as const) {
    assert.ok(spellingsOf(sent).includes(known), `${sent} ${known}`);
  }
});

test("a SKU is not among its own spellings, and long ones have bounded many", () => {
  assert.ok(!spellingsOf("TEE-M").includes("TEE-M"));
  assert.ok(spellingsOf("aB-".repeat(21)).length <= 200);
  assert.deepEqual(spellingsOf("1"), []);
});
