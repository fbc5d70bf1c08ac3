import type { Transaction } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantSend } from "#/db/tenant.ts";
import { formatQuantity } from "#/kernel/quantity.ts";
import { hasEnded, outstanding, type WorkOrder } from "#/modules/workorders/domain.ts";

/** The primary key decides: a work order that another transaction inserted first fails this one. */
export function insertWorkOrder(tx: Transaction, clientId: string, workOrder: WorkOrder): void {
  tenantSend(
    tx,
    clientId,
    sql`insert into work_order (client_id, work_order_id, facility_code, status, finished_good_sku, uom, qty_ordered,
        consumption, due_date, priority, notes, received_at, updated_at)
      values (${tenant}, ${workOrder.workOrderId}, ${workOrder.facilityCode}, ${workOrder.status},
        ${workOrder.finishedGoodSku}, ${workOrder.uom}, ${formatQuantity(workOrder.ordered)}, ${workOrder.consumption},
        ${workOrder.dueDate ?? null}, ${workOrder.priority}, ${workOrder.notes ?? null}, ${workOrder.receivedAt},
        ${workOrder.updatedAt})`,
  );
  writeComponents(tx, clientId, [workOrder]);
}

/** The headers as they are, each of them with its version. */
export function writeHeaders(tx: Transaction, clientId: string, workOrders: readonly WorkOrder[]): void {
  const rows = workOrders.map((it) => ({
    w: it.workOrderId,
    s: it.status,
    q: formatQuantity(it.ordered),
    c: formatQuantity(it.completed),
    d: it.dueDate,
    p: it.priority,
    n: it.notes,
    u: it.updatedAt,
    v: it.version,
  }));
  tenantSend(
    tx,
    clientId,
    sql`update work_order o set status = x.s, qty_ordered = x.q, qty_completed = x.c, due_date = x.d, priority = x.p,
        notes = x.n, updated_at = x.u, version = x.v
      from json_to_recordset(${JSON.stringify(rows)}::json) as x(w text, s text, q numeric, c numeric, d timestamptz,
        p smallint, n text, u timestamptz, v integer)
      where o.client_id = ${tenant} and o.work_order_id = x.w`,
  );
}

/** The components as they are; those that are new are inserted. */
export function writeComponents(tx: Transaction, clientId: string, workOrders: readonly WorkOrder[]): void {
  const rows = workOrders.flatMap(({ workOrderId, facilityCode, priority, receivedAt, status, components }) =>
    components.map((it) => ({
      w: workOrderId,
      f: facilityCode,
      i: priority,
      t: receivedAt,
      o: !hasEnded(status) && outstanding(it) > 0,
      l: it.lineNumber,
      s: it.sku,
      m: it.uom,
      p: formatQuantity(it.qtyPer),
      r: formatQuantity(it.required),
      a: formatQuantity(it.allocated),
      c: formatQuantity(it.consumed),
      x: formatQuantity(it.scrapped),
    })),
  );
  tenantSend(
    tx,
    clientId,
    sql`insert into work_order_component as o (client_id, work_order_id, line_number, sku, uom, qty_per, qty_required,
        qty_allocated, qty_consumed, qty_scrapped, facility_code, priority, received_at, is_waiting)
      select t.client_id, x.w, x.l, x.s, x.m, x.p, x.r, x.a, x.c, x.x, x.f, x.i, x.t, x.o
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as x(w text, l integer, s text, m text,
        p numeric, r numeric, a numeric, c numeric, x numeric, f text, i smallint, t timestamptz, o boolean)
      where t.client_id = ${tenant}
      on conflict (client_id, work_order_id, line_number) do update set qty_per = excluded.qty_per,
        qty_required = excluded.qty_required, qty_allocated = excluded.qty_allocated,
        qty_consumed = excluded.qty_consumed, qty_scrapped = excluded.qty_scrapped, priority = excluded.priority,
        is_waiting = excluded.is_waiting
      returning o.line_number`,
  );
}

/** Components that an update left out. */
export function deleteComponents(
  tx: Transaction,
  clientId: string,
  workOrderId: string,
  lineNumbers: readonly number[],
): void {
  tenantSend(
    tx,
    clientId,
    sql`delete from work_order_component
      where client_id = ${tenant} and work_order_id = ${workOrderId} and line_number = any(${lineNumbers}::integer[])`,
  );
}
