import Type, { type Static } from "typebox";
import { exceptionObjects, exceptionTypes } from "#/console-api/exceptions/types.ts";
import { scopeParameters } from "#/http/access/operator.ts";
import { defineCursor, pageOf, pageParameters } from "#/http/requests/paging.ts";
import { moment, nullable } from "#/http/routes/schema.ts";

const closed = { additionalProperties: false } as const;

export const exampleId = "WyJPUkRFUl9IRUxEIiwiREVNTyIsIldFQi0xMDAwNDUiLDE3NjM2MzI4MDAwMDAwMDBd";

const exceptionType = Type.Enum([...exceptionTypes], {
  type: "string",
  title: "ExceptionType",
  description: "What kind of thing waits.",
  examples: ["ORDER_HELD"],
});

const exceptionId = Type.String({
  minLength: 8,
  maxLength: 1000,
  pattern: "^[A-Za-z0-9_-]+$",
  description: "The exception: opaque, and the same as long as it lasts. What comes anew is another one.",
  examples: [exampleId],
});

const cure = Type.Object(
  {
    verb: Type.String({ description: "What the button says.", examples: ["Release order"] }),
    kind: Type.Enum(["link", "action"], {
      type: "string",
      description: "A look at the object, or an operation.",
      examples: ["action"],
    }),
    operation: nullable(
      Type.Object(
        {
          verb: Type.String({ description: "What it does.", examples: ["Release order"] }),
          method: Type.Enum(["POST"], { type: "string", description: "Method of the operation.", examples: ["POST"] }),
          path: Type.String({
            description: "Its path below /v1/operatorService, with its query.",
            examples: ["/order/liftHold/WEB-100045?clientId=DEMO"],
          }),
          body: nullable(
            Type.Unsafe<object>({
              type: "object",
              additionalProperties: true,
              description: "Its body; null where it has none.",
              examples: [{ types: ["CLIENT_REQUEST"] }],
            }),
          ),
        },
        {
          ...closed,
          description: "Of an action what to send; of a link what can be done with many, null where nothing.",
        },
      ),
    ),
  },
  { ...closed, title: "ExceptionCure", description: "The way to put it right in one step." },
);

export const exception = Type.Object(
  {
    exceptionId,
    type: exceptionType,
    clientId: Type.String({ description: "Client.", examples: ["DEMO"] }),
    facilityCode: nullable(Type.String({ description: "Facility; null where it is about none.", examples: ["DC1"] })),
    objectType: Type.Enum([...exceptionObjects], {
      type: "string",
      description: "What it is about.",
      examples: ["order"],
    }),
    objectId: Type.String({ description: "Name of that object.", examples: ["WEB-100045"] }),
    summary: Type.String({
      description: "What happened, what it means, and what is to be done.",
      examples: ["Order WEB-100045 is held: client request. It does not leave until every hold is lifted."],
    }),
    since: moment("Since when it has been so."),
    owner: nullable(Type.String({ description: "User who sees to it; null: nobody yet.", examples: ["anna"] })),
    note: nullable(Type.String({ description: "Remark of a user.", examples: ["Asked the client on Monday"] })),
    cure,
  },
  { ...closed, title: "Exception", description: "Something that waits for somebody." },
);

export const exceptionPage = pageOf(exception, "Exceptions, by age.");

const typesParameter = Type.Optional(
  Type.String({
    pattern: `^(?:${exceptionTypes.join("|")})(?:,(?:${exceptionTypes.join("|")}))*$`,
    description: "Only these types, with commas between them.",
    examples: ["ORDER_HELD,ORDER_BACKORDERED"],
  }),
);

const filters = {
  ...scopeParameters,
  owner: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: "^[^\\u0000]*$",
      description: "Only those of this user; `me` for one's own, `none` for those of nobody.",
      examples: ["me"],
    }),
  ),
  minAgeMinutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 5_256_000,
      description: "Only what has been so for at least so many minutes.",
      examples: [60],
    }),
  ),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: "^[^\\u0000]*$",
      description: "Only where this occurs in the object or in what is known of it, in any case of letters.",
      examples: ["WEB-1000"],
    }),
  ),
};

export const listQuery = Type.Object(
  {
    ...filters,
    type: typesParameter,
    sort: Type.Optional(
      Type.Enum(["since", "-since"], {
        type: "string",
        default: "-since",
        description: "By age: newest first, or without the minus oldest first.",
        examples: ["-since"],
      }),
    ),
    ...pageParameters,
  },
  closed,
);

export const summaryQuery = Type.Object(filters, closed);

export const countMax = 1_000;

export const exceptionSummary = Type.Object(
  {
    total: Type.Integer({ description: "The sum of the counts.", examples: [12] }),
    types: Type.Array(
      Type.Object(
        {
          type: exceptionType,
          count: Type.Integer({ description: `How many; ${countMax} stands for so many or more.`, examples: [3] }),
          oldest: nullable(moment("Since when the oldest has waited; null where there is none.")),
        },
        { ...closed, title: "ExceptionCount", description: "How many wait of a type." },
      ),
      { description: "Every type, in the same order always." },
    ),
  },
  { ...closed, title: "ExceptionSummary", description: "How many exceptions wait, by type." },
);

const exceptionIds = Type.Array(exceptionId, {
  minItems: 1,
  maxItems: 200,
  uniqueItems: true,
  description: "The exceptions.",
  examples: [[exampleId]],
});

/** The maximum number of entries of a select. */
export const ownersMax = 1_000;

export const exceptionOwners = Type.Object(
  {
    items: Type.Array(Type.String({ description: "Name of a user.", examples: ["anna"] }), {
      maxItems: ownersMax,
      description: `In the order of the names, ${ownersMax} at the most.`,
    }),
  },
  { ...closed, title: "ExceptionOwners", description: "Who can see to exceptions." },
);

export const assignBody = Type.Object(
  {
    exceptionIds,
    owner: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: "User who sees to them from now on; left out: nobody.",
        examples: ["anna"],
      }),
    ),
  },
  { ...closed, title: "ExceptionAssign", description: "Whose they are." },
);

export const noteBody = Type.Object(
  {
    exceptionIds,
    note: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: "A remark for everybody who looks at them; left out, it takes away the one that is there.",
        examples: ["Asked the client on Monday"],
      }),
    ),
  },
  { ...closed, title: "ExceptionNote", description: "A remark." },
);

export const resolveBody = Type.Object(
  {
    exceptionIds,
    reason: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: "\\S",
      description: "Why nothing more is to be done; kept in the audit log.",
      examples: ["The client resent it by mail"],
    }),
  },
  { ...closed, title: "ExceptionResolve", description: "Put aside until they come anew." },
);

export const outcomes = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          exceptionId,
          outcome: Type.Enum(["DONE", "GONE"], {
            type: "string",
            description: "GONE: it is not there any more, or is not open to the user.",
            examples: ["DONE"],
          }),
        },
        { ...closed, title: "ExceptionOutcome", description: "What became of one." },
      ),
      { description: "One for each, in the order of the request." },
    ),
  },
  { ...closed, title: "ExceptionOutcomes", description: "What became of each." },
);

export const exceptionPath = Type.Object({ exceptionId }, closed);

export const retryBody = Type.Object(
  {
    isForced: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Lifts every hold of the order before it, in the same transaction.",
        examples: [false],
      }),
    ),
  },
  { ...closed, title: "ExceptionRetry", description: "May be left out." },
);

export const retryAnswer = Type.Object(
  {
    report: Type.String({ description: "Kind of the report.", examples: ["pick"] }),
    answer: Type.Unsafe<object>({
      type: "object",
      additionalProperties: true,
      description: "What the report led to, as the warehouse would have been answered.",
      examples: [{ orderId: "WEB-100045", status: "PICKING" }],
    }),
  },
  { ...closed, title: "ExceptionRetried", description: "The report is accepted." },
);

const place = Type.Object({
  us: Type.Integer({ minimum: 0, maximum: 8_000_000_000_000_000 }),
  source: Type.Integer({ minimum: 0, maximum: 100 }),
  clientId: Type.String({ maxLength: 64, pattern: "^[^\\u0000]*$" }),
  objectKey: Type.String({ maxLength: 800, pattern: "^[^\\u0000]*$" }),
});

/** Positions in the list: each sort has its own cursor. */
export const cursors = {
  since: defineCursor("exceptions:since", place),
  "-since": defineCursor("exceptions:-since", place),
} as const;

export type ExceptionRecord = Static<typeof exception>;
