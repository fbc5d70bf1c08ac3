import Type, { type Static } from "typebox";
import { scopeParameters } from "#/http/access/operator.ts";
import { defineCursor, pageOf, pageParameters } from "#/http/requests/paging.ts";
import { identifier, moment, nullable } from "#/http/routes/schema.ts";

/**
 * Webhooks and their deliveries over several clients (webhooks.md); operations on a single webhook are the clients'
 * own.
 */
const closed = { additionalProperties: false } as const;

const text = (description: string, example: string) => Type.String({ description, examples: [example] });
const webhookIdExample = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12";

const kind = Type.Enum(["WEBHOOK", "OUTBOUND"], {
  type: "string",
  title: "SubscriptionKind",
  description:
    "WEBHOOK: asked for by the client. OUTBOUND: the address that a type of its outbound feeds is pushed to.",
  examples: ["WEBHOOK"],
});

const status = Type.Enum(["ACTIVE", "FAILING", "PAUSED", "DISABLED"], {
  type: "string",
  title: "WebhookStatus",
  description:
    "FAILING: the last tries failed, and only probes are sent. PAUSED by the client. DISABLED: eight days of failures, or the receiver answered 410.",
  examples: ["ACTIVE"],
});

const subscription = Type.Object(
  {
    clientId: text("Client.", "DEMO"),
    webhookId: text("Identifier of the webhook.", webhookIdExample),
    kind,
    topicName: text("What it is told of; of OUTBOUND the type of the feed.", "order:*"),
    facilityCode: text("Facility whose events are pushed, or `*`.", "DC1"),
    url: text("Where they are pushed to.", "https://example.com/hooks"),
    status,
    successRate: nullable(
      Type.Number({
        description: "Of its last 200 deliveries, the part that was delivered, from 0 to 1; null where there is none.",
        examples: [0.98],
      }),
    ),
    pending: Type.Integer({
      description: "Deliveries that have not ended; at most 10 000 are counted.",
      examples: [3],
    }),
    oldestPendingAt: nullable(moment("When the oldest of them was made.")),
    lastSuccessAt: nullable(moment("When something was last delivered.")),
    lastFailureAt: nullable(moment("When a try last failed.")),
    consecutiveFailures: Type.Integer({ description: "Failed tries since the last success.", examples: [0] }),
    createdAt: moment("When it was made."),
  },
  { ...closed, title: "WebhookHealthRow", description: "A webhook or a pushed feed, and how sending to it goes." },
);

export type SubscriptionRecord = Static<typeof subscription>;

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
  Type.Object({ c: Type.String({ maxLength: 64 }), w: Type.String({ maxLength: 36 }) }, closed),
);

const undeliveredStatus = Type.Enum(["WAITING", "RETRYING", "FAILED", "SKIPPED"], {
  type: "string",
  title: "UndeliveredFilter",
  description:
    "WAITING: it has not ended, whether it was tried or not. RETRYING: it has failed and is tried again. FAILED for good, and can be redelivered for 30 days. SKIPPED: it happened while the webhook was paused or disabled.",
  examples: ["FAILED"],
});

const openStatus = Type.Enum(["PENDING", "RETRYING", "FAILED", "SKIPPED"], {
  type: "string",
  title: "UndeliveredStatus",
  description:
    "PENDING: it has not been tried yet. RETRYING: it has failed and is tried again. FAILED for good, and can be redelivered for 30 days. SKIPPED: it happened while the webhook was paused or disabled.",
  examples: ["FAILED"],
});

const undelivered = Type.Object(
  {
    clientId: text("Client.", "DEMO"),
    deliveryId: text("Identifier of the delivery.", "019aa0f2-8a10-7c0a-9c3e-2a6f0c1d9b13"),
    webhookId: text("The webhook.", webhookIdExample),
    kind,
    url: nullable(text("Where it is pushed to; null where the webhook was deleted.", "https://example.com/hooks")),
    eventId: text("The event, or the document of a pushed feed.", "019aa0f2-8a00-7c0a-9c3e-2a6f0c1d9b11"),
    topicName: text("Topic of the event, or type of the feed.", "order:despatched"),
    objectType: text("What it is about.", "order"),
    objectId: text("Which one.", "WEB-100045"),
    status: openStatus,
    tries: Type.Integer({ description: "Tries that have ended.", examples: [3] }),
    nextTryAt: nullable(moment("When it is tried next; null where it has ended, or waits for an earlier one.")),
    lastError: nullable(text("Why the last try failed.", "status: answered 503")),
    createdAt: moment("When it was made."),
    endedAt: nullable(moment("When it was skipped or given up.")),
  },
  { ...closed, title: "UndeliveredRow", description: "A delivery that waits, failed, is tried again, or was skipped." },
);

export type UndeliveredRecord = Static<typeof undelivered>;

export const undeliveredPage = pageOf(undelivered, "Deliveries that did not go well, the newest first.");

export const undeliveredQuery = Type.Object(
  {
    ...scopeParameters,
    status: Type.Optional(undeliveredStatus),
    kind: Type.Optional(kind),
    endedSince: Type.Optional(moment("Given up or skipped at this moment or later.")),
    topicName: Type.Optional(identifier("One topic, or the type of a pushed feed.", "order:despatched")),
    objectId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: "About this object.", examples: ["WEB-100045"] }),
    ),
    ...pageParameters,
  },
  closed,
);

/** A page starts after this delivery. */
export const undeliveredCursor = defineCursor(
  "undelivered",
  Type.Object({ id: Type.String({ minLength: 36, maxLength: 36 }) }, closed),
);
