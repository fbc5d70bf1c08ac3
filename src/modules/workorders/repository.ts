import type { ReceiptPlace, ReceiptSort } from "#/http/requests/paging.ts";
import {
  beyondPlace,
  byReceipt,
  type ReceiptColumns,
  type Received,
  readReceiptPage,
  receivedUs,
} from "#/http/requests/receipt-repository.ts";
import { formatQuantity } from "#/kernel/values/quantity.ts";
import { type Component, hasEnded, outstanding, type WorkOrder } from "#/modules/workorders/domain.ts";
import * as tables from "#/modules/workorders/tables.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { allOf, type Statement, sql, tenant } from "#/store/db/sql.ts";
import { insertInto, updateOf } from "#/store/db/table.ts";

/** The most components of one work order; it limits what a page of a list or a turn of the allocator reads. */
export const componentsMax = 200;
const workOrdersMax = 1_000;
const rowsMax = workOrdersMax * componentsMax;

type Nullable = Pick<WorkOrder, "dueDate" | "notes">;
type StoredWorkOrder = Omit<WorkOrder, "components" | keyof Nullable> & Record<keyof Nullable, string | null>;
type StoredComponent = Component & { readonly workOrderId: string };

/** Quantities are integer thousandths. */
const headerColumns = sql`work_order_id as "workOrderId", facility_code as "facilityCode", status,
  finished_good_sku as "finishedGoodSku", uom, (qty_ordered * 1000)::bigint as ordered,
  (qty_completed * 1000)::bigint as completed, consumption, due_date as "dueDate", priority, notes,
  received_at as "receivedAt", updated_at as "updatedAt", version`;

const componentColumns = sql`work_order_id as "workOrderId", line_number as "lineNumber", sku, uom,
  (qty_per * 1000)::bigint as "qtyPer", (qty_required * 1000)::bigint as required,
  (qty_allocated * 1000)::bigint as allocated, (qty_consumed * 1000)::bigint as consumed,
  (qty_scrapped * 1000)::bigint as scrapped`;

/**
 * The facility that makes the work order: a transaction opens its book before it locks the work order. Takes no lock.
 */
export async function findFacility(tx: ClientTx, workOrderId: string): Promise<string | undefined> {
  const rows = await tx.query<{ facility_code: string }>(
    sql`select facility_code from work_order where client_id = ${tenant} and work_order_id = ${workOrderId} limit 1`,
  );
  return rows[0]?.facility_code;
}

/** The whole work orders, locked in key order until the transaction ends. Unknown ones are absent. */
export async function lockWorkOrders(tx: ClientTx, workOrderIds: readonly string[]): Promise<WorkOrder[]> {
  if (workOrderIds.length === 0) return [];
  const headers = tx.query<StoredWorkOrder>(sql`select ${headerColumns} from work_order
      where client_id = ${tenant} and work_order_id = any(${workOrderIds}::text[])
      order by work_order_id limit ${workOrdersMax} for no key update`);
  // This query follows the lock on the same connection: it starts when the locks are held, so it reads protected rows.
  return assemble(...(await Promise.all([headers, listComponents(tx, workOrderIds)])));
}

/** The work orders without a lock, in their current state. */
export async function readWorkOrders(tx: ClientTx, workOrderIds: readonly string[]): Promise<WorkOrder[]> {
  if (workOrderIds.length === 0) return [];
  const [headers, components] = await Promise.all([
    tx.query<StoredWorkOrder>(sql`select ${headerColumns} from work_order
        where client_id = ${tenant} and work_order_id = any(${workOrderIds}::text[])
        order by work_order_id limit ${workOrdersMax}`),
    listComponents(tx, workOrderIds),
  ]);
  return assemble(headers, components);
}

export interface WorkOrderFilter {
  readonly status: string | undefined;
  readonly facilityCode: string | undefined;
  /** ISO 8601 UTC. */
  readonly updatedSince: string | undefined;
}

export interface WorkOrderPageRequest {
  readonly filter: WorkOrderFilter;
  readonly sort: ReceiptSort;
  readonly after: ReceiptPlace | undefined;
  readonly limit: number;
}

/** A page of work orders by receipt, each with its place in the list. */
export async function listWorkOrders(tx: ClientTx, page: WorkOrderPageRequest): Promise<Received<WorkOrder>[]> {
  const rows = await listHeaders(tx, page);
  const ids = rows.map(({ workOrderId }) => workOrderId);
  return assemble(rows, ids.length === 0 ? [] : await listComponents(tx, ids));
}

const byWorkOrder: ReceiptColumns = { receivedAt: sql`received_at`, id: sql`work_order_id` };

function listHeaders(tx: ClientTx, page: WorkOrderPageRequest): Promise<Received<StoredWorkOrder>[]> {
  const { updatedSince } = page.filter;
  return readReceiptPage(byWorkOrder, { ...page, updatedSince }, indexOf(page.filter), (condition) =>
    selectHeaders(tx, page, condition),
  );
}

/** The condition that matches the index for this filter (docs/decisions/0036-statistics.md). */
function indexOf({ status, facilityCode }: WorkOrderFilter): Statement {
  if (status !== undefined) return sql`received_at < 'infinity'`;
  return facilityCode === undefined ? sql`received_at >= '-infinity'` : sql`facility_code > ''`;
}

function selectHeaders(
  tx: ClientTx,
  { filter, sort, after, limit }: WorkOrderPageRequest,
  index: Statement,
): Promise<Received<StoredWorkOrder>[]> {
  const conditions = allOf([
    index,
    filter.status === undefined ? undefined : sql`status = ${filter.status}`,
    filter.facilityCode === undefined ? undefined : sql`facility_code = ${filter.facilityCode}`,
    after === undefined ? undefined : beyondPlace(byWorkOrder, after, sort),
  ]);
  return tx.query(sql`select ${headerColumns}, ${receivedUs} from work_order where client_id = ${tenant} and ${conditions}
      order by ${byReceipt(byWorkOrder, sort)} limit ${limit}`);
}

function listComponents(tx: ClientTx, workOrderIds: readonly string[]): Promise<StoredComponent[]> {
  return tx.query(sql`select ${componentColumns} from work_order_component
      where client_id = ${tenant} and work_order_id = any(${workOrderIds}::text[])
      order by work_order_id, line_number limit ${rowsMax}`);
}

function assemble<Row extends StoredWorkOrder>(
  headers: readonly Row[],
  components: readonly StoredComponent[],
): (Omit<Row, keyof Nullable> & Nullable & Pick<WorkOrder, "components">)[] {
  const componentsOf = Map.groupBy(components, ({ workOrderId }) => workOrderId);
  return headers.map((row) => ({
    ...row,
    dueDate: row.dueDate ?? undefined,
    notes: row.notes ?? undefined,
    components: (componentsOf.get(row.workOrderId) ?? []).map(({ workOrderId, ...component }) => component),
  }));
}

/** Work orders of the facility that wait for any of these SKUs, in the order of allocation: priority, then receipt. */
export async function listWaiting(
  tx: ClientTx,
  facilityCode: string,
  skus: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ work_order_id: string }>(sql`select work_order_id from work_order_component
      where client_id = ${tenant} and facility_code = ${facilityCode} and sku = any(${skus}::text[]) and is_waiting
      group by work_order_id order by min(priority), min(received_at), work_order_id limit ${limit}`);
  return rows.map(({ work_order_id }) => work_order_id);
}

const writeAll = updateOf(tables.workOrder, {
  set: ["status", "qty_ordered", "qty_completed", "due_date", "priority", "notes", "updated_at", "version"],
});
const upsertComponents = insertInto(tables.workOrderComponent, {
  onConflict: {
    set: ["qty_per", "qty_required", "qty_allocated", "qty_consumed", "qty_scrapped", "priority", "is_waiting"],
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
