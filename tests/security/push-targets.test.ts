// A client that sets a push target learns nothing about the internal network: outside the sandbox, every refused
// address has the same message.
import assert from "node:assert/strict";
import { test } from "node:test";
import { BlockedError } from "#/delivery/webhooks/sending/answer.ts";
import { findAddresses } from "#/delivery/webhooks/sending/lookup.ts";
import { onboardClient } from "#/modules/clients/index.ts";
import { testServer } from "../support/app/server.ts";
import { newWebhook, webhookCalls } from "../support/http/webhook-calls.ts";

const staging = await testServer({ CROSSDOCK_ENVIRONMENT: "staging", CROSSDOCK_PRIVATE_TARGETS: "10.9.9.9" });
const onboarded = await staging.operate((tx, change) =>
  onboardClient(tx, change, { clientId: "OWN", name: "Own", facilities: ["DC1"], environment: "staging" }),
);
assert.ok(onboarded.ok);
const webhooks = webhookCalls(staging.url, { credentials: onboarded.value });
const policy = staging.config.webhooks;
const sentence = "it is not reachable from the internet";

const attempts = [
  "127.0.0.1",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "100.64.0.1",
  "169.254.169.254",
  "169.254.1.1",
  "100.100.100.200",
  "168.63.129.16",
  "0.0.0.0",
  "255.255.255.255",
  "224.0.0.1",
  "192.0.2.1",
  "198.18.0.1",
  "[::1]",
  "[::]",
  "[fd00::1]",
  "[fe80::1]",
  "[ff02::1]",
  "[fd00:ec2::254]",
  "[::ffff:10.0.0.1]",
  "[64:ff9b::a00:1]",
  "[2002:a00:1::]",
  "[2001:db8::1]",
] as const;

for (const host of attempts) {
  test(`a target at ${host} is refused by the one sentence`, async () => {
    const webhook = { ...newWebhook("OWN"), url: `https://${host}/hook` };
    const { status, body } = await webhooks.call("POST", "/webhook/create", webhook);
    assert.equal(status, 422, JSON.stringify(body));
    const [fault] = body.errors as readonly { readonly pointer: string; readonly message: string }[];
    assert.equal(fault?.pointer, "#/url");
    const shown = new URL(webhook.url).hostname;
    assert.equal(
      fault?.message,
      `names ${shown}, to which nothing is sent: ${sentence}; use an address that is reachable from the internet`,
    );
    const address = host.replace(/^\[(.*)\]$/, "$1");
    const found = async () => [{ address, family: address.includes(":") ? 6 : 4 }];
    for (const name of ["db.internal", address]) {
      await assert.rejects(
        findAddresses(found, policy, name),
        (error: Error) => error instanceof BlockedError && error.message === sentence,
      );
    }
  });
}

test("only addresses that the operator lists are allowed", async () => {
  const create = (url: string) => webhooks.call("POST", "/webhook/create", { ...newWebhook("OWN"), url });
  assert.equal((await create("https://10.9.9.9/hook")).status, 201);
  assert.equal((await create("https://10.9.9.8/hook")).status, 422);
});
