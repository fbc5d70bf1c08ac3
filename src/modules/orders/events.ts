import { quantityToNumber } from "#/kernel/quantity.ts";
import { bucketsOfNew, deriveState, stateCodes } from "#/modules/orders/domain.ts";
import type { OrderWrite } from "#/modules/orders/repository.ts";
import type { EventDraft } from "#/outbox/append.ts";

export type OrderTopic = "order:received" | "order:held" | "order:released" | "order:updated" | "order:cancelled";

/** Lines beyond this many are left out of an event, with their number (webhooks.md §2). */
const linesMax = 200;

/** An event of an order whose lines are as the feed wrote them: all open. */
export function orderEvent(topic: OrderTopic, order: OrderWrite): EventDraft {
  const { lines, externalOrderReference } = order.content;
  return {
    topic,
    objectType: "order",
    objectId: order.orderId,
    facilityCode: order.distributionCentre,
    data: {
      orderId: order.orderId,
      externalOrderReference: externalOrderReference ?? null,
      status: order.status,
      statusCode: stateCodes[order.status] ?? null,
      statusReason: null,
      distributionCentre: order.distributionCentre,
      lines: lines.slice(0, linesMax).map(({ lineNumber, sku, qty }) => ({
        lineNumber,
        sku,
        status: deriveState([bucketsOfNew(qty)], false).state,
        qtyOrdered: quantityToNumber(qty),
        qtyOpen: quantityToNumber(qty),
      })),
      ...(lines.length > linesMax
        ? {
            linesTotal: lines.length,
            linesTruncated: true,
            href: `/v1/orderService/order/get/${encodeURIComponent(order.orderId)}`,
          }
        : {}),
    },
  };
}
