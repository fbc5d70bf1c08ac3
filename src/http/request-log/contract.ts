import Type, { type Static } from "typebox";
import { defineCursor, pageOf, pageParameters, placeIdV7 } from "#/http/requests/paging.ts";
import { clientIdParameter, closed, identifier, maybeText, moment, nullable } from "#/http/routes/schema.ts";
import { requestMethods } from "#/http/server/exchange-telemetry.ts";

const idExample = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11";

/** The kinds of answers that the list may be limited to. */
export const requestResults = ["failed", "2xx", "3xx", "4xx", "5xx"] as const;

/** The parameters of the list besides the one that names the client. */
export const requestListParameters = {
  ...pageParameters,
  result: Type.Optional(
    Type.Enum([...requestResults], {
      type: "string",
      description:
        "Only requests with this result: `failed` are those with a status of 400 or above, those without an answer, and rejected documents.",
      examples: ["failed"],
    }),
  ),
  method: Type.Optional(
    Type.Enum([...requestMethods], { type: "string", description: "Only this method.", examples: ["POST"] }),
  ),
  path: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: "^[^\\u0000]*$",
      description: "Only paths that contain this text, such as an order number.",
      examples: ["/order/"],
    }),
  ),
  token: Type.Optional(
    Type.String({
      pattern: "^[0-9A-Fa-f]{8}(?:-?[0-9A-Fa-f]{4}){3}-?[0-9A-Fa-f]{12}$",
      description: "Only the request with this correlation token or trace id.",
      examples: [idExample],
    }),
  ),
  from: Type.Optional(moment("Not before.")),
  to: Type.Optional(moment("Before.")),
};

const listQuery = Type.Object(requestListParameters, closed);
export type RequestListQuery = Static<typeof listQuery>;

/** As the sender reads its own log: the token determines a warehouse's facility. */
export const ownRequestListQuery = {
  client: Type.Object({ ...requestListParameters, clientId: clientIdParameter }, closed),
  facility: Type.Object({ ...requestListParameters }, closed),
} as const;

export const ownRequestQuery = {
  client: Type.Object({ clientId: clientIdParameter }, closed),
  facility: Type.Object({}, closed),
} as const;

export const requestPath = Type.Object(
  { requestId: identifier("The correlation token of the request.", idExample) },
  closed,
);

const summaryFields = {
  requestId: Type.String({
    description: "The correlation token of the request; without its dashes it is the trace id.",
    examples: [idExample],
  }),
  at: moment("When the request arrived."),
  method: Type.String({ description: "The method.", examples: ["POST"] }),
  path: Type.String({
    description: "The path, at most 1 024 characters.",
    examples: ["/v1/orderService/order/cancel/WEB-100045"],
  }),
  status: nullable(
    Type.Integer({
      description: "Status of the answer; null where the sender disconnected before it began.",
      examples: [409],
    }),
  ),
  isFailed: Type.Boolean({
    description: "The status is 400 or above, or missing, or the document was rejected.",
    examples: [true],
  }),
  outcome: maybeText("The outcome of a feed document.", "rejected"),
  problemCode: maybeText("The code of the problem, or of the refusal of a feed.", "conflict"),
  problemTitle: maybeText(
    "What the problem is; null for the refusal of a feed.",
    "The state of the object forbids this",
  ),
  durationMs: Type.Integer({
    description: "Milliseconds from the head of the request to the end of its answer.",
    examples: [12],
  }),
};

export const requestSummary = Type.Object(summaryFields, {
  ...closed,
  title: "LoggedRequest",
  description: "A request over HTTP.",
});

export const requestPage = pageOf(requestSummary, "Requests, the newest first.");

export const requestRecordFields = {
  ...summaryFields,
  route: maybeText(
    "The template of the path; null where no operation has the path.",
    "/v1/orderService/order/cancel/:orderId",
  ),
  query: maybeText("The text after the question mark, at most 2 048 characters.", "limit=50"),
  credentialId: maybeText("The credential of the request.", idExample),
  address: maybeText("The address of the sender.", "203.0.113.7"),
  objectId: maybeText("The first id in the path, or the number of the object that a feed is about.", "WEB-100045"),
  feedType: maybeText("The type of a feed document.", "NO"),
  problemCure: maybeText("What the sender does about it; null for the refusal of a feed.", "Read the object again."),
  problemDetail: maybeText(
    "What the answer said about this request; null where it was erased with the personal data of an order.",
    "Order WEB-100045 is DESPATCHED.",
  ),
  errors: Type.Array(
    Type.Object(
      {
        pointer: Type.String({ description: "The place of the fault.", examples: ["#/lines/0"] }),
        message: Type.String({ description: "The fault.", examples: ["is required"] }),
      },
      closed,
    ),
    { description: "The faults that the answer named, at most fifty." },
  ),
  bodyBytes: nullable(
    Type.Integer({ description: "Size of the body, where its beginning is stored.", examples: [412] }),
  ),
};

export const requestRecord = Type.Object(requestRecordFields, {
  ...closed,
  title: "LoggedRequestRecord",
  description: "A request over HTTP, with its problem.",
});

export type RequestSummary = Static<typeof requestSummary>;
export type RequestRecord = Static<typeof requestRecord>;

export const requestCursor = defineCursor("requests", Type.Object({ id: placeIdV7 }));
