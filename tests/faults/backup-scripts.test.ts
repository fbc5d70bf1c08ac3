// Tests backup.sh and restore.sh alone: what they reject, and the methods other than a base backup with its archive.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { giveTo, postgresAccount } from "#/store/db/embedded/account.ts";
import { atEnd } from "../support/app/at-end.ts";
import { makeDataDir, startProcess } from "../support/app/process.ts";
import { until } from "../support/app/until.ts";
import { call, catalogue, sendFeed } from "./load/sender.ts";
import { findPrograms, isLeftOut, openSite, type Ran, startCluster } from "./nodes/cluster.ts";
import { withClient } from "./oracles/oracle.ts";

const programs = findPrograms();
const secret = "a master key for tests, long enough";

// Registered here, so that the resources of the tests are cleaned up at the end of the file, not of the first test.
atEnd(() => {});

const momentOf = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ now: Date }>("select clock_timestamp() as now");
    return (rows[0] as { now: Date }).now;
  });

if (!isLeftOut(programs, "backups of every kind are made, judged and restored")) {
  test("a modified base backup is detected, and a file of the archive is never replaced", async () => {
    const site = openSite(programs as string);
    const cluster = await startCluster(site);
    await withClient(cluster.urlOf("postgres"), (client) => client.query("create role backup login replication"));
    await site.must("backup.sh", ["base"], { DATABASE_URL: `postgres://backup@127.0.0.1:${cluster.port}/postgres` });
    await site.must("backup.sh", ["verify"]);
    const stamp = /^base (\S+) /m.exec(await site.must("backup.sh", ["list"]))?.[1] as string;
    const touched = path.join(site.folder, "backups", "base", stamp, "data", "global", "pg_control");
    const bytes = readFileSync(touched);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    writeFileSync(touched, bytes);
    const { status, output } = await site.run("backup.sh", ["verify"]);
    assert.notEqual(status, 0);
    assert.match(output, /pg_control/);
    const [first, second] = ["one", "two"].map((name) => {
      const file = path.join(site.folder, name);
      writeFileSync(file, name);
      return file;
    });
    const name = "0000000100000000000000FF";
    await site.must("backup.sh", ["archive", first as string, name]);
    await site.must("backup.sh", ["archive", first as string, name]);
    const other = await site.run("backup.sh", ["archive", second as string, name]);
    assert.match(other.output, /is there with other content/);
    assert.equal(readFileSync(path.join(site.folder, "backups", "wal", name), "utf8"), "one");
    // After pruning, the newest backup and the WAL that it needs remain.
    await sleep(1_100);
    await site.must("backup.sh", ["base"], { DATABASE_URL: `postgres://backup@127.0.0.1:${cluster.port}/postgres` });
    await site.must("backup.sh", ["prune"], { BACKUP_KEEP: "1" });
    assert.ok(!existsSync(path.join(site.folder, "backups", "base", stamp)));
    assert.match(await site.must("backup.sh", ["list"]), /^base /m);
  });

  test("WAL that is received as it is written restores what was committed a moment before the server was lost", async () => {
    const site = openSite(programs as string);
    const cluster = await startCluster(site, { isArchiving: false });
    const url = cluster.urlOf("postgres");
    const query = (at: string, text: string) => withClient(at, async (client) => (await client.query(text)).rows);
    await query(url, "create role backup login replication");
    await query(url, "create table kept (what text)");
    const backup = { DATABASE_URL: `postgres://backup@127.0.0.1:${cluster.port}/postgres` };
    const receiving = site.start("backup.sh", ["receive"], backup);
    await until("a receiver", async () => {
      const [row] = await query(
        url,
        "select count(*)::int as n from pg_stat_replication where application_name = 'pg_receivewal'",
      );
      return row.n > 0;
    });
    await site.must("backup.sh", ["base"], backup);
    await query(url, "insert into kept values ('before')");
    const moment = await momentOf(url);
    await sleep(1_100);
    await query(url, "insert into kept values ('after')");
    await until("the last commit to be on the other disk", async () => {
      const [row] = await query(
        url,
        "select bool_and(flush_lsn >= pg_current_wal_flush_lsn()) as is_there from pg_stat_replication where application_name = 'pg_receivewal'",
      );
      return row.is_there === true;
    });
    await cluster.destroy();
    await receiving.end();
    const into = path.join(site.folder, "restored");
    const port = await site.freePort();
    const options = ["--to", moment.toISOString(), "--into", into, "--port", String(port), "--without-key"];
    await site.must("restore.sh", ["moment", ...options]);
    const rows = await query(`postgres://postgres@127.0.0.1:${port}/postgres`, "select what from kept");
    assert.deepEqual(rows, [{ what: "before" }]);
  });

  test("keys go into the backup encrypted, and come out by their passphrase alone", async () => {
    const site = openSite(programs as string);
    const [key, right, wrong] = ["key", "right", "wrong"].map((name) => {
      const file = path.join(site.folder, name);
      writeFileSync(file, `${name} ${secret}\n`);
      return file;
    }) as [string, string, string];
    await site.must("backup.sh", ["keys", key], { BACKUP_PASSPHRASE_FILE: right });
    const name = /^keys (\S+)$/m.exec(await site.must("backup.sh", ["list"]))?.[1] as string;
    const file = path.join(site.folder, "backups", "keys", name);
    assert.ok(!readFileSync(file).includes(secret));
    assert.equal(statSync(file).mode & 0o077, 0, "no other user may read it");
    const into = path.join(site.folder, "backups", "opened");
    const refused = await site.run("restore.sh", ["keys", file, "--into", into], {
      BACKUP_PASSPHRASE_FILE: wrong,
    });
    assert.match(refused.output, /is it the right passphrase/);
    const other = path.join(site.folder, "backups", "opened-again");
    const output = await site.must("restore.sh", ["keys", file, "--into", other], {
      BACKUP_PASSPHRASE_FILE: right,
    });
    assert.equal(readFileSync(output.trim(), "utf8"), `key ${secret}\n`);
  });

  test("a cold copy of an embedded database is refused while it runs, and starts elsewhere", {
    timeout: 400_000,
  }, async () => {
    const site = openSite(programs as string);
    const dataDir = makeDataDir();
    const server = await startProcess(dataDir);
    const answer = await sendFeed(server, catalogue);
    assert(answer.isAccepted);
    // If the test runs as root, root makes the copy, which keeps the owners of the files.
    const backups = path.join(site.folder, "cold");
    mkdirSync(backups);
    const run = (script: string, ...args: string[]): Ran => {
      const { status, stdout, stderr } = spawnSync(path.join(site.folder, "tools", script), args, {
        env: { PATH: process.env.PATH, BACKUP_DIR: backups, PG_BIN: programs },
        encoding: "utf8",
      });
      return { status, output: stdout + stderr };
    };
    assert.match(run("backup.sh", "cold", dataDir).output, /stop Crossdock first/);
    await server.stop("SIGTERM");
    const copied = run("backup.sh", "cold", dataDir);
    assert.equal(copied.status, 0, copied.output);
    const stamp = /cold\/(\d{8}T\d{6}Z)/.exec(copied.output)?.[1] as string;
    const elsewhere = makeDataDir();
    const restored = run("restore.sh", "cold", stamp, "--into", elsewhere);
    assert.equal(restored.status, 0, restored.output);
    const to = /CROSSDOCK_RESTORED=(\S+)/.exec(restored.output)?.[1] as string;
    const again = await startProcess(elsewhere, { CROSSDOCK_RESTORED: to });
    const status = await call(`${again.url}/feeds/DEMO/status/${answer.token}`, {
      headers: { "x-api-key": again.demo.feed.apiKey },
    });
    assert.equal(status.status, 200, status.body);
    await again.stop("SIGTERM");
    giveTo(postgresAccount(), elsewhere);
  });
}
