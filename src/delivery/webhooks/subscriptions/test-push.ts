import type { WebhookTestRecord, WebhookTestRequest } from "#/delivery/webhooks/deliveries/delivery-contract.ts";
import { exchangeRecord, type SentExchange } from "#/delivery/webhooks/deliveries/delivery-record.ts";
import { type EventBody, eventBody, eventIdOf, eventName } from "#/delivery/webhooks/events/event-body.ts";
import { listEventsById } from "#/delivery/webhooks/events/event-list.ts";
import { matchesTopic, topicsNamed, topicsOf } from "#/delivery/webhooks/events/topics.ts";
import { newSigningSecret, type OpenTarget, openTarget } from "#/delivery/webhooks/subscriptions/secrets.ts";
import { type Subscription, topicNamesOf } from "#/delivery/webhooks/subscriptions/subscription.ts";
import type { Clock } from "#/kernel/clock.ts";
import { invalid, type Refusal, unprocessableFaults } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { Database } from "#/store/db/database.ts";
import { facilityOfTenant } from "#/store/db/facility-tenant.ts";

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

/** The content of a test: its topic, and the `sample`. */
export interface TestContent {
  readonly topicName: string;
  readonly sample: object;
}

/**
 * The content that a request asks for: the sample of one of the webhook's topics, or the data of a stored event, or the
 * request's own sample. Refused as 400 or 422.
 */
export async function readTestContent(
  database: Database,
  subscription: Subscription,
  { topicName, eventId, sample }: Omit<WebhookTestRequest, "clientId">,
): Promise<Result<TestContent, Refusal>> {
  const { clientId } = subscription;
  if (eventId !== undefined) {
    if (topicName !== undefined) {
      return refused(
        invalid([{ pointer: "#/topicName", message: "must be absent beside eventId, which has a topic" }]),
      );
    }
    const fault = (message: string) => refused(unprocessableFaults([{ pointer: "#/eventId", message }]));
    const [event] = await listEventsById(database.of(clientId), [eventIdOf(eventId)]);
    if (event === undefined) return fault(`'${eventId}' is not an event of the last 90 days; event/list lists them`);
    if (!isReceived(subscription, event.topic)) return fault(`is an event of ${otherTopic(subscription, event.topic)}`);
    return ok({ topicName: event.topic, sample: sample ?? eventBody(clientId, event).data });
  }
  const name = topicName ?? subscription.topicName;
  if (!isReceived(subscription, name)) {
    return refused(
      unprocessableFaults([{ pointer: "#/topicName", message: `names ${otherTopic(subscription, name)}` }]),
    );
  }
  const [topic] = topicsNamed(name, topicsOf(clientId));
  return ok({ topicName: name, sample: sample ?? topic?.sample.data ?? {} });
}

/** As the webhook names it, or a single topic of one of its groups. */
function isReceived(subscription: Subscription, name: string): boolean {
  const names = topicNamesOf(subscription);
  const isTopic = topicsOf(subscription.clientId).some(({ topicName }) => topicName === name);
  return names.includes(name) || (isTopic && names.some((pattern) => matchesTopic(pattern, name)));
}

const otherTopic = (subscription: Subscription, name: string) =>
  `'${name}', which the webhook does not receive; its topics are ${topicNamesOf(subscription).join(", ")}`;

/**
 * Tests a receiver: sends a `webhook:test` now, and returns the result. @param isForged signed by a secret that the
 * receiver does not have.
 */
export async function pushTest(
  { secretBox, clock, ids, sendNow }: TestContext,
  subscription: Subscription,
  content: TestContent,
  { isForged = false }: { readonly isForged?: boolean } = {},
): Promise<WebhookTestRecord> {
  const nowMs = clock.now();
  const message = testBody(subscription, content, { eventId: ids.next(nowMs), nowMs });
  const body = JSON.stringify(message);
  const target = openTarget(secretBox, subscription, nowMs);
  const secrets = isForged ? [newSigningSecret()] : target.secrets;
  const sent = await sendNow({ ...target, secrets }, { id: message.id, body, sequence: undefined });
  const isDelivered = sent.errorClass === undefined;
  return {
    webhookId: subscription.webhookId,
    isDelivered,
    error: isDelivered ? null : (sent.detail ?? sent.errorClass ?? null),
    request: { url: subscription.url, eventId: message.id, body },
    exchange: exchangeRecord(sent),
  };
}

/** How a receiver took a signed test, and the same with a wrong signature. */
export interface SignatureTrial {
  readonly webhookId: string;
  readonly at: string;
  /** Why the signed test was not delivered; null where it was. */
  readonly error: string | null;
  /** The status of its answer to the wrong signature; null where it gave none. */
  readonly forgedStatus: number | null;
}

/** Sends the signed test and, where it is taken, the other, with the sample of the webhook's first topic. */
export async function trySignature(context: TestContext, subscription: Subscription): Promise<SignatureTrial> {
  const { webhookId, topicName } = subscription;
  const [topic] = topicsNamed(topicName, topicsOf(subscription.clientId));
  const content = { topicName, sample: topic?.sample.data ?? {} };
  const { error } = await pushTest(context, subscription, content);
  // A receiver that does not take the signed one says nothing by refusing the other.
  const forged = error === null ? await pushTest(context, subscription, content, { isForged: true }) : undefined;
  const at = new Date(context.clock.now()).toISOString();
  return { webhookId, at, error, forgedStatus: forged?.exchange.status ?? null };
}

/** The event is not in the log: no counter includes it, and it has no sequence. */
function testBody(
  { clientId, webhookId }: Pick<Subscription, "clientId" | "webhookId">,
  content: TestContent,
  { eventId, nowMs }: { readonly eventId: string; readonly nowMs: number },
): EventBody {
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
    data: { webhookId, ...content },
  };
}
