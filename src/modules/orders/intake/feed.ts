import { defineFeed } from "#/intake/feeds/intake/definition.ts";
import type { CarrierSets } from "#/modules/carriers/index.ts";
import { validateOrders, writeOrders } from "#/modules/orders/intake/accept-orders.ts";
import { checkOrder } from "#/modules/orders/intake/check-order.ts";
import { orderRequestShape } from "#/modules/orders/intake/contract.ts";

/**
 * The definition of the NO feed for the receiver.
 * @param sets the carrier data that determine the known shippingMethods; one for each open database.
 */
export const createOrderFeed = (sets: CarrierSets) =>
  defineFeed({
    type: "NO",
    xsd: "NO.xsd",
    shape: orderRequestShape,
    clientIdOf: (raw) => raw.clientId,
    objectIdOf: (raw) => raw.orderId,
    check: checkOrder,
    keyOf: (order) => order.orderId,
    isWithdrawal: ({ action }) => action === "CANCEL",
    validate: (tx, batch) => validateOrders(tx, batch, sets),
    write: writeOrders,
  });
