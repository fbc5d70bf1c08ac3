import Type, { type Static } from "typebox";
import { exceptionObjects, exceptionTypes } from "#/console-api/exceptions/types.ts";
import { scopeParameters } from "#/http/access/operator.ts";
import { defineCursor, pageOf, pageParameters, placeText } from "#/http/requests/paging.ts";
import { closed, maybeText, moment, nullable } from "#/http/routes/schema.ts";

export const exampleId = "WyJPUkRFUl9IRUxEIiwiREVNTyIsIldFQi0xMDAwNDUiLDE3NjM2MzI4MDAwMDAwMDBd";

const exceptionType = Type.Enum([...exceptionTypes], {
  type: "string",
  title: "ExceptionType",
  description: "Type of the exception.",
  examples: ["ORDER_HELD"],
});

const objectType = Type.Enum([...exceptionObjects], {
  type: "string",
  title: "ExceptionObject",
  description: "Kind of object.",
  examples: ["order"],
});

const exceptionId = Type.String({
  minLength: 8,
  maxLength: 1000,
  pattern: "^[A-Za-z0-9_-]+$",
  description:
    "Identifier of the exception: opaque, and the same as long as it lasts. A new occurrence has another one.",
  examples: [exampleId],
});

const cure = Type.Object(
  {
    verb: Type.String({ description: "Label of the button.", examples: ["Release order"] }),
    kind: Type.Enum(["link", "action"], {
      type: "string",
      description: "A link to the object, or an operation.",
      examples: ["action"],
    }),
    operation: nullable(
      Type.Object(
        {
          verb: Type.String({ description: "Effect of the operation.", examples: ["Release order"] }),
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
          description: "For an action: the request. For a link: the actions that are possible for many, null for none.",
        },
      ),
    ),
  },
  { ...closed, title: "ExceptionCure", description: "A fix in one step." },
);

export const exception = Type.Object(
  {
    exceptionId,
    type: exceptionType,
    clientId: Type.String({ description: "Client.", examples: ["DEMO"] }),
    facilityCode: maybeText("Facility; null for none.", "DC1"),
    objectType,
    objectId: Type.String({ description: "Identifier of the object.", examples: ["WEB-100045"] }),
    objectName: Type.String({ description: "What people call the object.", examples: ["WEB-100045"] }),
    summary: Type.String({
      description: "What happened, what it means, and what to do.",
      examples: ["Order WEB-100045 is held: client request. It does not leave until every hold is released."],
    }),
    since: moment("Since when the exception exists."),
    owner: maybeText("Assigned user; null: unassigned.", "anna"),
    note: maybeText("Note of a user.", "Asked the client on Monday"),
    snoozedUntil: nullable(
      moment("End of the last snooze: until then it is not open; in the past where it has come back."),
    ),
    snoozedBy: maybeText("User who snoozed it last.", "anna"),
    cure,
  },
  { ...closed, title: "Exception", description: "A situation that needs an operator." },
);

export const exceptionPage = pageOf(exception, "Exceptions, by age.");

const typesParameter = Type.Optional(
  Type.String({
    pattern: `^(?:${exceptionTypes.join("|")})(?:,(?:${exceptionTypes.join("|")}))*$`,
    description: "Only these types, separated by commas.",
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
      description: "Only those of this user; `me` for the own user, `none` for unassigned ones.",
      examples: ["me"],
    }),
  ),
  isSnoozed: Type.Optional(
    Type.Boolean({
      default: false,
      description: "True: only snoozed exceptions, which are not open.",
      examples: [true],
    }),
  ),
  minAgeMinutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 5_256_000,
      description: "Only those that have existed for at least N minutes.",
      examples: [60],
    }),
  ),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: "^[^\\u0000]*$",
      description: "Only those whose object or details contain this text, in any case of letters.",
      examples: ["WEB-1000"],
    }),
  ),
};

export const exampleCauseId = "WyJPUkRFUl9IRUxEIiwiREVNTyIsIkhGS1ctOW5QSkpXUWRwd2tEU3loUFEiXQ";

const causeId = Type.String({
  minLength: 8,
  maxLength: 300,
  pattern: "^[A-Za-z0-9_-]+$",
  description: "Identifier of a cause: opaque, and the same as long as the cause is the same.",
  examples: [exampleCauseId],
});

export const listQuery = Type.Object(
  {
    ...filters,
    type: typesParameter,
    cause: Type.Optional({
      ...causeId,
      description:
        "Only those with this cause. A page examines 500 exceptions of its type and client, whatever `limit` says, so a page may be empty before the end.",
    }),
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

export type ListQuery = Static<typeof listQuery>;

/** `severity`: what failed or is late before what waits, then the cause with more exceptions, then the older one. */
export const causeSorts = ["severity", "-severity", "count", "-count", "since", "-since"] as const;
export type CauseSort = (typeof causeSorts)[number];

export const causesQuery = Type.Object(
  {
    ...filters,
    type: typesParameter,
    sort: Type.Optional(
      Type.Enum([...causeSorts], {
        type: "string",
        default: "severity",
        description:
          "By severity (what failed or is late, then what waits for a person), by count, or by the start of the oldest exception; with a minus the other way. Causes that are equal in it come by count, the highest first, then by age, the oldest first.",
        examples: ["severity"],
      }),
    ),
  },
  closed,
);

const exceptionCause = Type.Object(
  {
    causeId: nullable(causeId),
    count: Type.Integer({ description: "Number of exceptions with this cause.", examples: [412] }),
    isMore: Type.Boolean({ description: "The cause may have more, older exceptions.", examples: [false] }),
    objectType,
    objectId: Type.String({
      description: "Identifier of the object.",
      examples: ["0199a0f0-0000-7000-8000-000000000001"],
    }),
    objectName: Type.String({ description: "What people call the object.", examples: ["shop.example"] }),
    summary: Type.String({
      description: "What happened, what it means, and what to do.",
      examples: [
        "412 deliveries to shop.example were given up. The newest error: status 500. Replay them when the receiver works.",
      ],
    }),
    oldest: moment("Since when the oldest exception exists."),
    owner: maybeText("User to whom all are assigned; else null.", "anna"),
    unassigned: Type.Integer({ description: "Number of those that are assigned to no one.", examples: [412] }),
    snoozedUntil: nullable(moment("End of the snooze that ends first; null where none was snoozed.")),
    newest: exception,
  },
  {
    ...closed,
    title: "ExceptionCause",
    description: "Exceptions of one client with one cause, or a single exception.",
  },
);

export const exceptionCauses = Type.Object(
  {
    items: Type.Array(exceptionCause, {
      description: "At most 500 causes, as sorted; of more, those with the newest exceptions.",
    }),
    isCut: Type.Boolean({
      description: "A type has more exceptions than the 500 that are grouped, or there are more than 500 causes.",
      examples: [false],
    }),
  },
  { ...closed, title: "ExceptionCauses", description: "Open exceptions by their causes." },
);

export const summaryQuery = Type.Object(
  {
    ...filters,
    hasFigures: Type.Optional(
      Type.Boolean({ default: false, description: "True: `figures` is in the answer.", examples: [true] }),
    ),
    hasClients: Type.Optional(
      Type.Boolean({ default: false, description: "True: `clients` is in the answer.", examples: [true] }),
    ),
  },
  closed,
);

export const countMax = 1_000;

const figure = (description: string) =>
  Type.Integer({ description: `${description}, each type up to ${countMax}.`, examples: [3] });

const exceptionFigures = Type.Object(
  {
    mine: figure("Those of the own user"),
    unassigned: figure("Those without an owner"),
    olderThanDay: figure("Those that have existed for a day or longer"),
    snoozed: figure("Snoozed ones, which the other counts do not contain"),
  },
  { ...closed, title: "ExceptionFigures", description: "Parts of the exceptions that the filters select." },
);

const exceptionsOfClient = Type.Object(
  {
    clientId: Type.String({ description: "Client.", examples: ["DEMO"] }),
    count: Type.Integer({
      description: `Its exceptions. Where the count of a type is ${countMax}, there may be more.`,
      examples: [3],
    }),
  },
  { ...closed, title: "ExceptionsOfClient", description: "The number of exceptions of a client." },
);

export const exceptionSummary = Type.Object(
  {
    figures: Type.Optional(exceptionFigures),
    clients: Type.Optional(
      Type.Array(exceptionsOfClient, { description: "The clients that have exceptions, in no order." }),
    ),
    total: Type.Integer({ description: "The sum of the counts.", examples: [12] }),
    types: Type.Array(
      Type.Object(
        {
          type: exceptionType,
          count: Type.Integer({ description: `The count; ${countMax} means that many or more.`, examples: [3] }),
          oldest: nullable(moment("Age of the oldest one, by its start; null without any.")),
        },
        { ...closed, title: "ExceptionCount", description: "The count of one type." },
      ),
      { description: "All types, always in the same order." },
    ),
  },
  { ...closed, title: "ExceptionSummary", description: "Number of exceptions by type." },
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
      description: `Sorted by name, at most ${ownersMax}.`,
    }),
  },
  { ...closed, title: "ExceptionOwners", description: "Users to whom exceptions can be assigned." },
);

export const assignBody = Type.Object(
  {
    exceptionIds,
    owner: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: "User to assign; left out: unassigned.",
        examples: ["anna"],
      }),
    ),
  },
  { ...closed, title: "ExceptionAssign", description: "The assignment." },
);

export const noteBody = Type.Object(
  {
    exceptionIds,
    note: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: "A note that all users see; left out, the present note is removed.",
        examples: ["Asked the client on Monday"],
      }),
    ),
  },
  { ...closed, title: "ExceptionNote", description: "A remark." },
);

/** An annotation is deleted 90 days after its last change, and the snooze with it. */
export const snoozeDaysMax = 60;

export const snoozeBody = Type.Object(
  {
    exceptionIds,
    until: Type.Optional(
      Type.String({
        format: "date-time",
        description: `When they come back by themselves, at most ${snoozeDaysMax} days from now; left out: now.`,
        examples: ["2026-11-20T10:00:00.000Z"],
      }),
    ),
  },
  { ...closed, title: "ExceptionSnooze", description: "The exceptions are not open until this time." },
);

export const resolveBody = Type.Object(
  {
    exceptionIds,
    reason: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: "\\S",
      description: "Why no action is needed; stored in the audit log.",
      examples: ["The client resent it by mail"],
    }),
  },
  { ...closed, title: "ExceptionResolve", description: "The exceptions are dismissed until they occur again." },
);

export const outcomes = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          exceptionId,
          outcome: Type.Enum(["DONE", "GONE"], {
            type: "string",
            description: "GONE: the exception no longer exists, or the user has no access to it.",
            examples: ["DONE"],
          }),
        },
        { ...closed, title: "ExceptionOutcome", description: "The result for one exception." },
      ),
      { description: "One for each, in the order of the request." },
    ),
  },
  { ...closed, title: "ExceptionOutcomes", description: "The results." },
);

export const exceptionPath = Type.Object({ exceptionId }, closed);

export const retryBody = Type.Object(
  {
    isForced: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Releases every hold of the order first, in the same transaction.",
        examples: [false],
      }),
    ),
  },
  { ...closed, title: "ExceptionRetry", description: "Optional." },
);

export const retryAnswer = Type.Object(
  {
    report: Type.String({ description: "Kind of the report.", examples: ["pick"] }),
    answer: Type.Unsafe<object>({
      type: "object",
      additionalProperties: true,
      description: "The result of the report, as in the answer to the warehouse.",
      examples: [{ orderId: "WEB-100045", status: "PICKING" }],
    }),
  },
  { ...closed, title: "ExceptionRetried", description: "The report is accepted." },
);

/** The last row of a page: the next page starts after it. */
const place = Type.Object({
  us: Type.Integer({ minimum: 0, maximum: 8_000_000_000_000_000 }),
  /** Index in `sources`. */
  source: Type.Integer({ minimum: 0, maximum: 100 }),
  clientId: placeText(),
  objectKey: placeText(800),
});

export type PagePlace = Static<typeof place>;

/** Positions in the list: each sort has its own cursor. */
export const cursors = {
  since: defineCursor("exceptions:since", place),
  "-since": defineCursor("exceptions:-since", place),
} as const;

export type ExceptionRecord = Static<typeof exception>;
