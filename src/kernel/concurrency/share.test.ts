import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as tick } from "node:timers/promises";
import { type Deadline, withDeadline } from "#/kernel/concurrency/deadline.ts";
import { createShare, ShareError } from "#/kernel/concurrency/share.ts";

class LateError extends Error {}
const onLate = () => new LateError();
const requestOf = (holder: string): Deadline => ({ atMs: performance.now() + 600_000, holder: () => holder });

test("a sender has its share of places and queue, others do not wait for the rest of its work", async () => {
  const share = createShare({ what: "tests", placesMax: 3, runningMax: 2, heldMax: 4, onLate });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const start = (request: Deadline | undefined, name: string) => {
    const work = () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    return request ? withDeadline(request, () => share(work)) : share(work);
  };
  const flood = requestOf("client ACME");
  const first = [1, 2, 3, 4].map((i) => start(flood, `acme ${i}`));
  const settled = Promise.allSettled(first);
  await assert.rejects(start(flood, "acme 5"), (error) => {
    assert.ok(error instanceof ShareError);
    assert.equal(error.message, "The sender has 4 tests in progress, which is the limit; try again in 2 s");
    return true;
  });
  const other = start(requestOf("client BETA"), "beta");
  const program = start(undefined, "the program");
  await tick();
  assert.deepEqual(begun, ["acme 1", "acme 2", "beta"]);
  // It hangs up: what has not begun is left out, and its share is free again.
  flood.isOver = true;
  ends[0]?.();
  await tick();
  assert.deepEqual(begun, ["acme 1", "acme 2", "beta", "the program"]);
  for (const end of ends) end();
  assert.deepEqual(
    (await settled).map((end) => (end.status === "fulfilled" ? end.status : end.reason.constructor)),
    ["fulfilled", "fulfilled", LateError, LateError],
  );
  await Promise.all([other, program]);
  const again = start(requestOf("client ACME"), "acme 6");
  await tick();
  ends.at(-1)?.();
  await again;
});

test("work whose request is late is not begun, and gets the error of a late request", async () => {
  const share = createShare({ what: "tests", placesMax: 1, runningMax: 1, heldMax: 4, onLate });
  const request: Deadline = { atMs: performance.now() - 1, holder: () => "client ACME" };
  await assert.rejects(
    withDeadline(request, () => share(async () => assert.fail("it began"))),
    LateError,
  );
});
