import { facilityOfTenant } from "#/db/facility-tenant.ts";
import type { WebhookTestRecord } from "#/delivery/webhooks/deliveries/delivery-contract.ts";
import { exchangeRecord, type SentExchange } from "#/delivery/webhooks/deliveries/delivery-record.ts";
import { type EventBody, eventName } from "#/delivery/webhooks/events/event-body.ts";
import { topicsNamed, topicsOf } from "#/delivery/webhooks/events/topics.ts";
import { type OpenTarget, openTarget } from "#/delivery/webhooks/subscriptions/secrets.ts";
import type { Subscription } from "#/delivery/webhooks/subscriptions/subscription.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import type { Ids } from "#/kernel/values/ids.ts";

/** Sends one request now. The role passes this in, because modules do not send. */
export type SendNow = (
  target: OpenTarget,
  message: { readonly id: string; readonly body: string; readonly sequence: undefined },
) => Promise<SentExchange>;

export interface TestContext {
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly sendNow: SendNow;
}

/** Tests a receiver: sends a `webhook:test` with sample data of the webhook's first topic, and returns the result. */
export async function pushTest(
  { secretBox, clock, ids, sendNow }: TestContext,
  subscription: Subscription,
): Promise<WebhookTestRecord> {
  const nowMs = clock.now();
  const message = testBody(subscription, ids.next(nowMs), nowMs);
  const body = JSON.stringify(message);
  const target = openTarget(secretBox, subscription, nowMs);
  const sent = await sendNow(target, { id: message.id, body, sequence: undefined });
  const isDelivered = sent.errorClass === undefined;
  return {
    webhookId: subscription.webhookId,
    isDelivered,
    error: isDelivered ? null : (sent.detail ?? sent.errorClass ?? null),
    request: { url: subscription.url, eventId: message.id, body },
    exchange: exchangeRecord(sent),
  };
}

/** The event is not in the log: no counter includes it, and it has no sequence. */
function testBody(
  { clientId, webhookId, topicName }: Pick<Subscription, "clientId" | "webhookId" | "topicName">,
  eventId: string,
  nowMs: number,
): EventBody {
  const [topic] = topicsNamed(topicName, topicsOf(clientId));
  const facilityCode = facilityOfTenant(clientId);
  return {
    id: eventName(eventId),
    type: "webhook:test",
    timestamp: new Date(nowMs).toISOString(),
    clientId: facilityCode === undefined ? clientId : "*",
    facilityCode: facilityCode ?? null,
    objectType: "webhook",
    objectId: webhookId,
    sequence: null,
    data: { webhookId, topicName, sample: topic?.sample.data ?? {} },
  };
}
