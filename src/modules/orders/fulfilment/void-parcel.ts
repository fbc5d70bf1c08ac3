import { conflict, notFound } from "#/kernel/refusal.ts";
import { ok, refused } from "#/kernel/result.ts";
import { deleteDocuments } from "#/modules/documents/index.ts";
import { listReservations, openBook, writeReservations } from "#/modules/inventory/index.ts";
import { voidPurchases } from "#/modules/labels/index.ts";
import {
  type FulfilmentResult,
  orderAnswer,
  reservationBook,
  withLine,
  withParcels,
} from "#/modules/orders/fulfilment/fulfilment-rules.ts";
import { contentsIn } from "#/modules/orders/fulfilment/parcel-stock.ts";
import { moved, type Order } from "#/modules/orders/order.ts";
import { lockOrders } from "#/modules/orders/order-repository.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import { listParcels, listParcelsById, type ParcelFacts, parcelEvent, recordSteps } from "#/modules/parcels/index.ts";
import type { UnitOfWork } from "#/store/db/database.ts";

/**
 * Voids a parcel before it leaves: its contents are picked quantity again, and its papers are deleted (lifecycle.md
 * §5).
 */
export async function voidParcel(
  tx: UnitOfWork,
  facilityCode: string,
  { olpnId }: { readonly olpnId: string },
): Promise<FulfilmentResult> {
  await openBook(tx, facilityCode, tx.change.at);
  const [found] = await listParcelsById(tx, [olpnId]);
  if (found?.facilityCode !== facilityCode) {
    return refused(notFound(`The client has no parcel ${olpnId} at facility ${facilityCode}.`));
  }
  const { orderId } = found;
  const [[order], parcels, held] = await Promise.all([
    lockOrders(tx, [orderId]),
    // The query follows the lock on the same connection, so it reads protected rows.
    listParcels(tx, [orderId]),
    listReservations(tx, "ORDER", [orderId]),
  ]);
  const parcel = parcels.find((candidate) => candidate.olpnId === olpnId) as ParcelFacts;
  if (parcel.status !== "PACKED" && parcel.status !== "LOADED") {
    return refused(conflict(`Parcel ${olpnId} is ${parcel.status}: only a PACKED or LOADED one can be voided.`));
  }
  const reservations = reservationBook(held);
  for (const { reservation, qty } of contentsIn(reservations, parcel)) {
    reservations.put({ ...reservation, packed: reservation.packed - qty, picked: reservation.picked + qty });
  }
  const voided: ParcelFacts = { ...parcel, status: "VOIDED" };
  const after = parcel.contents.reduce<Order>(
    (whole, { lineNumber, qty }) => withLine(whole, lineNumber, (line) => moved(line, "packed", "picked", qty)),
    order as Order,
  );
  const all = withParcels(parcels, [voided]);
  writeReservations(tx, reservations.changed());
  recordSteps(tx, "void", [parcel], [voided]);
  // The label must not be used for another parcel.
  deleteDocuments(tx, orderId, [olpnId]);
  voidPurchases(tx, tx.change.at, [olpnId]);
  const events = await settleOrders(tx, [{ order: after, before: order as Order, action: "voidParcel", parcels: all }]);
  return ok({
    answer: { ...orderAnswer(after, all), olpns: [{ olpnId, status: voided.status }] },
    events: [parcelEvent("parcel:voided", voided), ...events],
  });
}
