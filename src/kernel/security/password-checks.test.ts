import assert from "node:assert/strict";
import { test } from "node:test";
import { createPasswordChecks, hashPassword, waitingOfNetworkMax } from "#/kernel/security/password.ts";

const stored = await hashPassword("right");

test("a network fills only its own waiting slots, and another network is served between", async () => {
  const checks = await createPasswordChecks();
  const ended: string[] = [];
  const check = async (network: string, password: string) => {
    const answer = await checks.check(network, password, stored);
    ended.push(network);
    return answer;
  };
  const flood = Array.from({ length: 60 }, () => check("2001:db8::/64", "wrong"));
  const other = check("192.0.2.1", "right");
  assert.equal(await other, true);
  assert.ok(ended.filter((network) => network === "2001:db8::/64").length < 60, "the other one did not wait for all");
  const answers = await Promise.all(flood);
  assert.equal(answers.filter((answer) => answer === false).length, 2 + waitingOfNetworkMax);
  assert.equal(answers.filter((answer) => answer === undefined).length, 60 - 2 - waitingOfNetworkMax);
  assert.equal(await checks.check("2001:db8::/64", "right", stored), true, "the places are free again");
});

test("a check for an unknown user never succeeds", async () => {
  const checks = await createPasswordChecks();
  assert.equal(await checks.check("192.0.2.1", "right", undefined), false);
  assert.equal(await checks.check("192.0.2.1", "x".repeat(2_000), await hashPassword("x".repeat(1_024))), false);
});
