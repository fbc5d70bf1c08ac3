import Type, { type Static } from "typebox";
import { scopeParameters } from "#/http/access/operator.ts";
import { defineCursor, pageOf, pageParameters, placeId, receiptSortParameter } from "#/http/requests/paging.ts";
import { closed, maybeText, moment, nullable, text } from "#/http/routes/schema.ts";
import { channels } from "#/intake/feeds/intake/submission.ts";
import { feedStates } from "#/intake/feeds/states.ts";
import { feedCodes } from "#/kernel/feed-codes.ts";
import { feedTypes } from "#/kernel/feed-types.ts";

/** A document with any other code is answered with another status, and not stored. */
const codesOfDocuments = Object.entries(feedCodes).flatMap(([name, { status }]) => (status === 200 ? [name] : []));

const exampleToken = "019a4c2e-8f00-7abc-8def-000000000001";

const count = (description: string, example: number) => Type.Integer({ minimum: 0, description, examples: [example] });

export const feedType = Type.Enum([...feedTypes], {
  type: "string",
  title: "FeedType",
  description: "Feed type.",
  examples: ["NO"],
});
const state = Type.Enum([...feedStates], {
  type: "string",
  title: "FeedState",
  description: "State of the document.",
  examples: ["REJECTED"],
});
const channel = Type.Enum([...channels], {
  type: "string",
  title: "FeedChannel",
  description: "Channel of the document; CONSOLE: an operator sent it.",
  examples: ["HTTP"],
});

export const tokenPath = Type.Object({ token: text("Token of the document.", exampleToken) }, closed);

export const feedCursors = {
  receivedAt: defineCursor("feeds:receivedAt", Type.Object({ t: placeId })),
  "-receivedAt": defineCursor("feeds:-receivedAt", Type.Object({ t: placeId })),
};

export const feedListQuery = Type.Object(
  {
    ...scopeParameters,
    type: Type.Optional(
      Type.Array(feedType, {
        maxItems: feedTypes.length,
        description: "Documents of one of these types; repeat the parameter for several.",
        examples: [["NO"]],
      }),
    ),
    state: Type.Optional(
      Type.Array(state, {
        maxItems: feedStates.length,
        description: "Documents in one of these states; repeat the parameter for several.",
        examples: [["REJECTED"]],
      }),
    ),
    outcome: Type.Optional(
      Type.Enum(["ACCEPTED", "REJECTED"], {
        type: "string",
        description: "As in its ACK: a parked document is REJECTED.",
        examples: ["REJECTED"],
      }),
    ),
    isOverdue: Type.Optional(
      Type.Enum(["0", "1"], {
        type: "string",
        description: "1: only documents without an outcome after their deadline.",
        examples: ["1"],
      }),
    ),
    channel: Type.Optional(
      Type.Array(channel, {
        maxItems: channels.length,
        description: "Documents of one of these channels; repeat the parameter for several.",
        examples: [["HTTP"]],
      }),
    ),
    errorCode: Type.Optional(
      Type.Enum(codesOfDocuments, {
        type: "string",
        title: "FeedErrorCode",
        description: "Only documents with an error of this code.",
        examples: ["UNKNOWN_SKU"],
      }),
    ),
    token: Type.Optional(
      Type.String({
        pattern: "^\\s*[0-9A-Fa-f][0-9A-Fa-f-]{7,35}\\s*$",
        description: "Token, or its first eight characters or more.",
        examples: [exampleToken],
      }),
    ),
    objectId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: "^[^\\u0000]*$",
        description: "Beginning of the object's name: an order, a purchase order, a return, a SKU.",
        examples: ["WEB-10"],
      }),
    ),
    receivedFrom: Type.Optional(moment("Received at or after this time.")),
    receivedTo: Type.Optional(moment("Received before this time.")),
    sort: receiptSortParameter,
    ...pageParameters,
  },
  closed,
);
export type FeedListQuery = Static<typeof feedListQuery>;

const summary = {
  token: text("Token of its ACK.", exampleToken),
  clientId: text("Client.", "DEMO"),
  type: feedType,
  state,
  objectId: maybeText("Its object; null where the document names none, or a catalogue has several items.", "WEB-10001"),
  channel,
  fileName: maybeText("Name of the file, for a document received by SFTP.", "orders-1.xml"),
  size: count("Bytes.", 2048),
  receivedAt: moment("When it was received."),
  settledAt: nullable(moment("When it was rejected, processed or failed; null while it waits.")),
  overdueSince: nullable(
    moment("When its deadline passed without an outcome; null where it has an outcome or the deadline has not passed."),
  ),
};

export const feedSummary = Type.Object(
  {
    ...summary,
    errors: count("Errors.", 1),
    warnings: count("Warnings.", 0),
    firstError: nullable(
      Type.Object(
        {
          code: text("Code of its first error.", "XSD"),
          text: text("The sentence after the code.", "Line 12: lines/line[3]/qty: 'abc' is not a valid decimal"),
          line: nullable(Type.Integer({ minimum: 1, description: "Line that the sentence names.", examples: [12] })),
        },
        { ...closed, description: "Why it was rejected, in one sentence; null for other states." },
      ),
    ),
  },
  { ...closed, title: "FeedSummary", description: "A document, in short form." },
);
export type FeedSummary = Static<typeof feedSummary>;

export const feedPage = pageOf(feedSummary, "Documents, by receipt.");

export const feedCountsQuery = Type.Object(
  { ...scopeParameters, receivedFrom: Type.Optional(moment("Rejected documents received at or after this time.")) },
  closed,
);

/** A count stops here: a larger number is shown only as "many". */
export const feedCountMax = 10_000;

export const feedCounts = Type.Object(
  {
    rejected: count(`Rejected; ${feedCountMax} means that many or more, here and below.`, 3),
    parked: count("Parked until a catalogue contains their SKUs.", 1),
    overdue: count("Accepted, and without an outcome after their deadline.", 0),
    failed: count("Failed: processing was given up.", 0),
  },
  { ...closed, title: "FeedCounts", description: "Number of documents that need an operator." },
);

const position = (description: string) => nullable(Type.Integer({ minimum: 1, description, examples: [12] }));

export const feedFault = Type.Object(
  {
    kind: Type.Enum(["error", "warning"], {
      type: "string",
      description: "Errors reject a document, warnings do not.",
      examples: ["error"],
    }),
    code: text("Stable code; empty in the sentence that counts omitted errors.", "XSD"),
    text: text("The sentence after the code.", "Line 12: lines/line[3]/qty: 'abc' is not a valid decimal"),
    remedy: maybeText(
      "What to do about it.",
      "Correct the element named; the XSD is published at /xsd/{feedType}.xsd.",
    ),
    path: maybeText("Element that the sentence names.", "lines/line[3]/qty"),
    line: position("Line of the document, from 1; null without a place."),
    column: position("Column of the line, from 1; null where only the line is known."),
    row: position("Row of the document as shown: a long line has several rows."),
  },
  {
    ...closed,
    title: "FeedFault",
    description: "An error or a warning of a document. One that concerns several places is listed once for each.",
  },
);

const actionNames = ["reprocess", "park", "retry"] as const;

export const feedRecord = Type.Object(
  {
    ...summary,
    healedAt: nullable(moment("When it was reprocessed and accepted; null if it was not.")),
    isPayloadKept: Type.Boolean({
      description:
        "Whether its content is stored: not for a document with a card number, nor after the personal data of its order are erased.",
      examples: [true],
    }),
    contentType: maybeText("Content type as it was sent.", "application/xml; charset=utf-8"),
    sha256: text(
      "SHA-256 of its bytes, hexadecimal.",
      "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ),
    faults: Type.Array(feedFault, {
      description: "Errors and warnings, in the order of the document; those without a place first.",
    }),
    missingSkus: Type.Array(text("SKU.", "MUG-RED-330"), {
      description: "SKUs that no CAT contained at validation.",
    }),
    outbound: Type.Array(
      Type.Object(
        { messageId: text("Message id.", exampleToken), type: text("Type.", "ACK") },
        { ...closed, description: "An outbound document." },
      ),
      { description: "Outbound documents that report its outcome." },
    ),
    actions: Type.Array(
      Type.Enum([...actionNames], { type: "string", description: "Action.", examples: ["reprocess"] }),
      { description: "Actions that an operator can take in its present state." },
    ),
  },
  { ...closed, title: "FeedDocument", description: "A document with all its errors and warnings." },
);
export type FeedRecord = Static<typeof feedRecord>;

export const documentQuery = Type.Object(
  {
    fromRow: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 30_000_000, default: 1, description: "First row, from 1.", examples: [1] }),
    ),
    rowCount: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_000,
        default: 400,
        description: "Maximum number of rows.",
        examples: [400],
      }),
    ),
  },
  closed,
);

export const documentWindow = Type.Object(
  {
    token: text("Token of the document.", exampleToken),
    rowTotal: count(
      "Rows of the document. Each line is one row; a line that is too long for a screen has several.",
      40,
    ),
    lineTotal: count("Lines of the document.", 40),
    rows: Type.Array(
      Type.Object(
        {
          row: Type.Integer({ minimum: 1, description: "Row, from 1.", examples: [12] }),
          line: Type.Integer({ minimum: 1, description: "Line, from 1.", examples: [12] }),
          column: Type.Integer({
            minimum: 1,
            description: "Column at which the row begins: 1 unless the row continues a line.",
            examples: [1],
          }),
          text: text("Its characters.", "  <qty>abc</qty>"),
        },
        { ...closed, description: "A row." },
      ),
      { description: "The requested rows." },
    ),
  },
  { ...closed, title: "FeedDocumentWindow", description: "Some rows of a document." },
);

export const timeline = Type.Object(
  {
    events: Type.Array(
      Type.Object(
        {
          at: moment("When."),
          kind: Type.Enum(
            [
              "received",
              "validated",
              "parked",
              "accepted",
              "published",
              "event",
              "outbound",
              "delivery",
              "file",
              "operator",
              "overdue",
              "failed",
            ],
            { type: "string", description: "Kind of event.", examples: ["validated"] },
          ),
          text: text("In words.", "Rejected: 2 errors"),
          actor: maybeText("The person who did it, if any.", "user:anna"),
          objectId: maybeText("Its object: an order, a message id, a delivery.", "WEB-10001"),
          webhookId: maybeText("For a delivery: its webhook.", exampleToken),
          tone: Type.Enum(["done", "moving", "waiting", "failed", "ended"], {
            type: "string",
            description: "Tone of the event.",
            examples: ["failed"],
          }),
        },
        { ...closed, title: "FeedTimelineEvent", description: "One event in the history of a document." },
      ),
      { description: "In the order of time." },
    ),
  },
  {
    ...closed,
    title: "FeedTimeline",
    description: "The history of a document, from its receipt to the messages that resulted from it.",
  },
);
export type TimelineEvent = Static<typeof timeline>["events"][number];

/** Bytes that are sent as a file. */
const bytesOf = (description: string, of: string, example: string) => ({
  description,
  headers: {
    "Content-Disposition": {
      type: "string",
      description: "A name for its file.",
      examples: ['attachment; filename="019a4c2e-8f00-7abc-8def-000000000001.xml"'],
    },
  },
  content: {
    "application/xml": {
      schema: Type.Unsafe<Buffer>({ type: "string", format: "binary", description: of, examples: [example] }),
    },
  },
});

export const documentBytes = bytesOf(
  "The document, byte for byte as received.",
  "The bytes of the document.",
  "<orderRequest><orderId>WEB-10001</orderId></orderRequest>",
);

export const ackBytes = bytesOf(
  "The apiResponse that answered the document, byte for byte.",
  "The bytes of the ACK.",
  "<apiResponse><token>019a4c2e-8f00-7abc-8def-000000000001</token><success>false</success></apiResponse>",
);
