import assert from "node:assert/strict";
import { test } from "node:test";
import {
  newSigningSecret,
  openHeaders,
  openTarget,
  sealHeaders,
  sealSecret,
} from "#/delivery/webhooks/subscriptions/secrets.ts";
import type { Subscription } from "#/delivery/webhooks/subscriptions/subscription.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";

const box = createSecretBox("a master key for tests, long enough");
const at = "2026-11-20T10:00:00.000Z";
const nowMs = Date.parse(at);

function subscriptionOf(sealed: Partial<Subscription["sealed"]>): Subscription {
  return {
    clientId: "ACME",
    webhookId: "w-1",
    kind: "WEBHOOK",
    topicName: "*",
    additionalTopicNames: [],
    facilityCode: "*",
    description: undefined,
    url: "https://example.com/hooks",
    contentType: "application/json",
    emailList: [],
    hasHttpSignature: false,
    status: "ACTIVE",
    fromPosition: 0,
    createdAt: at,
    updatedAt: at,
    version: 1,
    sealed: {
      headers: undefined,
      secret: sealSecret(box, "ACME", "w-1", "whsec_new"),
      previous: undefined,
      previousUntil: undefined,
      ...sealed,
    },
  };
}

test("a signing secret is whsec_ and 32 random bytes", () => {
  const secret = newSigningSecret();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.equal(Buffer.from(secret.slice(6), "base64").length, 32);
  assert.notEqual(newSigningSecret(), secret);
});

test("after a rotation the previous secret also signs until it expires", () => {
  const previous = sealSecret(box, "ACME", "w-1", "whsec_old");
  const rotated = subscriptionOf({ previous, previousUntil: new Date(nowMs + 1).toISOString() });
  assert.deepEqual(openTarget(box, rotated, nowMs).secrets, ["whsec_new", "whsec_old"]);
  assert.deepEqual(openTarget(box, rotated, nowMs + 1).secrets, ["whsec_new"]);
});

test("custom headers are stored encrypted and decrypted completely", () => {
  const headers = { "X-Key": "open sesame", __proto__key: "1" };
  const sealed = sealHeaders(box, "ACME", "w-1", headers);
  assert.ok(sealed !== undefined && !sealed.includes("sesame") && !sealed.includes("X-Key"));
  assert.deepEqual(openHeaders(box, subscriptionOf({ headers: sealed })), headers);
  assert.equal(sealHeaders(box, "ACME", "w-1", {}), undefined);
  assert.deepEqual(openHeaders(box, subscriptionOf({})), {});
});

test("a ciphertext of another client or webhook cannot be decrypted", () => {
  for (const [clientId, webhookId] of [
    ["OTHER", "w-1"],
    ["ACME", "w-2"],
  ] as const) {
    const foreign = subscriptionOf({ secret: sealSecret(box, clientId, webhookId, "whsec_x") });
    assert.throws(() => openTarget(box, foreign, nowMs), /master key does not decrypt: webhook ACME w-1 secret/);
  }
});
