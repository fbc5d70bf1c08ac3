import Type, { type Static } from "typebox";
import { scopeParameters } from "#/http/access/operator.ts";
import { defineCursor, pageOf, pageParameters, placeId, placeMoment, placeText } from "#/http/requests/paging.ts";
import {
  clientIdParameter,
  closed,
  identifier,
  maybeText,
  moment,
  nullable,
  quantity,
  text,
} from "#/http/routes/schema.ts";
import { conditions, countCauses, countLineStates, countStatuses } from "#/modules/inventory/index.ts";

/** Requested counts for operators (contract warehouse.md, Counts). */
const day = (description: string) => Type.String({ format: "date", description, examples: ["2027-03-31"] });

const condition = (description: string) =>
  Type.Enum([...conditions], { type: "string", title: "StockCondition", description, examples: ["GOOD"] });

const status = Type.Enum([...countStatuses], {
  type: "string",
  title: "CountStatus",
  description: "State of the count.",
  examples: ["REQUESTED"],
});

const exampleId = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11";

export const countCreate = Type.Object(
  {
    clientId: identifier("Client.", "DEMO"),
    distributionCentre: identifier("Facility that counts.", "DC1"),
    sku: Type.Optional(identifier("Product; left out: every product of the stockPool.", "MUG-BLUE-330")),
    stockPool: Type.Optional(identifier("Stock pool; left out: any.", "DEFAULT")),
    batchRef: Type.Optional(identifier("Batch of the lot; left out: any.", "B-2026-11")),
    expiryDate: Type.Optional(day("Expiry date of the lot; left out: any.")),
    condition: Type.Optional(condition("Condition of the goods to count; default GOOD.")),
    isBlind: Type.Optional(
      Type.Boolean({
        description: "The task does not show the expected quantities.",
        default: true,
        examples: [true],
      }),
    ),
    note: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1_000, description: "For the warehouse.", examples: ["Top shelf too"] }),
    ),
  },
  { ...closed, title: "CountCreate", description: "A count of a product, a lot or a stock pool." },
);

const scope = {
  clientId: text("Client.", "DEMO"),
  countId: text("Identifier: the objectId of its COUNT task, and the countId of its report.", exampleId),
  distributionCentre: text("Facility.", "DC1"),
  status,
  cause: Type.Enum([...countCauses], {
    type: "string",
    title: "CountCause",
    description:
      "OPERATOR; a rule: SHORT_PICK, ZERO_BALANCE, ABC; RECOUNT after a rejected difference; ADJUSTMENT: no warehouse counts, an operator's adjustment above the tolerance waits for another user.",
    examples: ["OPERATOR"],
  }),
  sku: maybeText("Product; null: every product of the pool.", "MUG-BLUE-330"),
  stockPool: maybeText("Stock pool; null: any.", "DEFAULT"),
  batchRef: maybeText("Batch; null: any.", "B-2026-11"),
  expiryDate: nullable(day("Expiry date; null: any.")),
  condition: condition("Condition of the goods."),
  requestedAt: moment("When it was requested."),
  requestedBy: text("Who requested it.", "user:joris"),
  reportedAt: nullable(moment("When the warehouse reported it; null: not yet.")),
  endedAt: nullable(moment("Since when it needs neither the warehouse nor an operator; null: it does.")),
};

export const countSummary = Type.Object(
  {
    ...scope,
    lines: Type.Integer({ description: "Lots.", examples: [1] }),
    waiting: Type.Integer({ description: "Lots whose difference waits for approval.", examples: [0] }),
  },
  { ...closed, title: "CountSummary", description: "A requested count, in totals." },
);
export type CountSummary = Static<typeof countSummary>;
export const countPage = pageOf(countSummary, "Counts, the newest first.");

export const countListQuery = Type.Object(
  { ...scopeParameters, status: Type.Optional(status), ...pageParameters },
  closed,
);
export const countCursor = defineCursor(
  "stock:counts",
  Type.Object({
    requestedAt: placeMoment,
    clientId: placeText(),
    countId: placeId,
  }),
);

const line = Type.Object(
  {
    lineNumber: Type.Integer({ description: "Number of the line.", examples: [1] }),
    sku: text("Product.", "MUG-BLUE-330"),
    uom: text("Stock unit.", "EA"),
    condition: condition("Condition of the goods."),
    stockPool: text("Stock pool.", "DEFAULT"),
    batchRef: maybeText("Batch; null: none.", "B-2026-11"),
    expiryDate: nullable(day("Expiry date; null: none.")),
    expectedQty: quantity("What the books have: at the request, and after the report at the moment of the count."),
    countedQty: nullable(quantity("Counted; null: not yet.")),
    difference: nullable(quantity("countedQty − expectedQty; null: not counted yet.")),
    state: nullable(
      Type.Enum([...countLineStates], {
        type: "string",
        title: "CountLineState",
        description:
          "EQUAL: no difference. BOOKED: a difference within the tolerance. WAITING: above it. APPROVED: booked by an operator. REJECTED: not booked. SUPERSEDED: counted again. Null: not counted yet.",
        examples: ["WAITING"],
      }),
    ),
  },
  { ...closed, title: "CountLine", description: "A lot to count." },
);

export const countRecord = Type.Object(
  {
    ...scope,
    isBlind: Type.Boolean({ description: "The task shows no expected quantities.", examples: [true] }),
    note: maybeText("For the warehouse.", "Top shelf too"),
    countedAt: nullable(moment("When the goods were counted.")),
    endedBy: maybeText("Who ended it.", "user:joris"),
    endReason: maybeText("Why it ended.", "Found in the returns area"),
    lines: Type.Array(line, { description: "By number." }),
  },
  { ...closed, title: "Count", description: "A requested count." },
);
export type CountRecord = Static<typeof countRecord>;

export const countPath = Type.Object({ countId: identifier("The count.", exampleId) }, closed);
/** A read names its client. */
export const countReadQuery = Type.Object({ clientId: identifier("Client.", "DEMO") }, closed);
export const countQuery = Type.Object({ clientId: clientIdParameter }, closed);

const reason = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    description: "Stored with the count and in the audit log.",
    examples: ["Found in the returns area"],
  }),
);

export const approvalBody = Type.Object(
  {
    reason,
    freesAllocations: Type.Optional(
      Type.Boolean({
        description: "Take missing units from orders that have them allocated, those of the lowest priority first.",
        default: false,
        examples: [false],
      }),
    ),
  },
  { ...closed, title: "CountApproval", description: "Approval of the differences that wait." },
);

export const rejectionBody = Type.Object(
  {
    reason,
    isRecounted: Type.Optional(
      Type.Boolean({ description: "Ask the warehouse to count these lots again.", default: false, examples: [true] }),
    ),
  },
  { ...closed, title: "CountRejection", description: "Rejection of the differences that wait." },
);

export const rejectionAnswer = Type.Object(
  {
    count: countRecord,
    recountId: maybeText("The count that asks for these lots again; null: none.", exampleId),
  },
  { ...closed, title: "CountRejectionAnswer", description: "The result of a rejection." },
);

export const cancellationBody = Type.Object(
  { reason },
  { ...closed, title: "CountCancellation", description: "The warehouse need not count." },
);
