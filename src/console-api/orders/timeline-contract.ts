import Type, { type Static } from "typebox";
import { clientField, closed, named, oneOf, text } from "#/console-api/orders/contract.ts";
import { defineCursor, pageOf, pageParameters } from "#/http/requests/paging.ts";
import { moment, nullable } from "#/http/routes/schema.ts";

const clientOf = Type.String({
  pattern: "^[A-Za-z0-9_-]{1,10}$",
  description: "Client whose order it is.",
  examples: ["DEMO"],
});

/** The source of an entry of a timeline; entries of the same moment have this order. */
export const entryKinds = [
  "FEED",
  "ROUTING",
  "CHANGE",
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
    kind: oneOf(linkKinds, "What it is.", "FEED"),
    id: Type.String({ description: "Its identifier.", examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"] }),
  },
  { ...closed, title: "TimelineLink", description: "The document, delivery or object behind an entry." },
);

const entryKindField = (description: string) => named("TimelineEntryKind", entryKinds, description, "MILESTONE");

const tones = ["DONE", "MOVING", "WAITING", "FAILED", "NEUTRAL"] as const;

const entry = Type.Object(
  {
    at: moment("When it happened."),
    kind: entryKindField(
      "FEED: a document about the order came in. ROUTING: how its facility was found. CHANGE: a line of the audit log. EVENT: told to the client. MILESTONE: a code of track-and-trace. ALLOCATION: what a line holds of a lot, and why; gone when it has left. DECISION: a carrier was determined. EXCEPTION: open for an operator. OUTBOUND: a document for the client. DELIVERY: what a webhook was sent.",
    ),
    code: nullable(Type.Integer({ description: "Event code of a milestone.", examples: [50] })),
    text: Type.String({ description: "What happened, in words.", examples: ["Order Allocated"] }),
    detail: text("More of it.", "Bristol depot"),
    actor: text("Who did it, where somebody did.", "user:anna"),
    tone: oneOf(tones, "What it means for the order.", "DONE"),
    link: nullable(link),
  },
  { ...closed, title: "TimelineEntry", description: "Something that happened to the order." },
);
export type TimelineEntry = Static<typeof entry>;

export const timelinePage = pageOf(entry, "What happened to the order, oldest first.");

export const timelineQuery = Type.Object(
  {
    clientId: clientOf,
    kind: Type.Optional(
      Type.Array(entryKindField("A kind."), {
        maxItems: entryKinds.length,
        description: "Only entries of these kinds; given once for each.",
        examples: [["MILESTONE"]],
      }),
    ),
    ...pageParameters,
  },
  closed,
);

const timelinePlace = Type.Object({
  ms: Type.Integer({ minimum: 0, maximum: 8_000_000_000_000 }),
  rank: Type.Integer({ minimum: 0, maximum: entryKinds.length }),
  id: Type.String({ maxLength: 400, pattern: "^[^\\u0000]*$" }),
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
    action: text("What it asks for: NEW, UPDATE or CANCEL; null where the document cannot be read for it.", "UPDATE"),
    channel: Type.String({ description: "How it came.", examples: ["HTTP"] }),
    state: Type.String({ description: "What became of it.", examples: ["PROCESSED"] }),
    receivedAt: moment("When it was received."),
    settledAt: nullable(moment("When its outcome was known.")),
    bytes: Type.Integer({ description: "How long it is.", examples: [2345] }),
    errors: Type.Integer({ description: "How many errors were found.", examples: [0] }),
  },
  { ...closed, title: "OrderFeed", description: "A feed document about an order." },
);
export type OrderFeed = Static<typeof feed>;

export const feedList = Type.Object(
  { items: Type.Array(feed, { description: "Oldest first; 200 at the most." }) },
  { ...closed, title: "OrderFeeds", description: "The feed documents about an order." },
);

export const feedQuery = Type.Object({ clientId: clientOf }, closed);
