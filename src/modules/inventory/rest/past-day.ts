import { notFound, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { defaultStockUnit } from "#/kernel/telemetry/measure.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import { quantityOf } from "#/kernel/values/quantity.ts";
import { findItemRules } from "#/modules/catalogue/index.ts";
import { findFacility } from "#/modules/facilities/index.ts";
import { findBook } from "#/modules/inventory/ledger/book.ts";
import * as repository from "#/modules/inventory/rest/history-repository.ts";
import { endOfDate } from "#/modules/inventory/snapshots/midnight.ts";
import { sealBook } from "#/modules/inventory/snapshots/snapshot.ts";
import type { Change } from "#/store/db/audit.ts";
import type { ClientTx, Database } from "#/store/db/database.ts";
import { isContention, StoreUnavailableError } from "#/store/db/errors.ts";

/** Snapshots are kept for this number of days (operations.md §6); days without a snapshot are answered as long. */
const keptDays = 400;

/** The oldest available date, `YYYY-MM-DD`. */
export function oldestKeptDate(nowMs: number): string {
  return dateOf(nowMs - keptDays * dayMs);
}

/** One stock pool at the end of a day; integer thousandths. */
export interface PastPool extends Omit<repository.PastBalance, "sku" | "unsellable"> {
  readonly available: number;
}

/** One SKU at the end of a day; integer thousandths. */
export interface PastSku {
  readonly sku: string;
  readonly uom: string;
  readonly pools: readonly PastPool[];
  /** These quantities have no position and cannot be reconstructed: undefined if no snapshot was taken. */
  readonly open: { readonly expected: number; readonly inReturn: number; readonly backordered: number } | undefined;
}

/** The end of a day in a facility. */
export interface DayEnd {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** The facility's midnight that ended the day, ISO 8601. */
  readonly asOf: string;
  /** The last position that was booked before it; 0 if there is none. */
  readonly position: number;
  /** Undefined if no snapshot was taken: the server was down, or midnight has only just passed. */
  readonly snapshot: { readonly id: string; readonly takenAt: string } | undefined;
}

export interface PastDay {
  readonly end: DayEnd;
  readonly skus: readonly PastSku[];
  /** The SKU after which the next page begins; undefined at the end. */
  readonly nextAfter: string | undefined;
}

interface DayRequest {
  readonly facilityCode: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
}

export interface PastDayRequest extends DayRequest {
  /** The last SKU of the previous page, `''` for the first page. */
  readonly after: string;
  readonly limit: number;
}

/**
 * The stock of a client in a facility at the end of a day: from the snapshot of that midnight, or reconstructed from
 * the ledger if there is none. A 404 for a day that has not ended, or that is older than kept snapshots.
 */
export async function readPastDay(
  database: Database,
  change: Change,
  clientId: string,
  request: PastDayRequest,
): Promise<Result<PastDay, Refusal>> {
  const view = database.of(clientId);
  const { facilityCode, after, limit } = request;
  const found = await findDayEnd(database, change, clientId, request);
  if (!found.ok) return found;
  const end = found.value;
  if (end.snapshot) {
    const rows = await repository.listTakenRows(view, end.snapshot.id, after, limit + 1);
    const skus = rows.slice(0, limit).map(takenSku);
    return ok({ end, skus, nextAfter: rows.length > limit ? skus.at(-1)?.sku : undefined });
  }
  // Before the first entry there was no stock. One empty page shows this, instead of one for each page of later SKUs.
  if (end.position === 0) return ok({ end, skus: [], nextAfter: undefined });
  const stocked = await repository.listStockedSkus(view, facilityCode, after, limit + 1);
  const pageSkus = stocked.slice(0, limit);
  const nextAfter = stocked.length > limit ? pageSkus.at(-1) : undefined;
  return ok({ end, nextAfter, skus: await workOut(view, facilityCode, { ...end, skus: pageSkus }) });
}

/** Position and snapshot of the end of a day. Refused like `readPastDay`. */
export async function findDayEnd(
  database: Database,
  change: Change,
  clientId: string,
  { facilityCode, date }: DayRequest,
): Promise<Result<DayEnd, Refusal>> {
  const view = database.of(clientId);
  const nowMs = Date.parse(change.at);
  const timeZone = (await findFacility(database, facilityCode))?.timezone ?? "UTC";
  const asOf = endOfDate(timeZone, date);
  if (Date.parse(asOf) > nowMs) {
    return refused(notFound(`${date} ends in ${facilityCode} at ${asOf} (midnight of ${timeZone}).`));
  }
  const oldest = oldestKeptDate(nowMs);
  if (date < oldest) {
    const detail = `Snapshots are kept for ${keptDays} days; ${date} is deleted, the oldest is of ${oldest}.`;
    return refused(notFound(detail));
  }
  const taken = await repository.findMidnight(view, facilityCode, date);
  if (taken) {
    const snapshot = { id: taken.snapshotId, takenAt: taken.takenAt };
    return ok({ date, asOf, position: taken.position, snapshot });
  }
  const book = await findBook(view, facilityCode);
  if (!book) return ok({ date, asOf, position: 0, snapshot: undefined });
  await closeDay(database, clientId, facilityCode, asOf);
  const position = await repository.positionOfDay(view, facilityCode, date, asOf);
  return ok({ date, asOf, position, snapshot: undefined });
}

/** The quantities of SKUs at the end of a day, in no order; SKUs without stock and movements then are left out. */
export async function readSkusOfDay(
  tx: ClientTx,
  facilityCode: string,
  end: DayEnd,
  skus: readonly string[],
): Promise<PastSku[]> {
  if (skus.length === 0 || end.position === 0) return [];
  if (end.snapshot === undefined) return workOut(tx, facilityCode, { ...end, skus });
  return (await repository.listTakenSkus(tx, end.snapshot.id, skus)).map(takenSku);
}

/** Until the day is closed, a transaction that began before midnight may still book into it. */
async function closeDay(database: Database, clientId: string, facilityCode: string, asOf: string): Promise<void> {
  try {
    await database.transaction((tx) => sealBook(tx.of(clientId), facilityCode, asOf));
  } catch (error) {
    if (isContention(error)) throw new StoreUnavailableError("the book is locked for too long", { cause: error });
    throw error;
  }
}

function takenSku({ sku, uom, pools }: repository.TakenRow): PastSku {
  const sum = (column: 5 | 6 | 7) => pools.reduce((total, pool) => total + quantityOf(pool[column]), 0);
  return {
    sku,
    uom,
    pools: pools.map(([stockPool, onHand, allocated, onHold, damaged, , , , available]) => ({
      stockPool,
      onHand: quantityOf(onHand),
      allocated: quantityOf(allocated),
      onHold: quantityOf(onHold),
      damaged: quantityOf(damaged),
      available: quantityOf(available),
    })),
    open: { expected: sum(5), inReturn: sum(6), backordered: sum(7) },
  };
}

/** The SKUs that had stock at the position, or moved in the 400 days before it. */
async function workOut(
  tx: ClientTx,
  facilityCode: string,
  at: Pick<DayEnd, "date" | "asOf" | "position"> & { readonly skus: readonly string[] },
): Promise<PastSku[]> {
  const { date, asOf, position, skus } = at;
  if (skus.length === 0) return [];
  const asOfMs = Date.parse(asOf);
  const [rows, rules] = await Promise.all([
    repository.listPastQuantities(tx, facilityCode, {
      skus,
      position,
      laterFromId: idBoundary(asOfMs),
      today: dateOf(Date.parse(date) + dayMs),
    }),
    findItemRules(tx, skus),
  ]);
  // An empty pool may not have existed then.
  const had = Map.groupBy(
    rows.filter(({ onHand, allocated }) => onHand !== 0 || allocated !== 0),
    ({ sku }) => sku,
  );
  const without = skus.filter((sku) => !had.has(sku));
  const sinceId = idBoundary(asOfMs - keptDays * dayMs);
  const moved =
    without.length === 0
      ? new Set<string>()
      : await repository.listMovedSkus(tx, facilityCode, { skus: without, position, sinceId });
  return skus
    .filter((sku) => had.has(sku) || moved.has(sku))
    .map((sku) => ({
      sku,
      uom: rules.get(sku)?.stockUom ?? defaultStockUnit,
      open: undefined,
      pools: (had.get(sku) ?? []).map(pastPool),
    }));
}

function pastPool({ sku, unsellable, ...pool }: repository.PastBalance): PastPool {
  return { ...pool, available: pool.onHand - pool.allocated - unsellable };
}

function dateOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
