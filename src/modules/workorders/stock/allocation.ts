import {
  type Book,
  createHoldings,
  type FreeAllocations,
  type HolderKind,
  type Holdings,
  listReservations,
  listReservationsOfLots,
  readFreeStock,
  type Supply,
  sumOf,
  takeStock,
} from "#/modules/inventory/index.ts";
import {
  type Component,
  isFullyAllocated,
  outstanding,
  stateAfter,
  type WorkOrder,
  withComponents,
} from "#/modules/workorders/domain.ts";
import { workOrderEvent } from "#/modules/workorders/record.ts";
import * as repository from "#/modules/workorders/repository.ts";
import { settleWorkOrders, type WorkOrderChange } from "#/modules/workorders/settle.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

/** Work orders that one turn reads; turns follow until no work order waits for free stock. */
const workOrdersMax = 200;

/**
 * Allocates free stock of these SKUs to the waiting work orders of the book's facility: the highest priority first,
 * then the earliest receipt. It uses unexpired GOOD stock of the default pool, first expired first out, then first in
 * first out. The precedence between orders and work orders is not decided here: the allocator serves the orders, then
 * calls this.
 *
 * @returns a `workOrder:updated` for each work order that got stock; the caller appends them in the same transaction.
 */
export async function allocateComponents(tx: UnitOfWork, book: Book, skus: readonly string[]): Promise<EventDraft[]> {
  const drafts: EventDraft[] = [];
  const { allocatable: supplies } = await readFreeStock(tx, book, skus);
  for (;;) {
    const there = [...supplies].filter(([, lots]) => sumOf(lots) > 0).map(([sku]) => sku);
    if (there.length === 0) return drafts;
    const ids = await repository.listWaiting(tx, book.facilityCode, there, workOrdersMax);
    if (ids.length === 0) return drafts;
    const [locked, reservations] = await Promise.all([
      repository.lockWorkOrders(tx, ids),
      listReservations(tx, "WORK_ORDER", ids),
    ]);
    const holdings = createHoldings(workOrderHolder, book, reservations);
    const byId = new Map(locked.map((workOrder) => [workOrder.workOrderId, workOrder]));
    const served = ids.flatMap((id) => {
      const before = byId.get(id);
      const after = before && allocate(before, supplies, holdings);
      return after && after !== before ? [{ workOrder: after, from: before.status, action: "allocate" }] : [];
    });
    const written = settleWorkOrders(tx, book, holdings, served);
    drafts.push(...written.map((workOrder) => workOrderEvent(book.clientId, "workOrder:updated", workOrder)));
    // Each of these work orders waited for free stock: after a turn that served none, another turn would read the same
    // ones.
    if (served.length === 0 || ids.length < workOrdersMax) return drafts;
  }
}

/** The work order with its new allocations and the state that follows; the same object if it got nothing. */
export function allocate(
  workOrder: WorkOrder,
  supplies: ReadonlyMap<string, readonly Supply[]>,
  holdings: Holdings,
): WorkOrder {
  const { workOrderId } = workOrder;
  const after = withComponents(workOrder, (component) => {
    const taken = takeStock(supplies.get(component.sku) ?? [], outstanding(component));
    if (taken.length === 0) return component;
    for (const { lot, qty } of taken) holdings.reserve(keyOf(workOrderId, component), lot, qty);
    return { ...component, allocated: component.allocated + sumOf(taken) };
  });
  return withState(workOrder, after);
}

/** The work order in the state that follows from its allocations. */
export function withState(before: WorkOrder, after: WorkOrder): WorkOrder {
  const status = stateAfter(after.status, { type: "allocation", isComplete: isFullyAllocated(after) });
  const isSame = after.components.every((component, i) => component === before.components[i]);
  return status === undefined || (isSame && status === before.status) ? before : { ...after, status };
}

export const workOrderHolder = {
  ownerType: "WORK_ORDER",
  referenceType: "workOrder",
  outgoing: "CONSUMPTION",
} as const satisfies HolderKind;

export function keyOf(workOrderId: string, { lineNumber, sku }: Pick<Component, "lineNumber" | "sku">) {
  return { ownerId: workOrderId, lineNumber, sku };
}

/**
 * Takes up to `qty` of a missing lot back from work orders: the lowest priority first, then the newest. A released work
 * order waits again. One in progress continues and is allocated when stock arrives.
 */
export const freeComponentAllocations: FreeAllocations = async (tx, book, lot, qty) => {
  const { facilityCode } = book;
  const held = (await listReservationsOfLots(tx, facilityCode, [lot])).filter(
    ({ ownerType, allocated }) => ownerType === "WORK_ORDER" && allocated > 0,
  );
  const locked = await repository.lockWorkOrders(tx, [...new Set(held.map(({ ownerId }) => ownerId))]);
  const holdings = createHoldings(workOrderHolder, book, held);
  locked.sort((a, b) => b.priority - a.priority || (a.receivedAt < b.receivedAt ? 1 : -1));
  let left = qty;
  const changed: WorkOrderChange[] = [];
  for (const workOrder of locked) {
    if (left === 0) break;
    const after = withComponents(workOrder, (component) => {
      const key = keyOf(workOrder.workOrderId, component);
      const held = holdings.heldBy(key);
      const part = Math.min(left, sumOf(held.map(({ allocated }) => ({ qty: allocated }))));
      if (part === 0) return component;
      holdings.free(key, lot, part);
      left -= part;
      return { ...component, allocated: component.allocated - part };
    });
    const next = withState(workOrder, after);
    if (next !== workOrder)
      changed.push({ workOrder: next, from: workOrder.status, action: "free", detail: { sku: lot.sku } });
  }
  const written = settleWorkOrders(tx, book, holdings, changed);
  return {
    freed: qty - left,
    drafts: written.map((workOrder) => workOrderEvent(tx.clientId, "workOrder:updated", workOrder)),
  };
};
