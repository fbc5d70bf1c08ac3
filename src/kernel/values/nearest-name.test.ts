import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestName } from "#/kernel/values/nearest-name.ts";

test("the nearest name is that with the fewest changes; no name is near to a text of another length", () => {
  const names = ["backorder", "backorderDays", "rmaDays"];
  assert.equal(nearestName("backorderDay", names), "backorderDays");
  assert.equal(nearestName("rmaday", names), "rmaDays");
  assert.equal(nearestName("x", names), undefined);
  assert.equal(nearestName("rmaDaysrmaDaysrmaDays", names), undefined);
});

test("a text of more than 64 characters is not a misspelt name, and is not compared", () => {
  const name = "n".repeat(64);
  assert.equal(nearestName(name, [`${name}s`]), `${name}s`);
  assert.equal(nearestName(`${name}n`, [name]), undefined);
});
