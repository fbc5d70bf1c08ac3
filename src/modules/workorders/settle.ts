import { type Book, type Holdings, postMovements, writeReservations } from "#/modules/inventory/index.ts";
import type { WorkOrder } from "#/modules/workorders/domain.ts";
import { writeComponents, writeHeaders } from "#/modules/workorders/repository.ts";
import type { WorkOrderState } from "#/modules/workorders/states.ts";
import { recordAudits } from "#/store/db/audit.ts";
import type { UnitOfWork } from "#/store/db/database.ts";

/** A work order that a command changes. */
export interface WorkOrderChange {
  /** The changed work order; its version and time are still those of the read. */
  readonly workOrder: WorkOrder;
  /** Verb of the audit line: `allocate`, `free`, `update`, `cancel`, `report`. */
  readonly action: string;
  /** The state before the change. */
  readonly from: WorkOrderState;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/**
 * Writes planned changes: the work orders with a new version, their audit lines, the ledger and the reservations.
 *
 * @returns the written work orders, in the given order.
 */
export function settleWorkOrders(
  tx: UnitOfWork,
  book: Book,
  holdings: Holdings,
  changes: readonly WorkOrderChange[],
): WorkOrder[] {
  const written = changes.map(({ workOrder }) => ({
    ...workOrder,
    version: workOrder.version + 1,
    updatedAt: tx.change.at,
  }));
  if (written.length > 0) {
    writeHeaders(tx, written);
    writeComponents(tx, written);
  }
  writeStock(tx, book, holdings);
  recordAudits(
    tx,
    changes.map(({ workOrder, action, from, detail = {} }) => ({
      action,
      objectType: "workOrder",
      objectId: workOrder.workOrderId,
      detail: {
        ...(from === workOrder.status ? { status: from } : { from, to: workOrder.status }),
        ...detail,
      },
    })),
  );
  return written;
}

/** Writes only the ledger and the reservations. */
export function writeStock(tx: UnitOfWork, book: Book, holdings: Holdings): void {
  if (holdings.movements.length === 0) return;
  postMovements(tx, book, tx.change.ids, holdings.movements);
  const reservations = holdings.changed();
  if (reservations.length > 0) writeReservations(tx, reservations);
}
