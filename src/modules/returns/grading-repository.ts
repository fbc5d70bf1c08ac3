import type { Transaction, Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery, tenantSend } from "#/db/tenant.ts";
import { formatQuantity, parseQuantity } from "#/kernel/quantity.ts";
import type { Disposition, ExpectedLine, ReturnDiscrepancy, ReturnState } from "#/modules/returns/grading-domain.ts";

export interface ReturnHeader {
  readonly rmaNumber: string;
  readonly status: ReturnState;
  readonly distributionCentre: string;
  readonly orderReference: string | undefined;
  readonly orderId: string | undefined;
  readonly closedAt: string | undefined;
  /** As it was read; each write counts it up. */
  readonly version: number;
}

interface HeaderRow {
  readonly rma_number: string;
  readonly status: ReturnState;
  readonly distribution_centre: string;
  readonly order_reference: string | null;
  readonly order_id: string | null;
  readonly closed_at: string | null;
  readonly version: number;
}

const headerOf = (row: HeaderRow): ReturnHeader => ({
  rmaNumber: row.rma_number,
  status: row.status,
  distributionCentre: row.distribution_centre,
  orderReference: row.order_reference ?? undefined,
  orderId: row.order_id ?? undefined,
  closedAt: row.closed_at ?? undefined,
  version: row.version,
});

const headerColumns = sql`rma_number, status, distribution_centre, order_reference, order_id, closed_at, version`;

/** These returns, locked in key order until the transaction ends. */
export async function lockReturns(tx: Tx, clientId: string, rmaNumbers: readonly string[]): Promise<ReturnHeader[]> {
  const rows = await tenantQuery<HeaderRow>(
    tx,
    clientId,
    sql`select ${headerColumns} from return_authorisation
      where client_id = ${tenant} and rma_number = any(${rmaNumbers}::text[])
      order by rma_number limit 10000 for no key update`,
  );
  return rows.map(headerOf);
}

/** The same without a lock. */
export async function listReturnHeaders(
  tx: Tx,
  clientId: string,
  rmaNumbers: readonly string[],
): Promise<ReturnHeader[]> {
  const rows = await tenantQuery<HeaderRow>(
    tx,
    clientId,
    sql`select ${headerColumns} from return_authorisation
      where client_id = ${tenant} and rma_number = any(${rmaNumbers}::text[]) order by rma_number limit 10000`,
  );
  return rows.map(headerOf);
}

/** Returns that were authorised before the moment and of which nothing came, locked in key order. */
export async function lockUnusedReturns(
  tx: Tx,
  clientId: string,
  before: string,
  limit: number,
): Promise<ReturnHeader[]> {
  const rows = await tenantQuery<HeaderRow>(
    tx,
    clientId,
    sql`select ${headerColumns} from return_authorisation
      where client_id = ${tenant} and status = 'AUTHORISED' and received_at < ${before}::timestamptz
      order by rma_number limit ${limit} for no key update`,
  );
  return rows.map(headerOf);
}

export interface StoredReturnLine extends ExpectedLine {
  readonly rmaNumber: string;
  readonly discrepancy: ReturnDiscrepancy;
}

export async function listReturnLines(
  tx: Tx,
  clientId: string,
  rmaNumbers: readonly string[],
): Promise<StoredReturnLine[]> {
  const rows = await tenantQuery<{
    rma_number: string;
    line_number: number;
    sku: string;
    qty_expected: string;
    qty_received: string;
    discrepancy: ReturnDiscrepancy;
  }>(
    tx,
    clientId,
    sql`select rma_number, line_number, sku, qty_expected, qty_received, discrepancy from return_authorisation_line
      where client_id = ${tenant} and rma_number = any(${rmaNumbers}::text[])
      order by rma_number, line_number limit 100000`,
  );
  return rows.map((row) => ({
    rmaNumber: row.rma_number,
    lineNumber: row.line_number,
    sku: row.sku,
    expected: parseQuantity(row.qty_expected) as number,
    received: parseQuantity(row.qty_received) as number,
    discrepancy: row.discrepancy,
  }));
}

/** A quantity and what was made of it. */
export interface GradedQuantity {
  readonly lineNumber: number | undefined;
  readonly sku: string;
  readonly disposition: Disposition;
  readonly qty: number;
  readonly note: string | undefined;
}

interface GradedRow {
  readonly line_number: number | null;
  readonly sku: string;
  readonly disposition: Disposition;
  readonly qty: string;
  readonly note: string | null;
}

const gradedOf = (row: GradedRow): GradedQuantity => ({
  lineNumber: row.line_number ?? undefined,
  sku: row.sku,
  disposition: row.disposition,
  qty: parseQuantity(row.qty) as number,
  note: row.note ?? undefined,
});

/** What was made of the goods of a return so far, in the order in which they came. */
export async function listGraded(tx: Tx, clientId: string, rmaNumber: string): Promise<GradedQuantity[]> {
  const rows = await tenantQuery<GradedRow>(
    tx,
    clientId,
    sql`select line_number, sku, disposition, qty, note from return_disposition
      where client_id = ${tenant} and rma_number = ${rmaNumber} order by entry_id limit 100000`,
  );
  return rows.map(gradedOf);
}

/** The same of a parcel that came back to its sender. */
export async function listGradedOfParcel(tx: Tx, clientId: string, olpnId: string): Promise<GradedQuantity[]> {
  const rows = await tenantQuery<GradedRow>(
    tx,
    clientId,
    sql`select line_number, sku, disposition, qty, note from return_disposition
      where client_id = ${tenant} and olpn_id is not null and olpn_id = ${olpnId} order by entry_id limit 100000`,
  );
  return rows.map(gradedOf);
}

export interface GradedWrite extends GradedQuantity {
  readonly entryId: string;
}

/** @param source the authorisation or the parcel; neither for a blind return */
export function insertGraded(
  tx: Transaction,
  clientId: string,
  at: string,
  source: { readonly rmaNumber?: string | undefined; readonly olpnId?: string | undefined },
  graded: readonly GradedWrite[],
): void {
  if (graded.length === 0) return;
  const rows = graded.map((each) => ({
    i: each.entryId,
    n: each.lineNumber,
    s: each.sku,
    d: each.disposition,
    q: formatQuantity(each.qty),
    t: each.note,
  }));
  tenantSend(
    tx,
    clientId,
    sql`insert into return_disposition as d (client_id, rma_number, entry_id, olpn_id, line_number, sku, disposition, qty,
        note, booked_at)
      select t.client_id, ${source.rmaNumber ?? ""}, x.i, ${source.olpnId ?? null}::text, x.n, x.s, x.d, x.q, x.t,
        ${at}::timestamptz
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as x(i uuid, n integer, s text, d text,
        q numeric, t text)
      where t.client_id = ${tenant}`,
  );
}

export function writeReturnHeaders(
  tx: Transaction,
  clientId: string,
  at: string,
  headers: readonly ReturnHeader[],
): void {
  if (headers.length === 0) return;
  const rows = headers.map(({ rmaNumber, status, closedAt }) => ({ m: rmaNumber, s: status, c: closedAt }));
  tenantSend(
    tx,
    clientId,
    sql`update return_authorisation r set status = x.s, closed_at = x.c, updated_at = ${at}::timestamptz,
        version = r.version + 1
      from json_to_recordset(${JSON.stringify(rows)}::json) as x(m text, s text, c timestamptz)
      where r.client_id = ${tenant} and r.rma_number = x.m`,
  );
}

export function writeReturnLines(tx: Transaction, clientId: string, lines: readonly StoredReturnLine[]): void {
  if (lines.length === 0) return;
  const rows = lines.map((line) => ({
    m: line.rmaNumber,
    n: line.lineNumber,
    q: formatQuantity(line.received),
    d: line.discrepancy,
  }));
  tenantSend(
    tx,
    clientId,
    sql`update return_authorisation_line l set qty_received = x.q, discrepancy = x.d
      from json_to_recordset(${JSON.stringify(rows)}::json) as x(m text, n integer, q numeric, d text)
      where l.client_id = ${tenant} and l.rma_number = x.m and l.line_number = x.n`,
  );
}
