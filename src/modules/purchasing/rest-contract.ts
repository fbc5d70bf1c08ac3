import Type, { type Static } from "typebox";
import { defineReceiptCursors, pageOf, pageParameters, receiptSortParameter } from "#/http/requests/paging.ts";
import {
  auditedReason,
  clientIdParameter,
  closed,
  extendedAttributes,
  identifier,
  maybeText,
  moment,
  nullable,
  quantity,
} from "#/http/routes/schema.ts";
import { receipts } from "#/modules/purchasing/receiving/receipts.ts";
import { discrepancies } from "#/modules/purchasing/receiving/receiving-domain.ts";
import { purchaseOrderStates } from "#/modules/purchasing/states.ts";

/** The purchase-order record of the REST services (contract rest.md §4): what is expected, and what came. */
const line = Type.Object(
  {
    lineNumber: Type.Integer({ description: "Number of the line.", examples: [1] }),
    lineId: maybeText("Your identifier of the line.", "L-1"),
    sku: Type.String({ description: "Product.", examples: ["MUG-BLUE-330"] }),
    altSku: maybeText("Your alternative SKU of the line.", "M-330-B"),
    productName: maybeText("Name of the product on the line.", "Mug, blue"),
    qty: quantity("Ordered, in stock units."),
    feedQty: quantity("Ordered as in the feed, in qtyUom."),
    qtyUom: maybeText("Unit of feedQty as in the feed; null: the stock unit.", "CS"),
    qtyReceived: quantity("Received, damaged goods included."),
    qtyDamaged: quantity("Received damaged."),
    discrepancy: Type.Enum([...discrepancies], {
      type: "string",
      description: "Difference to the ordered quantity. SHORT: less came, and nothing more is expected.",
      examples: ["NONE"],
    }),
  },
  { ...closed, title: "PurchaseOrderLine", description: "A line of a purchase order." },
);

const cartonLine = Type.Object(
  {
    lineNumber: nullable(Type.Integer({ description: "The line; null: the lines of the SKU.", examples: [1] })),
    sku: line.properties.sku,
    qty: quantity("In the carton, in stock units."),
    feedQty: quantity("In the carton as in the feed, in qtyUom."),
    qtyUom: maybeText("Unit of feedQty as in the feed; null: that of the line.", "CS"),
    batchRef: maybeText("Batch.", "B-2026-11"),
    expiryDate: maybeText("Last good day.", "2027-03-31"),
  },
  { ...closed, title: "CartonLine", description: "Goods in a carton." },
);

const expectedCarton = Type.Object(
  {
    sscc: Type.String({ description: "SSCC of the carton.", examples: ["340123450000000017"] }),
    trackingNumber: maybeText("Number of the carton at the carrier.", "JD014600006281230704"),
    lines: Type.Array(cartonLine, { description: "What it holds, as announced; empty: the warehouse counts." }),
  },
  { ...closed, title: "ExpectedCarton", description: "A carton that is expected." },
);

/** Of a receiving task. */
export const expectedCartons = Type.Array(expectedCarton, { description: "The announced cartons that have not come." });

export const cartons = Type.Array(
  Type.Object(
    {
      ...expectedCarton.properties,
      receiptId: maybeText("The receipt that it came with; null: it is expected.", "R-2026-0815"),
    },
    { ...closed, title: "Carton", description: "A carton that a purchase order announces." },
  ),
  { description: "The announced cartons, by SSCC." },
);
export type CartonRecord = Static<typeof cartons>[number];

export const purchaseOrder = Type.Object(
  {
    clientId: Type.String({ description: "Your client identifier.", examples: ["DEMO"] }),
    poNumber: Type.String({ description: "Number of the purchase order.", examples: ["PO-7001"] }),
    vendorOrderId: maybeText("Shipping notice within the purchase order; null for none.", "V-88"),
    status: Type.Enum([...purchaseOrderStates], {
      type: "string",
      title: "PurchaseOrderStatus",
      description: "State of the purchase order.",
      examples: ["OPEN"],
    }),
    distributionCentre: Type.String({ description: "Facility that expects the goods.", examples: ["DC1"] }),
    completedAt: nullable(moment("When every line was complete.")),
    closedAt: nullable(
      moment("When it was closed: by the warehouse, an operator, the client, a tolerance or its date."),
    ),
    messageId: maybeText("Identifier of your message.", "MSG-77"),
    expectedDate: maybeText("Day on which the goods are expected.", "2026-11-30"),
    carrierCode: maybeText("Carrier of the delivery.", "HAULIER"),
    trackingNumber: maybeText("Number of the delivery at the carrier.", "JD014600006281230704"),
    extendedAttributes,
    lines: Type.Array(line, { description: "By line number." }),
    cartons,
  },
  { ...closed, title: "PurchaseOrder", description: "A purchase order: expected and received quantities." },
);
export type PurchaseOrderRecord = Static<typeof purchaseOrder>;

export const purchaseOrderDetail = Type.Object(
  { ...purchaseOrder.properties, receipts },
  { ...closed, title: "PurchaseOrderDetail", description: "A purchase order with its lines and its receipts." },
);
export type PurchaseOrderDetail = Static<typeof purchaseOrderDetail>;

const { lines: _lines, cartons: _cartons, ...headFields } = purchaseOrder.properties;

export const purchaseOrderHead = Type.Object(
  {
    ...headFields,
    feedToken: Type.String({
      description: "Token of the PO document that created it.",
      examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b10"],
    }),
    receivedAt: moment("When the purchase order was accepted."),
    updatedAt: moment("When it last changed."),
    version: Type.Integer({ description: "Counts up with every change.", examples: [1] }),
  },
  { ...closed, title: "StoredPurchaseOrder", description: "A purchase order without its lines and receipts." },
);
export type PurchaseOrderHead = Static<typeof purchaseOrderHead>;

const purchaseOrderEntry = Type.Object(
  { ...purchaseOrderHead.properties, receipts },
  { ...closed, title: "PurchaseOrderHead", description: "A purchase order without its lines, with its receipts." },
);
export const purchaseOrderPage = pageOf(purchaseOrderEntry, "Purchase orders, by receipt.");

export const purchaseOrderListQuery = Type.Object(
  {
    clientId: clientIdParameter,
    status: Type.Optional(headFields.status),
    distributionCentre: Type.Optional(identifier("Purchase orders to this facility.", "DC1")),
    receivedFrom: Type.Optional(moment("Received at or after this time.")),
    receivedTo: Type.Optional(moment("Received before this time.")),
    updatedSince: Type.Optional(moment("Changed at or after this time; may repeat earlier answers.")),
    sort: receiptSortParameter,
    ...pageParameters,
  },
  closed,
);
export type PurchaseOrderListQuery = Static<typeof purchaseOrderListQuery>;

export const purchaseOrderCursors = defineReceiptCursors("purchaseOrders");

export const purchaseOrderPath = Type.Object({ poNumber: identifier("The purchase order.", "PO-7001") }, closed);

export const purchaseOrderQuery = Type.Object(
  {
    clientId: clientIdParameter,
    vendorOrderId: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          "The shipping notice; empty: the purchase order without one; left out: the only purchase order of this number.",
        examples: ["V-88"],
      }),
    ),
  },
  closed,
);

export const purchaseOrderClose = Type.Object(
  {
    clientId: clientIdParameter,
    reason: auditedReason("The vendor does not deliver the rest"),
  },
  { ...closed, title: "PurchaseOrderClose", description: "Optional." },
);
