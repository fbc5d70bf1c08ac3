import { eventName } from "#/kernel/event-codes.ts";
import { lineRecord, shownLines } from "#/modules/orders/kits.ts";
import {
  facilitiesOf,
  facilityOfLine,
  type Hold,
  holdRecord,
  type Order,
  type OrderLine,
  stateCodes,
} from "#/modules/orders/order.ts";
import type { OrderState } from "#/modules/orders/states.ts";
import type { ParcelFacts } from "#/modules/parcels/index.ts";
import { type EventDraft, truncateLines } from "#/store/outbox/append.ts";

export type OrderTopic =
  | "order:received"
  | "order:held"
  | "order:released"
  | "order:partiallyAllocated"
  | "order:allocated"
  | "order:backordered"
  | "order:picking"
  | "order:packed"
  | "order:partiallyDespatched"
  | "order:despatched"
  | "order:delivered"
  | "order:returnedToSender"
  | "order:cancelRequested"
  | "order:cancelRefused"
  | "order:cancelled"
  | "order:updated"
  | "order:atRisk"
  | "order:promised";

/** The data of an order event (webhooks.md §3). */
export interface OrderFacts {
  readonly orderId: string;
  readonly externalOrderReference: string | undefined;
  readonly status: OrderState;
  readonly statusReason?: string | undefined;
  readonly distributionCentre: string;
  readonly holds: readonly Hold[];
  readonly lines: readonly OrderLine[];
  readonly kits: Order["kits"];
}

/** A parcel that has left, in the events that say so. */
type LeftParcel = Pick<ParcelFacts, "olpnId" | "carrierCode" | "trackingNumber" | "trackingUrl" | "despatchedAt">;

const parcelsMax = 200;
const tellsParcels: ReadonlySet<OrderTopic> = new Set(["order:partiallyDespatched", "order:despatched"]);

/** @param parcels of the order, in the order in which they were packed; only events of despatches list them */
export function orderEvent(topic: OrderTopic, order: OrderFacts, parcels: readonly LeftParcel[] = []): EventDraft {
  const { orderId } = order;
  const facilities = facilitiesOf(order);
  const lines = shownLines(order).map((line) => ({
    ...lineRecord(line, order),
    ...(facilities.length === 1 ? {} : { distributionCentre: facilityOfLine(order, line) }),
  }));
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
      ...(facilities.length === 1 ? {} : { distributionCentres: facilities }),
      holds: order.holds.map(holdRecord),
      ...(tellsParcels.has(topic) ? { parcels: parcels.flatMap(leftParcel).slice(-parcelsMax) } : {}),
      ...truncateLines(lines, { href: `/v1/orderService/order/get/${encodeURIComponent(orderId)}` }),
    },
  };
}

/** Topics that the allocation consumer listens to. */
export const wakesAllocation: ReadonlySet<OrderTopic> = new Set(["order:received", "order:updated", "order:released"]);

/** Allocation works by facility, so each further one of a split order has an event where the order asks for stock. */
export function eventsOfParts(topics: readonly OrderTopic[], order: OrderFacts): EventDraft[] {
  if (!topics.some((topic) => wakesAllocation.has(topic))) return [];
  const [, ...others] = facilitiesOf(order);
  return others.map((facilityCode) => ({ ...orderEvent("order:updated", order), facilityCode }));
}

const leftParcel = ({ olpnId, carrierCode, trackingNumber, trackingUrl, despatchedAt }: LeftParcel) =>
  despatchedAt === undefined
    ? []
    : {
        olpnId,
        carrierCode: carrierCode ?? null,
        trackingNumber: trackingNumber ?? null,
        trackingUrl: trackingUrl ?? null,
      };

/** The data of a track-and-trace event of an order or one of its parcels (webhooks.md §3). */
export interface TrackAndTraceFacts {
  readonly orderId: string;
  readonly facilityCode: string;
  readonly code: number;
  /** ISO 8601 UTC. */
  readonly occurredAt: string;
  readonly olpnId?: string | undefined;
  readonly trackingNumber?: string | undefined;
  readonly trackingUrl?: string | undefined;
  readonly carrierCode?: string | undefined;
  readonly location?: string | undefined;
  readonly text?: string | undefined;
}

/** Every code of lifecycle.md §9 is published under one topic, whatever its source. */
export function trackAndTrace(facts: TrackAndTraceFacts): EventDraft {
  const { orderId, facilityCode, code, occurredAt } = facts;
  return {
    topic: "carrier:trackAndTrace",
    objectType: "order",
    objectId: orderId,
    facilityCode,
    data: {
      eventCode: code,
      eventName: eventName(code),
      occurredAt,
      orderId,
      olpnId: facts.olpnId ?? null,
      trackingNumber: facts.trackingNumber ?? null,
      trackingUrl: facts.trackingUrl ?? null,
      carrierCode: facts.carrierCode ?? null,
      location: facts.location ?? null,
      text: facts.text ?? null,
    },
  };
}
