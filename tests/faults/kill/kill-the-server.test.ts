// kill -9 during a stream of documents loses no acknowledged document and leaves no partial one (feeds.md §1,
// Durability). An oracle compares the database with the senders' responses after every round. CROSSDOCK_TEST_ROUNDS
// makes more rounds, CROSSDOCK_TEST_SEED repeats a run's choices (not its timing).
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { databaseUrlOf, endProcess, makeDataDir, postgresOf, startProcess } from "../../support/app/process.ts";
import { until, untilTaken } from "../../support/app/until.ts";
import { scrape, sumOf } from "../../support/http/scrape.ts";
import { createDocumentLoad } from "../load/document-load.ts";
import { catalogue, seededRandom, sendFeed, testSeed } from "../load/sender.ts";
import { checkDatabase, drained, isSettled, withClient } from "../oracles/oracle.ts";

const rounds = Number(process.env.CROSSDOCK_TEST_ROUNDS ?? 5);
const senders = 16;
/** First in this order, so that a short run covers all of them; then at random. */
const victims = ["server", "both", "postgres"] as const;

test(`after kill -9 every acknowledged document has one effect and no other has half of one (${rounds} rounds)`, {
  timeout: 120_000 + rounds * 90_000,
}, async (t) => {
  const seed = testSeed();
  const random = seededRandom(seed);
  t.diagnostic(`seed ${seed}`);
  const dataDir = makeDataDir();
  let server = await startProcess(dataDir);
  t.diagnostic(`first start ready in ${Math.round(server.readyMs)} ms`);
  await until("the items to be there", async () => (await sendFeed(server, catalogue)).isAccepted);
  const load = createDocumentLoad(random);
  const { sent } = load;
  for (let round = 0; round < rounds; round++) {
    const victim = victims[
      round < victims.length ? round : Math.floor(random() * victims.length)
    ] as (typeof victims)[number];
    const killAfterMs = 100 + Math.floor(random() * 500);
    const sending = load.run(() => server, senders);
    await sleep(killAfterMs);
    // On a busy machine, the first response may take longer.
    await until("an answer before the kill", async () => sending.answers() > 0);
    const { postmaster } = postgresOf(dataDir);
    assert(postmaster, "the embedded PostgreSQL runs");
    if (victim !== "server") endProcess(postmaster);
    if (victim !== "postgres") await server.kill();
    // The running server restarts PostgreSQL, while documents continue to arrive.
    else {
      await sleep(1_500);
      await until(
        "PostgreSQL to be back",
        () => withClient(databaseUrlOf(dataDir), (client) => client.query("select")).catch(() => undefined),
        100_000,
      );
    }
    await sending.end();
    // A document that got a 503, because the database did not answer in time, may still be in its commit.
    if (victim === "postgres") {
      await until("nothing to be under way", async () => {
        return sumOf(await scrape(server.url), "crossdock_feed_queue_documents") === 0;
      });
    }
    if (victim === "server") assert.equal(postgresOf(dataDir).postmaster, postmaster, "PostgreSQL outlives the server");
    if (victim !== "postgres") server = await startProcess(dataDir);
    assert(server.isRunning());
    const drainMs = await drained(databaseUrlOf(dataDir));
    const states = await checkDatabase(databaseUrlOf(dataDir), sent);
    const open = sent.filter((document) => !isSettled(document)).length;
    t.diagnostic(
      `round ${round + 1}: ${victim} killed after ${killAfterMs} ms and ${sending.answers()} answers; ready ${Math.round(server.readyMs)} ms, ` +
        `published after ${Math.round(drainMs)} ms, ${open} without an answer; ${JSON.stringify(states)}`,
    );
  }

  await load.settle(server);
  // With a key that identifies the document, a response never changes.
  for (const document of sent.filter(({ key, answer }) => key !== undefined && answer?.isAccepted).slice(-50)) {
    const again = await untilTaken(() => sendFeed(server, document));
    assert.equal(again.body, document.answer?.body);
    assert.equal(again.headers["idempotent-replayed"], "true");
  }
  await drained(databaseUrlOf(dataDir));
  await checkDatabase(databaseUrlOf(dataDir), sent);
  const { code } = await server.stop("SIGINT");
  assert.equal(code, 0);
  assert.deepEqual(postgresOf(dataDir).all, []);
});
