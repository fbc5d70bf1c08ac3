// operations.md §6: data whose retention has passed is deleted, in batches, and no other data. docs/keys-and-data.md
// states the limit of every table.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import pg from "pg";
import { purgeAll } from "#/app/retention/purges.ts";
import { retentionJobs } from "#/app/retention/retention-jobs.ts";
import { purgeAnnotations } from "#/console-api/index.ts";
import { findLongestRetention } from "#/intake/feeds/feeds.cross-client.ts";
import { purgeDocuments } from "#/intake/feeds/repository.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { isTimeOut } from "#/store/db/errors.ts";
import { withSchemaLock } from "#/store/db/schema/migrator.ts";
import {
  dropOldPartitions,
  feedMonthsDays,
  makePastPartitions,
  monthSuffix,
  partitionedTables,
} from "#/store/db/schema/partitions.ts";
import { withClient } from "../../faults/oracles/oracle.ts";
import { testServer } from "../../support/app/server.ts";
import { order } from "../../support/builders/documents.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { patient } from "../../support/postgres/database.ts";
import { untilBlocked } from "../../support/postgres/locks.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";
import { holdOpen } from "../../support/webhooks/webhook-world.ts";

// No node has the role that purges: the tests purge themselves.
const server = await testServer({ CROSSDOCK_ROLES: "api,feeds,auth" });
const { database } = server;
const directUrl = server.config.database.url as string;
const ids = createIds();
const nowMs = Date.now();
const ago = (days: number) => new Date(nowMs - days * dayMs).toISOString();
/** Ids of one source only increase: each past moment has a separate source. */
const idAgo = (days: number) => createIds().next(nowMs - days * dayMs);

await server.onboard("SHORT", { settings: { feedRetentionDays: "30" } });
await server.onboard("USUAL");
await server.onboard("LONG", { settings: { feedRetentionDays: "180" } });
const clients = ["SHORT", "USUAL", "LONG"] as const;

const many = (text: string, ...values: unknown[]) => server.rows(`${text} returning 1 as done`, ...values);

const isOnCitus = process.env.CROSSDOCK_TEST_CITUS_URL !== undefined;

const longestDays = feedMonthsDays(await findLongestRetention(database));
const purge = (limits = {}) => purgeAll({ database, nowMs, feedMonthsDays: longestDays }, limits);

test("every table says in docs/keys-and-data.md how it is bounded, and those kept by the month how long", async () => {
  const page = readFileSync(new URL("../../../docs/keys-and-data.md", import.meta.url), "utf8");
  const rules = new Map(
    [...page.matchAll(/^\| ((?:`[a-z_]+`(?:, )?)+) \| (.+?) \|$/gm)].flatMap(([, names = "", kept = ""]) =>
      [...names.matchAll(/`([a-z_]+)`/g)].map(([, name = ""]) => [name, kept] as const),
    ),
  );
  const tables = await server.rows<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  assert.deepEqual([...rules.keys()].sort(), tables.map(({ name }) => name).sort());
  for (const { table, keptDays } of partitionedTables) {
    const kept = rules.get(table) ?? "";
    assert.match(kept, keptDays === undefined ? /for ever/ : new RegExp(`\\b${keptDays} days\\b`), table);
  }
});

test("a client's feeds go when its own time is over, and those of others stay; what waits for its outcome stays", async () => {
  await withSchemaLock(directUrl, async (connection) => {
    for (const table of ["feed_document", "feed_payload"]) {
      await makePastPartitions(connection, table, nowMs - 200 * dayMs, nowMs);
    }
  });
  for (const clientId of clients) {
    for (const [days, state] of [
      [20, "PROCESSED"],
      [60, "PROCESSED"],
      [61, "REJECTED"],
      [100, "PROCESSED"],
      [101, "PARKED"],
      [170, "FAILED"],
    ] as const) {
      const token = idAgo(days);
      await many(
        `insert into feed_document (client_id, token, feed_type, channel, state, received_at, body_sha256, body_bytes, ack)
         values ($1, $2, 'NO', 'HTTP', $3, $4, '', 0, '')`,
        ...[clientId, token, state, ago(days)],
      );
      await many(
        `insert into feed_payload (client_id, token, content_type, encoding, payload) values ($1, $2, 'x', 'identity', '')`,
        ...[clientId, token],
      );
    }
  }
  assert.equal(longestDays, 180);
  const gone = await purge({ batchSize: 2 });
  assert.equal(gone.feeds, 6);
  const rows = await server.rows<{ client_id: string; days: number[]; payloads: number }>(
    `select d.client_id, array_agg(round(extract(epoch from $1::timestamptz - d.received_at) / 86400)::integer order by d.token) as days,
       count(p.token)::integer as payloads
     from feed_document d left join feed_payload p on p.client_id = d.client_id and p.token = d.token
     group by 1 order by 1`,
    new Date(nowMs).toISOString(),
  );
  assert.deepEqual(
    rows.map(({ client_id, days, payloads }) => [client_id, days, payloads]),
    [
      ["LONG", [170, 101, 100, 61, 60, 20], 6],
      ["SHORT", [101, 20], 2],
      // With the default of ninety days: those of 100 and 170 are past it.
      ["USUAL", [101, 61, 60, 20], 4],
    ],
  );
});

/** Inserts rows of each kind: some past their retention, and one that is not. */
async function age(clientId: string): Promise<void> {
  for (const [i, days] of [1, 2, 3, -1].entries()) {
    await many(
      `insert into feed_idempotency (client_id, feed_type, idempotency_key, token, body_sha256, expires_at)
       values ($1, 'NO', $2, $3, '', $4)`,
      ...[clientId, `key-${i}`, ids.next(nowMs), ago(days)],
    );
    await many(
      `insert into rest_idempotency (client_id, idempotency_key, operation, body_sha256, status, answer, expires_at)
       values ($1, $2, 'POST /x', '', 200, '{}', $3)`,
      ...[clientId, `key-${i}`, ago(days)],
    );
  }
  for (const days of [91, 120, 400, 89]) {
    await many(
      `insert into event_sequence (client_id, object_type, object_id, last_sequence) values ($1, 'feed', $2, 1)`,
      ...[clientId, idAgo(days)],
    );
    await many(
      `insert into alert_mail (client_id, mail_id, address, subject, body_text, body_html, notes, status, scheduled_at, due_at, created_at)
       values ($1, $2, 'a@example.com', '', '', '', '[]', 'SENT', $3, $3, $3)`,
      ...[clientId, idAgo(days), ago(days)],
    );
    await many(
      `insert into exception_annotation (client_id, type, object_key, since, updated_at) values ($1, 'ORDER_HELD', $2, $3, $3)`,
      ...[clientId, `O-${days}`, ago(days)],
    );
    await many(
      `insert into warehouse_report (client_id, facility_code, kind, report_key, body_sha256, answer, accepted_at)
       values ($1, 'DC1', 'pick', $2, '', '{}', $3)`,
      ...[clientId, `R-${days}`, ago(days)],
    );
  }
  for (const days of [432, 440, 500, 399]) {
    await many(
      `insert into operator_exception (client_id, exception_id, kind, object_type, object_id, state, summary, raised_at, resolved_at)
       values ($1, $2, 'SHORT_PICK', 'order', 'O', 'RESOLVED', '', $3, $3)`,
      ...[clientId, idAgo(days), ago(days)],
    );
    await many(
      `insert into stock_snapshot (client_id, snapshot_id, facility_code, kind, snapshot_date, position, taken_at, written_at)
       values ($1, $2, 'DC1', 'REQUEST', '2026-01-01', 0, $3, $3)`,
      ...[clientId, idAgo(days), ago(days)],
    );
  }
  // An open exception is kept at any age, because an operator must still handle it.
  await many(
    `insert into operator_exception (client_id, exception_id, kind, object_type, object_id, state, summary, raised_at)
     values ($1, $2, 'SHORT_PICK', 'order', 'O', 'OPEN', '', $3)`,
    ...[clientId, idAgo(600), ago(600)],
  );
}

test("keys, answers, counts, mails, marks, reports, exceptions and snapshots go after their days, in batches", async () => {
  for (const clientId of clients) await age(clientId);
  const kinds = ["feedKeys", "restAnswers", "feedCounts", "mails", "marks", "reports", "exceptions", "snapshots"];
  const perKind = (count: number) => Object.fromEntries(kinds.map((kind) => [kind, count]));
  // One batch of each kind and client, then the remaining rows.
  assert.deepEqual(await purge({ batchSize: 2, batchesMax: 1 }), perKind(2 * clients.length));
  assert.deepEqual(await purge({ batchSize: 2 }), perKind(clients.length));
  assert.deepEqual(await purge(), {});
  const left = await server.rows<{ name: string; count: number }>(
    `select 'feed_idempotency' as name, count(*)::integer as count from feed_idempotency
     union all select 'rest_idempotency', count(*)::integer from rest_idempotency
     union all select 'event_sequence', count(*)::integer from event_sequence where object_type = 'feed'
     union all select 'alert_mail', count(*)::integer from alert_mail
     union all select 'exception_annotation', count(*)::integer from exception_annotation
     union all select 'warehouse_report', count(*)::integer from warehouse_report
     union all select 'stock_snapshot', count(*)::integer from stock_snapshot
     union all select 'operator_exception', count(*)::integer - 3 from operator_exception`,
  );
  assert.deepEqual([...new Set(left.map(({ count }) => count))], [clients.length], JSON.stringify(left));
});

test("an annotation of an old exception during its purge is kept", async (t) => {
  if (isOnCitus) return t.skip("a lock on a worker is not in the coordinator's list of locks");
  await many(
    `insert into exception_annotation (client_id, type, object_key, since, updated_at) values ('USUAL', 'ORDER_HELD', 'OLD', $1, $1)`,
    ago(91),
  );
  const writer = await holdOpen(database, (tx) =>
    tx.query({
      text: "update exception_annotation set note = 'asked the client', updated_at = now() where object_key = 'OLD'",
      values: [],
      name: "",
      isTenant: false,
    }),
  );
  // The purge waits for the writer; on a slow machine, longer than the program's own lock timeout.
  const purging = database.transaction((tx) => purgeAnnotations(tx.of("USUAL"), ago(90)), patient);
  await untilBlocked(database);
  await writer.end();
  assert.equal(await purging, 0);
  const notes = await server.rows("select note from exception_annotation where object_key = 'OLD'");
  assert.deepEqual(notes, [{ note: "asked the client" }]);
});

test("a document that is reprocessed during a purge stays", async () => {
  const token = idAgo(40);
  await many(
    `insert into feed_document (client_id, token, feed_type, channel, state, received_at, body_sha256, body_bytes, ack)
     values ('SHORT', $1, 'NO', 'HTTP', 'REJECTED', $2, '', 0, '')`,
    ...[token, ago(40)],
  );
  const judging = await holdOpen(database, (tx) =>
    tx.query({
      text: "update feed_document set state = 'ACCEPTED' where client_id = 'SHORT' and token = $1",
      values: [token],
      name: "",
      isTenant: false,
    }),
  );
  // The purge leaves out what another transaction holds.
  await database.transaction((tx) => purgeDocuments(tx.of("SHORT"), idAgo(30)));
  await judging.end();
  const states = await server.rows("select state from feed_document where client_id = 'SHORT' and token = $1", token);
  assert.deepEqual(states, [{ state: "ACCEPTED" }]);
});

test("a month that someone reads is left for the next time, and the others go", async () => {
  const reader = new pg.Client({ connectionString: directUrl, connectionTimeoutMillis: 30_000 });
  await reader.connect();
  try {
    const fromMs = nowMs - 150 * dayMs;
    await withSchemaLock(directUrl, (connection) => makePastPartitions(connection, "webhook_attempt", fromMs, nowMs));
    const months = await reader.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'webhook_attempt'::regclass order by 1 limit 2`,
    );
    const [first = "", second = ""] = months.rows.map(({ name }) => name);
    await reader.query("begin");
    await reader.query(`select count(*) from ${first}`);
    const drop = () =>
      withSchemaLock(directUrl, async (connection) => {
        const putOff: string[] = [];
        const dropped = await dropOldPartitions(connection, nowMs, 180, (name) => putOff.push(name));
        return { dropped, putOff };
      });
    const meanwhile = await drop();
    assert.deepEqual(meanwhile.putOff, [first]);
    assert.ok(meanwhile.dropped.includes(second));
    await reader.query("commit");
    const afterwards = await drop();
    assert.deepEqual([afterwards.dropped.includes(first), afterwards.putOff], [true, []]);
  } finally {
    await reader.end();
  }
});

test("a clock that jumps ahead deletes no month and no row that is not old, and a pause is caught up in steps", async () => {
  let clockMs = nowMs;
  const logged: string[] = [];
  const destination = { write: (line: string) => void logged.push(line) };
  const jobs = retentionJobs({
    database,
    directUrl,
    clock: { now: () => clockMs },
    ids,
    log: createLogger({ level: "warn", format: "json", destination }),
    secretBox: createSecretBox(server.config.secret as string),
  });
  const run = (job = "partitions") => jobs.find(({ name }) => name === job)?.run();
  const isThere = async (month: string) =>
    (await server.rows<{ found: boolean }>("select to_regclass($1) is not null as found", month))[0]?.found;
  const reached = async () => {
    const rows = await server.rows<{ at: string }>("select reached_at as at from job_lease where job = 'partitions'");
    return Date.parse(rows[0]?.at ?? "");
  };
  await many(
    `insert into job_lease (job, owner, lease_until, last_run_at) values ('partitions', gen_random_uuid(), now(), $1)
     on conflict (job) do update set last_run_at = excluded.last_run_at, reached_at = null`,
    ago(0.5),
  );
  await many(
    `insert into rest_idempotency (client_id, idempotency_key, operation, body_sha256, status, answer, expires_at)
     values ('', 'jump', 'POST /', '', 200, '{}', $1)`,
    ago(-10),
  );
  await run();
  assert.equal(await reached(), nowMs);
  // Each run after the jump goes further by two days.
  clockMs = nowMs + 200 * dayMs;
  await run();
  await run();
  assert.equal(await isThere(`request_log_${monthSuffix(nowMs, 0)}`), true);
  assert.equal(await reached(), nowMs + 4 * dayMs);
  assert.equal(logged.filter((line) => line.includes("the clock jumped ahead")).length, 2);
  await run("purges");
  assert.equal((await many("delete from rest_idempotency where idempotency_key = 'jump'")).length, 1);
  // The clock is set back.
  clockMs = nowMs + dayMs;
  await run();
  assert.equal(await reached(), clockMs);
});

test("the worker's jobs blank what is due by each client's own days, and say so in one line each", async () => {
  const dc1 = await warehouseOf(server);
  let clockMs = nowMs;
  const logged: string[] = [];
  const log = createLogger({
    level: "info",
    format: "json",
    destination: { write: (line: string) => void logged.push(line) },
  });
  const jobs = retentionJobs({
    database,
    directUrl,
    clock: { now: () => clockMs },
    ids,
    log,
    secretBox: createSecretBox(server.config.secret as string),
  });
  const stopping = new AbortController().signal;
  const run = (name: string) => jobs.find((job) => job.name === name)?.run(stopping);
  const worker = await server.startNode({ CROSSDOCK_ROLES: "worker" });
  try {
    for (const [clientId, personalDataDays] of [
      ["QUICK", "10"],
      ["SLOW", "20"],
    ] as const) {
      const { client, quiet } = await lifeOf(server, dc1, clientId, { settings: { personalDataDays } });
      for (const orderId of ["O-1", "O-2"])
        await client.accept("NO", order(clientId, orderId, ["A"], { distributionCentre: "DC1" }));
      await quiet();
    }
  } finally {
    await worker.stop();
  }
  // Runs after the worker's end: its own jobs would erase or heal the rows that are aged or parked here.
  for (const clientId of ["QUICK", "SLOW"]) {
    await many(
      `update sales_order set status = 'DELIVERED', ended_at = $2, updated_at = $2 where client_id = $1`,
      ...[clientId, ago(15)],
    );
  }
  // Simulates a parked change of that order that waits for its SKU: without its bytes, it would never heal.
  await many("update feed_document set state = 'PARKED' where client_id = 'QUICK' and object_id = 'O-2'");
  assert.equal(await run("personal-data"), 2);
  assert.equal(await run("personal-data"), 0);
  await many("update job_lease set reached_at = $1 where job = 'partitions'", ago(0));
  clockMs = nowMs + 200 * dayMs;
  assert.equal(await run("personal-data"), 0, "a jump of the clock makes no order old");
  clockMs = nowMs;
  const kept = await server.rows(
    `select d.object_id from feed_document d join feed_payload p on p.client_id = d.client_id and p.token = d.token
     where d.client_id = 'QUICK' and d.feed_type = 'NO' order by 1`,
  );
  assert.deepEqual(kept, [{ object_id: "O-2" }]);
  const rows = await server.rows<{ client_id: string; is_erased: boolean; city: string | null }>(
    `select client_id, erased_at is not null as is_erased, c.ship_to_address ->> 'city' as city
     from sales_order join order_content c using (client_id, order_id)
     where order_id = 'O-1' order by 1`,
  );
  assert.deepEqual(
    rows.map(({ client_id, is_erased, city }) => [client_id, is_erased, city]),
    [
      ["QUICK", true, null],
      ["SLOW", false, "Leeds"],
    ],
  );
  const lines = logged.map((line) => JSON.parse(line) as { msg: string; clientId?: string; erased?: number });
  assert.deepEqual(
    lines.map(({ msg, clientId, erased }) => [msg, clientId, erased]),
    [["personal data of orders were erased", "QUICK", 2]],
  );
  const [audit] = await server.rows<{ actor: string; origin: string }>(
    "select actor, origin from audit_log where client_id = 'QUICK' and action = 'erase' limit 1",
  );
  assert.deepEqual(audit, { actor: "worker", origin: "personal-data" });
  for (const job of jobs) await job.run(stopping);
});

test("answers to platform writes go after their week, and refused sign-ins after ninety days", async () => {
  for (const [key, days] of [
    ["over", 1],
    ["young", -1],
  ] as const) {
    await many(
      `insert into rest_idempotency (client_id, idempotency_key, operation, body_sha256, status, answer, expires_at)
       values ('', $1, 'POST /', '', 200, '{}', $2)`,
      ...[key, ago(days)],
    );
  }
  for (const days of [91, 89]) {
    await many(
      `insert into sign_in_refusal (day, user_name, reason, refusals, first_at, last_at, last_origin)
       values ($1::timestamptz::date, '', 'NAME_OR_PASSWORD', 7, $1, $1, '192.0.2.17')`,
      ago(days),
    );
  }
  const gone = await purge();
  assert.deepEqual([gone.restAnswers, gone.signInRefusals], [1, 1]);
  const left = await server.rows("select idempotency_key from rest_idempotency where client_id = ''");
  assert.deepEqual(left, [{ idempotency_key: "young" }]);
});

test("a client whose purge times out does not stop later clients, and is purged when the cause is removed", async (t) => {
  if (isOnCitus) return t.skip("a distributed table has no triggers");
  const report = "R-stopped";
  const leftOf = async () =>
    (
      await server.rows<{ client_id: string }>(
        "select client_id from warehouse_report where report_key = $1 order by 1",
        report,
      )
    ).map(({ client_id }) => client_id);
  for (const clientId of ["LONG", "USUAL"]) {
    await many(
      `insert into warehouse_report (client_id, facility_code, kind, report_key, body_sha256, answer, accepted_at)
       values ($1, 'DC1', 'pick', $2, '', '{}', $3)`,
      ...[clientId, report, ago(400)],
    );
  }
  await withClient(directUrl, async (client) => {
    await client.query(`create function times_out() returns trigger language plpgsql as $$ begin
      if old.client_id = 'LONG' then raise 'too slow' using errcode = 'query_canceled'; end if; return old; end $$`);
    await client.query(
      "create trigger times_out before delete on warehouse_report for each row execute function times_out()",
    );
    await assert.rejects(purge(), isTimeOut);
    assert.deepEqual(await leftOf(), ["LONG"]);
    await client.query("drop trigger times_out on warehouse_report");
  });
  await purge();
  assert.deepEqual(await leftOf(), []);
});
