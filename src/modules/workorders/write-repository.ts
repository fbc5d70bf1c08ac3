import type { ClientTransaction } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { insertInto, updateOf } from "#/db/table.ts";
import { formatQuantity } from "#/kernel/values/quantity.ts";
import { hasEnded, outstanding, type WorkOrder } from "#/modules/workorders/domain.ts";
import * as tables from "#/modules/workorders/tables.ts";

const writeAll = updateOf(tables.workOrder, {
  set: [
    ...(["status", "qty_ordered", "qty_completed", "due_date", "priority", "notes"] as const),
    ...(["updated_at", "version"] as const),
  ],
});
const upsertComponents = insertInto(tables.workOrderComponent, {
  onConflict: {
    set: [
      ...(["qty_per", "qty_required", "qty_allocated", "qty_consumed", "qty_scrapped"] as const),
      ...(["priority", "is_waiting"] as const),
    ],
  },
  returning: ["line_number"],
});

/** The primary key resolves races: if another transaction inserts the work order first, this transaction fails. */
export function insertWorkOrder(tx: ClientTransaction, workOrder: WorkOrder): void {
  tx.send(sql`insert into work_order (client_id, work_order_id, facility_code, status, finished_good_sku, uom, qty_ordered,
        consumption, due_date, priority, notes, received_at, updated_at)
      values (${tenant}, ${workOrder.workOrderId}, ${workOrder.facilityCode}, ${workOrder.status},
        ${workOrder.finishedGoodSku}, ${workOrder.uom}, ${formatQuantity(workOrder.ordered)}, ${workOrder.consumption},
        ${workOrder.dueDate ?? null}, ${workOrder.priority}, ${workOrder.notes ?? null}, ${workOrder.receivedAt},
        ${workOrder.updatedAt})`);
  writeComponents(tx, [workOrder]);
}

/** Writes the headers with their versions. */
export function writeHeaders(tx: ClientTransaction, workOrders: readonly WorkOrder[]): void {
  const rows = workOrders.map((workOrder) => ({
    work_order_id: workOrder.workOrderId,
    status: workOrder.status,
    qty_ordered: formatQuantity(workOrder.ordered),
    qty_completed: formatQuantity(workOrder.completed),
    due_date: workOrder.dueDate,
    priority: workOrder.priority,
    notes: workOrder.notes,
    updated_at: workOrder.updatedAt,
    version: workOrder.version,
  }));
  writeAll.send(tx, rows);
}

/** Writes the components; new ones are inserted. */
export function writeComponents(tx: ClientTransaction, workOrders: readonly WorkOrder[]): void {
  const rows = workOrders.flatMap(({ workOrderId, facilityCode, priority, receivedAt, status, components }) =>
    components.map((component) => ({
      work_order_id: workOrderId,
      line_number: component.lineNumber,
      sku: component.sku,
      uom: component.uom,
      qty_per: formatQuantity(component.qtyPer),
      qty_required: formatQuantity(component.required),
      qty_allocated: formatQuantity(component.allocated),
      qty_consumed: formatQuantity(component.consumed),
      qty_scrapped: formatQuantity(component.scrapped),
      facility_code: facilityCode,
      priority,
      received_at: receivedAt,
      is_waiting: !hasEnded(status) && outstanding(component) > 0,
    })),
  );
  upsertComponents.send(tx, rows);
}

/** Deletes components that an update left out. */
export function deleteComponents(tx: ClientTransaction, workOrderId: string, lineNumbers: readonly number[]): void {
  tx.send(sql`delete from work_order_component
      where client_id = ${tenant} and work_order_id = ${workOrderId} and line_number = any(${lineNumbers}::integer[])`);
}
