import Type, { type Static } from "typebox";
import { closed, objectTypeField, text } from "#/delivery/webhooks/events/event-parts.ts";
import { envelopeFields } from "#/delivery/webhooks/events/event-schema.ts";
import { defineCursor, pageOf, pageParameters, startCursor } from "#/http/requests/paging.ts";
import { clientIdParameter, identifier, moment, nullable } from "#/http/routes/schema.ts";

/** The Webhook service in schemas (rest.md §3, webhooks.md): the event log and the topics. */
const { id, timestamp, clientId, facilityCode, objectId } = envelopeFields;

const body = {
  id,
  type: text("The topic.", "order:despatched"),
  ...{ timestamp, clientId, facilityCode },
  objectType: objectTypeField("What it is about."),
  objectId,
  sequence: nullable(
    Type.Integer({
      description: "Counts all events of the object; null for events that were published before they were counted.",
      examples: [42],
    }),
  ),
  data: Type.Unsafe<object>({
    type: "object",
    additionalProperties: true,
    description: "What the topic tells: `/asyncapi.json` has the schema for each, `/docs/events` shows them.",
    examples: [{ orderId: "WEB-100045", status: "DESPATCHED", statusCode: 100 }],
  }),
};

export const event = Type.Object(
  {
    ...body,
    position: Type.Integer({
      description:
        "Place in the client's event log: counted without gaps, in the order in which events became visible.",
      examples: [88214],
    }),
  },
  { ...closed, title: "Event", description: "The body of a push, and its place in the event log." },
);

export const eventFeed = Type.Object(
  {
    items: Type.Array(event, { description: "Events by position." }),
    nextCursor: Type.String({
      description:
        "Sent as `cursor`, it answers what comes after. Always there. Where nothing is left to be read it is the very cursor that was sent.",
      examples: [startCursor],
    }),
  },
  { ...closed, title: "EventFeed", description: "The event log behind a cursor." },
);

export const eventListQuery = Type.Object(
  {
    clientId: clientIdParameter,
    topicName: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: "As of a webhook: one topic, a group of them such as `order:*`, or `*` for all.",
        examples: ["order:*"],
      }),
    ),
    facilityCode: Type.Optional(
      identifier("As of a webhook: events of this facility, and those that belong to none; `*` for all.", "DC1"),
    ),
    objectType: Type.Optional(objectTypeField("Events about objects of this kind.")),
    objectId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: "Events about this object; with objectType, where other kinds may have one of the same name.",
        examples: ["WEB-100045"],
      }),
    ),
    since: Type.Optional(
      moment(
        "Where to start without a cursor: at the first event of this moment or later. Events are listed by position, so some behind it may be a little older. With a cursor it is passed over.",
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
  Type.Object({ p: Type.Integer({ minimum: 0 }), c: Type.String({ maxLength: 10 }) }, closed),
);

const topic = Type.Object(
  {
    topicName: text("The topic, as a webhook names it.", "order:despatched"),
    objectType: objectTypeField("What its events are about."),
    object: text("What stands in their objectId.", "the orderId"),
    description: text("When it is told.", "All that is to leave has left the warehouse."),
    documentation: text("Path of the page that describes it.", "/docs/events#order:despatched"),
    sample: Type.Object({ ...body }, { ...closed, description: "What a push of it could look like." }),
  },
  { ...closed, title: "Topic", description: "What a webhook can be told of." },
);

export type TopicRecord = Static<typeof topic>;

export const topicPage = pageOf(topic, "Topics, group by group.");

export const topicListQuery = Type.Object({ clientId: clientIdParameter, ...pageParameters }, closed);

/** The place after this topic. */
export const topicCursor = defineCursor("topics", Type.Object({ n: Type.String({ maxLength: 64 }) }, closed));
