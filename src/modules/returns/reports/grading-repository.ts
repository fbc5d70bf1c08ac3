import { formatQuantity, parseQuantity } from "#/kernel/values/quantity.ts";
import type { Lot } from "#/modules/inventory/index.ts";
import type { Disposition, ExpectedLine, ReturnDiscrepancy } from "#/modules/returns/reports/grading-domain.ts";
import { type ReturnState, unclosedReturn } from "#/modules/returns/states.ts";
import { returnAuthorisation, returnAuthorisationLine, returnDisposition } from "#/modules/returns/tables.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { type Answered, insertInto, selectFrom, updateOf } from "#/store/db/table.ts";

export interface ReturnHeader {
  readonly rmaNumber: string;
  readonly status: ReturnState;
  readonly distributionCentre: string;
  readonly orderReference: string | undefined;
  readonly orderId: string | undefined;
  readonly closedAt: string | undefined;
  /** The version of the read; each write increments it. */
  readonly version: number;
}

type HeaderRow = Answered<typeof returnAuthorisation.columns>;

const byNumber = { by: "rma_number", orderBy: ["rma_number"], limit: 10_000 } as const;
const readHeaders = selectFrom(returnAuthorisation, byNumber);
const lockHeaders = selectFrom(returnAuthorisation, { ...byNumber, lock: "for no key update" });
const writeProgress = updateOf(returnAuthorisation, {
  set: ["status", "closed_at", "updated_at"],
  also: { version: sql`return_authorisation.version + 1` },
});
const readLines = selectFrom(returnAuthorisationLine, {
  by: "rma_number",
  orderBy: ["rma_number", "line_number"],
  limit: 100_000,
});
const writeReceived = updateOf(returnAuthorisationLine, { set: ["qty_received", "discrepancy"] });
const insertDispositions = insertInto(returnDisposition);

const headerOf = (row: HeaderRow): ReturnHeader => ({
  rmaNumber: row.rma_number,
  status: row.status as ReturnState,
  distributionCentre: row.distribution_centre,
  orderReference: row.order_reference ?? undefined,
  orderId: row.order_id ?? undefined,
  closedAt: row.closed_at ?? undefined,
  version: row.version,
});

/** These returns, locked in key order until the transaction ends. */
export async function lockReturns(tx: ClientTx, rmaNumbers: readonly string[]): Promise<ReturnHeader[]> {
  return (await lockHeaders.query(tx, rmaNumbers)).map(headerOf);
}

/** These returns, without a lock. */
export async function listReturnHeaders(tx: ClientTx, rmaNumbers: readonly string[]): Promise<ReturnHeader[]> {
  return (await readHeaders.query(tx, rmaNumbers)).map(headerOf);
}

/** Unused returns that were authorised before the moment, locked in key order. */
export async function lockUnusedReturns(tx: ClientTx, before: string, limit: number): Promise<ReturnHeader[]> {
  const rows =
    await tx.query<HeaderRow>(sql`select rma_number, status, distribution_centre, order_reference, order_id, closed_at, version
      from return_authorisation
      where client_id = ${tenant} and status = 'AUTHORISED' and received_at < ${before}::timestamptz
      order by rma_number limit ${limit} for no key update`);
  return rows.map(headerOf);
}

/** Returns in receipt whose last change is before the moment of their state, locked in key order. */
export async function lockQuietReturns(
  tx: ClientTx,
  { completeBefore, shortBefore }: { readonly completeBefore: string; readonly shortBefore: string },
  limit: number,
): Promise<ReturnHeader[]> {
  const rows =
    await tx.query<HeaderRow>(sql`select rma_number, status, distribution_centre, order_reference, order_id, closed_at, version
      from return_authorisation
      where client_id = ${tenant} and status in ${unclosedReturn}
        and updated_at < greatest(${completeBefore}::timestamptz, ${shortBefore}::timestamptz)
        and updated_at < case status when 'RECEIVED' then ${completeBefore}::timestamptz else ${shortBefore}::timestamptz end
      order by rma_number limit ${limit} for no key update`);
  return rows.map(headerOf);
}

export interface StoredReturnLine extends ExpectedLine {
  readonly rmaNumber: string;
  readonly discrepancy: ReturnDiscrepancy;
}

/** The statement of the client about a line of a return. */
export interface ReturnLineWords {
  readonly returnReasonCode: string | undefined;
  readonly attributeOne: string | undefined;
  readonly attributeThree: string | undefined;
}

export interface DescribedReturnLine extends StoredReturnLine, ReturnLineWords {}

export async function listReturnLines(tx: ClientTx, rmaNumbers: readonly string[]): Promise<DescribedReturnLine[]> {
  const rows = await readLines.query(tx, rmaNumbers);
  return rows.map((row) => ({
    rmaNumber: row.rma_number,
    lineNumber: row.line_number,
    sku: row.sku,
    expected: parseQuantity(row.qty_expected) as number,
    received: parseQuantity(row.qty_received) as number,
    discrepancy: row.discrepancy as ReturnDiscrepancy,
    returnReasonCode: row.return_reason_code ?? undefined,
    attributeOne: row.attribute_one ?? undefined,
    attributeThree: row.attribute_three ?? undefined,
  }));
}

/** A quantity of one lot with its grade. */
export interface GradedQuantity extends Lot {
  readonly lineNumber: number | undefined;
  readonly sku: string;
  readonly disposition: Disposition;
  readonly qty: number;
  readonly serials: readonly string[];
  /** As the warehouse reported it. */
  readonly returnReasonCode: string | undefined;
  readonly note: string | undefined;
}

/** Fields that are null in the store where a quantity has none. */
type Nullable = "lineNumber" | "returnReasonCode" | "note";
export type GradedRow = Omit<GradedQuantity, Nullable> & {
  readonly [Field in Nullable]: NonNullable<GradedQuantity[Field]> | null;
};

export const gradedColumns = sql`line_number as "lineNumber", sku, disposition, (qty * 1000)::bigint as qty,
  stock_pool as "stockPool", batch_ref as "batchRef", expiry_date as "expiryDate", coalesce(serials, '{}') as serials,
  return_reason_code as "returnReasonCode", note`;

export const gradedQuantityOf = ({ lineNumber, returnReasonCode, note, ...goods }: GradedRow): GradedQuantity => ({
  ...goods,
  lineNumber: lineNumber ?? undefined,
  returnReasonCode: returnReasonCode ?? undefined,
  note: note ?? undefined,
});

/** The graded goods of a return so far, in order of receipt. */
export async function listGraded(tx: ClientTx, rmaNumber: string): Promise<GradedQuantity[]> {
  const rows = await tx.query<GradedRow>(sql`select ${gradedColumns} from return_disposition
      where client_id = ${tenant} and rma_number = ${rmaNumber} order by entry_id limit 100000`);
  return rows.map(gradedQuantityOf);
}

/** The graded goods of returns so far, by return, each in order of receipt. */
export async function listGradedOfReturns(
  tx: ClientTx,
  rmaNumbers: readonly string[],
): Promise<Map<string, GradedQuantity[]>> {
  const rows = await tx.query<
    GradedRow & { readonly rmaNumber: string }
  >(sql`select rma_number as "rmaNumber", ${gradedColumns} from return_disposition
      where client_id = ${tenant} and rma_number = any(${rmaNumbers}::text[]) order by rma_number, entry_id
      limit 100000`);
  const byReturn = Map.groupBy(rows, (row) => row.rmaNumber);
  return new Map([...byReturn].map(([rmaNumber, returnRows]) => [rmaNumber, returnRows.map(gradedQuantityOf)]));
}

/** The graded goods of a parcel that was returned to its sender. */
export async function listGradedOfParcel(tx: ClientTx, olpnId: string): Promise<GradedQuantity[]> {
  const rows = await tx.query<GradedRow>(sql`select ${gradedColumns} from return_disposition
      where client_id = ${tenant} and olpn_id is not null and olpn_id = ${olpnId} order by entry_id limit 100000`);
  return rows.map(gradedQuantityOf);
}

/** The graded goods of a blind return. The warehouses of two facilities may use the same identifier. */
export async function listGradedOfBlind(
  tx: ClientTx,
  facilityCode: string,
  returnId: string,
): Promise<GradedQuantity[]> {
  const rows = await tx.query<GradedRow>(sql`select ${gradedColumns} from return_disposition
      where client_id = ${tenant} and return_id is not null and return_id = ${returnId}
        and facility_code = ${facilityCode}
      order by entry_id limit 100000`);
  return rows.map(gradedQuantityOf);
}

/** The object of graded goods: the authorisation, the parcel, or the identifier of a blind return. */
export interface GradedSource {
  readonly facilityCode: string;
  readonly rmaNumber?: string | undefined;
  readonly olpnId?: string | undefined;
  readonly returnId?: string | undefined;
}

export interface GradedWrite extends GradedQuantity {
  readonly entryId: string;
}

export function insertGraded(
  tx: ClientTransaction,
  at: string,
  source: GradedSource,
  graded: readonly GradedWrite[],
): void {
  const rows = graded.map((gradedWrite) => ({
    rma_number: source.rmaNumber ?? "",
    entry_id: gradedWrite.entryId,
    olpn_id: source.olpnId,
    facility_code: source.facilityCode,
    return_id: source.returnId,
    line_number: gradedWrite.lineNumber,
    sku: gradedWrite.sku,
    disposition: gradedWrite.disposition,
    qty: formatQuantity(gradedWrite.qty),
    stock_pool: gradedWrite.stockPool,
    batch_ref: gradedWrite.batchRef,
    expiry_date: gradedWrite.expiryDate,
    serials: gradedWrite.serials.length === 0 ? null : gradedWrite.serials,
    return_reason_code: gradedWrite.returnReasonCode,
    note: gradedWrite.note,
    booked_at: at,
  }));
  insertDispositions.send(tx, rows);
}

export function writeReturnHeaders(tx: ClientTransaction, at: string, headers: readonly ReturnHeader[]): void {
  const rows = headers.map(({ rmaNumber, status, closedAt }) => ({
    rma_number: rmaNumber,
    status,
    closed_at: closedAt,
    updated_at: at,
  }));
  writeProgress.send(tx, rows);
}

export function writeReturnLines(tx: ClientTransaction, lines: readonly StoredReturnLine[]): void {
  const rows = lines.map((line) => ({
    rma_number: line.rmaNumber,
    line_number: line.lineNumber,
    qty_received: formatQuantity(line.received),
    discrepancy: line.discrepancy,
  }));
  writeReceived.send(tx, rows);
}
