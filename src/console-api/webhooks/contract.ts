import Type, { type Static } from "typebox";
import { undeliveredStatuses } from "#/delivery/webhooks/deliveries/states.ts";
import { subscriptionStatuses } from "#/delivery/webhooks/subscriptions/subscription.ts";
import { scopeParameters } from "#/http/access/operator.ts";
import { defineCursor, pageOf, pageParameters, placeIdV7, placeText } from "#/http/requests/paging.ts";
import { closed, identifier, maybeText, moment, nullable, text } from "#/http/routes/schema.ts";

/**
 * Webhooks and their deliveries over several clients (webhooks.md); operations on a single webhook are the clients'
 * own.
 */
const webhookIdExample = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12";

const kind = Type.Enum(["WEBHOOK", "OUTBOUND"], {
  type: "string",
  title: "SubscriptionKind",
  description: "WEBHOOK: created by the client. OUTBOUND: the push of a type of its outbound feeds.",
  examples: ["WEBHOOK"],
});

const status = Type.Enum([...subscriptionStatuses], {
  type: "string",
  title: "WebhookStatus",
  description:
    "FAILING: the last attempts failed, and only probes are sent. PAUSED by the client. DISABLED: eight days of failures, or the receiver answered 410.",
  examples: ["ACTIVE"],
});

const subscription = Type.Object(
  {
    clientId: text("Client.", "DEMO"),
    webhookId: text("Identifier of the webhook.", webhookIdExample),
    kind,
    topicName: text("Its topic; for OUTBOUND the type of the feed.", "order:*"),
    additionalTopicNames: Type.Array(text("A topic, or a group.", "parcel:load"), {
      description: "More topics of it.",
    }),
    facilityCode: text("Facility of the events, or `*`.", "DC1"),
    description: maybeText("What it is for; null without one, and for OUTBOUND.", "States of orders for the shop"),
    url: text("Its address.", "https://example.com/hooks"),
    status,
    successRate: nullable(
      Type.Number({
        description: "Share of successful deliveries among the last 200, from 0 to 1; null without deliveries.",
        examples: [0.98],
      }),
    ),
    pending: Type.Integer({
      description: "Deliveries that have not ended; counted up to 10 000.",
      examples: [3],
    }),
    oldestPendingAt: nullable(moment("When the oldest of them was created.")),
    lastSuccessAt: nullable(moment("Time of the last delivery.")),
    lastFailureAt: nullable(moment("Time of the last failed attempt.")),
    consecutiveFailures: Type.Integer({ description: "Failed attempts since the last success.", examples: [0] }),
    createdAt: moment("When it was created."),
  },
  { ...closed, title: "WebhookHealthRow", description: "A webhook or a pushed feed, and its state." },
);

export type SubscriptionRecord = Static<typeof subscription>;

/** The fields of it in the store; the rest is the state of its deliveries. */
export const storedSubscription = Type.Omit(subscription, [
  "successRate",
  "pending",
  "oldestPendingAt",
  "lastSuccessAt",
  "lastFailureAt",
  "consecutiveFailures",
]);
export type StoredSubscription = Static<typeof storedSubscription>;

export const subscriptionPage = pageOf(subscription, "Webhooks and pushed feeds, client by client.");

export const subscriptionListQuery = Type.Object(
  {
    ...scopeParameters,
    status: Type.Optional(status),
    kind: Type.Optional(kind),
    ...pageParameters,
  },
  closed,
);

/** A page starts after this webhook. */
export const subscriptionCursor = defineCursor(
  "consoleWebhooks",
  Type.Object({ c: placeText(), w: placeIdV7 }, closed),
);

const undeliveredStatus = Type.Enum(["WAITING", "RETRYING", "FAILED", "SKIPPED"], {
  type: "string",
  title: "UndeliveredFilter",
  description:
    "WAITING: it has not ended, attempted or not. RETRYING: an attempt failed, and it is retried. FAILED finally; it can be redelivered for 30 days. SKIPPED: created while the webhook was paused or disabled.",
  examples: ["FAILED"],
});

const openStatus = Type.Enum(["PENDING", ...undeliveredStatuses], {
  type: "string",
  title: "UndeliveredStatus",
  description:
    "PENDING: no attempt yet. RETRYING: an attempt failed, and it is retried. FAILED finally; it can be redelivered for 30 days. SKIPPED: created while the webhook was paused or disabled.",
  examples: ["FAILED"],
});

const undelivered = Type.Object(
  {
    clientId: text("Client.", "DEMO"),
    deliveryId: text("Identifier of the delivery.", "019aa0f2-8a10-7c0a-9c3e-2a6f0c1d9b13"),
    webhookId: text("The webhook.", webhookIdExample),
    kind,
    url: maybeText("Its address; null where the webhook was deleted.", "https://example.com/hooks"),
    eventId: text("The event, or the document of a pushed feed.", "019aa0f2-8a00-7c0a-9c3e-2a6f0c1d9b11"),
    topicName: text("Topic of the event, or type of the feed.", "order:despatched"),
    objectType: text("Its object.", "order"),
    objectId: text("Which one.", "WEB-100045"),
    status: openStatus,
    tries: Type.Integer({ description: "Number of ended attempts.", examples: [3] }),
    nextTryAt: nullable(moment("Time of the next attempt; null where it has ended, or waits for an earlier delivery.")),
    lastError: maybeText("Reason why the last attempt failed.", "status: answered 503"),
    createdAt: moment("When it was created."),
    endedAt: nullable(moment("When it was skipped or given up.")),
  },
  { ...closed, title: "UndeliveredRow", description: "A delivery that waits, failed, is retried, or was skipped." },
);

/** Its id contains the time of its creation. */
export const storedUndelivered = Type.Omit(undelivered, ["createdAt"]);
export type StoredUndelivered = Static<typeof storedUndelivered>;

export const undeliveredPage = pageOf(undelivered, "Undelivered deliveries, the newest first.");

export const undeliveredQuery = Type.Object(
  {
    ...scopeParameters,
    status: Type.Optional(undeliveredStatus),
    kind: Type.Optional(kind),
    webhookId: Type.Optional(identifier("Of this webhook.", webhookIdExample)),
    endedSince: Type.Optional(moment("Given up or skipped at or after this time.")),
    topicName: Type.Optional(identifier("One topic, or the type of a pushed feed.", "order:despatched")),
    objectId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: "About this object.", examples: ["WEB-100045"] }),
    ),
    ...pageParameters,
  },
  closed,
);

const receiver = Type.Object(
  {
    clientId: text("Client.", "DEMO"),
    webhookId: text("The webhook.", webhookIdExample),
    url: maybeText("Its address; null where the webhook was deleted.", "https://example.com/hooks"),
    status: nullable(status),
    retrying: Type.Integer({ description: "Deliveries that are retried.", examples: [3] }),
    failed: Type.Integer({ description: "Deliveries that were given up.", examples: [70] }),
    skipped: Type.Integer({ description: "Deliveries created while it was paused or disabled.", examples: [0] }),
    oldestAt: moment("When the oldest of them was created."),
    lastError: maybeText("Reason why the newest attempt failed.", "status: answered 503"),
  },
  { ...closed, title: "ReceiverRow", description: "A webhook or pushed feed with undelivered deliveries." },
);

/** The fields of it in the store. */
export const storedReceiver = Type.Object({
  ...Type.Omit(receiver, ["url", "status", "oldestAt"]).properties,
  oldestId: Type.String(),
});
export type StoredReceiver = Static<typeof storedReceiver>;

export const receiverPage = Type.Object(
  {
    items: Type.Array(receiver, { description: "Receivers, those with the most undelivered deliveries first." }),
    isCut: Type.Boolean({
      description: "There are more deliveries than the 10 000 newest, which were counted.",
      examples: [false],
    }),
  },
  { ...closed, title: "Receivers", description: "Undelivered deliveries by receiver." },
);

export const receiversQuery = Type.Object({ ...scopeParameters }, closed);

/** A page starts after this delivery. */
export const undeliveredCursor = defineCursor("undelivered", Type.Object({ id: placeIdV7 }, closed));

export const ratesPath = Type.Object({ webhookId: identifier("The webhook.", webhookIdExample) }, closed);

export const ratesQuery = Type.Object(
  {
    clientId: Type.String({
      pattern: "^(facility:)?[A-Za-z0-9_-]{1,10}$",
      description: "The owner of the webhook: a client, or `facility:DC1` for the warehouse of a facility.",
      examples: ["DEMO"],
    }),
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 30, default: 7, description: "Days back from now.", examples: [7] }),
    ),
  },
  closed,
);

const count = (description: string, example: number) => Type.Integer({ minimum: 0, description, examples: [example] });
const milliseconds = (description: string, example: number) =>
  Type.Number({ minimum: 0, description, examples: [example] });

export const attemptRates = Type.Object(
  {
    periodSeconds: count("Length of a period: an hour for a day, six hours for a week, else a day.", 21_600),
    isCut: Type.Boolean({
      description: "Only the newest 1 000 deliveries are counted, and there are older ones in these days.",
      examples: [false],
    }),
    items: Type.Array(
      Type.Object(
        {
          at: moment("Start of the period."),
          attempts: count("Attempts, with probes.", 120),
          succeeded: count("Those that the receiver answered with 2xx.", 118),
          medianMs: milliseconds("Half of the attempts took at most so many milliseconds.", 84),
          p95Ms: milliseconds("95 of 100 attempts took at most so many milliseconds.", 310),
        },
        { ...closed, title: "AttemptPeriod", description: "The attempts of a period." },
      ),
      { description: "Periods with attempts, oldest first." },
    ),
  },
  { ...closed, title: "AttemptRates", description: "Success and latency of a webhook over time." },
);
export type AttemptRates = Static<typeof attemptRates>;
