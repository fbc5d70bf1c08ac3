import { bucketRecord } from "#/modules/orders/bucket-record.ts";
import { type Buckets, deriveState, type OrderState, stateCodes } from "#/modules/orders/domain.ts";
import type { EventDraft } from "#/outbox/append.ts";

export type OrderTopic =
  | "order:received"
  | "order:held"
  | "order:released"
  | "order:updated"
  | "order:cancelled"
  | "order:despatched";

/** What an event tells of an order (webhooks.md §3). */
export interface OrderFacts {
  readonly orderId: string;
  readonly externalOrderReference: string | undefined;
  readonly status: OrderState;
  readonly statusReason?: string | undefined;
  readonly distributionCentre: string;
  readonly lines: readonly { readonly lineNumber: number; readonly sku: string; readonly buckets: Buckets }[];
}

/** Lines beyond this many are left out of an event, with their number (webhooks.md §2). */
const linesMax = 200;

export function orderEvent(topic: OrderTopic, order: OrderFacts): EventDraft {
  const { orderId, lines } = order;
  return {
    topic,
    objectType: "order",
    objectId: orderId,
    facilityCode: order.distributionCentre,
    data: {
      orderId,
      externalOrderReference: order.externalOrderReference ?? null,
      status: order.status,
      statusCode: stateCodes[order.status] ?? null,
      statusReason: order.statusReason ?? null,
      distributionCentre: order.distributionCentre,
      lines: lines.slice(0, linesMax).map(({ lineNumber, sku, buckets }) => ({
        lineNumber,
        sku,
        status: deriveState([buckets], false).state,
        ...bucketRecord(buckets),
      })),
      ...(lines.length > linesMax
        ? {
            linesTotal: lines.length,
            linesTruncated: true,
            href: `/v1/orderService/order/get/${encodeURIComponent(orderId)}`,
          }
        : {}),
    },
  };
}
