import Type, { type Static } from "typebox";
import { documentTypes } from "#/console-api/outbound/desk.ts";
import { scopeParameters } from "#/http/access/operator.ts";
import { defineCursor, pageOf, pageParameters } from "#/http/requests/paging.ts";
import { identifier, moment, nullable } from "#/http/routes/schema.ts";

/** Outbound documents over several clients, and the outcome of each (outbound.md, Delivery). */
const closed = { additionalProperties: false } as const;

const text = (description: string, example: string) => Type.String({ description, examples: [example] });
export const documentIdExample = "019a4c2e-8f00-7abc-8def-0123456789ab";

export const documentType = Type.Enum([...documentTypes], {
  type: "string",
  title: "OutboundType",
  description: "Type of the outbound feed.",
  examples: ["OS"],
});

const documentState = Type.Enum(["WAITING", "DELIVERED", "FAILED"], {
  type: "string",
  title: "OutboundState",
  description:
    "FAILED: a push of it was given up. WAITING: in one of its ways it has not reached the client yet. DELIVERED: it has, in all of them.",
  examples: ["DELIVERED"],
});

const way = Type.Object(
  {
    way: Type.Enum(["PULL", "SFTP", "PUSH"], {
      type: "string",
      description: "PULL: fetched over HTTP and acknowledged. SFTP: a file that is taken. PUSH: posted to an address.",
      examples: ["PULL"],
    }),
    state: Type.Enum(["WAITING", "DELIVERED", "RETRYING", "HELD", "FAILED", "SKIPPED"], {
      type: "string",
      description: "WAITING: not fetched, taken or pushed yet. The others of a push are those of a delivery.",
      examples: ["WAITING"],
    }),
    readAt: nullable(moment("Of SFTP: when the file was first read.")),
    at: nullable(moment("When it was acknowledged, taken, or its push ended.")),
    deliveryId: nullable(text("Of PUSH: the delivery.", "019aa0f2-8a10-7c0a-9c3e-2a6f0c1d9b13")),
    tries: Type.Integer({ description: "Of PUSH: tries that have ended.", examples: [0] }),
    nextTryAt: nullable(moment("Of PUSH: when it is tried next.")),
    lastError: nullable(text("Of PUSH: why the last try failed.", "status: answered 503")),
  },
  { ...closed, title: "DocumentWay", description: "A way that the document takes, and how far it has come." },
);

const documentFields = {
  clientId: text("Client.", "DEMO"),
  documentId: text("Identifier of the document: its messageId.", documentIdExample),
  type: documentType,
  objectId: text("What it is about.", "WEB-100045"),
  distributionCentre: nullable(text("Facility; null in the ACK of a CAT.", "DC1")),
  feedToken: nullable(text("Of an ACK: the token of the inbound document.", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12")),
  part: Type.Integer({ description: "Which part of a snapshot it is.", examples: [1] }),
  parts: Type.Integer({ description: "Of how many.", examples: [1] }),
  createdAt: moment("When it was written."),
  size: Type.Integer({ description: "Bytes of the XML.", examples: [1024] }),
  state: documentState,
  isOverdue: Type.Boolean({
    description: "It has waited to be fetched or taken for more than 24 hours.",
    examples: [false],
  }),
  ways: Type.Array(way, { description: "The ways that it takes." }),
};

const outboundDocument = Type.Object(documentFields, {
  ...closed,
  title: "OutboundDocument",
  description: "A document for a client, and how far it has come.",
});

export type OutboundRecord = Static<typeof outboundDocument>;

export const outboundDocumentPage = pageOf(outboundDocument, "Outbound documents, the newest first.");

export const outboundListQuery = Type.Object(
  {
    ...scopeParameters,
    type: Type.Optional(documentType),
    waiting: Type.Optional(
      Type.Enum(["any", "overdue"], {
        type: "string",
        description: "any: what waits to be fetched or taken. overdue: what has waited for more than 24 hours.",
        examples: ["overdue"],
      }),
    ),
    objectId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: "About this object.", examples: ["WEB-100045"] }),
    ),
    ...pageParameters,
  },
  closed,
);

const idPlace = Type.Object({ id: Type.String({ minLength: 36, maxLength: 36 }) }, closed);

/** A page starts after this document. */
export const outboundCursor = defineCursor("consoleOutbound", idPlace);

export const ofClientQuery = Type.Object({ clientId: identifier("The client.", "DEMO") }, closed);

export const documentPath = Type.Object({ documentId: identifier("The document.", documentIdExample) }, closed);

const exchange = Type.Object(
  {
    deliveryId: text("The push that it is a try of.", "019aa0f2-8a10-7c0a-9c3e-2a6f0c1d9b13"),
    startedAt: moment("When it began."),
    durationMs: nullable(Type.Number({ description: "Milliseconds from beginning to end.", examples: [84] })),
    address: nullable(text("The address that was connected to.", "93.184.215.14")),
    status: nullable(Type.Integer({ description: "HTTP status of the answer.", examples: [200] })),
    body: text("The first 8 KiB of the answer.", "ok"),
    errorClass: nullable(text("Why it failed; null where it was delivered.", "status")),
  },
  { ...closed, title: "PushTry", description: "One request of a push, and what came of it." },
);

export const outboundDocumentWithXml = Type.Object(
  {
    ...documentFields,
    xml: text("The document as the client is given it.", "<orderStatus>…</orderStatus>"),
    exchanges: Type.Array(exchange, {
      description: "Every try of its pushes in the last 30 days, as they were begun.",
    }),
  },
  { ...closed, title: "OutboundDocumentWithXml", description: "A document with its XML, and every try of its pushes." },
);

export type OutboundWithXml = Static<typeof outboundDocumentWithXml>;

const push = Type.Object(
  {
    webhookId: text("Identifier of the push.", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12"),
    url: text("Where it is posted to.", "https://example.com/feeds"),
    status: text("ACTIVE, FAILING, PAUSED or DISABLED, as of a webhook.", "ACTIVE"),
    pending: Type.Integer({ description: "Pushes that have not ended.", examples: [0] }),
    lastSuccessAt: nullable(moment("When something was last delivered.")),
    lastFailureAt: nullable(moment("When a try last failed.")),
    consecutiveFailures: Type.Integer({ description: "Failed tries since the last success.", examples: [0] }),
    signingSecret: nullable(
      text(
        "Where it is new: `whsec_` and 32 bytes in base64, shown only now.",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw=",
      ),
    ),
  },
  { ...closed, title: "FeedPush", description: "The address that a type is pushed to." },
);

const waysOfType = Type.Object(
  {
    type: documentType,
    pull: Type.Boolean({ description: "Fetched over HTTP.", examples: [true] }),
    sftp: Type.Boolean({ description: "Put into its folder of the SFTP server.", examples: [false] }),
    push: nullable(push),
  },
  { ...closed, title: "OutboundWays", description: "How one type of outbound feed reaches a client." },
);

export type WaysRecord = Static<typeof waysOfType>;

export const waysList = Type.Object(
  {
    clientId: text("Client.", "DEMO"),
    items: Type.Array(waysOfType, { description: "Every type, or those that were set." }),
  },
  { ...closed, title: "OutboundWaysList", description: "How outbound feeds reach a client." },
);

export const waysChange = Type.Object(
  {
    types: Type.Array(documentType, {
      minItems: 1,
      maxItems: 7,
      uniqueItems: true,
      description: "Types that are set.",
    }),
    pull: Type.Boolean({ description: "Fetched over HTTP.", examples: [true] }),
    sftp: Type.Boolean({ description: "Put into their folders of the SFTP server.", examples: [false] }),
    push: Type.Optional(
      Type.Object(
        {
          url: Type.String({
            minLength: 1,
            maxLength: 2_048,
            description: "Where they are posted to: http(s), without credentials. Plain http only in sandbox.",
            examples: ["https://example.com/feeds"],
          }),
          headers: Type.Optional(
            Type.Unsafe<Record<string, string | null>>({
              type: "object",
              additionalProperties: { type: ["string", "null"], maxLength: 4_096 },
              description:
                "Headers of the push by name, put over those that the same address has; null takes one away.",
              examples: [{ "X-Hook-Key": "a key of your own" }],
            }),
          ),
          newSecret: Type.Optional(
            Type.Boolean({
              description: "A new signing secret; the one before signs alongside for 24 hours.",
              examples: [false],
            }),
          ),
        },
        { ...closed, description: "Left out: they are not pushed, and what waits to be pushed has FAILED." },
      ),
    ),
  },
  { ...closed, title: "OutboundWaysChange", description: "The ways that take the place of those before." },
);

const mailFields = {
  clientId: text("Client whose webhook or feed it is about.", "DEMO"),
  mailId: text("Identifier of the mail.", documentIdExample),
  address: text("Whom it is to.", "ops@example.com"),
  subject: text("Subject.", "Webhook order:* cannot be delivered"),
  status: Type.Enum(["PENDING", "SENT", "KEPT", "FAILED"], {
    type: "string",
    title: "AlertMailStatus",
    description: "KEPT: there is no mail server, it is shown here. FAILED: the mail server did not take it in a day.",
    examples: ["SENT"],
  }),
  tries: Type.Integer({ description: "How often it was handed to the mail server.", examples: [1] }),
  lastError: nullable(text("What the mail server said last.", "451 try again later")),
  createdAt: moment("When it was written."),
  nextTryAt: nullable(moment("When it is sent; null where it has ended.")),
  sentAt: nullable(moment("When the mail server took it.")),
};

const mail = Type.Object(mailFields, { ...closed, title: "AlertMail", description: "A mail that tells of failures." });

export const mailPage = pageOf(mail, "Mails, the newest first.");

export const mailListQuery = Type.Object(
  { clientId: scopeParameters.clientId, status: Type.Optional(mailFields.status), ...pageParameters },
  closed,
);

/** A page starts after this mail. */
export const mailCursor = defineCursor("consoleMails", idPlace);

export const mailPath = Type.Object({ mailId: identifier("The mail.", documentIdExample) }, closed);

export const mailWithText = Type.Object(
  {
    ...mailFields,
    text: text("What it says.", "Since 10:00 nothing could be delivered to https://example.com/hooks."),
  },
  { ...closed, title: "AlertMailWithText", description: "A mail with its text." },
);
