// kill -9 while orders are allocated, goods come in and tasks are worked. Everything acknowledged has its outcome
// within a minute of the next start, and every event is published exactly once (feeds.md §1, lifecycle.md §1). An
// oracle checks the database after every round. CROSSDOCK_TEST_ROUNDS makes more rounds, CROSSDOCK_TEST_SEED repeats a
// run's choices (not its timing).
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  databaseUrlOf,
  endProcess,
  faultLine,
  makeDataDir,
  postgresOf,
  startProcess,
} from "../../support/app/process.ts";
import { until } from "../../support/app/until.ts";
import { clientId, createFloorLoad, type FloorLoad, prepare } from "../load/floor-load.ts";
import { seededRandom, testSeed } from "../load/sender.ts";
import { checkFloor, checkNobodyWaits, floorSettled } from "../oracles/floor-oracle.ts";
import { withClient } from "../oracles/oracle.ts";

const rounds = Number(process.env.CROSSDOCK_TEST_ROUNDS ?? 4);

test(`after kill -9 every order has one outcome, reported once (${rounds} rounds)`, {
  timeout: 120_000 + rounds * 120_000,
}, async (t) => {
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
    await until("answers before the kill", async () => running.answers() > 20);
    // Goods have just come in, and their allocation runs or is about to start.
    const receipts = load.receipts();
    await until("goods", async () => load.receipts() > receipts);
    await sleep(random() * 100);
    // Sometimes PostgreSQL too: everything that it has acknowledged is on the disk.
    const { postmaster } = postgresOf(dataDir);
    assert(postmaster, "the embedded PostgreSQL runs");
    const isBoth = round % 3 === 0;
    if (isBoth) endProcess(postmaster);
    await server.kill();
    await running.end();
    const open = load.sent.filter(({ answer }) => answer === undefined).length;
    server = await startProcess(dataDir);
    const settledMs = await floorSettled(databaseUrlOf(dataDir));
    // Checked before any further work, which may repair a missed allocation.
    await checkNobodyWaits(databaseUrlOf(dataDir));
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
  assert.doesNotMatch(server.output(), faultLine);
  const { code } = await server.stop("SIGINT");
  assert.equal(code, 0);
});

/** A row that another transaction locks, so that the program waits in the middle of its work and is killed there. */
const places = [
  {
    name: "giving out goods that came",
    hold: "select from sales_order where client_id = $1 and order_id = 'WAITS' for update",
    cause: (load: FloorLoad) => [load.receipt("SCARCE-1", 4)],
  },
  {
    name: "looking for stock for an order",
    hold: "insert into stock_change (client_id, facility_code, sku) values ($1, 'DC1', 'PLENTY-1')",
    cause: (load: FloorLoad) => [load.order("NEW", "PLENTY-1", 3)],
  },
] as const;

test("a program killed during an allocation leaves all of it to the next start", async (t) => {
  const dataDir = makeDataDir();
  let server = await startProcess(dataDir);
  const url = databaseUrlOf(dataDir);
  const load = createFloorLoad(await prepare(server), seededRandom(1));
  load.order("WAITS", "SCARCE-1", 6);
  await load.settle(server);
  await floorSettled(url);
  for (const { name, hold, cause } of places) {
    // Changed stock is published within ten seconds, which deletes its row.
    await until(
      "nothing to publish",
      async () => {
        const { rows } = await withClient(url, (client) =>
          client.query("select from stock_change where sku = 'PLENTY-1'"),
        );
        return rows.length === 0;
      },
      100_000,
    );
    await withClient(url, async (client) => {
      await client.query("begin");
      await client.query(hold, [clientId]);
      cause(load);
      await load.settle(server);
      await until("the program to wait", async () => {
        const { rows } = await withClient(url, (other) =>
          other.query("select from pg_stat_activity where application_name = 'crossdock' and wait_event_type = 'Lock'"),
        );
        return rows.length > 0;
      });
      await server.kill();
      await client.query("rollback");
    });
    server = await startProcess(dataDir);
    const ms = await floorSettled(url);
    await checkNobodyWaits(url);
    const findings = await checkFloor(url, load.sent);
    t.diagnostic(`killed while ${name}; all done ${Math.round(ms)} ms after: ${JSON.stringify(findings.orders)}`);
  }
  await server.stop("SIGINT");
});
