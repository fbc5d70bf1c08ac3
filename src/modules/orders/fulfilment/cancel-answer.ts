import { conflict, type Refusal, unprocessable } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { quantityOf } from "#/kernel/values/quantity.ts";
import {
  listReservations,
  listSerialsInStock,
  lotKey,
  type Movement,
  openBook,
  postMovements,
  type SerialPlace,
  writeReservations,
  writeSerials,
} from "#/modules/inventory/index.ts";
import {
  type FulfilmentResult,
  orderAnswer,
  qtyText,
  type ReservationBook,
  refusalOfLines,
  refusalOfOrder,
  reservationBook,
  withLine,
} from "#/modules/orders/fulfilment/fulfilment-rules.ts";
import { isSplit, moved, type Order, stateOf } from "#/modules/orders/order.ts";
import { lockOrders } from "#/modules/orders/order-repository.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import { listParcels, type ParcelFacts } from "#/modules/parcels/index.ts";
import type { UnitOfWork } from "#/store/db/database.ts";

export interface CancelReport {
  readonly orderId: string;
  readonly lines: readonly CancelReportLine[];
  /** ISO 8601 UTC; when it happened on the floor. */
  readonly occurredAt?: string | undefined;
}

export interface CancelReportLine {
  readonly lineNumber: number;
  readonly outcome: "CANCELLED" | "TOO_LATE";
  /** A JSON number in the stock unit. Omitted: all that was requested. */
  readonly qty?: number | undefined;
}

/**
 * Applies the warehouse's answer to a cancel request, line by line (lifecycle.md §1). Stopped quantity is released. If
 * some of it was too late, the client gets an `order:cancelRefused` event. The request ends when every line is
 * answered.
 */
export async function answerCancel(
  tx: UnitOfWork,
  facilityCode: string,
  body: CancelReport,
): Promise<FulfilmentResult> {
  const { orderId } = body;
  const book = await openBook(tx, facilityCode, tx.change.at);
  const [order] = await lockOrders(tx, [orderId]);
  const refusal = refusalOfOrder(order, orderId, facilityCode);
  if (refusal || !order) return refused(refusal as Refusal);
  const foreign = isSplit(order) ? refusalOfLines(order, facilityCode, body.lines) : undefined;
  if (foreign) return refused(foreign);
  if (order.cancelRequestedAt === undefined) {
    return refused(conflict(`Order ${orderId} has no open cancel request.`));
  }
  const [held, parcels, serials] = await Promise.all([
    listReservations(tx, "ORDER", [orderId]),
    listParcels(tx, [orderId]),
    listSerialsInStock(tx, facilityCode, skusOf(order, body)),
  ]);
  const reservations = reservationBook(held);
  const answered = answerLines({ order, reservations, serials: standing(order, serials, parcels) }, body);
  if (!answered.ok) return answered;
  const { order: after, movements, freed } = answered.value;
  const isOver = after.lines.every(({ cancelRequested }) => cancelRequested === 0);
  const ended = isOver ? { ...after, cancelRequestedAt: undefined, cancelReason: undefined } : after;

  writeReservations(tx, reservations.changed());
  postMovements(tx, book, tx.change.ids, movements);
  writeSerials(tx, book.at, freed);
  const wasLate = body.lines.some(({ outcome }) => outcome === "TOO_LATE");
  const events = await settleOrders(tx, [
    {
      order: ended,
      before: order,
      action: "answerCancel",
      topics: wasLate ? ["order:cancelRefused"] : [],
      needsStatusFeed: true,
      // A reason on an order that continues would say that the order is cancelled.
      statusReason: stateOf(ended).state === "CANCELLED" ? order.cancelReason : undefined,
      parcels,
    },
  ]);
  return ok({ answer: { ...orderAnswer(ended, parcels), isAnswered: isOver }, events });
}

function skusOf(order: Order, { lines }: CancelReport): string[] {
  const named = new Set(lines.map(({ lineNumber }) => lineNumber));
  return [...new Set(order.lines.flatMap(({ lineNumber, sku }) => (named.has(lineNumber) ? sku : [])))];
}

/** Serials that were picked for the order and are in no parcel. */
function standing(order: Order, serials: readonly SerialPlace[], parcels: readonly ParcelFacts[]): SerialPlace[] {
  const packed = new Set(
    parcels
      .filter(({ status }) => status !== "VOIDED")
      .flatMap(({ contents }) => contents.flatMap(({ sku, serials }) => serials.map((serial) => `${sku} ${serial}`))),
  );
  return serials
    .filter(({ ownerType, ownerId }) => ownerType === "ORDER" && ownerId === order.orderId)
    .filter(({ sku, serial }) => !packed.has(`${sku} ${serial}`));
}

interface Answered {
  readonly order: Order;
  readonly movements: readonly Movement[];
  /** Serials that no longer belong to an order. */
  readonly freed: readonly SerialPlace[];
}

function answerLines(
  state: { readonly order: Order; readonly reservations: ReservationBook; readonly serials: SerialPlace[] },
  body: CancelReport,
): Result<Answered, Refusal> {
  let { order } = state;
  const movements: Movement[] = [];
  const freed: SerialPlace[] = [];
  for (const { lineNumber, outcome, qty: answered } of body.lines) {
    const name = `order ${order.orderId}, line ${lineNumber}`;
    const line = order.lines.find((candidate) => candidate.lineNumber === lineNumber);
    if (!line) return refused(unprocessable(`There is no ${name}.`));
    const requested = line.cancelRequested;
    const qty = answered === undefined ? requested : quantityOf(answered);
    if (requested === 0) return refused(conflict(`There is no request to cancel ${name}.`));
    if (qty <= 0 || qty > requested) {
      return refused(conflict(`The request is to cancel ${qtyText(requested)} of ${name}, not ${qtyText(qty)}.`));
    }
    order = withLine(order, lineNumber, (orderLine) => ({ ...orderLine, cancelRequested: requested - qty }));
    if (outcome === "TOO_LATE") continue;
    const { allocated, picked, packed } = line.buckets;
    if (allocated + picked < qty) {
      const there = `${qtyText(allocated + picked)} can be freed, ${qtyText(packed)} are packed`;
      return refused(conflict(`${qtyText(qty)} of ${name} cannot be cancelled, ${there}: void their parcels first.`));
    }
    const fromAllocated = Math.min(allocated, qty);
    free(state, lineNumber, fromAllocated, "allocated", { movements, freed, occurredAt: body.occurredAt });
    free(state, lineNumber, qty - fromAllocated, "picked", { movements, freed, occurredAt: body.occurredAt });
    order = withLine(order, lineNumber, (orderLine) =>
      moved(moved(orderLine, "allocated", "cancelled", fromAllocated), "picked", "cancelled", qty - fromAllocated),
    );
  }
  return ok({ order, movements, freed });
}

/** Releases reserved quantity of the line, lot by lot; picked units go back to their location first. */
function free(
  { order, reservations, serials }: { order: Order; reservations: ReservationBook; serials: SerialPlace[] },
  lineNumber: number,
  qty: number,
  from: "allocated" | "picked",
  out: { movements: Movement[]; freed: SerialPlace[]; occurredAt: string | undefined },
): void {
  let missing = qty;
  for (const reservation of reservations.ofLine(order.orderId, lineNumber)) {
    const part = Math.min(missing, reservation[from]);
    if (part === 0) continue;
    missing -= part;
    reservations.put({ ...reservation, [from]: reservation[from] - part });
    const { sku, stockPool, batchRef, expiryDate } = reservation;
    const entry = {
      sku,
      stockPool,
      batchRef,
      expiryDate,
      condition: "GOOD",
      qty: -part,
      referenceType: "order",
      referenceId: order.orderId,
      occurredAt: out.occurredAt,
    } as const;
    if (from === "picked") {
      // The report does not say which units go back. Any will do: to the order they are equal.
      const back = serials.filter((place) => lotKey(place) === lotKey(reservation)).slice(0, part / 1000);
      for (const place of back) serials.splice(serials.indexOf(place), 1);
      out.freed.push(...back.map((place) => ({ ...place, ownerType: undefined, ownerId: undefined })));
      const named = back.length === 0 ? undefined : back.map(({ serial }) => serial);
      out.movements.push({ ...entry, type: "PICK", serials: named });
    }
    out.movements.push({ ...entry, type: "DEALLOCATION", allocatedChange: -part });
  }
}
