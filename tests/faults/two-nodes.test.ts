// Two nodes on one database, both with all roles: work that either could do is done once, and one continues if the
// other is killed (operations.md §4).
import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { takeMidnightSnapshots, writeSnapshots } from "#/delivery/outbound/index.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { listFacilities } from "#/modules/facilities/index.ts";
import { lastMidnight } from "#/modules/inventory/index.ts";
import { brands } from "#/sandbox/demo/brands.ts";
import { openDatabase } from "#/store/db/database.ts";
import { atEnd } from "../support/app/at-end.ts";
import { databaseUrlOf, faultLine, makeDataDir, type ServerProcess, startProcess } from "../support/app/process.ts";
import { until } from "../support/app/until.ts";
import { patiently } from "../support/postgres/database.ts";
import { clientId, createFloorLoad, facilities, prepare } from "./load/floor-load.ts";
import { seededRandom, testSeed } from "./load/sender.ts";
import { checkFloor, floorSettled } from "./oracles/floor-oracle.ts";
import { withClient } from "./oracles/oracle.ts";

/** Both share the 100 connections of an embedded PostgreSQL, and those of a killed node are not released at once. */
const environment = { CROSSDOCK_SECRET: "a master key for tests, long enough", CROSSDOCK_DB_POOL: "4" };
const seed = testSeed();
const first = makeDataDir();
const second = makeDataDir();
const firstNode = await startProcess(first, environment);
const url = databaseUrlOf(first);
const other = await startOther();
const load = createFloorLoad(await prepare(firstNode), seededRandom(seed));
atEnd(() => other.stop("SIGTERM"));

/** Of the last whole day of a facility: 26 hours pass one midnight, or two late in the evening. */
const endedBy = (timezone: string, nowMs: number): number => Date.parse(lastMidnight(timezone, nowMs).endedDate);
const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** A second node, next to the one with the database; it gets the demo client from the first. */
function startOther(): Promise<ServerProcess> {
  copyFileSync(path.join(first, "demo-credentials.json"), path.join(second, "demo-credentials.json"));
  return startProcess(second, { ...environment, DATABASE_URL: url });
}

test("two nodes with concurrent orders and reports process and publish each once", {
  timeout: 480_000,
}, async (t) => {
  t.diagnostic(`seed ${seed}`);
  const running = [load.run(firstNode), load.run(other)];
  await sleep(4_000);
  await until("answers of both", async () => running.every(({ answers }) => answers() > 20) || undefined);
  await Promise.all(running.map((run) => run.end()));
  await load.settle(other);
  const ms = await floorSettled(url);
  const findings = await checkFloor(url, load.sent);
  t.diagnostic(`all done ${Math.round(ms)} ms after; ${JSON.stringify(findings)}`);
  for (const node of [firstNode, other]) assert.doesNotMatch(node.output(), faultLine);
});

test("when one of two nodes is killed the other takes over its work", {
  timeout: 480_000,
}, async (t) => {
  const running = [load.run(firstNode), load.run(other)];
  await sleep(1_500);
  await until("answers of both", async () => running.every(({ answers }) => answers() > 20) || undefined);
  await firstNode.kill();
  await running[0]?.end();
  await sleep(1_000);
  await running[1]?.end();
  const ms = await floorSettled(url);
  await load.settle(other);
  await floorSettled(url);
  const findings = await checkFloor(url, load.sent);
  t.diagnostic(`all done ${Math.round(ms)} ms after the load; ${JSON.stringify(findings)}`);
});

// The last test, because the books are a day ahead after it.
test("midnight that comes for many workers at once is one snapshot, and each of its documents is written once", async () => {
  // Two hours more than a day, because a day with a clock change may have twenty-five.
  const tomorrow = { now: () => Date.now() + 26 * 3_600_000 };
  const opened = openDatabase({
    url,
    connectionsMax: 8,
    applicationName: "crossdock test",
    statementTimeoutMs: 60_000,
  });
  // Each of the four transactions waits for the other three, and for the disk.
  const database = patiently(opened);
  try {
    const job = { database, clock: tomorrow, ids: createIds(), budgetMs: 150_000 };
    const midnights = (await listFacilities(database)).map(({ timezone }) =>
      Math.round((endedBy(timezone, tomorrow.now()) - endedBy(timezone, Date.now())) / dayMs),
    );
    const taken = await Promise.all(Array.from({ length: 4 }, () => takeMidnightSnapshots(job)));
    await Promise.all(Array.from({ length: 4 }, () => writeSnapshots(job)));
    // Each brand of the demo has a book in each of its facilities.
    assert.equal(sum(taken), sum(midnights) * brands.length);
  } finally {
    await database.close();
  }
  await floorSettled(url);
  await checkFloor(url, load.sent);
  const { rows } = await withClient(url, (client) =>
    client.query(
      // The nodes took their own snapshots at the start, dated a day earlier.
      `select s.facility_code from stock_snapshot s where s.client_id = $1 and s.kind = 'MIDNIGHT'
        and s.snapshot_date = (select max(o.snapshot_date) from stock_snapshot o
          where o.client_id = $1 and o.facility_code = s.facility_code) order by 1`,
      [clientId],
    ),
  );
  assert.deepEqual(
    rows.map(({ facility_code }) => facility_code),
    facilities,
  );
});
