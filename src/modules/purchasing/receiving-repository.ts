import type { Transaction, Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery, tenantSend } from "#/db/tenant.ts";
import { formatQuantity, parseQuantity } from "#/kernel/quantity.ts";
import type { PurchaseOrderState } from "#/modules/purchasing/domain.ts";
import type { Discrepancy, Progress, ReceivingLine } from "#/modules/purchasing/receiving-domain.ts";
import type { PurchaseOrderKey } from "#/modules/purchasing/repository.ts";

export interface ReceivingHeader extends PurchaseOrderKey, Progress {
  readonly distributionCentre: string;
}

interface HeaderRow {
  readonly po_number: string;
  readonly vendor_order_id: string;
  readonly status: PurchaseOrderState;
  readonly distribution_centre: string;
  readonly completed_at: string | null;
  readonly closed_at: string | null;
}

const headerOf = (row: HeaderRow): ReceivingHeader => ({
  poNumber: row.po_number,
  vendorOrderId: row.vendor_order_id,
  status: row.status,
  distributionCentre: row.distribution_centre,
  completedAt: row.completed_at ?? undefined,
  closedAt: row.closed_at ?? undefined,
});

const headerColumns = sql`po_number, vendor_order_id, status, distribution_centre, completed_at, closed_at`;

/** All notices of these purchase orders, locked in key order until the transaction ends. */
export async function lockReceivingHeaders(
  tx: Tx,
  clientId: string,
  poNumbers: readonly string[],
): Promise<ReceivingHeader[]> {
  const rows = await tenantQuery<HeaderRow>(
    tx,
    clientId,
    sql`select ${headerColumns} from purchase_order
      where client_id = ${tenant} and po_number = any(${poNumbers}::text[])
      order by po_number, vendor_order_id limit 10000 for no key update`,
  );
  return rows.map(headerOf);
}

/** The same without a lock. */
export async function listReceivingHeaders(
  tx: Tx,
  clientId: string,
  poNumbers: readonly string[],
): Promise<ReceivingHeader[]> {
  const rows = await tenantQuery<HeaderRow>(
    tx,
    clientId,
    sql`select ${headerColumns} from purchase_order
      where client_id = ${tenant} and po_number = any(${poNumbers}::text[])
      order by po_number, vendor_order_id limit 10000`,
  );
  return rows.map(headerOf);
}

/** Complete purchase orders that were so before the moment, locked in key order. */
export async function lockFinishedHeaders(
  tx: Tx,
  clientId: string,
  before: string,
  limit: number,
): Promise<ReceivingHeader[]> {
  const rows = await tenantQuery<HeaderRow>(
    tx,
    clientId,
    sql`select ${headerColumns} from purchase_order
      where client_id = ${tenant} and status = 'RECEIVED' and completed_at < ${before}::timestamptz
      order by po_number, vendor_order_id limit ${limit} for no key update`,
  );
  return rows.map(headerOf);
}

export interface StoredReceivingLine extends ReceivingLine, PurchaseOrderKey {
  readonly discrepancy: Discrepancy;
}

export async function listReceivingLines(
  tx: Tx,
  clientId: string,
  poNumbers: readonly string[],
): Promise<StoredReceivingLine[]> {
  const rows = await tenantQuery<{
    po_number: string;
    vendor_order_id: string;
    line_number: number;
    sku: string;
    qty: string;
    qty_received: string;
    qty_damaged: string;
    discrepancy: Discrepancy;
  }>(
    tx,
    clientId,
    sql`select po_number, vendor_order_id, line_number, sku, qty, qty_received, qty_damaged, discrepancy
      from purchase_order_line where client_id = ${tenant} and po_number = any(${poNumbers}::text[])
      order by po_number, vendor_order_id, line_number limit 100000`,
  );
  return rows.map((row) => ({
    poNumber: row.po_number,
    vendorOrderId: row.vendor_order_id,
    lineNumber: row.line_number,
    sku: row.sku,
    qty: parseQuantity(row.qty) as number,
    received: parseQuantity(row.qty_received) as number,
    damaged: parseQuantity(row.qty_damaged) as number,
    discrepancy: row.discrepancy,
  }));
}

export function writeReceivingHeaders(
  tx: Transaction,
  clientId: string,
  at: string,
  headers: readonly ReceivingHeader[],
): void {
  if (headers.length === 0) return;
  const rows = headers.map((header) => ({
    p: header.poNumber,
    v: header.vendorOrderId,
    s: header.status,
    c: header.completedAt,
    d: header.closedAt,
  }));
  tenantSend(
    tx,
    clientId,
    sql`update purchase_order o set status = x.s, completed_at = x.c, closed_at = x.d, updated_at = ${at}::timestamptz,
        version = o.version + 1
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as x(p text, v text, s text, c timestamptz, d timestamptz)
      where o.client_id = ${tenant} and o.po_number = x.p and o.vendor_order_id = x.v`,
  );
}

export function writeReceivingLines(tx: Transaction, clientId: string, lines: readonly StoredReceivingLine[]): void {
  if (lines.length === 0) return;
  const rows = lines.map((line) => ({
    p: line.poNumber,
    v: line.vendorOrderId,
    n: line.lineNumber,
    r: formatQuantity(line.received),
    d: formatQuantity(line.damaged),
    y: line.discrepancy,
  }));
  tenantSend(
    tx,
    clientId,
    sql`update purchase_order_line l set qty_received = x.r, qty_damaged = x.d, discrepancy = x.y
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as x(p text, v text, n integer, r numeric, d numeric, y text)
      where l.client_id = ${tenant} and l.po_number = x.p and l.vendor_order_id = x.v and l.line_number = x.n`,
  );
}
