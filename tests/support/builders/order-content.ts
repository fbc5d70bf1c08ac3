import type { OrderContent, OrderLine } from "#/modules/orders/intake/check-order.ts";

/** An order as read from a document that has only what it must have. */
export const noContent: OrderContent = {
  externalOrderReference: undefined,
  catalogId: undefined,
  doNotShip: false,
  origin: undefined,
  language: undefined,
  orderDate: "2026-11-02T09:41:12.250+01:00",
  shippingMethod: undefined,
  currency: undefined,
  shippingCost: undefined,
  subtotal: undefined,
  totalPrice: undefined,
  taxes: undefined,
  billToAddress: undefined,
  shipToAddress: { country: "GB" },
  addressFaults: [],
  payments: undefined,
  distributionCentre: undefined,
  carrierCode: undefined,
  extendedAttributes: {},
  priority: 5,
  shipPartial: false,
  lines: [],
};

export const plainLine: OrderLine = {
  path: "",
  lineNumber: 1,
  sku: "MUG",
  feedQty: 2000,
  feedUom: undefined,
  qty: 2000,
  uom: "EA",
  stockPool: "DEFAULT",
  lineTotal: undefined,
  unitNetPrice: undefined,
  extendedUnitNetPrice: undefined,
  unitGrossPrice: undefined,
  taxes: undefined,
  extendedAttributes: {},
};
