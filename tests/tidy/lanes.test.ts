// The files of a test run are spread over lanes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { runInLanes } from "../../scripts/lanes.ts";

/** Jobs that run until they are ended by name. */
function heldJobs() {
  const held = new Map<string, () => void>();
  const work = async (name: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held.set(name, resolve);
    await promise;
    held.delete(name);
  };
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    work,
    running: async () => {
      await settle();
      return [...held.keys()];
    },
    end: (name: string) => held.get(name)?.(),
  };
}

/** The answers to the question whether the processors are idle, one after the other. */
function idleAnswers() {
  let question: ((isIdle: boolean) => void) | undefined;
  return {
    areIdle: () =>
      new Promise<boolean>((resolve) => {
        assert.equal(question, undefined, "one lane at a time observes the processors");
        question = resolve;
      }),
    answer: (isIdle: boolean) => {
      const resolve = question;
      question = undefined;
      resolve?.(isIdle);
    },
  };
}

test("two jobs run side by side, and a third one only while the processors are idle", async () => {
  const jobs = heldJobs();
  const { areIdle, answer } = idleAnswers();
  const ran = runInLanes(["A", "B", "C", "D", "E"], { fixed: 2, spare: 2, areIdle }, jobs.work);
  assert.deepEqual(await jobs.running(), ["A", "B"]);
  answer(false);
  assert.deepEqual(await jobs.running(), ["A", "B"]);
  answer(true);
  assert.deepEqual(await jobs.running(), ["A", "B", "C"]);
  jobs.end("A");
  assert.deepEqual(await jobs.running(), ["B", "C", "D"]);
  jobs.end("C");
  assert.deepEqual(await jobs.running(), ["B", "D"], "the spare lane observes again before it takes another job");
  answer(true);
  assert.deepEqual(await jobs.running(), ["B", "D", "E"]);
  for (const name of ["B", "D", "E"]) jobs.end(name);
  answer(false);
  await ran;
});

test("an end of the run leaves the waiting jobs, and an error of a job is the error of the run", async () => {
  const begun: string[] = [];
  await runInLanes(
    ["A", "B", "C"],
    { fixed: 1, spare: 1, areIdle: async () => false },
    async (name) => void begun.push(name),
    () => begun.length === 2,
  );
  assert.deepEqual(begun, ["A", "B"]);
  const failing = runInLanes(["A"], { fixed: 1, spare: 0 }, () => Promise.reject(new Error("of A")));
  await assert.rejects(failing, /of A/);
});
