import Type, { type Static } from "typebox";
import { defineReceiptCursors, pageOf, pageParameters, receiptSortParameter } from "#/http/requests/paging.ts";
import {
  auditedReason,
  clientIdParameter,
  closed,
  identifier,
  maybeText,
  moment,
  nullable,
  quantity,
} from "#/http/routes/schema.ts";
import { dispositions, returnDiscrepancies } from "#/modules/returns/reports/grading-domain.ts";
import { returnStates } from "#/modules/returns/states.ts";

/**
 * The RMA record of the REST services (contract rest.md §4): the fields of the RMA feed under the feed's names, and the
 * grades of the goods. Every field is always present; an unknown value is `null`.
 */
const status = Type.Enum([...returnStates], {
  type: "string",
  title: "RmaStatus",
  description: "State of the return.",
  examples: ["RECEIVING"],
});

export const dispositionField = Type.Enum([...dispositions], {
  type: "string",
  title: "Disposition",
  description:
    "Grade of the goods. RESELLABLE is sold again, DAMAGED and QUARANTINE are stored separately, SCRAP leaves.",
  examples: ["RESELLABLE"],
});

export const rmaDisposition = Type.Object(
  {
    disposition: dispositionField,
    qty: quantity("Quantity in the stock unit."),
    stockPool: Type.String({ description: "Stock pool.", examples: ["DEFAULT"] }),
    batchRef: maybeText("Batch; null without one.", "LOT-7"),
    expiryDate: nullable(
      Type.String({ format: "date", description: "Expiry date; null without one.", examples: ["2027-06-30"] }),
    ),
    serials: Type.Array(Type.String({ description: "Serial number.", examples: ["SN-1"] }), {
      description: "Serial numbers of the units, where the item captures them.",
    }),
    returnReasonCode: maybeText("Why the goods came back, as the warehouse reports it.", "REFUSED"),
    note: maybeText("Remark of the warehouse.", "Box torn"),
  },
  { ...closed, title: "RmaDisposition", description: "Goods of one lot that came back, with one grade." },
);

export const rmaLine = Type.Object(
  {
    lineNumber: nullable(
      Type.Integer({
        description: "Number of the line; null for a SKU that came back and was not authorised.",
        examples: [1],
      }),
    ),
    sku: identifier("Product.", "MUG-BLUE-330"),
    returnReasonCode: maybeText("Code of the return reason.", "DAMAGED"),
    qtyUom: maybeText("Unit of quantityReturned as in the feed; null: the stock unit.", "EA"),
    quantityReturned: nullable(quantity("Authorised quantity as in the feed, in qtyUom.")),
    attributeOne: maybeText("Free text of the client.", "Handle broken"),
    attributeThree: maybeText("Free text of the client.", "Photo sent on 8 November"),
    qtyExpected: quantity("Authorised quantity, in the stock unit."),
    qtyReceived: quantity("Returned quantity, in the stock unit; also above the authorised one."),
    discrepancy: Type.Enum([...returnDiscrepancies], {
      type: "string",
      description: "OVER and UNPLANNED at once, SHORT when the return is closed.",
      examples: ["NONE"],
    }),
    dispositions: Type.Array(rmaDisposition, {
      description: "The grades of the goods, by grade, lot, reason and remark.",
    }),
  },
  { ...closed, title: "RmaLine", description: "A line of a return." },
);

export const rma = Type.Object(
  {
    rmaNumber: identifier("Number of the return, the client's own.", "RMA-5001"),
    clientId: Type.String({ description: "Client.", examples: ["DEMO"] }),
    status,
    distributionCentre: identifier("Facility that receives the return.", "DC1"),
    orderReference: maybeText("The order of the goods, as named in the feed.", "SHOP-2026-77812"),
    orderId: maybeText("Identifier of that order.", "WEB-100045"),
    creationTimeStamp: nullable(moment("When the client authorised it.")),
    lines: Type.Array(rmaLine, { description: "By line number; SKUs that were not authorised come last." }),
    feedToken: Type.String({
      format: "uuid",
      description: "Token of the feed document that created the return.",
      examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"],
    }),
    receivedAt: moment("When the authorisation was received."),
    updatedAt: moment("When it last changed."),
    closedAt: nullable(moment("When it was closed: by the warehouse, an operator, the client or its date.")),
    version: Type.Integer({ description: "Counts up with every change; also in the ETag.", examples: [1] }),
  },
  { ...closed, title: "Rma", description: "An authorised return." },
);

const rmaReceipt = Type.Object(
  {
    bookedAt: moment("When the report of the warehouse was booked."),
    distributionCentre: identifier("Facility that received the goods.", "DC1"),
    entries: Type.Array(
      Type.Object(
        { lineNumber: rmaLine.properties.lineNumber, sku: rmaLine.properties.sku, ...rmaDisposition.properties },
        { ...closed, title: "RmaReceiptEntry", description: "Goods of one lot and grade." },
      ),
      { description: "What came." },
    ),
  },
  { ...closed, title: "RmaReceipt", description: "Goods that came back together." },
);

/** The record of the REST services; warehouses get it without the receipts, which are their own. */
export const rmaDetail = Type.Object(
  { ...rma.properties, receipts: Type.Array(rmaReceipt, { description: "What came back, the newest first." }) },
  { ...closed, title: "Rma", description: "An authorised return." },
);
export type RmaRecord = Static<typeof rmaDetail>;
export type RmaLine = Static<typeof rmaLine>;

export const rmaPage = pageOf(rmaDetail, "Returns, by receipt.");

export const rmaCancel = Type.Object(
  {
    clientId: clientIdParameter,
    reason: auditedReason("The customer keeps it"),
  },
  { ...closed, title: "RmaCancel", description: "Optional." },
);

export const rmaClose = Type.Object(
  {
    clientId: clientIdParameter,
    reason: auditedReason("The rest does not come back"),
  },
  { ...closed, title: "RmaClose", description: "Optional." },
);

export const rmaPath = Type.Object({ rmaNumber: identifier("The return.", "RMA-5001") }, closed);

export const rmaQuery = Type.Object({ clientId: clientIdParameter }, closed);

export const rmaListQuery = Type.Object(
  {
    clientId: clientIdParameter,
    status: Type.Optional(status),
    distributionCentre: Type.Optional(identifier("Returns to this facility.", "DC1")),
    orderReference: Type.Optional(
      identifier("Returns of this order, by its orderId or its externalOrderReference.", "WEB-100045"),
    ),
    receivedFrom: Type.Optional(moment("Received at or after this time.")),
    receivedTo: Type.Optional(moment("Received before this time.")),
    updatedSince: Type.Optional(moment("Changed at or after this time; may repeat earlier answers.")),
    sort: receiptSortParameter,
    ...pageParameters,
  },
  closed,
);

export type RmaListQuery = Static<typeof rmaListQuery>;

export const rmaCursors = defineReceiptCursors("rmas");
