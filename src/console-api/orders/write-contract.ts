import Type, { type Static } from "typebox";
import { clientField, holdField, holdTypeField, oneOf, orderStatusField } from "#/console-api/orders/contract.ts";
import { clientIdParameter, closed, identifier, maybeText, moment, nullable } from "#/http/routes/schema.ts";
import { holdTypes } from "#/modules/orders/index.ts";

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
    reason: reason("Reason; the client is notified of it."),
  },
  { ...closed, title: "HoldSetting", description: "A hold to set." },
);

export const holdLifting = Type.Object(
  {
    types: Type.Array(holdTypeField("A kind."), {
      minItems: 1,
      maxItems: holdTypes.length,
      description: "Holds of these kinds are released.",
      examples: [["ADDRESS_INVALID"]],
    }),
  },
  { ...closed, title: "HoldLifting", description: "Holds to release." },
);

export const heldOrder = Type.Object(
  {
    clientId: clientField,
    orderId: identifier("The order.", "WEB-100045"),
    status: orderStatusField("State of the order after the request."),
    holds: Type.Array(holdField, { description: "Holds after the request." }),
    version: Type.Integer({ description: "Counts up with every change; also in the ETag.", examples: [4] }),
  },
  { ...closed, title: "HeldOrder", description: "An order and its holds." },
);

export const orderNoteBody = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: 1_000,
      pattern: "^\\s*[^\\s\\u0000][^\\u0000]*$",
      description:
        "The note, for operators only: the client does not see it. It is deleted with the personal data of the order.",
      examples: ["The customer asked by telephone for delivery on Friday"],
    }),
  },
  { ...closed, title: "OrderNoteText", description: "A note about an order." },
);

export const orderNote = Type.Object(
  {
    clientId: clientField,
    orderId: identifier("The order.", "WEB-100045"),
    noteId: Type.String({
      format: "uuid",
      description: "Identifier of the note.",
      examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"],
    }),
    at: moment("When it was written."),
    author: Type.String({ description: "Who wrote it.", examples: ["user:anna"] }),
    text: Type.String({
      description: "The note.",
      examples: ["The customer asked by telephone for delivery on Friday"],
    }),
  },
  { ...closed, title: "OrderNote", description: "A note of an operator about an order." },
);

const bulkActions = ["hold", "release", "cancel"] as const;

export const bulkRequest = Type.Object(
  {
    action: oneOf(
      bulkActions,
      "hold: sets a hold. release: releases holds. cancel: cancels the units that have not left.",
      "hold",
    ),
    orderIds: Type.Array(identifier("An order.", "WEB-100045"), {
      minItems: 1,
      maxItems: bulkMax,
      uniqueItems: true,
      description: "The orders; no order twice.",
      examples: [["WEB-100045", "WEB-100046"]],
    }),
    reason: reason("Reason. The client is notified of the reason of a hold or a cancellation."),
    holdType: Type.Optional(holdTypeField("Hold to set, OTHER by default; or holds to release, all by default.")),
  },
  { ...closed, title: "BulkRequest", description: "One action on many orders of a client." },
);
export type BulkRequest = Static<typeof bulkRequest>;

const outcomes = ["DONE", "UNCHANGED", "REQUESTED", "REFUSED"] as const;

const bulkOutcome = Type.Object(
  {
    orderId: identifier("The order.", "WEB-100045"),
    outcome: oneOf(
      outcomes,
      "DONE. UNCHANGED: no change was necessary. REQUESTED: the warehouse has the order and answers the cancellation. REFUSED: see detail.",
      "DONE",
    ),
    status: nullable(orderStatusField("State of the order after the request; null where it was refused.")),
    detail: maybeText("Reason of the refusal.", "Order WEB-100045 cannot be held: it is CANCELLED."),
  },
  { ...closed, title: "BulkOutcome", description: "The result for one order." },
);
export type BulkOutcome = Static<typeof bulkOutcome>;

export const bulkAnswer = Type.Object(
  {
    done: Type.Integer({ description: "Number of orders that were not refused.", examples: [198] }),
    refused: Type.Integer({ description: "Number of refused orders.", examples: [2] }),
    items: Type.Array(bulkOutcome, { description: "One for each order, in the order of the request." }),
  },
  { ...closed, title: "BulkAnswer", description: "The results." },
);
