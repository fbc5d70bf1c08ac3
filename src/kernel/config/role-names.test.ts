import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRoleNames, roleNames } from "#/kernel/config/role-names.ts";

test("roles are read from a list with commas, each once and in a fixed order", () => {
  assert.deepEqual(parseRoleNames(roleNames.join(",")), { ok: true, value: roleNames });
  assert.deepEqual(parseRoleNames(" sftp,feeds , sftp"), { ok: true, value: ["feeds", "sftp"] });
});

test("an unknown role is refused, and the roles there are named", () => {
  const result = parseRoleNames("api,printer,fax");
  assert.equal(
    !result.ok && result.fault,
    "'printer', 'fax' is not a role; name some of api, feeds, auth, worker, sftp, console, warehouse-sim, separated by commas",
  );
  assert.equal(parseRoleNames("").ok, false);
});
