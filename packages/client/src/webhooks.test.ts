import assert from "node:assert/strict";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { verifyWebhook } from "./webhooks.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const id = "evt_019aa0f27f537c0a9c3e2a6f0c1d9b11";
const nowMs = 1_800_000_000_000;
const time = String(nowMs / 1000);
const body = JSON.stringify({ id, type: "order:despatched", objectId: "Käse 1" });
const signed = (with_ = secret) => new Webhook(with_).sign(id, new Date(nowMs), body);
const headers = (signature: string, at = time) => ({
  "webhook-id": id,
  "webhook-timestamp": at,
  "webhook-signature": signature,
});

test("a push that Standard Webhooks signed is read, from bytes or text, with one of several signatures", async () => {
  const other = signed("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
  for (const [pushHeaders, content] of [
    [headers(signed()), body],
    [headers(`${other} ${signed()}`), new TextEncoder().encode(body)],
    [new Headers(headers(signed())), Buffer.from(body)],
  ] as const) {
    const event = await verifyWebhook(secret, pushHeaders, content, { nowMs });
    assert.deepEqual(event, JSON.parse(body));
  }
});

test("a forged, changed or old push is refused", async () => {
  for (const [pushHeaders, content, at] of [
    [headers(signed("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")), body, nowMs],
    [headers(signed()), body.replace("1", "2"), nowMs],
    [{ ...headers(signed()), "webhook-id": "evt_other" }, body, nowMs],
    [headers(signed()), body, nowMs + 301_000],
    [headers(signed()), body, nowMs - 301_000],
    [headers(signed(), ""), body, nowMs],
    [headers("v1,%%% v2,AAAA"), body, nowMs],
    [{}, body, nowMs],
  ] as const) {
    await assert.rejects(verifyWebhook(secret, pushHeaders, content, { nowMs: at }), { name: "SignatureError" });
  }
});
