// Pushes that are signed by HTTP Message Signatures (RFC 9421): their receivers need the published keys only.
import assert from "node:assert/strict";
import { createHash, createPublicKey } from "node:crypto";
import { test } from "node:test";
import { createVerifier, httpbis } from "http-message-signatures";
import type { JWK } from "jose";
import { Webhook } from "standardwebhooks";
import { atEnd } from "../../support/app/at-end.ts";
import { testServer } from "../../support/app/server.ts";
import { catalogue } from "../../support/builders/documents.ts";
import { type ReceivedRequest, startReceiver } from "../../support/http/receiver.ts";
import { webhookDesk } from "../../support/webhooks/webhooks.ts";

const server = await testServer({ CROSSDOCK_ROLES: "feeds,api,auth,worker" });
const demo = await server.onboard("DEMO");
const desk = await webhookDesk(server, demo);
const receiver = await startReceiver();
atEnd(() => receiver.close());

/** Whether another library finds the request genuine, by the keys that the deployment publishes. */
async function isGenuine({ method, path, headers }: ReceivedRequest): Promise<boolean | null> {
  const { keys } = (await (await fetch(`${server.url}/.well-known/jwks.json`)).json()) as { keys: JWK[] };
  const message = { method, url: `${receiver.url}${path}`, headers: headers as Record<string, string> };
  return httpbis.verifyMessage(
    {
      async keyLookup({ keyid }) {
        const jwk = keys.find(({ kid }) => kid === keyid);
        if (jwk === undefined) return null;
        const key = createPublicKey({ key: jwk as never, format: "jwk" });
        return { id: keyid as string, algs: ["ecdsa-p256-sha256"], verify: createVerifier(key, "ecdsa-p256-sha256") };
      },
      requiredFields: ["@method", "@target-uri", "content-digest", "webhook-id"],
      maxAge: 300,
      tolerance: 60,
    },
    message,
  );
}

test("a push has a second signature that the published keys verify", async () => {
  const { webhookId, signingSecret } = await desk.create({ url: `${receiver.url}/hooks?a=1`, httpSignature: true });
  assert.equal((await desk.get(webhookId)).httpSignature, true);
  await demo.accept("CAT", catalogue("DEMO", ["MUG"]));
  await receiver.waitFor(1);
  const [push] = receiver.requests;
  assert.ok(push);
  const digest = createHash("sha256").update(push.body).digest("base64");
  assert.equal(push.headers["content-digest"], `sha-256=:${digest}:`);
  assert.equal(await isGenuine(push), true);
  for (const changed of [
    { path: "/other" },
    { method: "PUT" },
    { headers: { ...push.headers, "webhook-id": "evt_0" } },
    { headers: { ...push.headers, "content-digest": "sha-256=:AAAA:" } },
  ]) {
    await assert.rejects(
      isGenuine({ ...push, ...changed }).then((genuine) => assert.ok(genuine)),
      JSON.stringify(changed),
    );
  }
  new Webhook(signingSecret).verify(push.body.toString(), push.headers as Record<string, string>);

  const tested = await desk.call("POST", `webhook/test/${webhookId}`);
  assert.equal(tested.status, 200);
  const test = receiver.requests.find(({ body }) => body.includes('"webhook:test"'));
  assert.ok(test);
  assert.equal(await isGenuine(test), true);

  assert.equal((await desk.patch(webhookId, { httpSignature: null })).httpSignature, false);
  const count = receiver.requests.length;
  await desk.call("POST", `webhook/test/${webhookId}`);
  assert.equal(receiver.requests[count]?.headers.signature, undefined);
});
