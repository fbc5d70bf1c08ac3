// A roll-out of this tree next to the last release (releases.json), on one database and under load. The first new node migrates, old
// and new nodes serve together, then the old ones stop. Nothing is lost, refused or published twice (docs/roles.md).
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { migrationsFolder } from "#/kernel/shipped-files.ts";
import type { Onboarding } from "#/modules/clients/index.ts";
import { readMigrations } from "#/store/db/schema/migrator.ts";
import { atEnd } from "../support/app/at-end.ts";
import { faultLine, makeDataDir } from "../support/app/process.ts";
import { until } from "../support/app/until.ts";
import { databaseUrl, testServer } from "../support/postgres/database.ts";
import { endSessions } from "../support/sftp/session.ts";
import { describeTook, startMixedLoad } from "./load/mixed-load.ts";
import { catalogue, type Served, seededRandom, sendFeed, testSeed } from "./load/sender.ts";
import { startBalancer } from "./nodes/balancer.ts";
import { type Node, startNode } from "./nodes/nodes.ts";
import { releasePair } from "./nodes/releases.ts";
import { watchEvents } from "./oracles/event-watch.ts";
import { checkDatabase, drained, withClient } from "./oracles/oracle.ts";

const { url: serverUrl, stop } = await testServer();
atEnd(stop);
const names = [`upgrade_${process.pid}`, `ahead_${process.pid}`] as const;
const [url, aheadUrl] = names.map((name) => databaseUrl(serverUrl, name)) as [string, string];
const admin = new pg.Client({ connectionString: serverUrl });
await admin.connect();
atEnd(async () => {
  for (const name of names) await admin.query(`drop database if exists ${name} with (force)`);
  await admin.end();
});
for (const name of names) await admin.query(`create database ${name}`);

const dataDirs = [makeDataDir(), makeDataDir()];
const start = (dataDir: string, program?: string, database = url): Promise<Node> =>
  startNode({
    databaseUrl: database,
    roles: ["api", "feeds", "auth", "worker", "sftp"],
    dataDir,
    ...(program === undefined ? {} : { program }),
  });

const migrationsOf = () =>
  withClient(url, async (client) => {
    const { rows } = await client.query("select name from schema_migration order by name");
    return rows.map((row) => row.name as string);
  });

test("a release is rolled out next to the one before it under load, and replaces it", {
  timeout: 400_000,
}, async (t) => {
  const pair = await releasePair();
  if (typeof pair === "string") {
    const leftOut = `LEFT OUT: the last release was not upgraded, because ${pair}`;
    assert.notEqual(process.env.CI, "true", leftOut);
    t.diagnostic(leftOut);
    return;
  }
  const { previous, next, lacks } = pair;
  const seed = testSeed();
  t.diagnostic(`seed ${seed}; from ${pair.source}: the first lacks ${lacks.join(", ")}`);
  assert(lacks.length > 0);
  const environment = { DATABASE_URL: url, CROSSDOCK_DATA_DIR: dataDirs[0] as string, CROSSDOCK_SEED_DEMO: "false" };
  previous.run(
    environment,
    "facility",
    "create",
    "DC1",
    "--name",
    "One",
    "--country",
    "GB",
    "--timezone",
    "Europe/London",
  );
  const made = previous.run(environment, "client", "create", "DEMO", "--facility", "DC1", "--json");
  const demo = JSON.parse(made) as Onboarding;

  const old = await Promise.all(dataDirs.map((dataDir) => start(dataDir, previous.program)));
  const balancer = await startBalancer(old);
  atEnd(() => balancer.stop());
  atEnd(endSessions);
  const served: Served = { url: balancer.url, demo };
  const watch = await watchEvents(served);
  atEnd(() => watch.receiver.close());
  await until("the items to be there", async () => (await sendFeed(served, catalogue)).isAccepted);
  const load = startMixedLoad({ served, sftp: balancer.sftp, random: seededRandom(seed), name: "UP" });
  await sleep(1_500);

  const before = await migrationsOf();
  const first = await start(makeDataDir(), next.program);
  const added = (await migrationsOf()).filter((migration) => !before.includes(migration));
  assert.deepEqual(added, lacks, "the first new node has migrated");
  const nodes = [first];
  const third = balancer.add(first);
  await sleep(2_500);
  await until("old and new to have served together", async () => (balancer.counts[third] as number) > 20);

  for (const [at, node] of old.entries()) {
    // The previous release may not support draining, so the operator removes the node by hand.
    balancer.retire(at);
    await sleep(700);
    await until("what it was asked to be answered", async () => balancer.inProgress(at) === 0);
    const { code } = await node.stop("SIGTERM");
    assert.equal(code, 0, node.output());
    assert.doesNotMatch(node.output(), faultLine);
    const replacing = await start(dataDirs[at] as string, next.program);
    nodes.push(replacing);
    balancer.replace(at, replacing);
    await until("three nodes", async () => balancer.readyCount() === 3, 100_000);
  }
  await sleep(1_000);
  await load.end();
  t.diagnostic(describeTook(load));
  assert.deepEqual(load.faults, []);
  assert.deepEqual(balancer.faults, []);
  await drained(url);
  const states = await checkDatabase(url, load.sent);
  assert.equal(states.PROCESSED, load.sent.length + 1, "what was acknowledged is there, and nothing else");
  const { events, latestMs } = await watch.check(url);
  t.diagnostic(`${events} events, the latest ${latestMs} ms after it happened`);
  assert.doesNotMatch(first.output(), faultLine);

  // The release before reads what was written while it could run, and starts no more once the schema is finalized.
  const forms = () =>
    withClient(url, async (client) => {
      const { rows } = await client.query("select distinct json_typeof(data) as form from event order by 1");
      return rows.map(({ form }) => form as string);
    });
  assert.deepEqual(await forms(), ["object"]);
  const aside = await withClient(url, (client) => client.query("select count(*)::int as count from order_content"));
  assert.deepEqual(aside.rows, [{ count: 0 }], "the release before finds no address beside its order");
  await (await start(makeDataDir(), previous.program)).stop("SIGINT");
  next.run(environment, "migrate", "--finalize");
  // A node that started before writes the forms of the release before, also in the events that it publishes for others.
  await Promise.all(nodes.map((node) => node.stop("SIGINT")));
  const finalized = await start(makeDataDir(), next.program);
  await until("a document to be taken", async () => {
    const { isAccepted } = await sendFeed({ url: finalized.url, demo }, catalogue);
    return isAccepted;
  });
  await until("a packed event", async () => (await forms()).includes("string"));
  await assert.rejects(start(makeDataDir(), previous.program), /which this release does not know and cannot run with/);
});

test("a release restarts on the schema of a newer one that permits it, and refuses any other", async () => {
  const latest = (await readMigrations(migrationsFolder)).length;
  const number = String(latest + 1).padStart(4, "0");
  const dataDir = makeDataDir();
  // Simulates the mark of a future release. Its schema additions are irrelevant to this release.
  await (await start(dataDir, undefined, aheadUrl)).stop("SIGINT");
  const note = (beside: number | null) =>
    withClient(aheadUrl, (client) =>
      client.query(
        `insert into schema_migration (name, sha256, beside) values ($1, '', $2)
          on conflict (name) do update set beside = excluded.beside`,
        [`${number}_next.sql`, beside],
      ),
    );
  await note(latest);
  const node = await start(dataDir, undefined, aheadUrl);
  assert.match(node.output(), new RegExp(`"ahead":\\["${number}_next.sql"\\]`));
  await node.stop("SIGINT");
  await note(null);
  await assert.rejects(start(dataDir, undefined, aheadUrl), /cannot run with; start the release that has it/);
});
