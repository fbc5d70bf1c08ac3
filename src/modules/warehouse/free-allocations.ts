import { type Book, type FreeAllocations, type Lot, listReservationsOfLots } from "#/modules/inventory/index.ts";
import { freeOrderAllocations, lockOrders } from "#/modules/orders/index.ts";
import { freeTransferAllocations } from "#/modules/transfers/index.ts";
import { freeComponentAllocations, lockWorkOrders } from "#/modules/workorders/index.ts";
import type { ClientTransaction } from "#/store/db/database.ts";

/**
 * Frees allocations of a lot: first those of transfers, for which no customer waits, then those of orders and work
 * orders, lowest priority first, then newest (lifecycle.md §1).
 */
export const freeAllocations: FreeAllocations = async (tx, book, lot, qty) => {
  const ofTransfers = await freeTransferAllocations(tx, book, lot, qty);
  if (ofTransfers.freed >= qty) return ofTransfers;
  const others = await freeOthers(tx, book, lot, qty - ofTransfers.freed);
  return { freed: ofTransfers.freed + others.freed, drafts: [...ofTransfers.drafts, ...others.drafts] };
};

const freeOthers: FreeAllocations = async (tx, book, lot, qty) => {
  const share = await shareOfOrders(tx, book, lot, qty);
  const ofOrders = share > 0 ? await freeOrderAllocations(tx, book, lot, share) : { freed: 0, drafts: [] };
  if (ofOrders.freed >= qty) return ofOrders;
  const ofWorkOrders = await freeComponentAllocations(tx, book, lot, qty - ofOrders.freed);
  return { freed: ofOrders.freed + ofWorkOrders.freed, drafts: [...ofOrders.drafts, ...ofWorkOrders.drafts] };
};

/**
 * The share of the quantity that orders release. Orders and work orders each release in the same order of precedence,
 * so the share is enough.
 */
async function shareOfOrders(
  tx: ClientTransaction,
  { facilityCode }: Book,
  lot: { readonly sku: string } & Lot,
  qty: number,
): Promise<number> {
  const held = (await listReservationsOfLots(tx, facilityCode, [lot])).filter(({ allocated }) => allocated > 0);
  const ownersOf = (type: "ORDER" | "WORK_ORDER") => [
    ...new Set(held.filter(({ ownerType }) => ownerType === type).map(({ ownerId }) => ownerId)),
  ];
  const workOrderIds = ownersOf("WORK_ORDER");
  if (workOrderIds.length === 0) return qty;
  // In the lock order of the functions that free allocations.
  const orders = await lockOrders(tx, ownersOf("ORDER"));
  const workOrders = await lockWorkOrders(tx, workOrderIds);
  const owners = new Map<string, { readonly priority: number; readonly receivedAt: string }>([
    ...orders.map((order) => [`ORDER ${order.orderId}`, order] as const),
    ...workOrders.map((workOrder) => [`WORK_ORDER ${workOrder.workOrderId}`, workOrder] as const),
  ]);
  const inTurn = held
    .flatMap(({ ownerType, ownerId, allocated }) => {
      const owner = owners.get(`${ownerType} ${ownerId}`);
      return owner ? { ownerType, allocated, priority: owner.priority, receivedAt: owner.receivedAt } : [];
    })
    .sort(
      (a, b) => b.priority - a.priority || (a.receivedAt < b.receivedAt ? 1 : a.receivedAt > b.receivedAt ? -1 : 0),
    );
  let left = qty;
  let share = 0;
  for (const { ownerType, allocated } of inTurn) {
    const part = Math.min(left, allocated);
    if (ownerType === "ORDER") share += part;
    left -= part;
  }
  return share;
}
