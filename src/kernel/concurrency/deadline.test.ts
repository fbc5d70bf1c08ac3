import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Deadline,
  leftMs,
  namedWork,
  withDeadline,
  within,
  withoutDeadline,
} from "#/kernel/concurrency/deadline.ts";
import { markStep } from "#/kernel/telemetry/loop-watch.ts";
import { compute, longWorkDuring } from "../../../tests/support/app/steps.ts";

const late = () => new Error("late");

test("work within a request has its deadline, and work that outlives it has none", async () => {
  assert.equal(leftMs(), Number.POSITIVE_INFINITY);
  const deadline: Deadline = { atMs: performance.now() + 60_000 };
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const [inside, outside, left] = withDeadline(deadline, () => [
    Promise.resolve().then(leftMs),
    withoutDeadline(() => Promise.resolve().then(leftMs)),
    answered.then(leftMs),
  ]);
  assert.ok(((await inside) as number) > 0 && ((await inside) as number) <= 60_000);
  assert.equal(await outside, Number.POSITIVE_INFINITY);
  deadline.atMs = Number.POSITIVE_INFINITY;
  answer();
  assert.equal(await left, Number.POSITIVE_INFINITY);
});

test("a wait ends at the deadline", async () => {
  assert.equal(await within(Promise.resolve(1), 60_000, late), 1);
  assert.equal(await within(Promise.resolve(1), Number.POSITIVE_INFINITY, late), 1);
  await assert.rejects(within(new Promise(() => {}), 0, late), /late/);
  await assert.rejects(within(Promise.reject(new Error("failed")), 60_000, late), /failed/);
});

test("the step before named work is that of the request that starts it", async () => {
  const routes = await longWorkDuring(() =>
    withDeadline({ atMs: Number.POSITIVE_INFINITY, route: "/starts" }, () => {
      markStep(undefined);
      compute(150);
      namedWork("started", () => {});
    }),
  );
  assert.deepEqual(routes, ["/starts"]);
});
