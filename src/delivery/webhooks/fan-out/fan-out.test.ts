import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { listClientBacklogs } from "#/delivery/webhooks/fan-out/fan-out.cross-client.ts";
import { startFanOut } from "#/delivery/webhooks/fan-out/fan-out.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { createIds } from "#/kernel/values/ids.ts";
import type { Statement } from "#/store/db/sql.ts";
import { insertEvents } from "#/store/outbox/repository.ts";
import type { ExecutedNode } from "../../../../tests/schema/cost-rules.ts";
import { explainText, prepareText } from "../../../../tests/schema/prepared.ts";
import { atEnd } from "../../../../tests/support/app/at-end.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const sent: Statement[] = [];
const { database } = await testDatabase({ engine: "postgresql", onStatement: (statement) => sent.push(statement) });
const { clientId } = await insertClient(database);
const ids = createIds();
const rows = <Row>(text: string, ...values: unknown[]) =>
  database.query<Row>({ text, values, name: "", isTenant: false });

const event = {
  eventId: ids.next(Date.now()),
  position: 1,
  topic: "order:received",
  objectType: "order",
  objectId: "O-1",
  facilityCode: "DC1",
  occurredAt: new Date().toISOString(),
  data: {},
};

test("a client that was late when a restore skipped positions catches up", async () => {
  await rows("insert into webhook_cursor (client_id, last_position) values ($1, 0)", clientId);
  await database.transaction(async (tx) => insertEvents(tx.of(clientId), [event]));
  await rows("update outbox_lane set last_position = 1001 where client_id = $1", clientId);
  assert.equal((await listClientBacklogs(database)).length, 1);
  const log = createLogger({ level: "silent", format: "json", destination: { write: () => {} } });
  const fanOut = startFanOut({ database, clock: systemClock, ids, log, onDeliveries: () => {} });
  atEnd(() => fanOut.stop());
  for (const endMs = performance.now() + 30_000; (await listClientBacklogs(database)).length > 0; await sleep(20)) {
    assert.ok(performance.now() < endMs, "it is looked at again and again");
  }
  const [cursor] = await rows<{ last_position: number }>("select last_position::int from webhook_cursor");
  assert.deepEqual(cursor, { last_position: 1_001 });
});

test("late clients are found by reading two small tables, not two pages for each client", async () => {
  // The rows of one client lie far apart, as they do after some changes.
  const others = "select 'C' || md5(n::text), 5 from generate_series(1, 3000) n";
  await rows(`insert into outbox_lane (client_id, last_position) ${others}`);
  await rows(`insert into webhook_cursor (client_id, last_position) ${others} order by n desc`);
  await rows("analyze outbox_lane");
  await rows("analyze webhook_cursor");
  await listClientBacklogs(database);
  const statement = sent.findLast(({ text }) => text.includes("webhook_cursor c join"));
  assert.ok(statement);
  const pages = await database.transaction(async (tx) => {
    const run = (text: string) =>
      tx.query<{ "QUERY PLAN": [{ Plan: ExecutedNode }] }>({ text, name: "", values: [], isTenant: false });
    await run("set local plan_cache_mode = force_generic_plan");
    await run(prepareText(statement));
    const [explained] = await run(explainText(statement, "analyze, buffers, format json"));
    await run("deallocate explained");
    return explained?.["QUERY PLAN"][0].Plan["Shared Hit Blocks"] ?? Number.POSITIVE_INFINITY;
  });
  assert.ok(pages < 200, `${pages} pages`);
});
