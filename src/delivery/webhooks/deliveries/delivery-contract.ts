import Type, { type Static } from "typebox";
import { attemptStates, deliveryStatuses } from "#/delivery/webhooks/deliveries/states.ts";
import { eventIdPattern, exampleEventId } from "#/delivery/webhooks/events/event-body.ts";
import { objectTypeField, oneOf, type WebhookOwner } from "#/delivery/webhooks/events/topic.ts";
import { push } from "#/delivery/webhooks/rest-contract.ts";
import { facilityAnswer, facilityRequest, ownerRequest } from "#/delivery/webhooks/subscriptions/facility-contract.ts";
import { webhookIdExample } from "#/delivery/webhooks/subscriptions/subscription-contract.ts";
import { defineCursor, pageOf, pageParameters, placeId, receiptSortParameter } from "#/http/requests/paging.ts";
import { clientIdParameter, closed, identifier, maybeText, moment, nullable, text } from "#/http/routes/schema.ts";

/** The Webhook service in schemas (webhooks.md §1): deliveries, each with its attempts, and the test of a webhook. */
const deliveryIdExample = "019aa0f2-8a10-7c0a-9c3e-2a6f0c1d9b13";

const statusField = oneOf(
  deliveryStatuses,
  "PENDING: no attempt yet, or waiting for an earlier delivery of its object. RETRYING: an attempt failed, and it is retried. HELD while the webhook is paused. DELIVERED. FAILED finally; it can be redelivered for 30 days. SKIPPED: created while the webhook was paused or disabled.",
  "DELIVERED",
  { title: "DeliveryStatus" },
);

const fields = {
  deliveryId: text("Identifier of the delivery.", deliveryIdExample),
  webhookId: text("The webhook.", webhookIdExample),
  eventId: text("The event: the `webhook-id` of every attempt.", exampleEventId),
  topicName: text("Topic of the event.", "order:despatched"),
  objectType: objectTypeField("The object of the event."),
  objectId: text("Which one.", "WEB-100045"),
  sequence: nullable(
    Type.Integer({
      description:
        "The value of `crossdock-sequence`: counts the events of the object that this webhook receives. Null for skipped ones.",
      examples: [7],
    }),
  ),
  status: statusField,
  tries: Type.Integer({
    description:
      "Attempts that have ended since it was created or last replayed; probes of a failing receiver are not counted.",
    examples: [1],
  }),
  nextTryAt: nullable(
    moment(
      "Time of the next attempt, or the earliest time if the webhook is failing; null where it has ended, is held, or waits for an earlier delivery of its object.",
    ),
  ),
  lastError: maybeText("Reason why the last attempt failed: its class, and details.", "status: answered 503"),
  createdAt: moment("When it was created."),
  endedAt: nullable(moment("When it was delivered, skipped or given up.")),
};

export const delivery = Type.Object(fields, {
  ...closed,
  title: "Delivery",
  description: "A delivery of an event to one webhook.",
});

export type DeliveryRecord = Static<typeof delivery>;

const phase = (description: string) =>
  nullable(
    Type.Number({
      description: `Milliseconds ${description}; null where that stage was not reached.`,
      examples: [12.5],
    }),
  );

export const phases = Type.Object(
  {
    lookup: phase("to resolve the name"),
    connect: phase("to connect"),
    tls: phase("of the TLS handshake"),
    send: phase("to send the request"),
    wait: phase("until the answer started"),
    receive: phase("to receive the answer"),
  },
  { ...closed, title: "ExchangePhases", description: "Time by stage." },
);

/** Milliseconds of the phases that an attempt reached. */
export type ReachedPhases = Readonly<Partial<Static<typeof phases>>>;

const exchangeFields = {
  startedAt: moment("When it started."),
  endedAt: nullable(moment("When it ended.")),
  durationMs: nullable(Type.Number({ description: "Duration in milliseconds.", examples: [84] })),
  address: maybeText("The connected address.", "93.184.215.14"),
  phases,
  status: nullable(Type.Integer({ description: "HTTP status of the answer.", examples: [200] })),
  headers: Type.Unsafe<Record<string, string>>({
    type: "object",
    additionalProperties: { type: "string" },
    description: "Headers of the answer, without cookies.",
    examples: [{ "content-type": "text/plain" }],
  }),
  body: text("The first 8 KiB of the answer, read as UTF-8.", "ok"),
  errorClass: maybeText(
    "blocked, dns, connect, tls, reset, timeout, redirect, status, protocol, or expired where the event is no longer stored; null where it was delivered, or its end is unknown.",
    "status",
  ),
};

export const deliveryAttempt = Type.Object(
  {
    tryId: text("Identifier of the attempt.", "019aa0f2-8a11-7c0a-9c3e-2a6f0c1d9b14"),
    state: oneOf(
      attemptStates,
      "STARTED: in progress. UNKNOWN: the sender stopped before it recorded the end; the delivery is retried.",
      "ENDED",
    ),
    isProbe: Type.Boolean({
      description: "A probe of a failing receiver: not a counted attempt.",
      examples: [false],
    }),
    ...exchangeFields,
  },
  { ...closed, title: "DeliveryTry", description: "One request, and its result." },
);

export type AttemptRecord = Static<typeof deliveryAttempt>;

export const deliveryWithAttempts = Type.Object(
  {
    ...fields,
    payload: nullable(push),
    exchanges: Type.Array(deliveryAttempt, { description: "The attempts of the last 30 days, by start." }),
  },
  { ...closed, title: "DeliveryWithTries", description: "A delivery with its body and all its attempts." },
);

export const deliveryPage = pageOf(delivery, "Deliveries of a webhook, by creation.");

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
    since: Type.Optional(moment("Created at or after this time.")),
    sort: receiptSortParameter,
    ...pageParameters,
  },
  closed,
);

/** The place after this delivery of this webhook. */
const place = Type.Object({ id: placeId, w: placeId }, closed);

export const deliveryCursors = {
  receivedAt: defineCursor("deliveries:receivedAt", place),
  "-receivedAt": defineCursor("deliveries:-receivedAt", place),
};

export const deliveryAction = Type.Object(
  { clientId: clientIdParameter },
  { ...closed, title: "DeliveryAction", description: "Optional." },
);

export const recovery = Type.Object(
  {
    clientId: clientIdParameter,
    since: moment("Events at or after this time."),
    until: Type.Optional(
      Type.String({
        format: "date-time",
        description: "Events before this time; left out: until now.",
        examples: ["2026-11-20T18:00:00.000Z"],
      }),
    ),
    onlyFailed: Type.Optional(
      Type.Boolean({
        default: true,
        description: "true: only FAILED ones. false: skipped and delivered ones too.",
        examples: [true],
      }),
    ),
  },
  { ...closed, title: "Recovery", description: "Deliveries to send again." },
);

export type Recovery = Static<typeof recovery>;

export const recoveryOutcome = Type.Object(
  {
    webhookId: text("The webhook.", webhookIdExample),
    scheduled: Type.Integer({ description: "Number of deliveries that are sent again.", examples: [12] }),
    nextSince: nullable(
      moment(
        "More deliveries match than one request takes: send the request again with this as `since`. Null: all were taken.",
      ),
    ),
  },
  { ...closed, title: "RecoveryOutcome", description: "Result of the request." },
);

export const webhookTestRequest = Type.Object(
  {
    clientId: clientIdParameter,
    topicName: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          "The topic of the sample: one of the webhook's topics, or a topic of its groups. Default: its first.",
        examples: ["order:despatched"],
      }),
    ),
    eventId: Type.Optional(
      Type.String({
        pattern: eventIdPattern,
        description:
          "A stored event of one of the webhook's topics: its `data` is sent in the place of the sample. Not with `topicName`.",
        examples: [exampleEventId],
      }),
    ),
    sample: Type.Optional(
      Type.Unsafe<object>({
        type: "object",
        additionalProperties: true,
        description: "The `sample` of the test, sent as it is.",
        examples: [{ orderId: "WEB-100045", status: "DESPATCHED" }],
      }),
    ),
  },
  { ...closed, title: "WebhookTestRequest", description: "What to send. Optional." },
);

export type WebhookTestRequest = Static<typeof webhookTestRequest>;

export const webhookTest = Type.Object(
  {
    webhookId: text("The webhook.", webhookIdExample),
    isDelivered: Type.Boolean({ description: "The receiver answered 2xx.", examples: [true] }),
    error: maybeText("Reason of the failure.", "status 503"),
    request: Type.Object(
      {
        url: text("Address of the request.", "https://example.com/hooks"),
        eventId: text("What `webhook-id` said.", exampleEventId),
        body: text("The body, byte by byte.", '{"id":"evt_019aa0f27f537c0a9c3e2a6f0c1d9b11","type":"webhook:test"}'),
      },
      { ...closed, title: "TestRequest", description: "The headers, without the custom headers and the signature." },
    ),
    exchange: Type.Object(exchangeFields, { ...closed, title: "TestExchange", description: "The result." }),
  },
  { ...closed, title: "WebhookTest", description: "A test request, and its answer." },
);

export type WebhookTestRecord = Static<typeof webhookTest>;
export type ExchangeRecord = WebhookTestRecord["exchange"];

const ofClient = {
  delivery,
  deliveryAction,
  deliveryListQuery,
  deliveryPage,
  deliveryWithAttempts,
  recovery,
  webhookTestRequest,
};

/** The schemas of the deliveries of a client, and of a facility. */
export const deliverySchemas: Readonly<Record<WebhookOwner, typeof ofClient>> = {
  client: ofClient,
  any: {
    ...ofClient,
    deliveryAction: ownerRequest(deliveryAction),
    deliveryListQuery: ownerRequest(deliveryListQuery),
    recovery: ownerRequest(recovery),
    webhookTestRequest: ownerRequest(webhookTestRequest),
  },
  facility: {
    delivery: facilityAnswer(delivery),
    deliveryAction: facilityRequest(deliveryAction),
    deliveryListQuery: facilityRequest(deliveryListQuery),
    deliveryPage: facilityAnswer(deliveryPage),
    deliveryWithAttempts: facilityAnswer(deliveryWithAttempts),
    recovery: facilityRequest(recovery),
    webhookTestRequest: facilityRequest(webhookTestRequest, { topicName: { examples: ["task:released"] } }),
  },
};
