import Type, { type Static } from "typebox";
import { envelopeFields } from "#/delivery/webhooks/events/event-body.ts";
import { objectTypeField, type WebhookOwner } from "#/delivery/webhooks/events/topic.ts";
import { facilityAnswer, facilityRequest, ownerRequest } from "#/delivery/webhooks/subscriptions/facility-contract.ts";
import { defineCursor, pageOf, pageParameters, placeText, startCursor } from "#/http/requests/paging.ts";
import { clientIdParameter, closed, identifier, moment, nullable, text } from "#/http/routes/schema.ts";

/** The Webhook service in schemas (rest.md §3, webhooks.md): the event log and the topics. */
const { id, timestamp, clientId, facilityCode, objectId } = envelopeFields;

const body = {
  id,
  type: text("The topic.", "order:despatched"),
  timestamp,
  clientId,
  facilityCode,
  objectType: objectTypeField("Its object."),
  objectId,
  sequence: nullable(
    Type.Integer({
      description: "Counts all events of the object; null for events that were published before the count existed.",
      examples: [42],
    }),
  ),
  data: Type.Unsafe<object>({
    type: "object",
    additionalProperties: true,
    description: "Data of the topic: `/asyncapi.json` has the schemas, `/docs/events` shows them.",
    examples: [{ orderId: "WEB-100045", status: "DESPATCHED", statusCode: 100 }],
  }),
};

export const push = Type.Object(body, {
  ...closed,
  title: "EventPush",
  description: "The body of a push, the same in every attempt; null where the event is no longer stored.",
});

export const event = Type.Object(
  {
    ...body,
    position: Type.Integer({
      description:
        "Position in the client's event log: counted without gaps, in the order in which events became visible.",
      examples: [88214],
    }),
  },
  { ...closed, title: "Event", description: "The body of a push, and its position in the event log." },
);

export const eventFeed = Type.Object(
  {
    items: Type.Array(event, { description: "Events by position." }),
    nextCursor: Type.String({
      description:
        "Sent as `cursor`, it answers later events. Never null. At the end of the log it is the cursor that was sent.",
      examples: [startCursor],
    }),
  },
  { ...closed, title: "EventFeed", description: "The event log after a cursor." },
);

export const eventListQuery = Type.Object(
  {
    clientId: clientIdParameter,
    topicName: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: "Like for a webhook: one topic, a group such as `order:*`, or `*` for all.",
        examples: ["order:*"],
      }),
    ),
    facilityCode: Type.Optional(
      identifier("Like for a webhook: events of this facility, and those without a facility; `*` for all.", "DC1"),
    ),
    objectType: Type.Optional(objectTypeField("Events about objects of this kind.")),
    objectId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          "Events about this object; use it with objectType, because other kinds may have an object of the same name.",
        examples: ["WEB-100045"],
      }),
    ),
    since: Type.Optional(
      moment(
        "Start without a cursor: the first event at or after this time. Events are listed by position, so some after it may be a little older. Ignored with a cursor.",
      ),
    ),
    ...pageParameters,
  },
  closed,
);

export type EventListQuery = Static<typeof eventListQuery>;

/** The place after this position of this client's log: each client has its own positions. */
export const eventCursor = defineCursor(
  "events",
  Type.Object({ p: Type.Integer({ minimum: 0 }), c: placeText(10) }, closed),
);

const topic = Type.Object(
  {
    topicName: text("The topic, as in a subscription.", "order:despatched"),
    objectType: objectTypeField("Kind of object of its events."),
    object: text("Value of their objectId.", "the orderId"),
    description: text("When it occurs.", "All units that are to leave have left the warehouse."),
    documentation: text("Path of the page that describes it.", "/docs/events#order:despatched"),
    sample: Type.Object({ ...body }, { ...closed, description: "Sample of a push." }),
  },
  { ...closed, title: "Topic", description: "A topic of webhooks." },
);

export type TopicRecord = Static<typeof topic>;

export const topicPage = pageOf(topic, "Topics, group by group.");

export const topicListQuery = Type.Object({ clientId: clientIdParameter, ...pageParameters }, closed);

const ofClient = { topicPage, topicListQuery };

/** The schemas of the topics of a client, and of a facility. */
export const topicSchemas: Readonly<Record<WebhookOwner, typeof ofClient>> = {
  client: ofClient,
  any: {
    ...ofClient,
    topicListQuery: ownerRequest(topicListQuery),
  },
  facility: { topicPage: facilityAnswer(topicPage), topicListQuery: facilityRequest(topicListQuery) },
};

/** The place after this topic. */
export const topicCursor = defineCursor("topics", Type.Object({ n: placeText() }, closed));
