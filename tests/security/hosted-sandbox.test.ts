// A public sandbox must not give access to its internal network.
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeDataDir, spawnProcess } from "../support/app/process.ts";
import { testServer } from "../support/app/server.ts";
import { newWebhook, webhookCalls } from "../support/http/webhook-calls.ts";

const hosted = await testServer({ CROSSDOCK_BASE_URL: "https://sandbox.example.com" });
const webhooks = webhookCalls(hosted.url, await hosted.onboard("OWN"));

const attempts = [
  "http://127.0.0.1:5432/",
  "http://10.0.0.1/hook",
  "https://192.168.1.10/hook",
  "http://[fd00::1]/hook",
  "http://[::ffff:10.0.0.1]/hook",
  "http://169.254.169.254/latest/meta-data/",
] as const;

for (const url of attempts) {
  test(`a hosted sandbox refuses the webhook target ${url}`, async () => {
    const { status, body } = await webhooks.call("POST", "/webhook/create", { ...newWebhook("OWN"), url });
    assert.equal(status, 422, JSON.stringify(body));
  });
}

test("the start log warns of private targets that are allowed by hand, with the remedy", async () => {
  const node = spawnProcess(makeDataDir(), {
    CROSSDOCK_BASE_URL: "https://sandbox.example.com",
    CROSSDOCK_ALLOW_PRIVATE_WEBHOOKS: "true",
    CROSSDOCK_TRUSTED_PROXIES: "0.0.0.0/1",
    // A role that is off ends the process as soon as it has logged its warnings.
    CROSSDOCK_ROLES: "sftp",
  });
  await node.ended;
  const warnings = node
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as { variable?: string; advice?: string })
    .filter(({ variable }) => variable !== undefined);
  assert.deepEqual(
    warnings.map(({ variable }) => variable),
    ["CROSSDOCK_ALLOW_PRIVATE_WEBHOOKS", "CROSSDOCK_TRUSTED_PROXIES"],
  );
  assert.match(warnings[0]?.advice ?? "", /CROSSDOCK_PRIVATE_TARGETS/);
});
