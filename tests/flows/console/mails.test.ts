// webhooks.md §2, Alert mail: the mails that users receive, or that are only recorded when there is no mail server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { atEnd } from "../../support/app/at-end.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { tellEvents, webhookDesk } from "../../support/webhooks/webhooks.ts";

const server = await testServer({ CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "0.1,0.1,0.1" });
const demo = await server.onboard("DEMO");
await server.onboard("ACME");
const receiver = await startReceiver({ answer: 500 });
atEnd(() => receiver.close());
const viewer = await signIn(server, "viewer");
const other = await signIn(server, "viewer", { clientIds: ["ACME"] });

test("without a mail server the mails are kept, and shown with their text", async () => {
  const handleReport = await webhookDesk(server, demo);
  await handleReport.create({ url: `${receiver.url}/hook`, emailList: ["ops@example.com", "boss@example.com"] });
  await tellEvents(server, "DEMO", ["A"]);
  const kept = async () => (await viewer.get("/mail/list?status=KEPT&clientId=DEMO")).body.items;
  await until("both are kept", async () => {
    await server.rows("update alert_mail set due_at = '2026-01-01' where status = 'PENDING'");
    return (await kept()).length === 2;
  });
  const [mail] = await kept();
  assert.match(mail.address, /^(ops|boss)@example\.com$/);
  const { status, body } = await viewer.get(`/mail/get/${mail.mailId}?clientId=DEMO`);
  assert.equal(status, 200);
  assert.match(body.text, /hook/);
  assert.equal((await viewer.get(`/mail/get/${mail.mailId}?clientId=ACME`)).status, 404);
  const first = await viewer.get("/mail/list?limit=1");
  const second = await viewer.get(`/mail/list?limit=1&cursor=${first.body.nextCursor}`);
  assert.deepEqual([second.body.items.length, second.body.nextCursor], [1, null]);
  const oldest = await viewer.get("/mail/list?limit=1&sort=createdAt");
  const next = await viewer.get(`/mail/list?limit=1&sort=createdAt&cursor=${oldest.body.nextCursor}`);
  assert.deepEqual([oldest.body.items, next.body.items], [second.body.items, first.body.items]);
  assert.deepEqual((await other.get("/mail/list")).body.items, []);
});
