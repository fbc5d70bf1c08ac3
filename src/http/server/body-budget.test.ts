import assert from "node:assert/strict";
import { test } from "node:test";
import { createBodyBudget, OverBudgetError, standardBudgetBytes } from "#/http/server/body-budget.ts";

const refuses = (share: OverBudgetError["share"]) => (error: unknown) => {
  assert.ok(error instanceof OverBudgetError, String(error));
  assert.equal(error.share, share);
  return true;
};

test("the bodies of one client share its limit, and other clients keep their share", () => {
  const budget = createBodyBudget(100, 40);
  const [first, second] = [budget.open("client A"), budget.open("client A")];
  first.take(30);
  second.take(10);
  assert.throws(() => second.take(1), refuses("holder"));
  budget.open("client B").take(40);
  const third = budget.open("client C");
  assert.throws(() => third.take(30), refuses("process"));
  third.take(20);
});

test("a reservation is released completely, and once", () => {
  const budget = createBodyBudget(40, 40);
  const account = budget.open("client A");
  account.take(15);
  account.take(25);
  account.close();
  account.close();
  const next = budget.open("client A");
  next.take(40);
  assert.throws(() => budget.open("client B").take(1), refuses("process"));
  next.close();
  budget.open("client B").take(40);
});

test("the budget is an eighth of the memory, with room for two senders of the largest bodies", () => {
  const mebibyte = 1024 * 1024;
  assert.equal(standardBudgetBytes(1024 * mebibyte), 128 * mebibyte);
  assert.equal(standardBudgetBytes(256 * mebibyte), 84 * mebibyte);
  assert.equal(standardBudgetBytes(64 * 1024 * mebibyte), 1024 * mebibyte);
  assert.ok(standardBudgetBytes() >= 84 * mebibyte);
});
