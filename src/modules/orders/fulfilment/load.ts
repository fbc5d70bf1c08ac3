import { conflict, notFound, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import {
  type FulfilmentResult,
  inUtc,
  orderClaim,
  refusalOfHeld,
  withParcels,
} from "#/modules/orders/fulfilment/fulfilment-rules.ts";
import type { Order } from "#/modules/orders/order.ts";
import { lockOrders } from "#/modules/orders/order-repository.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import {
  listParcels,
  listParcelsById,
  type ParcelFacts,
  parcelEvent,
  recordSteps,
  updateParcels,
} from "#/modules/parcels/index.ts";
import type { ClientTransaction, UnitOfWork } from "#/store/db/database.ts";

export interface LoadReport {
  readonly loadId: string;
  /** Parcels of this client. */
  readonly olpnIds: readonly string[];
  readonly vehicle?: string | undefined;
  /** ISO 8601 UTC; when it happened on the floor. */
  readonly occurredAt?: string | undefined;
}

/** Locked parcels with their orders. */
export interface LockedParcels {
  readonly orders: readonly Order[];
  /** The named parcels, in the order of the request, without duplicates. */
  readonly named: readonly ParcelFacts[];
  /** All parcels of these orders. */
  readonly all: readonly ParcelFacts[];
}

/** The client's named parcels at the facility and their orders. The lock on the orders also protects the parcels. */
export async function lockParcels(
  tx: ClientTransaction,
  facilityCode: string,
  olpnIds: readonly string[],
): Promise<Result<LockedParcels, Refusal>> {
  const found = await listParcelsById(tx, olpnIds);
  const here = found.filter((parcel) => parcel.facilityCode === facilityCode);
  const known = new Set(here.map(({ olpnId }) => olpnId));
  const missing = olpnIds.find((olpnId) => !known.has(olpnId));
  if (missing !== undefined) {
    return refused(notFound(`The client has no parcel ${missing} at facility ${facilityCode}.`));
  }
  const orderIds = [...new Set(here.map(({ orderId }) => orderId))];
  for (const orderId of orderIds) tx.claim(orderClaim(orderId));
  const [orders, all] = await Promise.all([
    lockOrders(tx, orderIds),
    // The query follows the lock on the same connection, so it reads protected rows.
    listParcels(tx, orderIds),
  ]);
  const byId = new Map(all.map((parcel) => [parcel.olpnId, parcel]));
  return ok({ orders, all, named: [...known].map((olpnId) => byId.get(olpnId) as ParcelFacts) });
}

export function refusalOfHeldOrders(orders: readonly Order[], what: string): Refusal | undefined {
  for (const order of orders) {
    const refusal = refusalOfHeld(order, what);
    if (refusal) return refusal;
  }
  return undefined;
}

/** Loads parcels for their carrier (lifecycle.md §5). Each parcel gets its own parcel:load event. */
export async function reportLoad(tx: UnitOfWork, facilityCode: string, body: LoadReport): Promise<FulfilmentResult> {
  const { loadId, olpnIds, vehicle } = body;
  const occurredAt = inUtc(body.occurredAt ?? tx.change.at);
  const locked = await lockParcels(tx, facilityCode, olpnIds);
  if (!locked.ok) return locked;
  const { orders, named, all } = locked.value;
  const held = refusalOfHeldOrders(orders, "load");
  if (held) return refused(held);
  const wrong = named.find(({ status }) => status !== "PACKED");
  if (wrong) {
    const where = wrong.loadId === undefined ? "" : ` on load ${wrong.loadId}`;
    return refused(conflict(`Parcel ${wrong.olpnId} is ${wrong.status}${where}: only a PACKED one can be loaded.`));
  }
  const loaded = named.map((parcel): ParcelFacts => ({ ...parcel, status: "LOADED", loadId, loadedAt: occurredAt }));
  updateParcels(tx, tx.change.at, loaded);
  const events = await settleOrders(
    tx,
    orders.map((order) => ({
      order,
      before: order,
      action: "load",
      parcels: ofOrder(withParcels(all, loaded), order),
      milestones: ofOrder(loaded, order).map(({ olpnId }) => ({ code: 80, olpnId, at: occurredAt, text: vehicle })),
    })),
  );
  return ok({
    answer: { loadId, olpns: loaded.map(({ olpnId, status }) => ({ olpnId, status })) },
    events: [...loaded.map((parcel) => parcelEvent("parcel:load", parcel)), ...events],
  });
}

export function ofOrder(parcels: readonly ParcelFacts[], { orderId }: Order): ParcelFacts[] {
  return parcels.filter((parcel) => parcel.orderId === orderId);
}

/** Takes parcels off a load before it leaves. */
export async function removeFromLoad(
  tx: UnitOfWork,
  facilityCode: string,
  { loadId, olpnIds }: Pick<LoadReport, "loadId" | "olpnIds">,
): Promise<FulfilmentResult> {
  const locked = await lockParcels(tx, facilityCode, olpnIds);
  if (!locked.ok) return locked;
  const { orders, named, all } = locked.value;
  const wrong = named.find((parcel) => parcel.status !== "LOADED" || parcel.loadId !== loadId);
  if (wrong) {
    const where = wrong.loadId === undefined ? "" : ` on load ${wrong.loadId}`;
    return refused(conflict(`Parcel ${wrong.olpnId} is ${wrong.status}${where}: it is not LOADED on load ${loadId}.`));
  }
  const removed = named.map(
    (parcel): ParcelFacts => ({ ...parcel, status: "PACKED", loadId: undefined, loadedAt: undefined }),
  );
  recordSteps(tx, "unload", named, removed);
  const events = await settleOrders(
    tx,
    orders.map((order) => ({
      order,
      before: order,
      action: "removeFromLoad",
      // This step has no separate topic; order:updated publishes it.
      topics: ["order:updated"] as const,
      parcels: ofOrder(withParcels(all, removed), order),
    })),
  );
  return ok({ answer: { loadId, olpns: removed.map(({ olpnId, status }) => ({ olpnId, status })) }, events });
}
