// kill -9 while orders are allocated, goods come in and work is done: what was acknowledged has its outcome within a
// minute of the next start, and everything is told exactly once (feeds.md §1, lifecycle.md §1). An oracle over the
// database judges every round; CROSSDOCK_TEST_ROUNDS makes more of them, CROSSDOCK_TEST_SEED repeats a run's choices
// (not its timing).
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { databaseUrlOf, endProcess, makeDataDir, postgresOf, startProcess, until } from "../support/process.ts";
import { createFloorLoad, prepare } from "./floor-load.ts";
import { checkFloor, floorSettled } from "./floor-oracle.ts";
import { seededRandom, testSeed } from "./sender.ts";

const rounds = Number(process.env.CROSSDOCK_TEST_ROUNDS ?? 4);

test(`after kill -9 every order has one outcome, told once (${rounds} rounds)`, async (t) => {
  const seed = testSeed();
  const random = seededRandom(seed);
  t.diagnostic(`seed ${seed}`);
  const dataDir = makeDataDir();
  let server = await startProcess(dataDir);
  const load = createFloorLoad(await prepare(server), random);
  const url = databaseUrlOf(dataDir);
  for (let round = 1; round <= rounds; round++) {
    const killAfterMs = 500 + Math.floor(random() * 2_500);
    const running = load.run(server);
    await sleep(killAfterMs);
    await until("answers before the kill", 20_000, async () => running.answers() > 20 || undefined);
    // PostgreSQL with it, now and then: all that it had acknowledged is on the disk.
    const { postmaster } = postgresOf(dataDir);
    assert(postmaster, "the embedded PostgreSQL runs");
    const isBoth = round % 3 === 0;
    if (isBoth) endProcess(postmaster);
    await server.kill();
    await running.end();
    const open = load.sent.filter(({ answer }) => answer === undefined).length;
    server = await startProcess(dataDir);
    const settledMs = await floorSettled(databaseUrlOf(dataDir));
    await load.settle(server);
    await floorSettled(databaseUrlOf(dataDir));
    const findings = await checkFloor(databaseUrlOf(dataDir), load.sent);
    t.diagnostic(
      `round ${round}: ${isBoth ? "both" : "the program"} killed after ${killAfterMs} ms and ${running.answers()} answers, ` +
        `${open} without one; ready ${Math.round(server.readyMs)} ms, all done ${Math.round(settledMs)} ms after; ` +
        JSON.stringify(findings),
    );
  }
  assert.equal(databaseUrlOf(dataDir), url);
  assert.doesNotMatch(server.output(), /"level":"error"/);
  const { code } = await server.stop("SIGINT");
  assert.equal(code, 0);
});
