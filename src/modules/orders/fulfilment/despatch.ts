import { conflict, notFound, type Refusal, unprocessable } from "#/kernel/refusal.ts";
import { ok, refused } from "#/kernel/result.ts";
import {
  findSerials,
  listReservations,
  type Movement,
  openBook,
  postMovements,
  writeReservations,
  writeSerials,
} from "#/modules/inventory/index.ts";
import {
  type FulfilmentResult,
  inUtc,
  orderAnswer,
  type ReservationBook,
  reservationBook,
  withLine,
  withParcels,
} from "#/modules/orders/fulfilment/fulfilment-rules.ts";
import { lockParcels, ofOrder, refusalOfHeldOrders } from "#/modules/orders/fulfilment/load.ts";
import { contentsIn } from "#/modules/orders/fulfilment/parcel-stock.ts";
import { moved, type Order } from "#/modules/orders/order.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import {
  deliveredByLine,
  despatched,
  listParcelMilestones,
  listParcelsOfLoad,
  type ParcelFacts,
  type ParcelMilestone,
  updateParcels,
} from "#/modules/parcels/index.ts";
import type { ClientTransaction, UnitOfWork } from "#/store/db/database.ts";

/** A report has exactly one of `loadId` and `olpnIds`. */
export interface DespatchReport {
  /** All parcels of the load that have not left yet. */
  readonly loadId?: string | undefined;
  /** Parcels of this client; they need no load. */
  readonly olpnIds?: readonly string[] | undefined;
  /** ISO 8601 UTC; when the parcels left. */
  readonly occurredAt?: string | undefined;
}

/**
 * Despatches parcels (lifecycle.md §1, §5): their stock leaves the books, an OS reports their orders, and carrier codes
 * that came too early take effect.
 */
export async function reportDespatch(
  tx: UnitOfWork,
  facilityCode: string,
  body: DespatchReport,
): Promise<FulfilmentResult> {
  const { loadId } = body;
  const occurredAt = inUtc(body.occurredAt ?? tx.change.at);
  if ((loadId === undefined) === (body.olpnIds === undefined)) {
    return refused(unprocessable("A despatch names either a loadId or olpnIds."));
  }
  const book = await openBook(tx, facilityCode, tx.change.at);
  const olpnIds = body.olpnIds ?? (await listWaiting(tx, facilityCode, loadId as string));
  if (!Array.isArray(olpnIds)) return refused(olpnIds as Refusal);
  const locked = await lockParcels(tx, facilityCode, olpnIds);
  if (!locked.ok) return locked;
  const { orders, named, all } = locked.value;
  const refusal = refusalOfHeldOrders(orders, "despatch") ?? refusalOfStatus(named, loadId);
  if (refusal) return refused(refusal);
  const orderIds = orders.map(({ orderId }) => orderId);
  const serials = named.flatMap(({ contents }) =>
    contents.flatMap(({ sku, serials }) => serials.map((serial) => ({ sku, serial }))),
  );
  const [held, milestones, places] = await Promise.all([
    listReservations(tx, "ORDER", orderIds),
    listParcelMilestones(tx, orderIds),
    findSerials(tx, serials),
  ]);
  const reservations = reservationBook(held);
  const movements = named.flatMap((parcel) => movementsOf(reservations, parcel, occurredAt));
  const gone = named.map(
    (parcel): ParcelFacts => ({ ...despatched(parcel, waitingCodes(milestones, parcel)), despatchedAt: occurredAt }),
  );

  writeReservations(tx, reservations.changed());
  postMovements(tx, book, tx.change.ids, movements);
  writeSerials(
    tx,
    book.at,
    places.map((place) => ({ ...place, state: "GONE" })),
  );
  updateParcels(tx, tx.change.at, gone);
  const after = orders.map((order) => {
    const parcels = ofOrder(withParcels(all, gone), order);
    return { before: order, order: afterDespatch(order, ofOrder(gone, order), parcels), parcels };
  });
  const events = await settleOrders(
    tx,
    after.map((parcel) => ({
      ...parcel,
      action: "despatch",
    })),
  );
  return ok({
    answer: {
      ...(loadId === undefined ? {} : { loadId }),
      olpns: gone.map(({ olpnId, status }) => ({ olpnId, status })),
      orders: after.map(({ order, parcels }) => orderAnswer(order, parcels)),
    },
    events,
  });
}

/** Parcels of the load that have not left yet; a refusal if there are none. */
async function listWaiting(tx: ClientTransaction, facilityCode: string, loadId: string): Promise<string[] | Refusal> {
  const parcels = await listParcelsOfLoad(tx, facilityCode, loadId);
  if (parcels.length === 0) return notFound(`The client has no parcel on load ${loadId} at facility ${facilityCode}.`);
  const waiting = parcels.filter(({ status }) => status === "LOADED");
  if (waiting.length === 0) return conflict(`All parcels of load ${loadId} have left already.`);
  return waiting.map(({ olpnId }) => olpnId);
}

function refusalOfStatus(parcels: readonly ParcelFacts[], loadId: string | undefined): Refusal | undefined {
  const isReady = ({ status, loadId: on }: ParcelFacts) =>
    loadId === undefined ? status === "PACKED" || status === "LOADED" : status === "LOADED" && on === loadId;
  const wrong = parcels.find((parcel) => !isReady(parcel));
  if (!wrong) return undefined;
  return conflict(`Parcel ${wrong.olpnId} is ${wrong.status}: only a PACKED or LOADED one can be despatched.`);
}

/** The ledger entries for despatched stock; its reservations end. */
function movementsOf(reservations: ReservationBook, parcel: ParcelFacts, occurredAt: string): Movement[] {
  const movements: Movement[] = [];
  for (const { reservation, sku, qty, stockPool, batchRef, expiryDate, serials } of contentsIn(reservations, parcel)) {
    reservations.put({ ...reservation, packed: reservation.packed - qty });
    movements.push({
      type: "DESPATCH",
      sku,
      stockPool,
      batchRef,
      expiryDate,
      condition: "GOOD",
      qty: -qty,
      allocatedChange: -qty,
      serials: serials.length === 0 ? undefined : serials,
      referenceType: "order",
      referenceId: parcel.orderId,
      occurredAt,
    });
  }
  return movements;
}

function waitingCodes(milestones: readonly ParcelMilestone[], { olpnId }: ParcelFacts): ParcelMilestone[] {
  return milestones.filter((milestone) => milestone.olpnId === olpnId && milestone.code > 100);
}

function afterDespatch(order: Order, gone: readonly ParcelFacts[], parcels: readonly ParcelFacts[]): Order {
  const out = gone
    .flatMap(({ contents }) => contents)
    .reduce<Order>(
      (whole, { lineNumber, qty }) => withLine(whole, lineNumber, (line) => moved(line, "packed", "despatched", qty)),
      order,
    );
  return withDelivered(out, parcels);
}

/** Sets the delivered quantities of the lines from the contents of the delivered parcels. */
export function withDelivered(order: Order, parcels: readonly ParcelFacts[]): Order {
  const delivered = deliveredByLine(parcels);
  const lines = order.lines.map((line) => {
    const qty = delivered.get(line.lineNumber) ?? 0;
    return qty === line.delivered ? line : { ...line, delivered: qty };
  });
  return { ...order, lines };
}
