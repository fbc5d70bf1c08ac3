import Type, { type Static } from "typebox";
import { defineReceiptCursors, pageOf, pageParameters, receiptSortParameter } from "#/http/requests/paging.ts";
import {
  auditedReason,
  clientIdParameter,
  closed,
  identifier,
  maybeText,
  moment,
  newIdentifier,
  nullable,
  positiveQuantity,
  quantity,
  text,
} from "#/http/routes/schema.ts";
import { linesMax, transferStates } from "#/modules/transfers/states.ts";

/** The schemas of transfers in the Inventory service (rest.md §3, §4). */
export const transferStatus = Type.Enum([...transferStates], {
  type: "string",
  title: "TransferStatus",
  description: "State of the transfer.",
  examples: ["SHIPPED"],
});

const sku = identifier("Product.", "MUG-BLUE-330");

const line = Type.Object(
  {
    lineNumber: Type.Integer({ description: "Number of the line, from 1 in the order of the request.", examples: [1] }),
    sku,
    uom: text("Stock unit of the product, in which its quantities are.", "EA"),
    qtyOrdered: quantity("Quantity to move."),
    qtyAllocated: quantity("Of this, held in the sending facility until it ships."),
    qtyShipped: quantity("Shipped: no longer stock of the sending facility."),
    qtyInTransit: quantity("Of this, on the way: neither received nor lost."),
    qtyReceived: quantity("Received, damaged goods included; more than qtyShipped where more came."),
    qtyDamaged: quantity("Received damaged."),
    qtyLost: quantity("Shipped and not received when the transfer was closed."),
  },
  { ...closed, title: "TransferLine", description: "A product of a transfer." },
);

export const transfer = Type.Object(
  {
    transferId: identifier("Identifier of the transfer.", "TR-100"),
    clientId: text("Client.", "DEMO"),
    status: transferStatus,
    fromFacility: text("Facility that ships.", "DC1"),
    toFacility: text("Facility that receives.", "DC2"),
    notes: maybeText("Notes for the sending warehouse.", "On the Tuesday truck"),
    carrierCode: maybeText("Carrier, as the warehouse reported it.", "HAULIER"),
    trackingNumber: maybeText("Number of the consignment, as the warehouse reported it.", "CN-88120"),
    shippedAt: nullable(moment("When it was shipped.")),
    receivedAt: moment("When it was created."),
    updatedAt: moment("When it last changed."),
    version: Type.Integer({ description: "Counts up with every change; also in the ETag.", examples: [1] }),
    lines: Type.Array(line, { description: "Its products." }),
  },
  { ...closed, title: "Transfer", description: "Moves goods from one facility to another." },
);
export type TransferRecord = Static<typeof transfer>;

const newLines = Type.Array(
  Type.Object(
    { sku, qty: positiveQuantity("Quantity to move. At most three decimals; whole where the stock unit is EA.", 24) },
    { ...closed, title: "TransferLineCreate", description: "A product of a new transfer." },
  ),
  { minItems: 1, maxItems: linesMax, description: "Its products; each SKU once." },
);

export const transferCreate = Type.Object(
  {
    clientId: clientIdParameter,
    transferId: Type.Optional(newIdentifier("Identifier of the transfer; generated if left out.", "TR-100")),
    fromFacility: identifier("Facility that ships.", "DC1"),
    toFacility: identifier("Facility that receives.", "DC2"),
    notes: Type.Optional(
      Type.String({
        maxLength: 4000,
        description: "Notes for the sending warehouse.",
        examples: ["On the Tuesday truck"],
      }),
    ),
    lines: newLines,
  },
  { ...closed, title: "TransferCreate", description: "A transfer to be created." },
);
export type TransferCreate = Static<typeof transferCreate>;

export const transferCancel = Type.Object(
  {
    clientId: clientIdParameter,
    reason: auditedReason("Not wanted any more"),
  },
  { ...closed, title: "TransferCancel", description: "Optional." },
);

export const transferPage = pageOf(transfer, "Transfers, by receipt.");

export const transferPath = Type.Object({ transferId: identifier("The transfer.", "TR-100") }, closed);

export const transferQuery = Type.Object({ clientId: clientIdParameter }, closed);

export const transferListQuery = Type.Object(
  {
    clientId: clientIdParameter,
    status: Type.Optional(transferStatus),
    fromFacility: Type.Optional(identifier("Transfers that this facility ships.", "DC1")),
    updatedSince: Type.Optional(moment("Changed at or after this time; may repeat earlier answers.")),
    sort: receiptSortParameter,
    ...pageParameters,
  },
  closed,
);

export const transferCursors = defineReceiptCursors("transfers");
