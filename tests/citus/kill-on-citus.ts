// kill -9 of the program during a stream of documents whose rows are on the workers of Citus: no acknowledged document
// is lost, and none has half of its rows. CROSSDOCK_TEST_SEED repeats a run's choices (not its timing).
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createDocumentLoad } from "../faults/load/document-load.ts";
import { catalogue, seededRandom, sendFeed, testSeed } from "../faults/load/sender.ts";
import { checkDatabase, drained, isSettled, withClient } from "../faults/oracles/oracle.ts";
import { makeDataDir, startProcess } from "../support/app/process.ts";
import { until } from "../support/app/until.ts";
import { testDatabase } from "../support/postgres/database.ts";

const rounds = 2;
const senders = 8;
/** Of each round before its kill. */
const answersMin = 50;
const { url } = await testDatabase();

test(`after kill -9 each acknowledged document has one effect, and no worker holds a transaction (${rounds} rounds)`, async (t) => {
  const seed = testSeed();
  const random = seededRandom(seed);
  t.diagnostic(`seed ${seed}`);
  const dataDir = makeDataDir();
  const environment = { DATABASE_URL: url, CROSSDOCK_SECRET: "a master key for tests, long enough" };
  let server = await startProcess(dataDir, environment);
  await until("the items to be there", async () => (await sendFeed(server, catalogue)).isAccepted);
  const load = createDocumentLoad(random);
  for (let round = 1; round <= rounds; round++) {
    const killAfterMs = Math.floor(random() * 300);
    const sending = load.run(() => server, senders);
    await until("answers before the kill", async () => sending.answers() > answersMin);
    await sleep(killAfterMs);
    await server.kill();
    await sending.end();
    server = await startProcess(dataDir, environment);
    const drainMs = await drained(url);
    const states = await checkDatabase(url, load.sent);
    const open = load.sent.filter((document) => !isSettled(document)).length;
    t.diagnostic(
      `round ${round}: killed after ${sending.answers()} answers; ` +
        `ready ${Math.round(server.readyMs)} ms, published after ${Math.round(drainMs)} ms, ${open} without an answer; ${JSON.stringify(states)}`,
    );
  }
  await load.settle(server);
  await drained(url);
  await checkDatabase(url, load.sent);
  const { code } = await server.stop("SIGINT");
  assert.equal(code, 0);
  // Citus finishes what a coordinator's session has prepared on the workers and not committed.
  await until("no prepared transaction on any node", async () => {
    const { rows } = await withClient(url, (client) =>
      client.query<{ result: string }>(
        `select result from run_command_on_all_nodes(
           'select count(*) from pg_prepared_xacts where database = current_database()')`,
      ),
    );
    assert.ok(rows.length > 1);
    return rows.every(({ result }) => result === "0");
  });
});
