import assert from "node:assert/strict";
import { test } from "node:test";
import { atEnd } from "../../../tests/support/app/at-end.ts";
import { commandLine } from "../../../tests/support/app/cli.ts";
import { testServer } from "../../../tests/support/app/server.ts";
import { until } from "../../../tests/support/app/until.ts";
import { startReceiver } from "../../../tests/support/http/receiver.ts";
import { webhookCalls } from "../../../tests/support/http/webhook-calls.ts";
import { tellEvents } from "../../../tests/support/webhooks/webhooks.ts";

const server = await testServer();
const calls = webhookCalls(server.url, await server.onboard("ACME"));
await server.onboard("OTHER");
const receiver = await startReceiver();
atEnd(() => receiver.close());

const crossdock = (...words: string[]) => commandLine(server)(words);

test("webhooks are listed with their health, and a running server resends a delivery", async () => {
  const none = await crossdock("webhook", "list", "--client", "ACME");
  assert.deepEqual([none.code, none.stdout], [0, "The client has no webhook.\n"]);
  const ofFacility = await crossdock("webhook", "list", "--client", "facility:DC1");
  assert.deepEqual([ofFacility.code, ofFacility.stdout], [0, "The facility has no webhook.\n"]);
  const { webhookId } = await calls.create({ url: receiver.url, additionalTopicNames: ["parcel:load"] });
  await tellEvents(server, "ACME", ["O-1"], "order:delivered");
  await receiver.waitFor(1);
  const list = async () => {
    const { code, stdout, stderr } = await crossdock("webhook", "list", "--client", "ACME", "--json");
    assert.equal(code, 0, stderr);
    return (JSON.parse(stdout) as { webhooks: { webhookId: string; health: { lastSuccessAt: string | null } }[] })
      .webhooks;
  };
  await until("the success is seen", async () => (await list())[0]?.health.lastSuccessAt !== null);
  const [listed] = await list();
  assert.equal(listed?.webhookId, webhookId);
  const shown = await crossdock("webhook", "list", "--client", "ACME");
  assert.match(
    shown.stdout,
    new RegExp(`\n${webhookId} +order:\\*, parcel:load +DC1 +ACTIVE +0 +0 +\\d{4}-\\S+ +- +${receiver.url}\n`),
  );

  const page = (await calls.call("GET", `/webhook/deliveries/${webhookId}`)).body as {
    items?: { deliveryId: string }[];
  };
  const deliveryId = page.items?.[0]?.deliveryId ?? "";
  const replayed = await crossdock("webhook", "replay", deliveryId, "--client", "ACME");
  assert.deepEqual(
    [replayed.code, replayed.stdout],
    [0, `Delivery ${deliveryId} (order:delivered) of webhook ${webhookId} is PENDING again.\n`],
    replayed.stderr,
  );
  await receiver.waitFor(2);
  assert.equal(receiver.requests[1]?.headers["webhook-id"], receiver.requests[0]?.headers["webhook-id"]);
  const [audit] = await server.rows<{ actor: string }>(
    "select actor from audit_log where client_id = 'ACME' and action = 'redeliver' limit 1",
  );
  assert.match(audit?.actor ?? "", /^cli:/);

  const foreign = await crossdock("webhook", "replay", deliveryId, "--client", "OTHER");
  assert.deepEqual([foreign.code, /no delivery of this deliveryId/.test(foreign.stderr)], [1, true]);
  const nobody = await crossdock("webhook", "replay", deliveryId, "--client", "NOBODY");
  assert.deepEqual([nobody.code, /NOBODY/.test(nobody.stderr)], [1, true]);
  assert.equal((await crossdock("webhook", "list")).code, 2);
});
