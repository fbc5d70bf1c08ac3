import { newIdentifier, positiveQuantity } from "#/http/routes/schema.ts";
import { createdOf, sentOf } from "#/intake/json/contract.ts";
import type { Body } from "#/intake/json/document.ts";
import type { JsonFeed } from "#/intake/json/routes.ts";
import { vendorOrderShape } from "#/modules/purchasing/contract.ts";
import { purchaseOrder, purchaseOrderDetail, purchaseOrderQuery } from "#/modules/purchasing/rest-contract.ts";

const quantity = (description: string) => positiveQuantity(`${description} At most three decimals.`, 24);

/** Lines with the quantities that the client sent. */
const asSent = (lines: unknown) =>
  (lines as readonly Body[]).map(({ feedQty, ...line }) => ({ ...line, qty: feedQty ?? line.qty }));

const purchaseOrderCreate = sentOf(
  purchaseOrder,
  {
    required: ["poNumber", "distributionCentre", "lines"],
    optional: [
      ...["vendorOrderId", "messageId", "extendedAttributes", "expectedDate", "carrierCode", "trackingNumber"],
      "cartons",
    ],
    more: {
      poNumber: newIdentifier("Number of the purchase order.", "PO-7001"),
      vendorOrderId: newIdentifier("Shipping notice within the purchase order.", "V-88"),
    },
    within: {
      lines: {
        required: ["lineNumber", "sku", "qty"],
        optional: ["lineId", "altSku", "productName", "qtyUom", "feedQty"],
        more: {
          qty: quantity("Ordered, in qtyUom."),
          feedQty: quantity(
            "Counts in the place of qty, which is in stock units where `purchaseOrder/get` answers it.",
          ),
        },
      },
      cartons: {
        required: ["sscc"],
        optional: ["trackingNumber", "lines"],
        within: {
          lines: {
            required: ["qty"],
            optional: ["lineNumber", "sku", "qtyUom", "feedQty", "batchRef", "expiryDate"],
            more: {
              qty: quantity("In the carton, in qtyUom."),
              feedQty: quantity("Counts in the place of qty, as of a line of the purchase order."),
            },
          },
        },
      },
    },
  },
  "PurchaseOrderCreate",
  "A purchase order: the fields of `purchaseOrder/get` without those that the platform sets.",
);

/** PO in JSON (contract rest.md §3), but for the reading of the purchase order. */
export const purchaseOrderCreation: Omit<JsonFeed, "read"> = {
  type: "PO",
  root: "vendorOrder",
  form: vendorOrderShape.form,
  path: "/purchaseOrder/create",
  operationId: "createPurchaseOrder",
  summary: "Create a purchase order",
  description: "The purchase order of a PO feed with `actionType` NEW: goods that the facility expects.",
  query: purchaseOrderQuery,
  body: purchaseOrderCreate,
  status: 201,
  answer: createdOf(purchaseOrderDetail, "CreatedPurchaseOrder", "purchase order"),
  toDocument: ({ cartons, ...body }) => ({
    ...body,
    lines: asSent(body.lines),
    cartons: (cartons as readonly Body[] | undefined)?.map(({ lines, ...carton }) => ({
      ...carton,
      lines: lines && asSent(lines),
    })),
  }),
};
