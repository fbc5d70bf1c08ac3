import Type, { type Static } from "typebox";
import type { DeliveryStatus } from "#/delivery/webhooks/deliveries/delivery-log-repository.ts";
import { closed, objectTypeField, oneOf, text } from "#/delivery/webhooks/events/event-parts.ts";
import { exampleEventId } from "#/delivery/webhooks/events/event-schema.ts";
import { webhookIdExample } from "#/delivery/webhooks/subscriptions/subscription-contract.ts";
import { defineCursor, pageOf, pageParameters, receiptSortParameter } from "#/http/requests/paging.ts";
import { clientIdParameter, identifier, moment, nullable } from "#/http/routes/schema.ts";

/** The Webhook service in schemas (webhooks.md §1): deliveries, each with its attempts, and the test of a webhook. */
const deliveryStatuses = [
  "PENDING",
  "RETRYING",
  "HELD",
  "DELIVERED",
  "FAILED",
  "SKIPPED",
] as const satisfies readonly DeliveryStatus[];

const deliveryIdExample = "019aa0f2-8a10-7c0a-9c3e-2a6f0c1d9b13";

const statusField = oneOf(
  deliveryStatuses,
  "PENDING: not tried yet, or waiting for an earlier one of its object. RETRYING: it has failed and is tried again. HELD while the webhook is paused. DELIVERED. FAILED for good, and can be redelivered for 30 days. SKIPPED: it happened while the webhook was paused or disabled.",
  "DELIVERED",
  { title: "DeliveryStatus" },
);

const fields = {
  deliveryId: text("Identifier of the delivery.", deliveryIdExample),
  webhookId: text("The webhook.", webhookIdExample),
  eventId: text("The event: what `webhook-id` says on every try.", exampleEventId),
  topicName: text("Topic of the event.", "order:despatched"),
  objectType: objectTypeField("What the event is about."),
  objectId: text("Which one.", "WEB-100045"),
  sequence: nullable(
    Type.Integer({
      description:
        "What `crossdock-sequence` says: counts the events of the object that the webhook is sent. Null of what was skipped.",
      examples: [7],
    }),
  ),
  status: statusField,
  tries: Type.Integer({
    description:
      "Tries that have ended since it was made, or was last sent again by hand; probes of a failing receiver are not counted.",
    examples: [1],
  }),
  nextTryAt: nullable(
    moment(
      "When it is tried next, or as soon after it as the webhook's probes find the receiver well; null where it has ended, is held, or waits for an earlier one of its object.",
    ),
  ),
  lastError: nullable(text("Why the last try failed: its class, and more in words.", "status: answered 503")),
  createdAt: moment("When it was made."),
  endedAt: nullable(moment("When it was delivered, skipped or given up.")),
};

export const delivery = Type.Object(fields, {
  ...closed,
  title: "Delivery",
  description: "An event that one webhook is sent.",
});

export type DeliveryRecord = Static<typeof delivery>;

const phase = (description: string) =>
  nullable(
    Type.Number({ description: `Milliseconds ${description}; null where it did not come to that.`, examples: [12.5] }),
  );

const phases = Type.Object(
  {
    lookup: phase("to look the name up"),
    connect: phase("to connect"),
    tls: phase("of the TLS handshake"),
    send: phase("to send the request"),
    wait: phase("until the answer began"),
    receive: phase("to receive the answer"),
  },
  { ...closed, title: "ExchangePhases", description: "Where the time went." },
);

const exchangeFields = {
  startedAt: moment("When it began."),
  endedAt: nullable(moment("When it ended.")),
  durationMs: nullable(Type.Number({ description: "Milliseconds from beginning to end.", examples: [84] })),
  address: nullable(text("The address that was connected to.", "93.184.215.14")),
  phases,
  status: nullable(Type.Integer({ description: "HTTP status of the answer.", examples: [200] })),
  headers: Type.Unsafe<Record<string, string>>({
    type: "object",
    additionalProperties: { type: "string" },
    description: "Headers of the answer, without cookies.",
    examples: [{ "content-type": "text/plain" }],
  }),
  body: text("The first 8 KiB of the answer, read as UTF-8.", "ok"),
  errorClass: nullable(
    text(
      "blocked, dns, connect, tls, reset, timeout, redirect, status, protocol, or expired where the event is not kept any more; null where it was delivered, or nobody saw its end.",
      "status",
    ),
  ),
};

const deliveryTry = Type.Object(
  {
    tryId: text("Identifier of the try.", "019aa0f2-8a11-7c0a-9c3e-2a6f0c1d9b14"),
    state: oneOf(
      ["STARTED", "ENDED", "UNKNOWN"],
      "STARTED: under way. UNKNOWN: whoever sent it died before its end was written; it is tried again.",
      "ENDED",
    ),
    isProbe: Type.Boolean({
      description: "A probe of a failing receiver: none of the counted tries.",
      examples: [false],
    }),
    ...exchangeFields,
  },
  { ...closed, title: "DeliveryTry", description: "One request, and what came of it." },
);

export type TryRecord = Static<typeof deliveryTry>;

export const deliveryWithTries = Type.Object(
  {
    ...fields,
    exchanges: Type.Array(deliveryTry, { description: "Every try of the last 30 days, as they were begun." }),
  },
  { ...closed, title: "DeliveryWithTries", description: "A delivery with all its tries." },
);

export const deliveryPage = pageOf(delivery, "Deliveries of a webhook, as they were made.");

export const deliveryPath = Type.Object({ deliveryId: identifier("The delivery.", deliveryIdExample) }, closed);

export const deliveryListQuery = Type.Object(
  {
    clientId: clientIdParameter,
    status: Type.Optional(statusField),
    topicName: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: "Deliveries of this topic, or of a group such as `order:*`.",
        examples: ["order:*"],
      }),
    ),
    objectId: Type.Optional(identifier("Deliveries of this object.", "WEB-100045")),
    since: Type.Optional(moment("Made at this moment or later.")),
    sort: receiptSortParameter,
    ...pageParameters,
  },
  closed,
);

const uuid = Type.String({ pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$" });
/** The place after this delivery of this webhook. */
const place = Type.Object({ id: uuid, w: uuid }, closed);

export const deliveryCursors = {
  receivedAt: defineCursor("deliveries:receivedAt", place),
  "-receivedAt": defineCursor("deliveries:-receivedAt", place),
};

export const deliveryAction = Type.Object(
  { clientId: clientIdParameter },
  { ...closed, title: "DeliveryAction", description: "May be left out." },
);

export const recovery = Type.Object(
  {
    clientId: clientIdParameter,
    since: moment("Events that happened at this moment or later."),
    until: Type.Optional(
      Type.String({
        format: "date-time",
        description: "Events that happened before this moment; left out: until now.",
        examples: ["2026-11-20T18:00:00.000Z"],
      }),
    ),
    onlyFailed: Type.Optional(
      Type.Boolean({
        default: true,
        description: "true: only what has FAILED. false: what was skipped and what was delivered as well.",
        examples: [true],
      }),
    ),
  },
  { ...closed, title: "Recovery", description: "What is to be sent again." },
);

export type Recovery = Static<typeof recovery>;

export const recoveryOutcome = Type.Object(
  {
    webhookId: text("The webhook.", webhookIdExample),
    scheduled: Type.Integer({ description: "How many deliveries are sent again.", examples: [12] }),
    nextSince: nullable(
      moment("There are more than are taken at a time: ask again with this as `since`. Null: that was all."),
    ),
  },
  { ...closed, title: "RecoveryOutcome", description: "What is sent again." },
);

export const webhookTest = Type.Object(
  {
    webhookId: text("The webhook.", webhookIdExample),
    isDelivered: Type.Boolean({ description: "The receiver answered 2xx.", examples: [true] }),
    error: nullable(text("Why it was not delivered.", "status 503")),
    request: Type.Object(
      {
        url: text("Where it was sent.", "https://example.com/hooks"),
        eventId: text("What `webhook-id` said.", exampleEventId),
        body: text(
          "What was sent, byte by byte.",
          '{"id":"evt_019aa0f27f537c0a9c3e2a6f0c1d9b11","type":"webhook:test"}',
        ),
      },
      { ...closed, title: "TestRequest", description: "What was sent, without the custom headers and the signature." },
    ),
    exchange: Type.Object(exchangeFields, { ...closed, title: "TestExchange", description: "What came of it." }),
  },
  { ...closed, title: "WebhookTest", description: "A request that was sent now, and its answer." },
);

export type WebhookTestRecord = Static<typeof webhookTest>;
export type ExchangeRecord = WebhookTestRecord["exchange"];
