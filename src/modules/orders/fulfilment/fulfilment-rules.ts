// Common parts of the floor reports (warehouse.md): refusals and answers.

import { conflict, notFound, type Refusal, unprocessable } from "#/kernel/refusal.ts";
import type { Result } from "#/kernel/result.ts";
import { formatQuantity } from "#/kernel/values/quantity.ts";
import type { Reservation } from "#/modules/inventory/index.ts";
import {
  bucketRecord,
  facilitiesOf,
  facilityOfLine,
  lineStateOf,
  type Order,
  type OrderLine,
  stateOf,
} from "#/modules/orders/order.ts";
import { type ParcelFacts, parcelEnds } from "#/modules/parcels/index.ts";
import type { CommandResult } from "#/store/outbox/append.ts";

export type FulfilmentResult = Result<CommandResult, Refusal>;

/**
 * A moment of a report in UTC, the format of the store and of events. @param text ISO 8601 with an offset, already
 * validated.
 */
export function inUtc(text: string): string {
  return new Date(text).toISOString();
}

/** Formats the quantity of a lot or a line for a sentence. */
export const qtyText = formatQuantity;

/** Refuses an order that other facilities fulfil: to the reporting facility it does not exist. */
export function refusalOfOrder(order: Order | undefined, orderId: string, facilityCode: string): Refusal | undefined {
  if (order && facilitiesOf(order).includes(facilityCode)) return undefined;
  return notFound(`The client has no order ${orderId} at facility ${facilityCode}.`);
}

/** Refuses a report with a line that the order does not have, or that another facility fulfils. */
export function refusalOfLines(
  order: Order,
  facilityCode: string,
  named: readonly { readonly lineNumber: number }[],
): Refusal | undefined {
  const byNumber = new Map(order.lines.map((line) => [line.lineNumber, line]));
  for (const { lineNumber } of named) {
    const line = byNumber.get(lineNumber);
    if (line === undefined) return unprocessable(`Order ${order.orderId} has no line ${lineNumber}.`);
    const at = facilityOfLine(order, line);
    if (at === facilityCode) continue;
    return conflict(`Order ${order.orderId}, line ${lineNumber} is fulfilled by ${at}, not by ${facilityCode}.`);
  }
  return undefined;
}

/** Pick, pack, load and despatch of a held order wait until its holds are lifted. */
export function refusalOfHeld(order: Order, what: string): Refusal | undefined {
  if (order.holds.length === 0) return undefined;
  const holds = order.holds.map(({ type, reason }) => `${type} (${reason})`).join(", ");
  return conflict(`Order ${order.orderId} is on hold: ${holds}; ${what} it when the hold is released.`);
}

export function refusalOfCancelled(order: Order): Refusal | undefined {
  return order.status === "CANCELLED" ? conflict(`Order ${order.orderId} is cancelled.`) : undefined;
}

/** The order in the answer to a report: its state, line by line. */
export function orderAnswer(order: Order, parcels: readonly ParcelFacts[] = []) {
  const { state } = stateOf(order, parcelEnds(parcels.filter(({ despatchedAt }) => despatchedAt !== undefined)));
  return {
    orderId: order.orderId,
    status: state,
    lines: order.lines.map((line) => ({
      lineNumber: line.lineNumber,
      status: lineStateOf(line, { ...order, status: state }),
      ...bucketRecord(line.buckets),
    })),
  };
}

/** All parcels of the orders, with the changed ones replaced. */
export function withParcels(all: readonly ParcelFacts[], changed: readonly ParcelFacts[]): ParcelFacts[] {
  const byId = new Map(changed.map((parcel) => [parcel.olpnId, parcel]));
  const known = new Set(all.map(({ olpnId }) => olpnId));
  return [
    ...all.map((parcel) => byId.get(parcel.olpnId) ?? parcel),
    ...changed.filter(({ olpnId }) => !known.has(olpnId)),
  ];
}

/** The order with one line changed. */
export function withLine(order: Order, lineNumber: number, change: (line: OrderLine) => OrderLine): Order {
  return { ...order, lines: order.lines.map((line) => (line.lineNumber === lineNumber ? change(line) : line)) };
}

/** Reservations that a report changes step by step; unchanged ones are not written. */
export interface ReservationBook {
  /** The reservations of the line, by lot. */
  ofLine(ownerId: string, lineNumber: number): readonly Reservation[];
  all(): readonly Reservation[];
  /** Replaces the reservation of this owner, line and lot. */
  put(reservation: Reservation): void;
  changed(): readonly Reservation[];
}

export function reservationBook(reservations: readonly Reservation[]): ReservationBook {
  const keyOf = (r: Reservation) =>
    JSON.stringify([r.ownerType, r.ownerId, r.lineNumber, r.stockPool, r.batchRef, r.expiryDate]);
  const byKey = new Map(reservations.map((reservation) => [keyOf(reservation), reservation]));
  const changed = new Set<string>();
  return {
    ofLine: (ownerId, lineNumber) =>
      [...byKey.values()].filter(
        (reservation) =>
          reservation.ownerType === "ORDER" && reservation.ownerId === ownerId && reservation.lineNumber === lineNumber,
      ),
    all: () => [...byKey.values()],
    put(reservation) {
      const key = keyOf(reservation);
      byKey.set(key, reservation);
      changed.add(key);
    },
    changed: () => [...changed].map((key) => byKey.get(key) as Reservation),
  };
}

// Claims of reports in a transaction that they share (db/joined-work.ts).
export const orderClaim = (orderId: string) => `order ${orderId}`;
export const serialClaim = (sku: string, serial: string) => `serial ${JSON.stringify([sku, serial])}`;
