import { newSigningSecret, sealSecret } from "#/delivery/webhooks/subscriptions/secrets.ts";
import type { Subscription } from "#/delivery/webhooks/subscriptions/subscription.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";

export const secretBox = createSecretBox("a master key for tests, long enough");

/** A webhook for all topics, as its creation stores it. */
export const activeWebhook = (
  { clientId, webhookId, at }: { readonly clientId: string; readonly webhookId: string; readonly at: string },
  more: Partial<Subscription> = {},
): Subscription => ({
  clientId,
  webhookId,
  kind: "WEBHOOK",
  topicName: "*",
  additionalTopicNames: [],
  facilityCode: "*",
  description: undefined,
  url: "https://receiver.example/",
  contentType: "application/json",
  emailList: [],
  hasHttpSignature: false,
  status: "ACTIVE",
  fromPosition: 0,
  createdAt: at,
  updatedAt: at,
  version: 1,
  sealed: {
    secret: sealSecret(secretBox, clientId, webhookId, newSigningSecret()),
    headers: undefined,
    previous: undefined,
    previousUntil: undefined,
  },
  ...more,
});
