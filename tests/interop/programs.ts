import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

/** Whether a program is on the PATH. If not, the file reports that its tests are left out, and fails under CI. */
export function isThere(program: string, debianPackage: string): boolean {
  if (spawnSync(program, ["--help"], { stdio: "ignore" }).error === undefined) return true;
  test(`${program} is on the PATH`, (context) => {
    context.diagnostic(`LEFT OUT: ${program} is not on the PATH (Debian: ${debianPackage})`);
    assert.equal(process.env.CI, undefined, `under CI nothing is left out, but ${program} is absent`);
  });
  return false;
}
