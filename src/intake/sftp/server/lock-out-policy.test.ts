import assert from "node:assert/strict";
import { test } from "node:test";
import { delayAfter, describeLockOut, isLockedOut, wrongLogInsMax } from "#/intake/sftp/server/authentication.ts";

const counted = (count: number) => ({ count, lockedUntilMs: undefined });

test("each consecutive failed log-in is answered later, up to two seconds", () => {
  const delays = Array.from({ length: wrongLogInsMax }, (_, i) => delayAfter(counted(i + 1)));
  assert.deepEqual(delays.slice(0, 5), [200, 400, 800, 1_600, 2_000]);
  assert.equal(delays.at(-1), 2_000);
  assert.equal(delayAfter(counted(0)), 0);
});

test("an address is locked out for its time, and users see the remaining time", () => {
  const lock = { count: 10, lockedUntilMs: 900_000 };
  assert.equal(isLockedOut(lock, 899_999), true);
  assert.equal(isLockedOut(lock, 900_000), false);
  assert.equal(isLockedOut(counted(9), 0), false);
  assert.match(describeLockOut(lock, 0), /in 15 minutes\.$/);
  assert.match(describeLockOut(lock, 899_000), /in 1 minute\.$/);
});
