import Type, { type Static } from "typebox";
import {
  clientField,
  closed,
  holdField,
  holdTypeField,
  holdTypes,
  oneOf,
  orderStatusField,
  text,
} from "#/console-api/orders/contract.ts";
import { clientIdParameter, identifier, nullable } from "#/http/routes/schema.ts";

/** Maximum number of orders of a request, each in a separate transaction. */
export const bulkMax = 200;

export const writeQuery = Type.Object({ clientId: clientIdParameter }, closed);

/** Starts with a non-blank character, and contains no unprintable characters, which XML cannot represent. */
const printable = "^[^\\s\\u0000-\\u001f\\u007f\\ufffe\\uffff][^\\u0000-\\u001f\\u007f\\ufffe\\uffff]*$";

const reason = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: printable,
    description,
    examples: ["the postcode is not one of the town"],
  });

export const holdSetting = Type.Object(
  {
    type: holdTypeField("Kind of the hold."),
    reason: reason("Why: the client is told it."),
  },
  { ...closed, title: "HoldSetting", description: "A hold to be set." },
);

export const holdLifting = Type.Object(
  {
    types: Type.Array(holdTypeField("A kind."), {
      minItems: 1,
      maxItems: holdTypes.length,
      description: "Holds of these kinds are lifted.",
      examples: [["ADDRESS_INVALID"]],
    }),
  },
  { ...closed, title: "HoldLifting", description: "Which holds are to be lifted." },
);

export const heldOrder = Type.Object(
  {
    clientId: clientField,
    orderId: identifier("The order.", "WEB-100045"),
    status: orderStatusField("Its state now."),
    holds: Type.Array(holdField, { description: "What keeps it from leaving now." }),
    version: Type.Integer({ description: "Counts up with every change; also in the ETag.", examples: [4] }),
  },
  { ...closed, title: "HeldOrder", description: "An order and its holds." },
);

const bulkActions = ["hold", "release", "cancel"] as const;

export const bulkRequest = Type.Object(
  {
    action: oneOf(bulkActions, "hold: sets a hold. release: lifts holds. cancel: what has not left.", "hold"),
    orderIds: Type.Array(identifier("An order.", "WEB-100045"), {
      minItems: 1,
      maxItems: bulkMax,
      uniqueItems: true,
      description: "The orders, each once.",
      examples: [["WEB-100045", "WEB-100046"]],
    }),
    reason: reason("Why: of a hold and of a cancellation the client is told it."),
    holdType: Type.Optional(
      holdTypeField("Which hold is set, OTHER unless it is said; or lifted, all of them unless it is said."),
    ),
  },
  { ...closed, title: "BulkRequest", description: "The same for many orders of a client." },
);
export type BulkRequest = Static<typeof bulkRequest>;

const outcomes = ["DONE", "UNCHANGED", "REQUESTED", "REFUSED"] as const;

const bulkOutcome = Type.Object(
  {
    orderId: identifier("The order.", "WEB-100045"),
    outcome: oneOf(
      outcomes,
      "DONE. UNCHANGED: it was so already. REQUESTED: the warehouse has it, and answers the cancellation. REFUSED: see detail.",
      "DONE",
    ),
    status: nullable(orderStatusField("Its state afterwards; null where it was refused.")),
    detail: text("Why it was refused.", "Order WEB-100045 cannot be held: it is CANCELLED."),
  },
  { ...closed, title: "BulkOutcome", description: "What became of one of the orders." },
);
export type BulkOutcome = Static<typeof bulkOutcome>;

export const bulkAnswer = Type.Object(
  {
    done: Type.Integer({ description: "How many were not refused.", examples: [198] }),
    refused: Type.Integer({ description: "How many were refused.", examples: [2] }),
    items: Type.Array(bulkOutcome, { description: "One for each order, in the order of the request." }),
  },
  { ...closed, title: "BulkAnswer", description: "What became of each order." },
);
