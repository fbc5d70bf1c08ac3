import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { test } from "node:test";
import { createRequestLog, type RequestLogContext } from "#/http/request-log/request-log.ts";
import { type Exchange, openExchange } from "#/http/server/exchange.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { createClient } from "#/modules/clients/index.ts";
import type { Transaction } from "#/store/db/database.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const ids = createIds();
const log = createLogger({ level: "silent", format: "json" });
for (const clientId of ["ONE", "TWO"]) {
  const change = { actor: "test", origin: "test", at: new Date().toISOString(), ids };
  await database.transaction((tx) => createClient(tx, change, { clientId, name: clientId, facilities: [] }));
}

const logOf = (more: Partial<RequestLogContext> = {}) =>
  createRequestLog({
    database,
    log,
    level: "all",
    isDistributed: false,
    keepsBodies: async () => false,
    flushMs: 3_600_000,
    ...more,
  });

function exchange(clientId: string, more: Partial<Exchange> = {}): [Exchange, IncomingMessage, ServerResponse] {
  const raw = { method: "GET", url: `/v1/orderService/order/get/${clientId}-1?x=1` } as IncomingMessage;
  const opened = Object.assign(openExchange(raw, ids.next(Date.now())), { clientId, ...more });
  return [opened, raw, { headersSent: true, statusCode: 404 } as ServerResponse];
}

const rows = (text: string): Promise<{ client_id: string; n: number }[]> =>
  database.query({ text, values: [], name: `test ${text.length}`, isTenant: false });
const count = () => rows("select client_id, count(*)::int as n from request_log group by 1 order by 1");

async function dropped(reason: "queue_full" | "not_stored"): Promise<number> {
  const { values } = await metrics.requestLogDropped.get();
  return values.find(({ labels }) => labels.reason === reason)?.value ?? 0;
}

test("a full queue drops what comes and counts it; what waits is stored, and then there is room again", async () => {
  const requests = logOf({ entriesMax: 3 });
  const before = await dropped("queue_full");
  for (const clientId of ["ONE", "TWO", "ONE", "ONE", "TWO"]) requests.note(...exchange(clientId));
  assert.equal((await dropped("queue_full")) - before, 2);
  await requests.flush();
  const stored = [
    { client_id: "ONE", n: 2 },
    { client_id: "TWO", n: 1 },
  ];
  assert.deepEqual(await count(), stored);
  requests.note(...exchange("TWO"));
  await requests.close();
  assert.deepEqual(await count(), [
    { client_id: "ONE", n: 2 },
    { client_id: "TWO", n: 2 },
  ]);
});

test("large texts fill the queue by their size", async () => {
  const requests = logOf({ keepsBodies: async () => true });
  const before = await dropped("queue_full");
  const problem = { code: "invalid-request", detail: "It is wrong." };
  for (let i = 0; i < 1_100; i++) requests.note(...exchange("ONE", { problem, bodyText: "x".repeat(20_000) }));
  assert.ok((await dropped("queue_full")) > before);
  await requests.close();
});

test("entries that the store does not take are dropped, and those of other clients are stored", async () => {
  let isAway = true;
  const failing: typeof database = Object.assign(Object.create(database), {
    transaction: (work: (tx: Transaction) => Promise<unknown>) =>
      database.transaction((tx) =>
        work({
          ...tx,
          send(statement) {
            if (isAway && statement.values[0] === "ONE") throw new Error("away");
            tx.send(statement);
          },
        }),
      ),
  });
  const requests = logOf({ database: failing });
  const [before, stored] = [await dropped("not_stored"), await count()];
  for (const clientId of ["ONE", "TWO", "ONE"]) requests.note(...exchange(clientId));
  await requests.flush();
  assert.equal((await dropped("not_stored")) - before, 2);
  isAway = false;
  requests.note(...exchange("ONE"));
  await requests.close();
  assert.deepEqual(
    (await count()).map(({ n }, i) => n - (stored[i]?.n ?? 0)),
    [1, 1],
  );
});

test("texts that PostgreSQL cannot store do not cost the batch", async () => {
  const requests = logOf({ keepsBodies: async () => true });
  const before = await dropped("not_stored");
  const problem = {
    code: "invalid-request",
    detail: "The name 'a\0b\ud800' is wrong.",
    errors: [{ pointer: "#/a\0", message: "\udc00 is wrong" }],
  };
  requests.note(...exchange("ONE", { problem, bodyText: '{"a":"\0\ud800"}' }));
  await requests.close();
  assert.equal(await dropped("not_stored"), before);
  const [row] = (await rows(
    "select problem_detail, body from request_log where body like '{%' order by request_id desc limit 1",
  )) as unknown as [{ problem_detail: string; body: string }];
  assert.deepEqual(row, { problem_detail: "The name 'a\uFFFDb\uFFFD' is wrong.", body: '{"a":"\uFFFD\uFFFD"}' });
});
