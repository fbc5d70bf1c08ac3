import type { Work, WorkFinishedGood, WorkLine } from "#/modules/facilities/index.ts";
import { listReservations, type Reservation } from "#/modules/inventory/index.ts";
import type { WorkOrder } from "#/modules/workorders/domain.ts";
import { readWorkOrders } from "#/modules/workorders/repository.ts";
import type { ClientTx } from "#/store/db/database.ts";

/**
 * The assembly work of the facility for these work orders: wanted from the reservation of all components until the end
 * of the work. Its lines are the components with their reserved lots, under the line numbers of the components.
 */
export async function listAssemblyWork(tx: ClientTx, workOrderIds: readonly string[]): Promise<Work[]> {
  const [workOrders, reservations] = await Promise.all([
    readWorkOrders(tx, workOrderIds),
    listReservations(tx, "WORK_ORDER", workOrderIds),
  ]);
  const heldBy = Map.groupBy(reservations, ({ ownerId }) => ownerId);
  return workOrders.map((workOrder): Work => {
    const isWanted = workOrder.status === "RELEASED" || workOrder.status === "IN_PROGRESS";
    return {
      type: "WORK_ORDER",
      objectId: workOrder.workOrderId,
      facilityCode: workOrder.facilityCode,
      isWanted,
      priority: workOrder.priority,
      dueAt: workOrder.dueDate,
      notes: workOrder.notes,
      lines: isWanted ? linesOf(workOrder, heldBy.get(workOrder.workOrderId) ?? []) : [],
      ...(isWanted ? { finishedGood: finishedGoodOf(workOrder) } : {}),
    };
  });
}

function finishedGoodOf({ finishedGoodSku: sku, uom, ordered, completed, consumption }: WorkOrder): WorkFinishedGood {
  return { sku, qty: ordered - completed, uom, consumption };
}

function linesOf({ components }: WorkOrder, held: readonly Reservation[]): WorkLine[] {
  return components.flatMap(({ lineNumber, sku, uom }) =>
    held
      .filter((reservation) => reservation.lineNumber === lineNumber && reservation.allocated > 0)
      .map(({ allocated, stockPool, batchRef, expiryDate }) => ({
        lineNumber,
        sku,
        qty: allocated,
        uom,
        stockPool,
        ...(batchRef === "" ? {} : { batchRef }),
        ...(expiryDate === "infinity" ? {} : { expiryDate }),
      })),
  );
}
