// Follows docs/citus.md: base backups of all nodes under load, a restore point, the loss of every node, and a restore of
// each node to the point. No document that was acknowledged before it is lost, and none after it is there.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { giveTo, postgresAccount } from "#/store/db/embedded/account.ts";
import { processesIn } from "#/store/db/embedded/process-table.ts";
import { createDocumentLoad } from "../faults/load/document-load.ts";
import { catalogue, seededRandom, sendFeed, testSeed } from "../faults/load/sender.ts";
import { openSite } from "../faults/nodes/cluster.ts";
import { checkRestored, crossdock, secret } from "../faults/nodes/restored.ts";
import { checkDatabase, drained, isSettled, withClient } from "../faults/oracles/oracle.ts";
import { atEnd } from "../support/app/at-end.ts";
import { makeDataDir, startProcess } from "../support/app/process.ts";
import { until } from "../support/app/until.ts";
import { programsOf, startCluster } from "../support/postgres/citus-cluster.ts";
import { createOnCitus } from "../support/postgres/citus-database.ts";

const workers = 2;
const senders = 8;
const keptMin = 60;
const lostMin = 20;
const point = "drill";
/** A restored program leaves out so many positions. */
const positionsLeftOut = 1_000_000_000;

test("all nodes are restored to one restore point", { timeout: 600_000 }, async (t) => {
  const seed = testSeed();
  t.diagnostic(`seed ${seed}`);
  const cluster = await startCluster(workers, { SETTINGS: "archive_mode=on shared_buffers=128MB" });
  atEnd(() => cluster.stop());
  const { bin, libraries } = programsOf(cluster.pidOf(cluster.ports[0] as number));
  const site = openSite(bin);
  const nodeUrl = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`;
  const environmentOf = (port: number) => ({
    DATABASE_URL: nodeUrl(port),
    BACKUP_DIR: path.join(site.folder, "backups", String(port)),
    LD_LIBRARY_PATH: libraries,
    CROSSDOCK_SECRET: secret,
  });
  for (const port of cluster.ports) {
    const { BACKUP_DIR: folder } = environmentOf(port);
    mkdirSync(folder);
    giveTo(postgresAccount(), folder);
    const archive = `BACKUP_DIR=${folder} ${path.join(site.folder, "tools", "backup.sh")} archive "%p" "%f"`;
    await withClient(nodeUrl(port), async (client) => {
      await client.query(`alter system set archive_command = '${archive}'`);
      await client.query("select pg_reload_conf()");
    });
  }
  const url = await createOnCitus(cluster.url, "crossdock_restored");

  const dataDir = makeDataDir();
  const environment = { DATABASE_URL: url, CROSSDOCK_SECRET: secret };
  const first = await startProcess(dataDir, { ...environment, CROSSDOCK_RESTORED: "off" });
  await until("the items to be there", async () => (await sendFeed(first, catalogue)).isAccepted);
  const load = createDocumentLoad(seededRandom(seed));
  const sending = load.run(() => first, senders);
  for (const port of cluster.ports) t.diagnostic((await site.must("backup.sh", ["base"], environmentOf(port))).trim());
  const settledBefore = sending.answers();
  await until("documents behind the backups", async () => sending.answers() > settledBefore + keptMin, 60_000);

  const kept = load.sent.filter(isSettled).map((document) => ({ ...document }));
  const beganMs = performance.now();
  await withClient(url, (client) => client.query("select citus_create_restore_point($1)", [point]));
  t.diagnostic(`the restore point took ${Math.round(performance.now() - beganMs)} ms`);
  const sentBefore = load.sent.length;
  const to = new Date().toISOString();
  const answersThen = sending.answers();
  await until("documents behind the point", async () => sending.answers() > answersThen + lostMin, 60_000);
  const slowestMs = Math.max(...load.sent.map(({ answer }) => answer?.ms ?? 0));
  t.diagnostic(`the slowest answer took ${Math.round(slowestMs)} ms`);
  for (const port of cluster.ports) {
    await withClient(nodeUrl(port), async (client) => {
      const { rows } = await client.query<{ wal: string }>("select pg_walfile_name(pg_switch_wal()) as wal");
      await until("the archive to have the point", async () => {
        const archived = await client.query(
          "select coalesce(last_archived_wal >= $1, false) as is_there from pg_stat_archiver",
          [rows[0]?.wal],
        );
        return archived.rows[0].is_there;
      });
    });
  }
  await first.kill();
  await sending.end();
  for (const port of cluster.ports) process.kill(cluster.pidOf(port), "SIGKILL");
  await until("all nodes to be gone", () =>
    cluster.ports.every((port) => processesIn(path.join(cluster.folder, String(port))).length === 0),
  );

  await sleep(1_000);
  for (const port of [...cluster.ports].reverse()) {
    const into = path.join(site.folder, `restored-${port}`);
    const restore = ["moment", "--to", to, "--point", point, "--into", into, "--port", String(port)];
    t.diagnostic((await site.must("restore.sh", restore, environmentOf(port))).trim());
  }
  const checked = checkRestored(site, url, to, secret);
  assert.equal(checked.status, 0, checked.output);
  const lost = load.sent.slice(sentBefore);
  const found = await withClient(url, async (client) => {
    const { rows } = await client.query(
      `select object_id from feed_document where client_id = 'DEMO' and object_id = any($1)`,
      [lost.map(({ objectId }) => objectId)],
    );
    return rows;
  });
  assert.deepEqual(found, [], "documents that were sent after the point");

  const second = await startProcess(dataDir, { ...environment, CROSSDOCK_RESTORED: to });
  const released = crossdock(site, url, "restore", "release", "--all");
  assert.match(released.output, /Nothing is waiting\./);
  assert.ok((await sendFeed(second, lost.find(({ isFaulty }) => !isFaulty) ?? catalogue)).isAccepted);
  await drained(url);
  const states = await checkDatabase(url, kept, positionsLeftOut);
  t.diagnostic(`${kept.length} acknowledged before the point; in the database: ${JSON.stringify(states)}`);
  assert.ok(kept.length > keptMin);
  await second.stop("SIGTERM");
});
