import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import type { TestContext } from "node:test";

/** Whether the judge could not be installed. Under CI it must be there. */
export function isLeftOut(context: TestContext, program: string): boolean {
  if (existsSync(program)) return false;
  const why = `${program} is not installed`;
  context.diagnostic(`LEFT OUT: '${context.name}' was not tried, because ${why}`);
  assert.equal(process.env.CI, undefined, `under CI nothing is left out, but ${why}`);
  return true;
}
