import Type from "typebox";
import { amount, leftOut, oneOf, type TopicFamily } from "#/delivery/webhooks/events/topic.ts";
import { closed, maybeText, text } from "#/http/routes/schema.ts";
import { discrepancies } from "#/modules/purchasing/index.ts";
import { purchaseOrderStates } from "#/modules/purchasing/states.ts";

const names = {
  poNumber: text("The purchase order.", "PO-7001"),
  vendorOrderId: maybeText(
    "The vendor's order number: several shipping notices of one purchase order differ in it.",
    "V-88",
  ),
};
const status = oneOf(purchaseOrderStates, "State of the purchase order after this event.", "RECEIVING");
const object = "the poNumber, and after a slash the vendorOrderId where there is one";
const lineNumber = Type.Integer({ description: "Line of the purchase order.", examples: [1] });

const receiptLine = Type.Object(
  {
    lineNumber: Type.Optional({
      ...lineNumber,
      description: "Line of the purchase order; absent for a SKU that is not on it.",
    }),
    lineId: Type.Optional(text("Your identifier of the line, where it has one.", "L-1")),
    sku: text("Product.", "MUG-BLUE-330"),
    altSku: Type.Optional(text("Your alternative SKU of the line, where it has one.", "M-330-B")),
    qtyExpected: amount("Ordered quantity of the line.", 100),
    qtyReceived: amount("Quantity of this receipt; of a correction the difference, which may be negative.", 40),
    qtyDamaged: amount("Of this, damaged.", 0),
    qtyOnHold: Type.Optional(amount("Of this, on hold or in quarantine: not for sale until it is released.", 0)),
    qtyTotal: amount("Quantity of the line over all receipts.", 40),
    batchRef: Type.Optional(text("Batch, where there is one.", "B-2026-11")),
    expiryDate: Type.Optional(
      Type.String({ format: "date", description: "Expiry date, where there is one.", examples: ["2027-03-31"] }),
    ),
    serials: Type.Optional(
      Type.Array(text("A serial number.", "SN-000123"), {
        description: "Its serial numbers, where they are captured.",
      }),
    ),
    discrepancy: oneOf(
      [...discrepancies, "UNPLANNED"],
      "Difference to the expected quantity; UNPLANNED: the SKU was not expected.",
      "NONE",
    ),
  },
  { ...closed, title: "ReceiptLine", description: "Receipt of one line and lot." },
);

const receipt = Type.Object(
  {
    ...names,
    receiptId: text("The receipt.", "R-1001"),
    correction: Type.Boolean({ description: "It corrects an earlier receipt.", examples: [false] }),
    status,
    lines: Type.Array(receiptLine, {
      description:
        "The received lines. A line for which nothing more will arrive is listed with the receipt that reports it.",
    }),
    ...leftOut,
  },
  { ...closed, title: "GoodsReceiptData", description: "A receipt: add it to the earlier ones." },
);

export const goodsReceiptTopics: TopicFamily = {
  title: "Goods receipts",
  objectType: "purchaseOrder",
  object,
  data: receipt,
  topics: [
    {
      topicName: "goodsReceipt:received",
      when: "Goods of a purchase order were received, or a receipt was corrected.",
      sample: {
        objectId: "PO-7001/V-88",
        data: {
          poNumber: "PO-7001",
          vendorOrderId: "V-88",
          receiptId: "R-1001",
          correction: false,
          status: "RECEIVING",
          lines: [
            {
              lineNumber: 1,
              sku: "MUG-BLUE-330",
              qtyExpected: 100,
              qtyReceived: 40,
              qtyDamaged: 0,
              qtyTotal: 40,
              batchRef: "B-2026-11",
              discrepancy: "NONE",
            },
          ],
        },
      },
    },
  ],
};

const orderLine = Type.Object(
  {
    lineNumber,
    sku: text("Product.", "MUG-BLUE-330"),
    qty: amount("Ordered, in the stock unit.", 100),
    qtyReceived: amount("Received so far.", 100),
    qtyDamaged: amount("Of this, damaged.", 0),
    discrepancy: oneOf(discrepancies, "Difference to the ordered quantity.", "NONE"),
  },
  { ...closed, title: "PurchaseOrderLine", description: "A line of the purchase order." },
);

const order = Type.Object(
  {
    ...names,
    status,
    lines: Type.Array(orderLine, { description: "Its lines, in the state of this event." }),
    ...leftOut,
  },
  { ...closed, title: "PurchaseOrderData", description: "The purchase order in the state of this event." },
);

const sampleOf = (state: string, qtyReceived: number, discrepancy = "NONE") => ({
  objectId: "PO-7001/V-88",
  data: {
    poNumber: "PO-7001",
    vendorOrderId: "V-88",
    status: state,
    lines: [{ lineNumber: 1, sku: "MUG-BLUE-330", qty: 100, qtyReceived, qtyDamaged: 0, discrepancy }],
  },
});

export const purchaseOrderTopics: TopicFamily = {
  title: "Purchase orders",
  objectType: "purchaseOrder",
  object,
  data: order,
  topics: [
    {
      topicName: "purchaseOrder:updated",
      when: "The client changed the purchase order.",
      sample: sampleOf("OPEN", 0),
    },
    {
      topicName: "purchaseOrder:received",
      when: "Every line of the purchase order is complete.",
      sample: sampleOf("RECEIVED", 100),
    },
    {
      topicName: "purchaseOrder:closed",
      when: "No more is expected for the purchase order: the warehouse, an operator or the client closed it, or it ended by its tolerance or date.",
      sample: sampleOf("CLOSED", 90, "SHORT"),
    },
    {
      topicName: "purchaseOrder:cancelled",
      when: "The client cancelled the purchase order.",
      sample: sampleOf("CANCELLED", 0),
    },
  ],
};
