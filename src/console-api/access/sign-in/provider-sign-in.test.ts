import assert from "node:assert/strict";
import { test } from "node:test";
import { isUserName } from "#/console-api/access/domain.ts";
import { userNamesFrom } from "#/console-api/access/sign-in/provider-sign-in.ts";

test("a claim becomes a user name in the letters that user names have", () => {
  for (const [claims, wanted] of [
    [["anna"], "anna"],
    [["anna@example.com"], "anna@example.com"],
    [["Jürgen Müller"], "Jurgen-Muller"],
    [["anna_example.com#EXT#@tenant.example"], "anna_example.com-EXT-@tenant.example"],
    [[" <script>"], "script"],
    [["山田"], "user"],
    [["山田", "yamada@example.com"], "yamada@example.com"],
    [[undefined, 7, {}, ["anna"]], "user"],
    [["a".repeat(100)], "a".repeat(64)],
  ] as const) {
    const names = userNamesFrom(claims, "subject");
    assert.equal(names[0], wanted);
    assert.ok(names.every(isUserName), names.join(" "));
    assert.equal(new Set(names).size, names.length);
  }
});

test("the last candidate name is unique to the subject", () => {
  assert.notEqual(userNamesFrom(["anna"], "one").at(-1), userNamesFrom(["anna"], "other").at(-1));
});
