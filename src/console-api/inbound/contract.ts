import Type, { type Static, type TSchema } from "typebox";
import { scopeParameters } from "#/http/access/operator.ts";
import {
  defineCursor,
  pageOf,
  pageParameters,
  placeMoment,
  placeText,
  receiptSortParameter,
} from "#/http/requests/paging.ts";
import {
  closed,
  extendedAttributes,
  identifier,
  maybeText,
  moment,
  nullable,
  quantity,
  text,
} from "#/http/routes/schema.ts";
import { cartons, receipts } from "#/modules/purchasing/index.ts";
import { purchaseOrderStates } from "#/modules/purchasing/states.ts";
import { returnStates } from "#/modules/returns/states.ts";
import { transferStatus } from "#/modules/transfers/index.ts";
import { unidentifiedReceipt, unidentifiedStatus } from "#/modules/warehouse/index.ts";
import { workOrderStates } from "#/modules/workorders/states.ts";

/** Inbound goods, returns and work orders for operators: expected and received quantities (lifecycle.md §2–§4). */
const count = (description: string) => Type.Integer({ description, examples: [3] });

const purchaseOrderStatus = Type.Enum([...purchaseOrderStates], {
  type: "string",
  title: "PurchaseOrderStatus",
  description: "State of the purchase order.",
  examples: ["OPEN"],
});
const returnStatus = Type.Enum([...returnStates], {
  type: "string",
  title: "RmaStatus",
  description: "State of the return.",
  examples: ["AUTHORISED"],
});
const workOrderStatus = Type.Enum([...workOrderStates], {
  type: "string",
  title: "WorkOrderStatus",
  description: "State of the work order.",
  examples: ["RELEASED"],
});

const every = {
  clientId: text("Client.", "DEMO"),
  distributionCentre: text("Facility.", "DC1"),
  receivedAt: moment("When it was received."),
  updatedAt: moment("When it last changed."),
};

const listOf = <State extends TSchema>(state: State) =>
  Type.Object(
    {
      ...scopeParameters,
      status: Type.Optional(
        Type.Array(state, {
          minItems: 1,
          maxItems: 10,
          description: "One of these states; repeat the parameter for several.",
        }),
      ),
      sort: receiptSortParameter,
      ...pageParameters,
    },
    closed,
  );

/** A position in any of these lists; the cursor contains the kind of the list. */
const place = Type.Object({
  receivedAt: placeMoment,
  clientId: placeText(),
  id: placeText(800),
});

const cursorsOf = (kind: string) => ({
  receivedAt: defineCursor(`floor:${kind}:receivedAt`, place),
  "-receivedAt": defineCursor(`floor:${kind}:-receivedAt`, place),
});

export const cursors = {
  purchaseOrders: cursorsOf("purchaseOrders"),
  returns: cursorsOf("returns"),
  workOrders: cursorsOf("workOrders"),
  transfers: cursorsOf("transfers"),
  unidentifiedReceipts: cursorsOf("unidentifiedReceipts"),
};
export type ArrivalCursors = ReturnType<typeof cursorsOf>;

/** When an open purchase order is expected, by the day of its facility. */
const dueKinds = ["OVERDUE", "TODAY", "LATER"] as const;
export type DueKind = (typeof dueKinds)[number];

export const purchaseOrderSummary = Type.Object(
  {
    ...every,
    expectedDate: Type.Optional(
      nullable(
        Type.String({
          format: "date",
          description: "Day on which the goods are expected; null where the client named none.",
          examples: ["2026-11-30"],
        }),
      ),
    ),
    due: Type.Optional(
      nullable(
        Type.Enum([...dueKinds], {
          type: "string",
          description:
            "Of an open purchase order with an expectedDate: OVERDUE, TODAY or LATER, in the time zone of its facility; else null.",
          examples: ["TODAY"],
        }),
      ),
    ),
    poNumber: text("Number of the purchase order.", "PO-7001"),
    vendorOrderId: text(
      "Vendor's order number, empty where there is none; poNumber and vendorOrderId together identify the purchase order.",
      "V-1",
    ),
    status: purchaseOrderStatus,
    lines: count("Lines."),
    qty: quantity("Ordered, over all lines, in stock units."),
    qtyReceived: quantity("Received, damaged goods included."),
    qtyDamaged: quantity("Received damaged."),
    discrepancies: count("Lines that are short, over or damaged."),
    cartons: count("Announced cartons."),
    cartonsReceived: count("Cartons that came."),
  },
  { ...closed, title: "InboundPurchaseOrder", description: "A purchase order, in totals." },
);
export type InboundPurchaseOrder = Static<typeof purchaseOrderSummary>;
export const purchaseOrderPage = pageOf(purchaseOrderSummary, "Purchase orders, by receipt.");
export const storedPurchaseOrder = Type.Omit(purchaseOrderSummary, ["due"]);
export type StoredPurchaseOrder = Static<typeof storedPurchaseOrder>;
export const purchaseOrderListQuery = Type.Object(
  {
    ...listOf(purchaseOrderStatus).properties,
    due: Type.Optional(
      Type.Enum(["OVERDUE", "TODAY"], {
        type: "string",
        description: "Only open purchase orders whose expectedDate has passed, or is today, in their facility.",
        examples: ["TODAY"],
      }),
    ),
  },
  closed,
);

export const countMax = 1_000;
const figure = (description: string) =>
  Type.Integer({ description: `${description}; ${countMax} means that many or more.`, examples: [3] });
export const purchaseOrderFigures = Type.Object(
  {
    today: figure("Open purchase orders that are expected today, in their facility"),
    overdue: figure("Open purchase orders whose expectedDate has passed"),
  },
  { ...closed, title: "InboundFigures", description: "What arrives today, and what should have arrived." },
);
export const purchaseOrderFiguresQuery = Type.Object(scopeParameters, closed);

export const purchaseOrderLine = Type.Object(
  {
    lineNumber: Type.Integer({ description: "Number of the line.", examples: [1] }),
    lineId: maybeText("The client's identifier of the line.", "10"),
    sku: text("Product.", "MUG-BLUE-330"),
    productName: maybeText("Name of the product, as in the document.", "Mug, blue"),
    qty: quantity("Ordered, in stock units."),
    qtyReceived: quantity("Received, damaged goods included."),
    qtyDamaged: quantity("Received damaged."),
    discrepancy: text("NONE, SHORT, OVER or DAMAGED.", "NONE"),
  },
  { ...closed, title: "InboundLine", description: "A line of a purchase order." },
);

export const purchaseOrderDetail = Type.Object(
  {
    ...every,
    poNumber: text("Number of the purchase order.", "PO-7001"),
    vendorOrderId: text("Order at the vendor, empty where there is none.", "V-1"),
    status: purchaseOrderStatus,
    messageId: maybeText("messageId of the feed.", "M-1"),
    carrierCode: maybeText("Carrier of the delivery.", "HAULIER"),
    trackingNumber: maybeText("Number of the delivery at the carrier.", "JD014600006281230704"),
    extendedAttributes,
    feedToken: text("Token of the feed document that created it.", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"),
    completedAt: nullable(moment("When every line was complete.")),
    closedAt: nullable(moment("When it was closed.")),
    lines: Type.Array(purchaseOrderLine, { description: "By line number." }),
    cartons,
    receipts,
  },
  {
    ...closed,
    title: "InboundPurchaseOrderDetail",
    description: "A purchase order: expected and received quantities.",
  },
);
export const purchaseOrderHeader = Type.Omit(purchaseOrderDetail, ["lines", "cartons", "receipts"]);

/** `poNumber/vendorOrderId`, each of up to 64 characters. */
const purchaseOrderIdLengthMax = 129;

export const purchaseOrderPath = Type.Object(
  {
    poNumber: Type.String({
      minLength: 1,
      maxLength: purchaseOrderIdLengthMax,
      description: "Number of the purchase order; without vendorOrderId also `poNumber/vendorOrderId`, as in events.",
      examples: ["PO-7001"],
    }),
  },
  closed,
);
export const purchaseOrderQuery = Type.Object(
  {
    clientId: identifier("Client.", "DEMO"),
    vendorOrderId: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          "Vendor's order number; empty: the purchase order without one; left out: the one without, or else the only one with this number.",
        examples: ["V-1"],
      }),
    ),
  },
  closed,
);

export const returnSummary = Type.Object(
  {
    ...every,
    rmaNumber: text("Number of the return.", "RMA-5001"),
    status: returnStatus,
    orderReference: maybeText("The order, as named by the feed.", "SHOP-2026-77812"),
    orderId: maybeText("The order from which the goods come.", "WEB-100045"),
    lines: count("Lines."),
    qtyExpected: quantity("Quantity that may come back, over all lines, in stock units."),
    qtyReceived: quantity("Came back."),
    discrepancies: count("Lines that are short or over."),
  },
  { ...closed, title: "ReturnSummary", description: "A return, in totals." },
);
export type ReturnSummary = Static<typeof returnSummary>;
export const returnPage = pageOf(returnSummary, "Returns, by receipt of their authorisation.");
export const returnListQuery = listOf(returnStatus);

export const workOrderSummary = Type.Object(
  {
    ...every,
    workOrderId: text("Identifier of the work order.", "WO-100"),
    status: workOrderStatus,
    finishedGoodSku: text("The finished good.", "GIFT-SET"),
    finishedGoodName: maybeText("Its name; null where the catalogue has none.", "Gift set of two mugs"),
    uom: text("Its stock unit.", "EA"),
    qtyOrdered: quantity("Quantity to make."),
    qtyCompleted: quantity("Made."),
    dueDate: nullable(moment("Due time.")),
    priority: Type.Integer({ description: "1 first, 9 last.", examples: [5] }),
    components: count("Components."),
    shortages: count("Components that wait for stock."),
  },
  { ...closed, title: "WorkOrderSummary", description: "A work order, in totals." },
);
export type WorkOrderSummary = Static<typeof workOrderSummary>;
export const workOrderPage = pageOf(workOrderSummary, "Work orders, by receipt.");
export const workOrderListQuery = listOf(workOrderStatus);

export const transferSummary = Type.Object(
  {
    ...every,
    transferId: text("Identifier of the transfer.", "TR-100"),
    distributionCentre: text("Facility that ships.", "DC1"),
    toFacility: text("Facility that receives.", "DC2"),
    status: transferStatus,
    lines: count("Lines."),
    qtyOrdered: quantity("Sum of the quantities to move, in stock units."),
    qtyShipped: quantity("Sum of what was shipped."),
    qtyReceived: quantity("Sum of what was received."),
    shippedAt: nullable(moment("When it was shipped.")),
  },
  { ...closed, title: "TransferSummary", description: "A transfer between facilities, in totals." },
);
export type TransferSummary = Static<typeof transferSummary>;
export const transferPage = pageOf(transferSummary, "Transfers, by receipt.");
export const transferListQuery = listOf(transferStatus);

export const unidentifiedPage = pageOf(unidentifiedReceipt, "Goods without a purchase order, by receipt.");
export const unidentifiedListQuery = listOf(unidentifiedStatus);
