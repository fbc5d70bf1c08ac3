import type { CountCause, CountLine, CountScope, CountStatus, StockCount } from "#/modules/inventory/counts/domain.ts";
import type { Book } from "#/modules/inventory/ledger/book.ts";
import { type Condition, type Lot, lotKey } from "#/modules/inventory/lot.ts";
import { stockCount, stockLastCount } from "#/modules/inventory/tables.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { combined } from "#/store/db/row-set.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { type Answered, insertInto, selectFrom, updateOf } from "#/store/db/table.ts";

/** The columns of a count, in the names of its table. */
export type CountRow = Answered<typeof stockCount.columns>;

const countColumns = Object.keys(stockCount.columns) as (keyof CountRow & string)[];

const insertAll = insertInto(stockCount);
const findByIds = selectFrom(stockCount, { by: "count_id", select: countColumns, limit: 1_000 });
const updateAll = updateOf(stockCount, {
  set: ["status", "lines", "counted_at", "reported_at", "reported_position", "ended_at", "ended_by", "end_reason"],
});

export function insertCount(tx: ClientTransaction, count: StockCount): void {
  insertAll.send(tx, [rowOf(count)]);
}

/** Only the holder of the facility's book changes a count. */
export function updateCounts(tx: ClientTransaction, counts: readonly StockCount[]): void {
  updateAll.send(tx, counts.map(rowOf));
}

export async function findCount(tx: ClientTx, countId: string): Promise<StockCount | undefined> {
  const [row] = await findByIds.query(tx, [countId]);
  return row && countOf(row);
}

/** No facility has this many counts that need the warehouse or an operator. */
const openMax = 10_000;

/** The counts of a facility that wait for the warehouse or for an operator. */
export async function listOpenCounts(tx: ClientTx, facilityCode: string): Promise<StockCount[]> {
  const rows =
    await tx.query<CountRow>(sql`select count_id, facility_code, status, cause, sku, stock_pool, batch_ref, expiry_date, condition, is_blind, note,
        requested_at, requested_by, lines, counted_at, reported_at, reported_position, ended_at, ended_by, end_reason
      from stock_count
      where client_id = ${tenant} and facility_code = ${facilityCode} and ended_at is null
      limit ${openMax}`);
  return rows.map(countOf);
}

export interface LotOfSku extends Lot {
  readonly sku: string;
}

export const lotColumns = sql`sku, stock_pool as "stockPool", batch_ref as "batchRef", expiry_date as "expiryDate"`;

/** Lots of a pool in one condition, by SKU. */
export async function listPoolLots(
  tx: ClientTx,
  facilityCode: string,
  of: { readonly stockPool: string; readonly condition: Condition; readonly limit: number },
): Promise<LotOfSku[]> {
  return tx.query(sql`select ${lotColumns} from stock_balance
      where client_id = ${tenant} and facility_code = ${facilityCode} and stock_pool = ${of.stockPool}
        and condition = ${of.condition} and qty > 0
      order by sku, batch_ref, expiry_date limit ${of.limit}`);
}

/** The lots, by `lotKey`, of these SKUs that were adjusted after a position of the book. */
export async function findAdjustedSince(
  tx: ClientTx,
  facilityCode: string,
  skus: readonly string[],
  position: number,
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<LotOfSku>(sql`select distinct ${lotColumns} from stock_movement
      where client_id = ${tenant} and facility_code = ${facilityCode} and position > ${position}
        and sku = any(${skus}::text[]) and sku > '' and type = 'ADJUSTMENT'
      limit 10000`);
  return new Set(rows.map(lotKey));
}

function rowOf(count: StockCount): CountRow {
  const { scope } = count;
  return {
    count_id: count.countId,
    facility_code: count.facilityCode,
    status: count.status,
    cause: count.cause,
    sku: scope.sku ?? null,
    stock_pool: scope.stockPool ?? null,
    batch_ref: scope.batchRef ?? null,
    expiry_date: scope.expiryDate ?? null,
    condition: scope.condition,
    is_blind: count.isBlind,
    note: count.note ?? null,
    requested_at: count.requestedAt,
    requested_by: count.requestedBy,
    lines: count.lines,
    counted_at: count.countedAt ?? null,
    reported_at: count.reportedAt ?? null,
    reported_position: count.reportedPosition ?? null,
    ended_at: count.endedAt ?? null,
    ended_by: count.endedBy ?? null,
    end_reason: count.endReason ?? null,
  };
}

function countOf(row: CountRow): StockCount {
  const scope: CountScope = {
    sku: row.sku ?? undefined,
    stockPool: row.stock_pool ?? undefined,
    batchRef: row.batch_ref ?? undefined,
    expiryDate: row.expiry_date ?? undefined,
    condition: row.condition as Condition,
  };
  return {
    countId: row.count_id,
    facilityCode: row.facility_code,
    status: row.status as CountStatus,
    cause: row.cause as CountCause,
    scope,
    isBlind: row.is_blind,
    note: row.note ?? undefined,
    requestedAt: row.requested_at,
    requestedBy: row.requested_by,
    lines: row.lines as readonly CountLine[],
    countedAt: row.counted_at ?? undefined,
    reportedAt: row.reported_at ?? undefined,
    reportedPosition: row.reported_position ?? undefined,
    endedAt: row.ended_at ?? undefined,
    endedBy: row.ended_by ?? undefined,
    endReason: row.end_reason ?? undefined,
  };
}

const writeAll = insertInto(stockLastCount, {
  onConflict: { set: ["counted_at"] },
  // Reports that share a transaction may count the same SKU.
  combine: (rows) =>
    combined(
      rows,
      ({ facility_code, sku }) => JSON.stringify([facility_code, sku]),
      (_, later) => later,
    ),
});
const insertMissing = insertInto(stockLastCount, { onConflict: "nothing" });

/** All lots of these SKUs were counted. */
export function writeLastCounts(tx: ClientTransaction, { facilityCode, at }: Book, skus: readonly string[]): void {
  writeAll.send(
    tx,
    skus.map((sku) => ({ facility_code: facilityCode, sku, counted_at: at })),
  );
}

/** The interval of these SKUs begins, because their stock is seen for the first time. @param at ISO 8601 */
export function beginIntervals(tx: ClientTransaction, facilityCode: string, skus: readonly string[], at: string): void {
  insertMissing.send(
    tx,
    skus.map((sku) => ({ facility_code: facilityCode, sku, counted_at: at })),
  );
}
