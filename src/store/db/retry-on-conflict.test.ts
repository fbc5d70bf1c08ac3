import assert from "node:assert/strict";
import { test } from "node:test";
import { retryOnConflict } from "#/store/db/retry-on-conflict.ts";

const failing = (code: string) => Object.assign(new Error(code), { code });

/** Work that fails with these states, one after the other, and then succeeds. */
function work(...states: readonly string[]) {
  let attempts = 0;
  const run = async () => {
    const state = states[attempts++];
    if (state !== undefined) throw failing(state);
    return "done";
  };
  return { run, attempts: () => attempts };
}

test("work is retried on conflict until it succeeds", async () => {
  const { run, attempts } = work("40P01", "23505", "55P03");
  assert.equal(await retryOnConflict(run, { attemptsMax: 4 }), "done");
  assert.equal(attempts(), 4);
});

test("work fails with its last conflict, and at once with any other error", async () => {
  const { run, attempts } = work("40P01", "55P03", "40001");
  await assert.rejects(retryOnConflict(run, { attemptsMax: 2 }), { code: "55P03" });
  assert.equal(attempts(), 2);
  const broken = work("22001");
  await assert.rejects(retryOnConflict(broken.run, { attemptsMax: 5 }), { code: "22001" });
  assert.equal(broken.attempts(), 1);
});

test("the caller can define a conflict and the pause", async () => {
  const { run, attempts } = work("22001");
  const paused: number[] = [];
  const options = {
    attemptsMax: 2,
    isConflict: (error: unknown) => (error as { code: string }).code === "22001",
    pauseMs: (attempt: number) => paused.push(attempt),
  };
  assert.equal(await retryOnConflict(run, options), "done");
  assert.deepEqual([attempts(), paused], [2, [1]]);
});
