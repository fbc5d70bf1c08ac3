import Type, { type Static, type TSchema } from "typebox";
import { oneOf, type WebhookOwner } from "#/delivery/webhooks/events/topic.ts";
import { facilityAnswer, facilityRequest, ownerRequest } from "#/delivery/webhooks/subscriptions/facility-contract.ts";
import { subscriptionStatuses } from "#/delivery/webhooks/subscriptions/subscription.ts";
import {
  additionalTopicsMax,
  emailLengthMax,
  emailsMax,
  headersMax,
  headerValueLengthMax,
  urlLengthMax,
} from "#/delivery/webhooks/subscriptions/subscription-checks.ts";
import { defineCursor, pageOf, pageParameters, placeId, receiptSortParameter } from "#/http/requests/paging.ts";
import { clientIdParameter, closed, identifier, moment, nullable, text } from "#/http/routes/schema.ts";

/** The Webhook service in schemas (specification §2.4, webhooks.md §1): subscriptions. */
export const webhookIdExample = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12";

const topicName = {
  minLength: 1,
  maxLength: 64,
  description: "Its topic: one topic, `*` for all, or a group such as `order:*`.",
  examples: ["order:*"],
};

const additionalTopicNames = {
  maxItems: additionalTopicsMax,
  description:
    "More topics and groups of topics that it receives; empty for one topic. An event that several of them name is pushed once.",
};
const additionalTopicName = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "A topic, or a group.",
  examples: ["parcel:load"],
});

const facilityCode = {
  minLength: 1,
  maxLength: 64,
  description: "Facility of the events, or `*` for all. Events without a facility are always pushed.",
  examples: ["DC1"],
};

/** Starts with no blank, and contains no unprintable character. */
const description = {
  minLength: 1,
  maxLength: 255,
  pattern: "^[^\\s\\u0000-\\u001f\\u007f\\ufffe\\uffff][^\\u0000-\\u001f\\u007f\\ufffe\\uffff]*$",
  description: "What the webhook is for: one line. Not part of a push.",
  examples: ["States of orders for the shop's order page"],
};

const url = {
  minLength: 1,
  maxLength: urlLengthMax,
  description:
    "Address to which the events are POSTed: http(s), without credentials. Plain http only in sandbox. Addresses of private networks are refused, unless the operator has listed them.",
  examples: ["https://example.com/hooks"],
};

const contentType = {
  minLength: 1,
  maxLength: 255,
  description: "Content-Type of the push: any JSON type or `text/*`. The body is always JSON.",
  examples: ["application/json"],
};

const emailList = {
  maxItems: emailsMax,
  description: "Mail addresses that are notified when the destination cannot be reached or answers errors.",
};
const emailAddress = Type.String({
  minLength: 3,
  maxLength: emailLengthMax,
  description: "A mail address, without a name.",
  examples: ["ops@example.com"],
});

const isPaused = {
  minimum: 0,
  maximum: 1,
  description: "0: active. 1: paused, and receives nothing.",
  examples: [0],
};

const written = "the header's value; answers show `***` in its place";
const headersDescription = `Headers sent with every push, by name: ${written}. At most ${headersMax}. Not those of the connection, Host, Content-*, webhook-* or crossdock-*.`;

/** Not `Type.Record`: OpenAPI 3.0.3 has no name patterns. */
const newHeaders = Type.Unsafe<Record<string, string>>({
  type: "object",
  additionalProperties: { type: "string", maxLength: headerValueLengthMax },
  description: headersDescription,
  examples: [{ "X-Hook-Key": "a key of your own" }],
});

const httpSignature = {
  description:
    "Each push is also signed by HTTP Message Signatures (RFC 9421), with a key of `/.well-known/jwks.json`: a receiver needs no shared secret.",
  examples: [false],
};

const maskedHeaders = Type.Unsafe<Record<string, string>>({
  type: "object",
  additionalProperties: { type: "string" },
  description: "Headers sent with every push: their names. Values are never shown.",
  examples: [{ "X-Hook-Key": "***" }],
});

const patchedHeaders = Type.Unsafe<Record<string, string | null> | null>({
  type: ["object", "null"],
  additionalProperties: { type: ["string", "null"], maxLength: headerValueLengthMax },
  description: `${headersDescription} Merged by name: null removes one, \`***\` keeps the value that is stored.`,
  examples: [{ "X-Hook-Key": "another key" }],
});

const health = Type.Object(
  {
    lastSuccessAt: nullable(moment("Time of the last delivery.")),
    lastFailureAt: nullable(moment("Time of the last failed attempt.")),
    consecutiveFailures: Type.Integer({ description: "Failed attempts since the last success.", examples: [0] }),
    pending: Type.Integer({ description: "Deliveries that have not ended.", examples: [3] }),
  },
  { ...closed, title: "WebhookHealth", description: "State of sending." },
);

const fields = {
  webhookId: text("Identifier of the webhook.", webhookIdExample),
  topicName: Type.String(topicName),
  additionalTopicNames: Type.Array(additionalTopicName, additionalTopicNames),
  clientId: text("Client.", "DEMO"),
  facilityCode: Type.String(facilityCode),
  description: nullable(Type.String(description)),
  url: Type.String(url),
  contentType: Type.String(contentType),
  emailList: Type.Array(emailAddress, emailList),
  customHeaders: maskedHeaders,
  // Release 0.2.0 does not answer it.
  httpSignature: Type.Optional(Type.Boolean(httpSignature)),
  isPaused: Type.Integer(isPaused),
  status: oneOf(
    subscriptionStatuses,
    "ACTIVE; FAILING: the last attempts failed, and only probes are sent; PAUSED by the client; DISABLED: eight days of failures, or the receiver answered 410. A patch with isPaused 0 makes it ACTIVE again.",
    "ACTIVE",
    { title: "WebhookStatus" },
  ),
  health,
  createdAt: moment("When it was created."),
  updatedAt: moment("When the client last changed it."),
  version: Type.Integer({ description: "Counts up with every change by the client; also in the ETag.", examples: [1] }),
};

export const webhook = Type.Object(fields, {
  ...closed,
  title: "Webhook",
  description: "A subscription: topics, address, and the state of sending.",
});

export type WebhookRecord = Static<typeof webhook>;

export const webhookWithSecret = Type.Object(
  {
    ...fields,
    signingSecret: text(
      "Signs the pushes as defined by Standard Webhooks: `whsec_` and 32 bytes in base64. Shown only now; a repeat with the same Idempotency-Key shows `***`.",
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwSx4eW0sQ1Zk=",
    ),
  },
  {
    ...closed,
    title: "WebhookWithSecret",
    description: "The subscription, with its signing secret, which is shown once.",
  },
);

export const webhookCreate = Type.Object(
  {
    topicName: Type.String(topicName),
    clientId: clientIdParameter,
    additionalTopicNames: Type.Optional(Type.Array(additionalTopicName, additionalTopicNames)),
    facilityCode: Type.Optional(Type.String({ ...facilityCode, default: "*" })),
    description: Type.Optional(Type.String(description)),
    url: Type.String(url),
    contentType: Type.Optional(Type.String({ ...contentType, default: "application/json" })),
    emailList: Type.Optional(Type.Array(emailAddress, emailList)),
    customHeaders: Type.Optional(newHeaders),
    httpSignature: Type.Optional(Type.Boolean({ ...httpSignature, default: false })),
    isPaused: Type.Optional(Type.Integer({ ...isPaused, default: 0 })),
  },
  { ...closed, title: "WebhookCreate", description: "A subscription to create." },
);

export type WebhookCreate = Static<typeof webhookCreate>;

/** In a merge patch null restores the default. `nullable` is for answers; the validator reads this type. */
function clearable<Schema extends TSchema>(schema: Schema) {
  const { type } = schema as { type?: string };
  return Type.Optional(Type.Unsafe<Static<Schema> | null>({ ...schema, type: [type, "null"] }));
}

export const webhookPatch = Type.Object(
  {
    clientId: clientIdParameter,
    topicName: Type.Optional(Type.String(topicName)),
    additionalTopicNames: clearable(Type.Array(additionalTopicName, additionalTopicNames)),
    facilityCode: Type.Optional(Type.String(facilityCode)),
    description: clearable(Type.String(description)),
    url: Type.Optional(Type.String(url)),
    contentType: Type.Optional(Type.String(contentType)),
    emailList: clearable(Type.Array(emailAddress, emailList)),
    customHeaders: Type.Optional(patchedHeaders),
    httpSignature: clearable(Type.Boolean(httpSignature)),
    isPaused: clearable(Type.Integer(isPaused)),
  },
  { ...closed, title: "WebhookPatch", description: "JSON merge patch (RFC 7396) of a subscription." },
);

export type WebhookPatch = Static<typeof webhookPatch>;

export const webhookDeleted = Type.Unsafe<null>({ type: "null", description: "It is deleted." });

export const webhookPage = pageOf(webhook, "Webhooks, by creation.");

export const webhookPath = Type.Object({ webhookId: identifier("The webhook.", webhookIdExample) }, closed);

export const webhookQuery = Type.Object({ clientId: clientIdParameter }, closed);

/** The body of an action that has no other fields. */
export const webhookAction = Type.Object(
  { clientId: clientIdParameter },
  { ...closed, title: "WebhookAction", description: "Optional." },
);

export const webhookListQuery = Type.Object(
  { clientId: clientIdParameter, sort: receiptSortParameter, ...pageParameters },
  closed,
);

const place = Type.Object({ id: placeId }, closed);

const ofClient = {
  webhook,
  webhookWithSecret,
  webhookCreate,
  webhookPatch,
  webhookPage,
  webhookQuery,
  webhookAction,
  webhookListQuery,
};

/** The schemas of the webhooks of a client, and of a facility. */
export const subscriptionSchemas: Readonly<Record<WebhookOwner, typeof ofClient>> = {
  client: ofClient,
  any: {
    ...ofClient,
    webhookCreate: ownerRequest(webhookCreate),
    webhookPatch: ownerRequest(webhookPatch),
    webhookQuery: ownerRequest(webhookQuery),
    webhookAction: ownerRequest(webhookAction),
    webhookListQuery: ownerRequest(webhookListQuery),
  },
  facility: {
    webhook: facilityAnswer(webhook),
    webhookWithSecret: facilityAnswer(webhookWithSecret),
    webhookCreate: facilityRequest(webhookCreate),
    webhookPatch: facilityRequest(webhookPatch),
    webhookPage: facilityAnswer(webhookPage),
    webhookQuery: facilityRequest(webhookQuery),
    webhookAction: facilityRequest(webhookAction),
    webhookListQuery: facilityRequest(webhookListQuery),
  },
};

/** The place after this webhook. */
export const webhookCursors = {
  receivedAt: defineCursor("webhooks:receivedAt", place),
  "-receivedAt": defineCursor("webhooks:-receivedAt", place),
};
