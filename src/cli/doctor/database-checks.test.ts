// The doctor's findings in a real PostgreSQL; each test creates its case.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Check } from "#/cli/doctor/check.ts";
import { checkDatabase } from "#/cli/doctor/database-checks.ts";
import { signingKeyCheck } from "#/cli/doctor/key-checks.ts";
import { listDeadRows, listLongTransactions } from "#/cli/doctor/repository.ts";
import {
  durabilityCheck,
  fullDiskCheck,
  nodesCheck,
  openCheck,
  poolCheck,
  versionCheck,
  writableCheck,
} from "#/cli/doctor/server-checks.ts";
import { deadRowsCheck, growthCheck, slotCheck, transactionCheck, vacuumCheck } from "#/cli/doctor/storage-checks.ts";
import { jobCheck, publishingCheck, webhookCheck } from "#/cli/doctor/work-checks.ts";
import { openHostKeys } from "#/intake/sftp/index.ts";
import { systemClock } from "#/kernel/clock.ts";
import { type Config, loadConfig } from "#/kernel/config/config.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { onboardClient } from "#/modules/clients/index.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";
import { startStoreProxy } from "../../../tests/faults/nodes/store-proxy.ts";
import { atEnd } from "../../../tests/support/app/at-end.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { url, database } = await testDatabase();
const secret = "a master key for tests only, 32 or more";
const ids = createIds();
const iso = (atMs: number) => new Date(atMs).toISOString();
const rows = (text: string, ...values: unknown[]) => database.query({ text, values, name: "", isTenant: false });

function configOf(env: Record<string, string>): Config {
  const loaded = loadConfig(env, {
    cwd: "/",
    readFile: () => {
      throw Object.assign(new Error(), { code: "ENOENT" });
    },
  });
  assert(loaded.ok);
  return loaded.value;
}

async function find(name: string, env: Record<string, string> = {}): Promise<Check> {
  const checks = await checkDatabase(url, configOf({ CROSSDOCK_SECRET: secret, ...env }), systemClock);
  const check = checks.find((check) => check.name === name);
  assert(check, `no check is called ${name}: ${checks.map((check) => check.name)}`);
  return check;
}

/** Expects a check with this status and text, and advice where the status is not ok. */
async function expect(name: string, status: Check["status"], words: RegExp, env: Record<string, string> = {}) {
  const check = await find(name, env);
  assert.equal(check.status, status, JSON.stringify(check));
  assert.match(check.text, words);
  if (status !== "ok") assert.ok(check.advice, `${name} says what to do`);
}

/** A session like that of a running process, which reports the size of its pool. */
async function runningProcess(poolSize: number): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url, application_name: `crossdock health, pool of ${poolSize}` });
  await client.connect();
  return () => client.end();
}

test("every check passes except the durability of the tests' PostgreSQL", async () => {
  const checks = await checkDatabase(url, configOf({ CROSSDOCK_SECRET: secret }), systemClock);
  const durability = process.env.CROSSDOCK_TEST_POSTGRES_URL === undefined ? "fail" : "ok";
  assert.deepEqual(
    checks.map(({ name, status }) => [name, status]),
    [
      ...[
        ["database", "ok"],
        ["writes", "ok"],
        ["durability", durability],
        ["clock", "ok"],
        ["disk of the database", "ok"],
        ["pools", "ok"],
      ],
      ...[
        ["connections", "ok"],
        ["schema", "ok"],
        ["growth", "ok"],
        ["long transactions", "ok"],
      ],
      ...[
        ["vacuum", "ok"],
        ["dead rows", "ok"],
        ["replication slots", "ok"],
        ["publishing", "ok"],
        ["jobs", "ok"],
      ],
      ...[
        ["webhooks", "ok"],
        ["fan-out", "ok"],
        ["restore", "ok"],
        ["stored secrets", "ok"],
        ["signing key", "ok"],
        ["SFTP host key", "ok"],
      ],
    ],
  );
});

test("the doctor changes nothing: its session is read-only", async () => {
  const before = await rows(
    "select pg_current_wal_insert_lsn() is not null as ok, count(*)::int as rows from audit_log",
  );
  await find("stored secrets");
  assert.deepEqual(
    await rows("select pg_current_wal_insert_lsn() is not null as ok, count(*)::int as rows from audit_log"),
    before,
  );
  assert.deepEqual(await rows("select count(*)::int as n from signing_key"), [{ n: 0 }], "no key was made");
});

for (const [name, away] of [
  ["refuses connections", "refuse"],
  ["takes connections and says nothing", "hang"],
] as const) {
  test(`a database that ${name} is one failure within five seconds, with what to do and no password`, async () => {
    const proxy = await startStoreProxy(url);
    atEnd(() => proxy.close());
    await proxy[away]();
    const beganMs = performance.now();
    const since = () => performance.now() - beganMs;
    const checking = checkDatabase(proxy.url, configOf({}), systemClock).then((checks) => ({ checks, ms: since() }));
    // A concurrent timer measures the delay that the machine causes.
    const lateMs = sleep(1_900).then(() => since() - 1_900);
    const { checks, ms } = await checking;
    assert.ok(ms - (await lateMs) < 5_000, `${ms} ms, of which ${await lateMs} are the machine's`);
    assert.deepEqual(
      checks.map(({ name, status }) => [name, status]),
      [["database", "fail"]],
    );
    assert.match(checks[0]?.advice ?? "", /DATABASE_URL/);
    assert.ok(!JSON.stringify(checks).includes(new URL(url).password || "no password"));
  });
}

test("an unreachable database and a refused sign-in are reported with the reason", async () => {
  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address() as { port: number };
  closed.close();
  const [nobody] = await checkDatabase(`postgres://nobody:s3cret@127.0.0.1:${port}/nothing`, configOf({}), systemClock);
  assert.match(nobody?.text ?? "", /ECONNREFUSED/);
  const wrong = new URL(url);
  wrong.password = "s3cret";
  wrong.username = "nobody";
  const [refused] = await checkDatabase(wrong.href, configOf({}), systemClock);
  assert.match(refused?.text ?? "", /nobody/);
  assert.ok(!JSON.stringify([nobody, refused]).includes("s3cret"));
});

test("a full disk is named, at the start of a connection and for a write", async () => {
  await expect("disk of the database", "ok", /^takes writes$/);
  const proxy = await startStoreProxy(url);
  proxy.failConnects("XX000", 'could not write init file "base/5/pg_internal.init": No space left on device');
  const [refused] = await checkDatabase(proxy.url, configOf({}), systemClock);
  await proxy.close();
  assert.deepEqual([refused?.name, refused?.status], ["disk of the database", "fail"]);
  const failure = Object.assign(new Error("could not extend file"), { code: "53100" });
  assert.equal(fullDiskCheck(new Error("the database does not answer", { cause: failure }))?.status, "fail");
  assert.equal(fullDiskCheck(new Error("no privilege")), undefined);
});

test("synchronous_commit, fsync and full_page_writes must be on", async () => {
  const name = new URL(url).pathname.slice(1);
  await rows(`alter database ${name} set synchronous_commit = off`);
  await expect("durability", "fail", /synchronous_commit off/);
  await rows(`alter database ${name} reset synchronous_commit`);
  const all = { fsync: "on", full_page_writes: "on", synchronous_commit: "on" };
  assert.equal(durabilityCheck(all).status, "ok");
  assert.equal(durabilityCheck({ ...all, synchronous_commit: "remote_apply" }).status, "ok");
  for (const setting of ["fsync", "full_page_writes", "synchronous_commit"] as const) {
    assert.equal(durabilityCheck({ ...all, [setting]: "off" }).status, "fail");
  }
});

test("a node of Citus that the coordinator does not reach is named", () => {
  assert.equal(nodesCheck([]).status, "ok");
  const { status, text, advice } = nodesCheck(["worker-2:5432"]);
  assert.equal(status, "fail");
  assert.match(text, /worker-2:5432/);
  assert.ok(advice);
});

test("an old PostgreSQL and a replica are refused", () => {
  const facts = { version: "14.9", version_number: 140_009 } as Parameters<typeof versionCheck>[0];
  assert.equal(versionCheck(facts).status, "fail");
  assert.equal(writableCheck({ is_in_recovery: true }).status, "fail");
});

test("the connection pools of all running processes must fit into max_connections with a reserve", async () => {
  const { roles, database: settings } = configOf({ CROSSDOCK_DB_POOL: "10", CROSSDOCK_ROLES: "api,feeds,worker" });
  const at = (connections: number, ...pools: number[]) =>
    poolCheck(connections, { roles, database: settings }, pools).status;
  assert.deepEqual([at(29), at(30), at(40)], ["fail", "warn", "ok"]);
  assert.deepEqual([at(60, 30, 31), at(79, 30, 30), at(80, 30, 30)], ["fail", "warn", "ok"]);
  const ends = [await runningProcess(70), await runningProcess(5_000)];
  await expect(
    "pools",
    "fail",
    /^2 running: (70 \+ 5000|5000 \+ 70) connections = 5070 of \d+ that PostgreSQL allows$/,
  );
  for (const end of ends) await end();
  assert.deepEqual(
    [85, 86].map((open) => openCheck({ connections: 100, connections_open: open }).status),
    ["ok", "warn"],
  );
});

test("an old schema and an incompatible schema are reported", async () => {
  const [newest] = (await rows("select * from schema_migration order by name desc limit 1")) as Record<
    string,
    unknown
  >[];
  await rows("delete from schema_migration where name = $1", newest?.name);
  await expect("schema", "warn", /^lacks 1 of \d+ migrations$/);
  await rows("insert into schema_migration (name, sha256) values ($1, $2)", newest?.name, newest?.sha256);
  await rows("insert into schema_migration (name, sha256) values ('9999_of_tomorrow.sql', 'x')");
  await expect("schema", "fail", /9999_of_tomorrow\.sql/);
  await rows("delete from schema_migration where name like '9999%'");
});

test("growth is measured over this month, or over the last month at the beginning of a month", () => {
  const nowMs = Date.UTC(2026, 10, 11);
  const months = [
    { month: "2026_11", bytes: 40 * 2 ** 30 },
    { month: "2026_10", bytes: 60 * 2 ** 30 },
  ];
  assert.match(growthCheck([200 * 2 ** 30], months, nowMs).text, /has 200\.0 GiB; .* 4\.0 GiB a day/);
  assert.match(growthCheck([2 ** 30, 3 * 2 ** 30], months, nowMs).text, /has 4\.0 GiB on 2 nodes; /);
  assert.match(growthCheck([200 * 2 ** 30], months, Date.UTC(2026, 10, 1, 3)).text, /2\.0 GiB a day/);
});

test("a long transaction is found with its process, and rated by its age", async () => {
  const client = new pg.Client({ connectionString: url, application_name: "someone with psql" });
  await client.connect();
  await client.query("begin");
  await client.query("select 1");
  await new Promise((resolve) => setTimeout(resolve, 100));
  const long = (await listLongTransactions(database, 0.05)).find(({ application_name: of }) => of.includes("psql"));
  await client.end();
  assert.deepEqual([long?.application_name, long?.state], ["someone with psql", "idle in transaction"]);
  assert(long);
  const checked = (seconds: number) => transactionCheck([{ ...long, seconds }], []);
  assert.deepEqual([checked(400).status, checked(4_000).status], ["warn", "fail"]);
  assert.match(
    checked(400).text,
    new RegExp(`^process ${long.pid} \\(someone with psql, idle in transaction\\) for 7 min$`),
  );
  assert.equal(transactionCheck([], [{ gid: "left", seconds: 90_000 }]).status, "fail");
});

test("a table that vacuum does not keep up with is reported", async () => {
  await rows("create table litter as select n from generate_series(1, 3000) n");
  await rows("alter table litter set (autovacuum_enabled = off)");
  await rows("delete from litter where n > 100");
  await rows("select pg_stat_force_next_flush()");
  for (const until = Date.now() + 10_000; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const found = (await listDeadRows(database, 1_000, 0.5)).find(({ table }) => table === "litter");
    if (found) {
      assert.deepEqual(found, { table: "litter", dead: 2_900, live: 100 });
      assert.equal(deadRowsCheck([found]).text, "litter has 2900 dead rows beside 100");
      break;
    }
    assert.ok(Date.now() < until, "the dead rows are not seen");
  }
  await rows("drop table litter");
  const well = { autovacuum: "on", track_counts: "on", transaction_age: 1_000 };
  assert.deepEqual(
    [
      well,
      { ...well, transaction_age: 1.2e9 },
      { ...well, transaction_age: 1.9e9 },
      { ...well, autovacuum: "off" },
    ].map((facts) => vacuumCheck(facts).status),
    ["ok", "warn", "fail", "fail"],
  );
});

test("a replication slot is rated by its retained WAL and its state", () => {
  const slot = { slot: "standby", is_active: false, wal_status: "reserved", bytes: 2 ** 20 };
  const statusOf = (more: object) => slotCheck([{ ...slot, ...more }]).status;
  assert.equal(slotCheck([slot]).status, "ok");
  assert.deepEqual(
    [statusOf({ bytes: 2 * 2 ** 30 }), statusOf({ bytes: 11 * 2 ** 30 }), statusOf({ wal_status: "lost" })],
    ["warn", "fail", "fail"],
  );
  assert.match(slotCheck([{ ...slot, bytes: 2 ** 34 }]).text, /^'standby' \(not active, reserved\) holds 16\.0 GiB$/);
});

test("unpublished events and events that failed are reported", async () => {
  const change = { actor: "test", origin: "test", at: iso(Date.now()), ids };
  await database.transaction((tx) =>
    onboardClient(tx, change, { clientId: "LEFT", name: "Left", facilities: [], environment: "sandbox" }),
  );
  const writer = createOutboxWriter(ids);
  const draft = { topic: "order:held", objectType: "order", objectId: "O-1", data: {} };
  await database.transaction(async (tx) => writer.append(tx.of("LEFT"), iso(Date.now() - 90_000), [draft]));
  await expect("publishing", "warn", /^1 events wait, the oldest for (?:9|1[01])\d s$/);
  await rows("update outbox set occurred_at = now() - interval '1 hour'");
  await expect("publishing", "fail", /^1 events wait, the oldest for 60 min$/);
  await rows("update outbox set state = 'FAILED'");
  await expect("publishing", "warn", /^nothing waits; 1 events could not be handled$/);
  await rows("delete from outbox");
  assert.equal(publishingCheck([], Date.now()).status, "ok");
});

test("jobs that no running server executes are reported", async () => {
  const insert = (job: string, ageSeconds: number) =>
    rows(
      `insert into job_lease (job, owner, lease_until, last_run_at)
        values ($1, gen_random_uuid(), now() - $2 * interval '1 second', now() - $2 * interval '1 second')`,
      ...[job, ageSeconds],
    );
  await insert("stock-changes", 600);
  await expect("jobs", "ok", /^the latest ran 10 min ago; no server runs$/);
  const end = await runningProcess(10);
  await expect("jobs", "fail", /^the latest ran 10 min ago$/);
  await insert("feed-healing", 3);
  await expect("jobs", "ok", /^the latest ran \d+ s ago$/);
  await insert("partitions", 200_000);
  await expect("jobs", "warn", /^for more than a day has not succeeded: partitions$/);
  await rows("update job_lease set lease_until = now() + interval '10 minutes' where job = 'partitions'");
  await expect("jobs", "ok", /./);
  const failing = (failures: number) =>
    rows(
      `update job_lease set failures = $1, lease_until = now(), last_run_at = now() - interval '2 hours'
        where job = 'partitions'`,
      failures,
    );
  await failing(1);
  await expect("jobs", "ok", /; partitions last succeeded 2 h ago and failed 1 times since$/);
  await failing(3);
  await expect("jobs", "warn", /; partitions last succeeded 2 h ago and failed 3 times since$/);
  await end();
  await rows("delete from job_lease");
  assert.equal(jobCheck([], 1, Date.now()).status, "warn");
});

test("a subscription that no worker claims is reported with its waiting time", () => {
  const nowMs = Date.now();
  const since = (seconds: number) => webhookCheck(0, iso(nowMs - seconds * 1_000), nowMs).status;
  assert.deepEqual([since(2), since(60), since(600)], ["ok", "warn", "fail"]);
  assert.equal(webhookCheck(0, undefined, nowMs).status, "ok");
});

test("deliveries that wait for their release after a restore have a worker", async () => {
  await rows(
    "insert into webhook_lane (client_id, webhook_id, due_at) values ('LEFT', $1, now() - interval '10 minutes')",
    ids.next(Date.now()),
  );
  await expect("webhooks", "fail", /has waited for a worker/);
  await rows("insert into restore_hold (restored_to, part, held_at) values ('a moment', 'DELIVERIES', now())");
  await expect("webhooks", "ok", /release of deliveries/);
  await rows("delete from restore_hold");
  await rows("delete from webhook_lane");
});

test("a disabled subscription is found in the store", async () => {
  await rows(
    `insert into webhook (client_id, webhook_id, kind, topic_name, facility_code, url, content_type, status,
        signing_secret_sealed, from_position, created_at, updated_at)
      values ('LEFT', $1, 'WEBHOOK', '*', '*', 'https://example.com', 'application/json', 'DISABLED', '', 0, now(), now())`,
    ids.next(Date.now()),
  );
  await expect("webhooks", "warn", /^1 subscriptions are disabled/);
  await rows("delete from webhook");
});

test("a cursor of webhooks ahead of its event log is found in the store", async () => {
  const [lane] = (await rows("select last_position from outbox_lane where client_id = 'LEFT'")) as {
    last_position: number;
  }[];
  const position = Number(lane?.last_position);
  await rows("insert into webhook_cursor (client_id, last_position) values ('LEFT', $1)", position);
  await expect("fan-out", "ok", /./);
  await rows("update webhook_cursor set last_position = $1", position + 1);
  await expect("fan-out", "fail", /^1 clients have a cursor ahead of their events, .*: LEFT$/);
  await rows("delete from webhook_cursor");
});

test("the master key is tested on stored secrets; host keys are shown where SFTP is served", async () => {
  await expect("stored secrets", "ok", /^none yet$/);
  await expect("SFTP host key", "ok", /^is created at the first start of SFTP$/);
  const [first, second] = await openHostKeys({ database, clock: systemClock, secretBox: createSecretBox(secret) });
  await expect("stored secrets", "ok", /^the master key decrypts all 2 samples$/);
  const shown = await find("SFTP host key");
  assert.equal(shown.text, `${first?.fingerprint} (ssh-ed25519), ${second?.fingerprint} (ssh-rsa)`);
  const other = { CROSSDOCK_SECRET: "another master key, thirty-two letters" };
  await expect("stored secrets", "fail", /does not decrypt 2 of 2 samples \(sftp_host_key\)/, other);
  const both = { ...other, CROSSDOCK_SECRET_PREVIOUS: secret };
  await expect("stored secrets", "warn", /^2 of 2 samples are encrypted with CROSSDOCK_SECRET_PREVIOUS$/, both);
  const none = await checkDatabase(url, configOf({ CROSSDOCK_DATA_DIR: "/no such folder" }), systemClock);
  assert.equal(none.find(({ name }) => name === "stored secrets")?.text, "exist, and no master key");
  for (const env of [{ CROSSDOCK_SFTP_PORT: "off" }, { CROSSDOCK_ROLES: "api,worker" }]) {
    const checks = await checkDatabase(url, configOf(env), systemClock);
    assert.equal(
      checks.find(({ name }) => name === "SFTP host key"),
      undefined,
    );
  }
});

test("a signing key that expires without a successor is reported", () => {
  const nowMs = Date.now();
  const key = (leftMs: number) => ({
    keyId: "abcdefghij",
    createdAt: iso(nowMs - 1e9),
    retiresAt: iso(nowMs + leftMs),
  });
  assert.equal(signingKeyCheck([], nowMs).status, "ok");
  assert.equal(signingKeyCheck([key(dayMs)], nowMs).status, "ok");
  assert.equal(signingKeyCheck([key(3_600_000)], nowMs).status, "warn");
});

test("access rules that name an unknown client or facility are a warning", async () => {
  const provided = (rule: object) => ({
    CROSSDOCK_OIDC_ISSUER: "https://login.example.com",
    CROSSDOCK_OIDC_CLIENT_ID: "crossdock",
    CROSSDOCK_OIDC_ACCESS: JSON.stringify([
      { group: "a", role: "admin" },
      { group: "b", role: "viewer", ...rule },
    ]),
  });
  await expect("access rules", "ok", /^2 groups have a role$/, provided({}));
  const unknown = { clients: ["NOBODY"], facilities: ["NOWHERE"] };
  await expect("access rules", "warn", /clients or facilities: client NOBODY, facility NOWHERE$/, provided(unknown));
});
