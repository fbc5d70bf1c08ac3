import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { listClientsBehind } from "#/delivery/webhooks/cross-client-queries.ts";
import { startFanOut } from "#/delivery/webhooks/fan-out.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/ids.ts";
import { createLogger } from "#/kernel/log.ts";
import { insertEvents } from "#/outbox/repository.ts";
import { atEnd } from "../../../tests/support/at-end.ts";
import { insertClient } from "../../../tests/support/client.ts";
import { testDatabase } from "../../../tests/support/database.ts";

const { database } = await testDatabase();
const { clientId } = await insertClient(database);
const ids = createIds();
const rows = <Row>(text: string, ...values: unknown[]) =>
  database.query<Row>({ text, values, name: "", isTenant: false });

const event = {
  ...{ eventId: ids.next(Date.now()), position: 1, topic: "order:received", objectType: "order", objectId: "O-1" },
  ...{ facilityCode: "DC1", occurredAt: new Date().toISOString(), data: {} },
};

test("a client that was behind when a restore left positions out is not behind for ever", async () => {
  await rows("insert into webhook_cursor (client_id, last_position) values ($1, 0)", clientId);
  await database.transaction(async (tx) => insertEvents(tx, clientId, [event]));
  await rows("update outbox_lane set last_position = 1001 where client_id = $1", clientId);
  assert.equal((await listClientsBehind(database, 10)).length, 1);
  const log = createLogger({ level: "silent", format: "json", destination: { write: () => {} } });
  const fanOut = startFanOut({ database, clock: systemClock, ids, log, onDeliveries: () => {} });
  atEnd(() => fanOut.stop());
  for (const endMs = performance.now() + 30_000; (await listClientsBehind(database, 10)).length > 0; await sleep(20)) {
    assert.ok(performance.now() < endMs, "it is looked at again and again");
  }
  const [cursor] = await rows<{ last_position: number }>("select last_position::int from webhook_cursor");
  assert.deepEqual(cursor, { last_position: 1_001 });
});
