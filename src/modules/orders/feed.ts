import { defineFeed } from "#/feeds/definition.ts";
import { checkOrder } from "#/modules/orders/check-order.ts";
import { orderRequestShape } from "#/modules/orders/contract.ts";
import { judgeOrders, writeOrders } from "#/modules/orders/service.ts";

/** Everything the receiver needs to know about NO. */
export const orderFeed = defineFeed({
  type: "NO",
  xsd: "NO.xsd",
  shape: orderRequestShape,
  clientIdOf: (raw) => raw.clientId,
  objectIdOf: (raw) => raw.orderId,
  check: checkOrder,
  keyOf: (order) => order.orderId,
  judge: judgeOrders,
  write: writeOrders,
});
