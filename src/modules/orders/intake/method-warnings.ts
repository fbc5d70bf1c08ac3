import type { Tx } from "#/db/database.ts";
import type { Entry } from "#/feeds/definition.ts";
import { finding } from "#/kernel/feed-codes.ts";
import { type CarrierSets, findUnknownMethods } from "#/modules/carriers/index.ts";
import { listHeaders } from "#/modules/orders/commands/change-repository.ts";
import type { OrderMessage } from "#/modules/orders/intake/check-order.ts";

/**
 * Warns of each shippingMethod that determination will not know: of a NEW, and of an UPDATE that changes it. The carrier data
 * are asked once for all, and the orders only where an UPDATE names such a method.
 */
export async function warnOfMethods(
  tx: Tx,
  sets: CarrierSets,
  clientId: string,
  entries: readonly Entry<OrderMessage>[],
): Promise<void> {
  const asked = entries.flatMap((entry) => {
    const method = entry.message.content?.shippingMethod;
    return method === undefined ? [] : { entry, method };
  });
  const methods = asked.map(({ method }) => method);
  const unknown = await findUnknownMethods(tx, sets, clientId, methods);
  const named = asked.filter(({ method }) => unknown.has(method));
  const updates = named.flatMap(({ entry: { message } }) => (message.action === "UPDATE" ? message.orderId : []));
  const headers = updates.length === 0 ? [] : await listHeaders(tx, clientId, updates);
  const stored = new Map(headers.map((header) => [header.order_id, header.shipping_method]));
  for (const { entry, method } of named) {
    const { action, orderId } = entry.message;
    if (action === "UPDATE" && stored.get(orderId) === method) continue;
    const why = "is no mapped method, service level or service of the carrier data";
    entry.warnings.push(
      finding("SHIPPING_METHOD", `shippingMethod: '${method}' ${why}; ${unknown.get(method)} is taken`),
    );
  }
}
