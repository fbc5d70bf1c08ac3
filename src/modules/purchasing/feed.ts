import { defineFeed } from "#/intake/feeds/intake/definition.ts";
import { vendorOrderShape } from "#/modules/purchasing/contract.ts";
import { checkVendorOrder } from "#/modules/purchasing/domain.ts";
import { validatePurchaseOrders, writePurchaseOrders } from "#/modules/purchasing/service.ts";

/** The definition of the PO feed for the receiver. */
export const purchaseOrderFeed = defineFeed({
  type: "PO",
  xsd: "PO.xsd",
  shape: vendorOrderShape,
  clientIdOf: (raw) => raw.clientId,
  objectIdOf: (raw) => raw.poNumber,
  check: checkVendorOrder,
  keyOf: (order) => order.poNumber,
  isWithdrawal: ({ action }) => action === "CANCEL",
  parkKeyOf: ({ poNumber, vendorOrderId = "" }) => `${poNumber}/${vendorOrderId}`,
  validate: validatePurchaseOrders,
  write: writePurchaseOrders,
});
