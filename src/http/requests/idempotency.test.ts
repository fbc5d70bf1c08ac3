import assert from "node:assert/strict";
import { test } from "node:test";
import { problem } from "#/http/problems/problem.ts";
import { answered, answerWrite, createHeaders, purgeAnswers, type WriteResult } from "#/http/requests/idempotency.ts";
import { exchangeOf } from "#/http/server/exchange.ts";
import { createHttpServer } from "#/http/server/server.ts";
import { systemClock } from "#/kernel/clock.ts";
import { refused } from "#/kernel/result.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import type { Transaction } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";
import { atEnd } from "../../../tests/support/app/at-end.ts";
import { insertClient } from "../../../tests/support/builders/client.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
await insertClient(database, { clientId: "DEMO" });
const log = createLogger({ level: "fatal", format: "json", destination: { write() {} } });
const app = createHttpServer({ log, clock: systemClock, ids: createIds(), trustedProxies: [] });

const week = 7 * dayMs;
let nowMs = Date.parse("2026-11-02T10:00:00Z");
/** The work of the route; the test counts the runs. */
let work: (tx: Transaction) => Promise<WriteResult> = async () => made({});
let runs = 0;

const made = (body: object, more: Parameters<typeof answered>[1] = {}) =>
  answered(body, { status: 201, headers: { ETag: '"1"' }, ...more });

const ids = createIds();
const context = { database, ids, writer: createOutboxWriter(ids), clock: { now: () => nowMs } };

app.post("/thing", { schema: { headers: createHeaders } }, (request, reply) => {
  exchangeOf(request).clientId = "DEMO";
  return answerWrite(context, request, reply, (tx) => {
    runs++;
    return work(tx.plain);
  });
});
const url = await app.listen({ port: 0, host: "127.0.0.1" });
atEnd(() => app.close());

async function post(key: string | undefined, body: object = {}) {
  const response = await fetch(`${url}/thing`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key === undefined ? {} : { "idempotency-key": key }) },
    body: JSON.stringify(body),
  });
  const etag = response.headers.get("etag");
  const isReplay = response.headers.get("idempotent-replayed") === "true";
  return { status: response.status, etag, isReplay, body: (await response.json()) as Record<string, unknown> };
}

async function runsOf(action: () => Promise<unknown>): Promise<number> {
  const before = runs;
  await action();
  return runs - before;
}

test("without a key each request is separate work", async () => {
  assert.equal(await runsOf(() => Promise.all([post(undefined), post(undefined)])), 2);
});

test("a repeat is answered with status, headers and body of the first, secrets as ***", async () => {
  work = async () => made({ id: 1, secret: "s3cret" }, { keptBody: { id: 1, secret: "***" } });
  const first = { status: 201, etag: '"1"', isReplay: false, body: { id: 1, secret: "s3cret" } };
  assert.deepEqual(await post("a"), first);
  assert.equal(
    await runsOf(async () => {
      assert.deepEqual(await post("a"), { ...first, isReplay: true, body: { id: 1, secret: "***" } });
    }),
    0,
  );
});

test("a key that was used for another body is refused", async () => {
  work = async () => made({});
  await post("b", { qty: 1 });
  const { status, body } = await post("b", { qty: 2 });
  assert.deepEqual([status, body.type], [409, "/problems/conflict"]);
});

test("a refused request leaves its key free and writes nothing", async () => {
  work = async () => refused(problem("conflict", "Not now."));
  assert.equal((await post("c")).status, 409);
  work = async () => made({ id: 3 });
  assert.equal((await post("c", { other: true })).status, 201);
});

test("a key is free after a week, and its stored answer is deleted", async () => {
  work = async () => made({});
  await post("d");
  nowMs += week - 1;
  assert.equal(await runsOf(() => post("d")), 0);
  nowMs += 1;
  assert.equal(await runsOf(() => post("d", { other: true })), 1);
  nowMs += week;
  await purgeAnswers(database.of("DEMO"), new Date(nowMs + 1).toISOString());
  const left = await database
    .of("DEMO")
    .query(sql`select idempotency_key from rest_idempotency where client_id = ${tenant} limit 10`);
  assert.deepEqual(left, []);
});

test("work is retried after a lock conflict, and answered 503 if the conflict lasts", async () => {
  const contention = Object.assign(new Error("could not obtain lock"), { code: "55P03" });
  let failuresLeft = 1;
  work = async () => {
    if (failuresLeft-- > 0) throw contention;
    return made({});
  };
  assert.equal(await runsOf(async () => assert.equal((await post("e")).status, 201)), 2);
  failuresLeft = Number.POSITIVE_INFINITY;
  assert.equal(await runsOf(async () => assert.equal((await post("f")).status, 503)), 3);
});

test("a key of the wrong shape is refused", async () => {
  const { status, body } = await post("k".repeat(256));
  assert.deepEqual([status, (body.errors as { pointer: string }[])[0]?.pointer], [400, "/header/idempotency-key"]);
});
