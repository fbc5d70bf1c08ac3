import Type, { type Static } from "typebox";
import { idCursors, idSort } from "#/console-api/id-order.ts";
import { mailStatuses } from "#/delivery/mail/index.ts";
import { scopeParameters } from "#/http/access/operator.ts";
import { pageOf, pageParameters } from "#/http/requests/paging.ts";
import { closed, identifier, maybeText, moment, nullable, text } from "#/http/routes/schema.ts";
import { outboundTypes } from "#/kernel/feed-types.ts";
import { sql } from "#/store/db/sql.ts";

/** Outbound documents over several clients, and the outcome of each (outbound.md, Delivery). */
export const documentIdExample = "019a4c2e-8f00-7abc-8def-0123456789ab";

export const documentType = Type.Enum([...outboundTypes], {
  type: "string",
  title: "OutboundType",
  description: "Type of the outbound feed.",
  examples: ["OS"],
});

const documentState = Type.Enum(["WAITING", "DELIVERED", "FAILED"], {
  type: "string",
  title: "OutboundState",
  description:
    "FAILED: a push of it was given up. WAITING: at least one delivery method has not delivered it yet. DELIVERED: all have.",
  examples: ["DELIVERED"],
});

export const channel = Type.Object(
  {
    channel: Type.Enum(["PULL", "SFTP", "PUSH"], {
      type: "string",
      description:
        "PULL: fetched over HTTP and acknowledged. SFTP: a file that the client collects. PUSH: posted to an address.",
      examples: ["PULL"],
    }),
    state: Type.Enum(["WAITING", "DELIVERED", "RETRYING", "HELD", "FAILED", "SKIPPED"], {
      type: "string",
      description: "WAITING: not fetched, collected or pushed yet. The other states of a push are those of a delivery.",
      examples: ["WAITING"],
    }),
    readAt: nullable(moment("SFTP: when the file was first read.")),
    at: nullable(moment("When it was acknowledged or collected, or its push ended.")),
    deliveryId: maybeText("PUSH: the delivery.", "019aa0f2-8a10-7c0a-9c3e-2a6f0c1d9b13"),
    tries: Type.Integer({ description: "PUSH: number of ended attempts.", examples: [0] }),
    nextTryAt: nullable(moment("PUSH: time of the next attempt.")),
    lastError: maybeText("PUSH: reason why the last attempt failed.", "status: answered 503"),
  },
  { ...closed, title: "DocumentChannel", description: "A delivery method of the document, and its state." },
);

export type Channel = Static<typeof channel>;

const documentFields = {
  clientId: text("Client.", "DEMO"),
  documentId: text("Identifier of the document: its messageId.", documentIdExample),
  type: documentType,
  objectId: text("Its object.", "WEB-100045"),
  distributionCentre: maybeText("Facility; null in the ACK of a CAT.", "DC1"),
  feedToken: maybeText("For an ACK: the token of the inbound document.", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12"),
  part: Type.Integer({ description: "Number of the part, for a snapshot.", examples: [1] }),
  parts: Type.Integer({ description: "Number of parts.", examples: [1] }),
  createdAt: moment("When it was created."),
  size: Type.Integer({ description: "Size of the XML in bytes.", examples: [1024] }),
  state: documentState,
  isOverdue: Type.Boolean({
    description: "It has waited to be fetched or collected for more than 24 hours.",
    examples: [false],
  }),
  channels: Type.Array(channel, { description: "Its delivery methods." }),
};

const outboundDocument = Type.Object(documentFields, {
  ...closed,
  title: "OutboundDocument",
  description: "A document for a client, and the state of its delivery.",
});

export type OutboundRecord = Static<typeof outboundDocument>;

/** The fields of it in the store, with the state of each delivery method other than a push. */
export const storedDocument = Type.Object({
  ...Type.Omit(outboundDocument, ["state", "isOverdue", "channels"]).properties,
  isHttp: Type.Boolean(),
  acknowledgedAt: nullable(Type.String()),
  isSftp: Type.Boolean(),
  readAt: nullable(Type.String()),
  collectedAt: nullable(Type.String()),
});
export type StoredDocument = Static<typeof storedDocument>;
export const sourcesOfDocument = { documentId: sql`d.message_id`, distributionCentre: sql`d.facility_code` };

export const outboundDocumentPage = pageOf(outboundDocument, "Outbound documents, the newest first.");

export const outboundListQuery = Type.Object(
  {
    ...scopeParameters,
    type: Type.Optional(documentType),
    waiting: Type.Optional(
      Type.Enum(["any", "overdue"], {
        type: "string",
        description:
          "any: documents that wait to be fetched or collected. overdue: those that have waited for more than 24 hours.",
        examples: ["overdue"],
      }),
    ),
    objectId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: "About this object.", examples: ["WEB-100045"] }),
    ),
    sort: idSort("CreationSort", "createdAt"),
    ...pageParameters,
  },
  closed,
);

const waitingClient = Type.Object(
  {
    clientId: text("Client.", "DEMO"),
    http: Type.Integer({ description: "Documents to be fetched over HTTP; counted up to 1 000.", examples: [12] }),
    sftp: Type.Integer({ description: "Files to be collected; counted up to 1 000.", examples: [0] }),
    oldestAt: moment("When the oldest of those counted was created."),
    isOverdue: Type.Boolean({ description: "It has waited for more than 24 hours.", examples: [false] }),
  },
  { ...closed, title: "WaitingClient", description: "A client with documents that wait to be fetched or collected." },
);

export const waitingClients = Type.Object(
  { items: Type.Array(waitingClient, { description: "Clients, the oldest document first." }) },
  { ...closed, title: "WaitingClients", description: "Waiting documents by client." },
);

export const waitingQuery = Type.Object({ ...scopeParameters }, closed);

/** A page starts after this document. */
export const outboundCursors = idCursors("consoleOutbound");

export const ofClientQuery = Type.Object({ clientId: identifier("The client.", "DEMO") }, closed);

export const documentPath = Type.Object({ documentId: identifier("The document.", documentIdExample) }, closed);

const exchange = Type.Object(
  {
    deliveryId: text("The push of the attempt.", "019aa0f2-8a10-7c0a-9c3e-2a6f0c1d9b13"),
    startedAt: moment("When it started."),
    durationMs: nullable(Type.Number({ description: "Duration in milliseconds.", examples: [84] })),
    address: maybeText("The connected address.", "93.184.215.14"),
    status: nullable(Type.Integer({ description: "HTTP status of the answer.", examples: [200] })),
    body: text("The first 8 KiB of the answer.", "ok"),
    errorClass: maybeText("Reason of the failure; null where it was delivered.", "status"),
  },
  { ...closed, title: "PushTry", description: "One request of a push, and its result." },
);

export const outboundDocumentWithXml = Type.Object(
  {
    ...documentFields,
    xml: text("The document as sent to the client.", "<orderStatus>…</orderStatus>"),
    exchanges: Type.Array(exchange, {
      description: "The attempts of its pushes in the last 30 days, by start.",
    }),
  },
  {
    ...closed,
    title: "OutboundDocumentWithXml",
    description: "A document with its XML, and the attempts of its pushes.",
  },
);

export type OutboundWithXml = Static<typeof outboundDocumentWithXml>;

const push = Type.Object(
  {
    webhookId: text("Identifier of the push.", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12"),
    url: text("Address of the push.", "https://example.com/feeds"),
    status: text("ACTIVE, FAILING, PAUSED or DISABLED, as for a webhook.", "ACTIVE"),
    pending: Type.Integer({ description: "Pushes that have not ended.", examples: [0] }),
    lastSuccessAt: nullable(moment("Time of the last delivery.")),
    lastFailureAt: nullable(moment("Time of the last failed attempt.")),
    consecutiveFailures: Type.Integer({ description: "Failed attempts since the last success.", examples: [0] }),
    signingSecret: maybeText(
      "If it is new: `whsec_` and 32 bytes in base64, shown only now.",
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw=",
    ),
  },
  { ...closed, title: "FeedPush", description: "The push of a type." },
);

const channelsOfType = Type.Object(
  {
    type: documentType,
    pull: Type.Boolean({ description: "Fetched over HTTP.", examples: [true] }),
    sftp: Type.Boolean({ description: "Files in its folder of the SFTP server.", examples: [false] }),
    push: nullable(push),
  },
  { ...closed, title: "OutboundChannels", description: "Delivery methods of one type of outbound feed." },
);

export type ChannelsRecord = Static<typeof channelsOfType>;

export const channelsList = Type.Object(
  {
    clientId: text("Client.", "DEMO"),
    items: Type.Array(channelsOfType, { description: "All types, or those that the request set." }),
  },
  { ...closed, title: "OutboundChannelsList", description: "Delivery methods of outbound feeds of a client." },
);

export const channelsChange = Type.Object(
  {
    types: Type.Array(documentType, {
      minItems: 1,
      maxItems: 7,
      uniqueItems: true,
      description: "Types to set.",
    }),
    pull: Type.Boolean({ description: "Fetched over HTTP.", examples: [true] }),
    sftp: Type.Boolean({ description: "Files in their folders of the SFTP server.", examples: [false] }),
    push: Type.Optional(
      Type.Object(
        {
          url: Type.String({
            minLength: 1,
            maxLength: 2_048,
            description: "Address of the push: http(s), without credentials. Plain http only in sandbox.",
            examples: ["https://example.com/feeds"],
          }),
          headers: Type.Optional(
            Type.Unsafe<Record<string, string | null>>({
              type: "object",
              additionalProperties: { type: ["string", "null"], maxLength: 4_096 },
              description: "Headers of the push by name, merged with those of the same address; null removes one.",
              examples: [{ "X-Hook-Key": "a key of your own" }],
            }),
          ),
          newSecret: Type.Optional(
            Type.Boolean({
              description: "Creates a new signing secret; the previous one also signs for 24 hours.",
              examples: [false],
            }),
          ),
        },
        { ...closed, description: "Left out: no push; documents that wait to be pushed are FAILED." },
      ),
    ),
  },
  { ...closed, title: "OutboundChannelsChange", description: "The delivery methods that replace the present ones." },
);

/** Of alert mails, and of messages of notification rules. */
export const mailStatus = Type.Enum([...mailStatuses], {
  type: "string",
  title: "AlertMailStatus",
  description:
    "KEPT: there is no mail server, and the mail is only shown here. FAILED: it was not accepted within a day.",
  examples: ["SENT"],
});

const mailFields = {
  clientId: text("Client of the webhook or feed.", "DEMO"),
  mailId: text("Identifier of the mail.", documentIdExample),
  address: text("Recipients.", "ops@example.com"),
  subject: text("Subject.", "Webhook order:* cannot be delivered"),
  status: mailStatus,
  tries: Type.Integer({ description: "Number of attempts.", examples: [1] }),
  lastError: maybeText("Last answer of the mail server.", "451 try again later"),
  createdAt: moment("When it was created."),
  nextTryAt: nullable(moment("Time of the next attempt; null where it has ended.")),
  sentAt: nullable(moment("When the mail server accepted it.")),
};

export const mail = Type.Object(mailFields, { ...closed, title: "AlertMail", description: "A mail about failures." });

export type Mail = Static<typeof mail>;
export const sourcesOfMail = {
  tries: sql`m.attempts`,
  nextTryAt: sql`case when m.status = 'PENDING' then m.due_at end`,
};

export const mailPage = pageOf(mail, "Mails, the newest first.");

export const mailListQuery = Type.Object(
  {
    clientId: scopeParameters.clientId,
    status: Type.Optional(mailFields.status),
    sort: idSort("CreationSort", "createdAt"),
    ...pageParameters,
  },
  closed,
);

/** A page starts after this mail. */
export const mailCursors = idCursors("consoleMails");

export const mailPath = Type.Object({ mailId: identifier("The mail.", documentIdExample) }, closed);

export const mailWithText = Type.Object(
  {
    ...mailFields,
    text: text("Text of the mail.", "Since 10:00 nothing could be delivered to https://example.com/hooks."),
  },
  { ...closed, title: "AlertMailWithText", description: "A mail with its text." },
);
export type MailWithText = Static<typeof mailWithText>;
