import assert from "node:assert/strict";
import { test } from "node:test";
import { leftMs } from "#/kernel/concurrency/deadline.ts";
import { createOwnerStates, startFairTurns } from "#/kernel/concurrency/fair-turns.ts";
import { compute, longWorkDuring } from "../../../tests/support/app/steps.ts";
import { until } from "../../../tests/support/app/until.ts";

function standingsAt(sizes = { sizeMin: 10, sizeMax: 1_000 }) {
  const clock = { ms: 0 };
  const states = createOwnerStates(sizes, () => clock.ms);
  const serve = (owner: string, ms: number, weight: number | undefined) => {
    states.begin(owner);
    clock.ms += ms;
    if (weight === undefined) states.fail(owner);
    else states.succeed(owner, weight);
  };
  return { clock, standings: states, serve };
}

test("a batch that fails after a long time is followed by one that fits, and quick ones let it grow again", () => {
  const { standings: states, serve } = standingsAt();
  assert.equal(states.sizeOf("A"), 1_000);
  serve("A", 4_000, undefined);
  assert.equal(states.sizeOf("A"), 25, "1,000 took 4 s, so 25 take the goal of 100 ms");
  serve("A", 10, undefined);
  assert.equal(states.sizeOf("A"), 12, "halved at least");
  for (let i = 0; i < 10; i++) serve("A", 4_000, undefined);
  assert.equal(states.sizeOf("A"), 1, "one row at least");
  const sizes = Array.from({ length: 16 }, () => {
    serve("A", 50, 1);
    return states.sizeOf("A");
  });
  assert.deepEqual([sizes[0], sizes[3], sizes.at(-1)], [2, 13, 1_000]);
  assert.equal(states.sizeOf("B"), 1_000, "another owner's are its own");
});

test("a batch that takes longer than the goal is followed by a smaller one, down to what pays its fixed costs", () => {
  const { standings: states, serve } = standingsAt();
  serve("A", 150, 900);
  assert.equal(states.sizeOf("A"), 600);
  serve("A", 1_000, 600);
  assert.equal(states.sizeOf("A"), 300, "at most halved: one batch that had to wait says little");
  for (let i = 0; i < 10; i++) serve("A", 1_000, states.sizeOf("A"));
  assert.equal(states.sizeOf("A"), 10);
  serve("B", 1_000, 5);
  assert.equal(states.sizeOf("B"), 1_000, "a small one that took long says nothing about large ones");
});

test("an owner that fails is put off, twice as long each time, up to a minute, and no other is", () => {
  const { clock, standings: states, serve } = standingsAt();
  const waits = Array.from({ length: 10 }, () => {
    states.begin("A");
    serve("B", 1, 1);
    states.fail("A");
    const waitMs = (states.nextRetryMs() ?? 0) - clock.ms;
    assert.deepEqual([states.isPostponed("A"), states.isPostponed("B")], [true, false]);
    clock.ms += waitMs;
    assert.equal(states.isPostponed("A"), false);
    return waitMs;
  });
  assert.deepEqual(waits, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  serve("A", 1, 1);
  serve("A", 1, undefined);
  assert.equal((states.nextRetryMs() ?? 0) - clock.ms, 500, "a success begins from the start");
});

test("while every owner fails, the back-off stays short", () => {
  const { clock, standings: states, serve } = standingsAt();
  for (let i = 0; i < 10; i++) {
    for (const owner of ["A", "B"]) serve(owner, 1_000, undefined);
  }
  assert.equal((states.nextRetryMs() ?? 0) - clock.ms, 3_000, "four seconds, of which one is over");
});

test("owners are served in turn, those first that waited longest, and are forgotten when they have long had no work", () => {
  const { clock, standings: states, serve } = standingsAt();
  for (const owner of ["A", "B", "C"]) serve(owner, 1_000, 500);
  serve("A", 1_000, 500);
  const sortByTurn = () => states.sortByTurn(["A", "B", "C", "NEW"].map((owner) => [owner, 0])).map(([owner]) => owner);
  assert.deepEqual(sortByTurn(), ["NEW", "B", "C", "A"]);
  assert.equal(states.sizeOf("B"), 250);
  clock.ms += 300_001;
  states.forget();
  assert.equal(states.sizeOf("B"), 1_000);
});

test("a slow owner delays no other, and a failure of all owners causes no back-off", async () => {
  const done: string[] = [];
  const slow = Promise.withResolvers<void>();
  const quick = Promise.withResolvers<void>();
  const waiting = new Map([
    ["slow", 1],
    ["quick", 3],
  ]);
  let isAway = true;
  const errors: (string | undefined)[] = [];
  const turns = startFairTurns<number>({
    name: "test",
    sizeMin: 1,
    sizeMax: 1,
    placesMax: 2,
    paceMs: 1,
    pollMs: 5,
    find: async () => new Map(waiting),
    async work(owner) {
      if (isAway) {
        isAway = false;
        throw new Error("away");
      }
      if (owner === "slow") await slow.promise;
      done.push(owner);
      const left = (waiting.get(owner) ?? 0) - 1;
      if (left === 0) waiting.delete(owner);
      else waiting.set(owner, left);
      if (!waiting.has("quick")) quick.resolve();
      return { weight: 1, hasMore: false };
    },
    scopeOf: () => "EVERYBODY",
    onError: (_error, owner) => errors.push(owner),
  });
  await quick.promise;
  assert.deepEqual(done, ["quick", "quick", "quick"]);
  slow.resolve();
  await turns.stop();
  assert.deepEqual(done.at(-1), "slow");
  assert.equal(errors.length, 1);
});

test("work of others during the pause between two polls is not a step of the turns", async () => {
  const paceMs = 20;
  const { promise: polledThrice, resolve } = Promise.withResolvers<void>();
  let polls = 0;
  const routes = await longWorkDuring(async () => {
    const turns = startFairTurns<undefined>({
      name: "turns",
      sizeMin: 1,
      sizeMax: 1,
      placesMax: 1,
      paceMs,
      pollMs: 60_000,
      async find() {
        leftMs();
        // Ends just before the pause does.
        setTimeout(() => {
          turns.wake();
          compute(120);
        }, paceMs);
        if (++polls === 3) resolve();
        return new Map();
      },
      work: () => assert.fail("no owner has work"),
      scopeOf: () => "OWNER",
      onError: (error) => assert.fail(error),
    });
    await polledThrice;
    await turns.stop();
  });
  assert.deepEqual(routes, []);
});

test("a hint with a name looks for that owner's work alone, again after a batch that it came during", async () => {
  const looks: string[] = [];
  const begun = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const twice = Promise.withResolvers<void>();
  let batches = 0;
  const turns = startFairTurns<string>({
    name: "test",
    sizeMin: 1,
    sizeMax: 1,
    placesMax: 1,
    paceMs: 1,
    pollMs: 60_000,
    async find() {
      looks.push("all");
      return new Map();
    },
    async findNamed(name) {
      looks.push(name);
      return new Map([[`${name} book`, name]]);
    },
    async work(owner, name) {
      assert.equal(owner, `${name} book`);
      begun.resolve();
      await over.promise;
      if (++batches === 2) twice.resolve();
      return { weight: 1, hasMore: false };
    },
    scopeOf: () => "OWNER",
    onError: (error) => assert.fail(error),
  });
  turns.wake("ACME");
  await begun.promise;
  turns.wake("ACME");
  await until("the second hint to be looked for", () => looks.length === 3);
  over.resolve();
  await twice.promise;
  await turns.stop();
  assert.deepEqual(looks, ["all", "ACME", "ACME", "ACME"]);
});

test("a named look that fails leaves the work to a poll of all owners", async () => {
  const served = Promise.withResolvers<string>();
  let looks = 0;
  const turns = startFairTurns<undefined>({
    name: "test",
    sizeMin: 1,
    sizeMax: 1,
    placesMax: 1,
    paceMs: 1,
    pollMs: 60_000,
    find: async () => new Map(++looks > 1 ? [["ACME", undefined]] : []),
    findNamed: () => Promise.reject(new Error("the node is away")),
    async work(owner) {
      served.resolve(owner);
      return { weight: 1, hasMore: false };
    },
    scopeOf: () => "EVERYBODY",
    onError: (error) => assert.fail(error),
  });
  await until("the first poll", () => looks === 1);
  turns.wake("ACME");
  assert.equal(await served.promise, "ACME");
  await turns.stop();
});
