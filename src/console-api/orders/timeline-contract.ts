import Type, { type Static } from "typebox";
import { clientField, named, oneOf } from "#/console-api/orders/contract.ts";
import { defineCursor, pageOf, pageParameters, placeText } from "#/http/requests/paging.ts";
import { closed, maybeText, moment, nullable } from "#/http/routes/schema.ts";

const clientOf = Type.String({
  pattern: "^[A-Za-z0-9_-]{1,10}$",
  description: "Client of the order.",
  examples: ["DEMO"],
});

/** The source of an entry of a timeline; entries of the same moment have this order. */
export const entryKinds = [
  "FEED",
  "ROUTING",
  "CHANGE",
  "NOTE",
  "EVENT",
  "MILESTONE",
  "ALLOCATION",
  "DECISION",
  "EXCEPTION",
  "OUTBOUND",
  "DELIVERY",
] as const;
export type EntryKind = (typeof entryKinds)[number];

const linkKinds = ["FEED", "DELIVERY", "DECISION", "OUTBOUND", "PARCEL", "EXCEPTION"] as const;

const link = Type.Object(
  {
    kind: oneOf(linkKinds, "Kind of the object.", "FEED"),
    id: Type.String({ description: "Its identifier.", examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"] }),
  },
  { ...closed, title: "TimelineLink", description: "The document, delivery or object of an entry." },
);

const entryKindField = (description: string) => named("TimelineEntryKind", entryKinds, description, "MILESTONE");

const tones = ["DONE", "MOVING", "WAITING", "FAILED", "NEUTRAL"] as const;

const entry = Type.Object(
  {
    at: moment("When it happened."),
    kind: entryKindField(
      "FEED: a document about the order was received. ROUTING: choice of the facility. CHANGE: an entry of the audit log. NOTE: written by an operator, for operators. EVENT: an event for the client. MILESTONE: a track-and-trace code. ALLOCATION: quantity of a lot for a line, with the reason; removed at despatch. DECISION: a carrier was determined. EXCEPTION: open for an operator. OUTBOUND: a document for the client. DELIVERY: a delivery to a webhook.",
    ),
    code: nullable(Type.Integer({ description: "Event code of a milestone.", examples: [50] })),
    text: Type.String({ description: "The event, in words.", examples: ["Order Allocated"] }),
    detail: maybeText("Details.", "Bristol depot"),
    actor: maybeText("The person or the warehouse that did it, if any.", "user:anna"),
    tone: oneOf(tones, "Effect on the order.", "DONE"),
    link: nullable(link),
  },
  { ...closed, title: "TimelineEntry", description: "An event in the history of the order." },
);
export type TimelineEntry = Static<typeof entry>;

export const timelinePage = pageOf(entry, "History of the order, oldest first.");

export const timelineQuery = Type.Object(
  {
    clientId: clientOf,
    kind: Type.Optional(
      Type.Array(entryKindField("A kind."), {
        maxItems: entryKinds.length,
        description: "Only entries of these kinds; repeat the parameter for several.",
        examples: [["MILESTONE"]],
      }),
    ),
    ...pageParameters,
  },
  closed,
);

export type TimelineQuery = Static<typeof timelineQuery>;

const timelinePlace = Type.Object({
  ms: Type.Integer({ minimum: 0, maximum: 8_000_000_000_000 }),
  rank: Type.Integer({ minimum: 0, maximum: entryKinds.length }),
  id: placeText(400),
});
export type TimelinePlace = Static<typeof timelinePlace>;
export const timelineCursor = defineCursor("console-order-timeline", timelinePlace);

const feed = Type.Object(
  {
    clientId: clientField,
    token: Type.String({
      format: "uuid",
      description: "Token of the document.",
      examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"],
    }),
    feedType: Type.String({ description: "Type of the feed.", examples: ["NO"] }),
    action: maybeText("Action: NEW, UPDATE or CANCEL; null where the document could not be read.", "UPDATE"),
    channel: Type.String({ description: "Channel of the document.", examples: ["HTTP"] }),
    state: Type.String({ description: "State of the document.", examples: ["PROCESSED"] }),
    receivedAt: moment("When it was received."),
    settledAt: nullable(moment("When its processing ended.")),
    bytes: Type.Integer({ description: "Size in bytes.", examples: [2345] }),
    errors: Type.Integer({ description: "Number of errors.", examples: [0] }),
  },
  { ...closed, title: "OrderFeed", description: "A feed document about an order." },
);
export type OrderFeed = Static<typeof feed>;

export const feedList = Type.Object(
  { items: Type.Array(feed, { description: "Oldest first; at most 200." }) },
  { ...closed, title: "OrderFeeds", description: "The feed documents about an order." },
);

export const feedQuery = Type.Object({ clientId: clientOf }, closed);
