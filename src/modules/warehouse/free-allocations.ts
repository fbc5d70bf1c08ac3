import type { Transaction } from "#/db/database.ts";
import { type Book, type FreeAllocations, type Lot, listReservationsOfLots } from "#/modules/inventory/index.ts";
import { freeOrderAllocations, lockOrders } from "#/modules/orders/index.ts";
import { freeComponentAllocations, lockWorkOrders } from "#/modules/workorders/index.ts";

/** What orders and work orders hold of a lot is freed: of the lowest priority, then of the newest (lifecycle.md §1). */
export const freeAllocations: FreeAllocations = async (tx, change, book, lot, qty) => {
  const share = await shareOfOrders(tx, book, lot, qty);
  const ofOrders = share > 0 ? await freeOrderAllocations(tx, change, book, lot, share) : { freed: 0, drafts: [] };
  if (ofOrders.freed >= qty) return ofOrders;
  const ofWorkOrders = await freeComponentAllocations(tx, change, book, lot, qty - ofOrders.freed);
  return { freed: ofOrders.freed + ofWorkOrders.freed, drafts: [...ofOrders.drafts, ...ofWorkOrders.drafts] };
};

/** How much of it falls to orders. Each of the two sorts gives its own in the same order, so the share is all they need. */
async function shareOfOrders(
  tx: Transaction,
  { clientId, facilityCode }: Book,
  lot: { readonly sku: string } & Lot,
  qty: number,
): Promise<number> {
  const held = (await listReservationsOfLots(tx, clientId, facilityCode, [lot])).filter(
    ({ allocated }) => allocated > 0,
  );
  const ownersOf = (type: "ORDER" | "WORK_ORDER") => [
    ...new Set(held.filter(({ ownerType }) => ownerType === type).map(({ ownerId }) => ownerId)),
  ];
  const workOrderIds = ownersOf("WORK_ORDER");
  if (workOrderIds.length === 0) return qty;
  // In this order, as whoever frees locks them.
  const orders = await lockOrders(tx, clientId, ownersOf("ORDER"));
  const workOrders = await lockWorkOrders(tx, clientId, workOrderIds);
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
