import assert from "node:assert/strict";
import { test } from "node:test";
import { purgeMails } from "#/delivery/mail/index.ts";
import { purgeFeedSequences } from "#/delivery/webhooks/deliveries/delivery-repository.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds, idBoundary } from "#/kernel/values/ids.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";
import { webhookWorld } from "../../../../tests/support/webhooks/webhook-world.ts";

const { database } = await testDatabase();
const { clientId } = await insertClient(database);
const nowMs = Date.now();
const before = idBoundary(nowMs - 90 * dayMs);
const rows = <Row>(text: string, ...values: unknown[]) =>
  database.query<Row>({ text, values, name: "", isTenant: false });

test("mails are kept for ninety days", async () => {
  const mails = [
    [91, "SENT"],
    [91, "KEPT"],
    [91, "FAILED"],
    [89, "KEPT"],
    [89, "SENT"],
  ] as const;
  for (const [days, status] of mails) {
    const at = new Date(nowMs - days * dayMs).toISOString();
    await rows(
      `insert into alert_mail (client_id, mail_id, address, subject, body_text, body_html, notes, status, scheduled_at, due_at,
        created_at) values ($1, $2, 'ops@example.com', '', '', '', '{}', $3, $4, $4, $4)`,
      ...[clientId, createIds().next(nowMs - days * dayMs), status, at],
    );
  }
  await purgeMails(database.of(clientId), before);
  const left = await rows<{ status: string }>("select status from alert_mail order by status");
  assert.deepEqual(
    left.map(({ status }) => status),
    ["KEPT", "SENT"],
  );
});

test("sequence counters of documents are kept as long as the documents, those of other objects as long as the objects", async (t) => {
  const webhook = await webhookWorld(database, clientId, [5]);
  t.after(() => webhook.stop());
  const [old, young] = [idBoundary(nowMs - 91 * dayMs), idBoundary(nowMs - 89 * dayMs)];
  for (const [type, objectId] of [
    ["feed", old],
    ["feed", young],
    ["order", old],
  ]) {
    await rows("insert into webhook_sequence values ($1, $2, $3, $4, 1)", clientId, webhook.webhookId, type, objectId);
  }
  await purgeFeedSequences(database.of(clientId), before);
  assert.deepEqual(await rows("select object_type, object_id from webhook_sequence order by object_type, object_id"), [
    { object_type: "feed", object_id: young },
    { object_type: "order", object_id: old },
  ]);
});
