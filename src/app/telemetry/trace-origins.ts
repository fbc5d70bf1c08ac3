import { findOrderStatuses } from "#/modules/orders/index.ts";
import { findPurchaseOrderStatuses, purchaseOrderId } from "#/modules/purchasing/index.ts";
import { findReturnStatuses } from "#/modules/returns/index.ts";
import { type TracedObject, type TraceOrigins, traceKeyOf } from "#/store/outbox/publish-trace.ts";

/**
 * Token of the document that each object comes from. A document has its own token. An order, return or purchase order
 * has the token of the last document that wrote it, stored in its row. An outbound document has the token of its
 * object.
 */
export const findTraceOrigins: TraceOrigins = async (tx, objects) => {
  const found = new Map<string, string>();
  const add = (type: string, id: string, token: string) => {
    for (const objectType of [type, ...(outboundTypes[type] ?? [])])
      found.set(traceKeyOf({ objectType, objectId: id }), token);
  };
  const idsOf = (type: string) => [
    ...new Set(
      objects.flatMap(({ objectType, objectId }: TracedObject) =>
        objectType === type || outboundTypes[type]?.includes(objectType) ? objectId : [],
      ),
    ),
  ];
  const [orderIds, rmaNumbers] = [idsOf("order"), idsOf("return")];
  // The id of a purchase order with a shipping notice ends in the notice's number.
  const poNumbers = idsOf("purchaseOrder").flatMap((id) => [id, id.slice(0, Math.max(0, id.lastIndexOf("/")))]);
  const [orders, returns, purchaseOrders] = await Promise.all([
    orderIds.length === 0 ? [] : findOrderStatuses(tx, orderIds),
    rmaNumbers.length === 0 ? [] : findReturnStatuses(tx, rmaNumbers),
    poNumbers.length === 0 ? [] : findPurchaseOrderStatuses(tx, poNumbers),
  ]);
  for (const { order_id, feed_token } of orders) add("order", order_id, feed_token);
  for (const { rma_number, feed_token } of returns) add("return", rma_number, feed_token);
  for (const { po_number: poNumber, vendor_order_id: vendorOrderId, feed_token } of purchaseOrders) {
    add("purchaseOrder", purchaseOrderId({ poNumber, vendorOrderId }), feed_token);
  }
  for (const token of idsOf("feed")) add("feed", token, token);
  return found;
};

/** Pushed outbound feeds use the document type as the object type. */
const outboundTypes: Readonly<Record<string, readonly string[]>> = {
  order: ["OS"],
  return: ["RS"],
};
