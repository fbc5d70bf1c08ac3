import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { signatureHeaders } from "#/delivery/webhooks/sending/sender.ts";

const makeSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const nowSeconds = () => Math.floor(Date.now() / 1_000);
const body = '{"id":"evt_1","text":"Grüße, 世界"}';

test("the signature is the one of the published example", () => {
  const headers = signatureHeaders(
    ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    "msg_p5jXN8AQM9LWM0D4loKWxJek",
    1_614_265_330,
    '{"test": 2432232314}',
  );
  assert.deepEqual(headers, {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("others' code verifies it, and no other body, id or moment", () => {
  const secret = makeSecret();
  const headers = signatureHeaders([secret], "evt_1", nowSeconds(), body);
  const webhook = new Webhook(secret);
  assert.deepEqual(webhook.verify(body, headers), JSON.parse(body));
  assert.deepEqual(webhook.verify(Buffer.from(body), headers), JSON.parse(body));
  assert.throws(() => webhook.verify(`${body} `, headers), /signature/);
  assert.throws(() => webhook.verify(body, { ...headers, "webhook-id": "evt_2" }), /signature/);
  const earlier = String(Number(headers["webhook-timestamp"]) - 1);
  assert.throws(() => webhook.verify(body, { ...headers, "webhook-timestamp": earlier }), /signature/);
  assert.throws(() => new Webhook(makeSecret()).verify(body, headers), /signature/);
});

test("during a rotation both the old and the new secret verify the signature", () => {
  const secrets = [makeSecret(), makeSecret()];
  const headers = signatureHeaders(secrets, "evt_1", nowSeconds(), body);
  assert.match(headers["webhook-signature"] ?? "", /^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
  for (const secret of secrets) new Webhook(secret).verify(body, headers);
  assert.throws(() => new Webhook(makeSecret()).verify(body, headers), /signature/);
});

test("nothing is signed without a secret", () => {
  for (const secrets of [[], [""], ["whsec_"], ["c2VjcmV0"]]) {
    assert.throws(() => signatureHeaders(secrets, "evt_1", 1, body), /invariant broken/, JSON.stringify(secrets));
  }
});
