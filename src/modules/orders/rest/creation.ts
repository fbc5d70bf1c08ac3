import { newIdentifier, positiveQuantity } from "#/http/routes/schema.ts";
import { createdOf, sentOf } from "#/intake/json/contract.ts";
import type { JsonFeed } from "#/intake/json/routes.ts";
import { assert } from "#/kernel/assert.ts";
import { orderRequestShape } from "#/modules/orders/intake/contract.ts";
import { order, orderPath, orderQuery } from "#/modules/orders/rest/contract.ts";
import { readOrder } from "#/modules/orders/rest/reading.ts";

const orderCreate = sentOf(
  order,
  {
    required: ["orderId", "orderDate", "shipToAddress", "lines"],
    optional: [
      ...["externalOrderReference", "catalogId", "doNotShip", "origin", "language", "shippingMethod"],
      ...["shippingCost", "subtotal", "totalPrice", "taxes", "billToAddress", "payments", "distributionCentre"],
      ...["carrierCode", "shipAfter", "shipBy", "deliverBy", "extendedAttributes"],
    ],
    more: { orderId: newIdentifier("Identifier of the order, the client's own.", "WEB-100045") },
    within: {
      lines: {
        required: ["lineNumber", "sku", "qty"],
        optional: [
          ...["qtyUom", "stockPool", "lineTotal", "unitNetPrice", "extendedUnitNetPrice", "unitGrossPrice"],
          ...["taxes", "extendedAttributes"],
        ],
        more: { qty: positiveQuantity("Ordered, in qtyUom. At most three decimals.", 2) },
      },
    },
  },
  "OrderCreate",
  "A sales order: the fields of `order/get` without those that the platform sets.",
);

/** NO in JSON (contract rest.md §3). */
export const orderCreation: JsonFeed = {
  type: "NO",
  root: "orderRequest",
  form: orderRequestShape.form,
  path: "/order/create",
  operationId: "createOrder",
  summary: "Create an order",
  description:
    "The order of an NO feed with `actionType` NEW. Left out, `distributionCentre` is routed. The answer is the order as it is after the acceptance, so that it may be allocated already.",
  query: orderQuery,
  body: orderCreate,
  status: 201,
  answer: createdOf(order, "CreatedOrder", "order"),
  async read(tx, { orderId }) {
    const record = await readOrder(tx, orderId as string);
    assert(record, `order ${orderId} was created and does not exist`);
    return { record, version: record.version, path: `/order/get/${encodeURIComponent(record.orderId)}` };
  },
  template: {
    path: "/order/template/:orderId",
    operationId: "getOrderTemplate",
    params: orderPath,
    what: "order",
    find: (tx, { orderId }) => readOrder(tx, orderId as string),
  },
};
