import Type from "typebox";
import { closed, maybeText, nullable } from "#/http/routes/schema.ts";
import type { ClientProfile } from "#/modules/clients/index.ts";
import { openBook } from "#/modules/inventory/index.ts";
import { expectTransfer, reportGoodsReceipt } from "#/modules/purchasing/index.ts";
import { reportReturn } from "#/modules/returns/index.ts";
import { shipTransfer } from "#/modules/transfers/index.ts";
import { freeAllocations } from "#/modules/warehouse/free-allocations.ts";
import {
  type GoodsReceiptBody,
  goodsReceiptReport,
  type ReturnBody,
  returnReport,
  type TransferBody,
  transferReport,
  type WorkOrderBody,
  workOrderReport,
} from "#/modules/warehouse/reports/report-contract.ts";
import { answerOf, oneClient, type ReportKind, resultOf } from "#/modules/warehouse/reports/report-kind.ts";
import {
  type UnidentifiedBody,
  unidentifiedReceipt,
  unidentifiedReport,
} from "#/modules/warehouse/unidentified/contract.ts";
import { receiveUnidentified } from "#/modules/warehouse/unidentified/service.ts";
import { reportWorkOrder } from "#/modules/workorders/index.ts";

const status = Type.String({ description: "State afterwards.", examples: ["RECEIVING"] });
const qty = (description: string) => Type.Number({ description, examples: [2] });

const receivedLine = {
  lineNumber: nullable(Type.Integer({ description: "Line; null where the SKU was not expected.", examples: [1] })),
  sku: Type.String({ description: "Product.", examples: ["MUG-BLUE-330"] }),
  qtyReceived: qty("Quantity of this report."),
  qtyTotal: qty("Quantity of all reports."),
  discrepancy: Type.String({ description: "Difference to the expected quantity.", examples: ["NONE"] }),
};

const receivedLines = Type.Array(Type.Object(receivedLine, { additionalProperties: true }), {
  description: "The received quantities, line by line.",
});

/** The look-ups of clients with which the port receives their goods. */
export interface IntakeTerms {
  /** Reads from memory. */
  findClient(clientId: string): Promise<ClientProfile | undefined>;
}

export function createIntakeReports(terms: IntakeTerms): readonly ReportKind[] {
  const { findClient } = terms;
  const goodsReceipt: ReportKind<GoodsReceiptBody> = {
    name: "goodsReceipt",
    path: "/goodsReceipt/report",
    operationId: "reportGoodsReceipt",
    summary: "Received quantities of a purchase order",
    schema: goodsReceiptReport,
    answer: answerOf("GoodsReceiptAnswer", "The result of the receipt.", {
      poNumber: Type.String({ description: "The purchase order.", examples: ["PO-4711"] }),
      vendorOrderId: maybeText("Vendor order.", "V-1"),
      receiptId: Type.String({ description: "The receipt.", examples: ["RCV-1"] }),
      status,
      lines: receivedLines,
    }),
    example: {
      clientId: "DEMO",
      poNumber: "PO-4711",
      receiptId: "RCV-1",
      lines: [{ lineNumber: 1, sku: "MUG-BLUE-330", qty: 48 }],
    },
    idOf: ({ receiptId }) => receiptId,
    objectOf: ({ poNumber, sscc = "" }) =>
      poNumber === undefined ? { type: "carton", ids: [sscc] } : { type: "purchaseOrder", ids: [poNumber] },
    shapeFaults: ({ poNumber, sscc }) =>
      poNumber === undefined && sscc === undefined
        ? [{ pointer: "", message: "must name the purchase order by poNumber, or a carton by sscc" }]
        : [],
    async run(tx, change, clientIds, body, reporter) {
      const { view, facilityCode } = oneClient(tx, change, clientIds, reporter);
      const { overReceiptTolerance = 0 } = (await findClient(view.clientId))?.settings ?? {};
      const book = await openBook(view, facilityCode, change.at);
      const terms = { overReceiptTolerance, free: freeAllocations };
      return [resultOf(view.clientId, await reportGoodsReceipt(tx.of(book.clientId, change), book, body, terms))];
    },
  };
  return [goodsReceipt, unidentified, returned, createWorkOrderReport(terms), shipped];
}

const unidentified: ReportKind<UnidentifiedBody> = {
  name: "unidentifiedReceipt",
  path: "/unidentifiedReceipt/report",
  operationId: "reportUnidentifiedReceipt",
  summary: "Goods that came without a known purchase order",
  description:
    "They are outside the stock. Once the client or an operator names their purchase order, its receipt is booked under this receiptId, and `goodsReceipt/report` corrects it.",
  schema: unidentifiedReport,
  answer: answerOf("UnidentifiedReceiptAnswer", "The goods, as they are stored.", unidentifiedReceipt.properties),
  example: {
    clientId: "DEMO",
    receiptId: "RCV-7",
    packages: 3,
    marks: "Oak & Sons, order 1180, box 1 to 3",
    lines: [{ sku: "MUG-BLUE-330", qty: 48 }],
  },
  idOf: ({ receiptId }) => receiptId,
  objectOf: ({ receiptId }) => ({ type: "unidentifiedReceipt", ids: [receiptId] }),
  async run(tx, change, clientIds, body, reporter) {
    const { view, facilityCode } = oneClient(tx, change, clientIds, reporter);
    return [resultOf(view.clientId, await receiveUnidentified(view, facilityCode, body))];
  },
};

const shipped: ReportKind<TransferBody> = {
  name: "transfer",
  path: "/transfer/report",
  operationId: "reportTransfer",
  summary: "Goods of a transfer that leave for another facility",
  description:
    "One report ships the transfer. What it leaves out does not ship, and is free again. The goods are in transit until the other facility reports their receipt.",
  schema: transferReport,
  answer: answerOf("TransferAnswer", "The result of the report.", {
    transferId: Type.String({ description: "The transfer.", examples: ["TR-100"] }),
    status,
    lines: Type.Array(
      Type.Object(
        {
          lineNumber: Type.Integer({ description: "Line.", examples: [1] }),
          sku: receivedLine.sku,
          qtyShipped: qty("Shipped."),
        },
        closed,
      ),
      { description: "The shipped quantities, line by line." },
    ),
  }),
  example: { clientId: "DEMO", transferId: "TR-100", lines: [{ sku: "MUG-BLUE-330", qty: 24 }] },
  objectOf: ({ transferId }) => ({ type: "transfer", ids: [transferId] }),
  async run(tx, change, clientIds, body, reporter) {
    const { view, facilityCode } = oneClient(tx, change, clientIds, reporter);
    const book = await openBook(view, facilityCode, change.at);
    return [resultOf(view.clientId, await shipTransfer(tx.of(book.clientId, change), book, body, expectTransfer))];
  },
};

const returned: ReportKind<ReturnBody> = {
  name: "return",
  path: "/return/report",
  operationId: "reportReturn",
  summary: "Returned quantities, graded",
  schema: returnReport,
  answer: answerOf("ReturnAnswer", "The result of the return.", {
    rmaNumber: maybeText("The return authorisation.", "RMA-1"),
    olpnId: maybeText("The parcel that came back.", "006141410000000012"),
    returnId: maybeText("The warehouse's identifier of the return.", "RET-1"),
    status,
    lines: receivedLines,
  }),
  example: {
    clientId: "DEMO",
    rmaNumber: "RMA-1",
    lines: [{ lineNumber: 1, sku: "MUG-BLUE-330", qty: 1, disposition: "RESELLABLE" }],
  },
  objectOf: ({ rmaNumber, olpnId, returnId }) =>
    rmaNumber !== undefined
      ? { type: "return", ids: [rmaNumber] }
      : { type: "olpn", ids: olpnId === undefined ? [returnId ?? ""] : [olpnId] },
  async run(tx, change, clientIds, body, reporter) {
    const { view, facilityCode } = oneClient(tx, change, clientIds, reporter);
    const book = await openBook(view, facilityCode, change.at);
    return [resultOf(view.clientId, await reportReturn(tx.of(book.clientId, change), book, body))];
  },
};

const createWorkOrderReport = ({ findClient }: IntakeTerms): ReportKind<WorkOrderBody> => ({
  name: "workOrder",
  path: "/workOrder/report",
  operationId: "reportWorkOrder",
  summary: "Finished goods produced, components consumed",
  schema: workOrderReport,
  answer: answerOf("WorkOrderAnswer", "The result of the report.", {
    workOrderId: Type.String({ description: "The work order.", examples: ["WO-1"] }),
    status,
    qtyOrdered: qty("Ordered."),
    qtyCompleted: qty("Completed."),
  }),
  example: { clientId: "DEMO", workOrderId: "WO-1", finishedGood: { qty: 10 } },
  objectOf: ({ workOrderId }) => ({ type: "workOrder", ids: [workOrderId] }),
  async run(tx, change, clientIds, body, reporter) {
    const { view, facilityCode } = oneClient(tx, change, clientIds, reporter);
    const { workOrderAdjustments: publishesAdjustments = true } = (await findClient(view.clientId))?.settings ?? {};
    const book = await openBook(view, facilityCode, change.at);
    return [
      resultOf(
        view.clientId,
        await reportWorkOrder(tx.of(book.clientId, change), book, body, { publishesAdjustments }),
      ),
    ];
  },
});
