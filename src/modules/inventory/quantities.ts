import type { Tx } from "#/db/database.ts";
import { quantityToNumber } from "#/kernel/quantity.ts";
import { findFacility } from "#/modules/facilities/index.ts";
import * as repository from "#/modules/inventory/quantity-repository.ts";
import { localDate } from "#/modules/inventory/snapshots/midnight.ts";
import { storedQuantity } from "#/modules/inventory/stored-quantity.ts";

/**
 * lifecycle.md §8, in integer thousandths of the stock unit; `available` = onHand − allocated − onHold − damaged. Each unit
 * counts once: what is allocated of an expired lot is allocated and not on hold too, so that `available` is never negative.
 */
export interface StockQuantities {
  readonly onHand: number;
  readonly allocated: number;
  readonly onHold: number;
  readonly damaged: number;
  readonly available: number;
  readonly expected: number;
  readonly inReturn: number;
  readonly backordered: number;
}

export interface PoolQuantities {
  readonly stockPool: string;
  readonly quantities: StockQuantities;
}

export interface SkuQuantities {
  readonly total: StockQuantities;
  /** In the order of their names; purchase orders and returns expect for the default pool. */
  readonly pools: readonly PoolQuantities[];
  /** ISO 8601; undefined where nothing has ever moved. */
  readonly lastMovedAt: string | undefined;
  /** Stock unit of the item; undefined where the client has none of this SKU. */
  readonly uom: string | undefined;
}

export interface StockState {
  /** Of the last entry that the quantities know of; 0 where there is none. */
  readonly position: number;
  /** Every SKU that was asked for, with zeros where there is nothing. */
  readonly skus: ReadonlyMap<string, SkuQuantities>;
}

const none: StockQuantities = {
  onHand: 0,
  allocated: 0,
  onHold: 0,
  damaged: 0,
  available: 0,
  expected: 0,
  inReturn: 0,
  backordered: 0,
};

interface Sum {
  total: StockQuantities;
  readonly pools: PoolQuantities[];
  lastMovedAt: string | undefined;
  uom: string | undefined;
}

/**
 * The quantities of SKUs in a facility with the position of its book, as one statement sees them.
 *
 * @param today the facility's own date, `YYYY-MM-DD` (`facilityToday`): goods that expired before it count as on hold.
 */
export async function readStock(
  tx: Tx,
  clientId: string,
  facilityCode: string,
  skus: readonly string[],
  today: string,
): Promise<StockState> {
  const sums = new Map<string, Sum>();
  for (const sku of skus) sums.set(sku, { total: none, pools: [], lastMovedAt: undefined, uom: undefined });
  let position = 0;
  for (const row of await repository.listQuantities(tx, clientId, facilityCode, skus, today)) {
    position = row.position ?? position;
    const sum = sums.get(row.sku);
    if (sum) addRow(sum, row);
  }
  return { position, skus: sums };
}

function addRow(sum: Sum, row: repository.QuantityRow): void {
  const pool = quantitiesOf(row);
  const movedAt = row.last_moved_at ?? undefined;
  sum.uom = row.uom ?? sum.uom;
  // The row of the default pool may be there for the item only.
  const isEmpty = movedAt === undefined && pool.expected + pool.inReturn + pool.backordered === 0;
  if (isEmpty) return;
  sum.total = sum.total === none ? pool : sumOf(sum.total, pool);
  sum.pools.push({ stockPool: row.stock_pool, quantities: pool });
  if (movedAt !== undefined && movedAt > (sum.lastMovedAt ?? "")) sum.lastMovedAt = movedAt;
}

/** The quantities alone, of every SKU that is asked for. */
export async function readQuantities(
  tx: Tx,
  clientId: string,
  facilityCode: string,
  skus: readonly string[],
  today: string,
): Promise<ReadonlyMap<string, SkuQuantities>> {
  if (skus.length === 0) return new Map();
  return (await readStock(tx, clientId, facilityCode, skus, today)).skus;
}

/** The date that it is in a facility. @param at ISO 8601. */
export async function facilityToday(tx: Tx, facilityCode: string, at: string): Promise<string> {
  const facility = await findFacility(tx, facilityCode);
  return localDate(facility?.timezone ?? "UTC", Date.parse(at));
}

type QuantityColumn = "on_hand" | "allocated" | "on_hold" | "damaged" | "expected" | "in_return" | "backordered";

export function quantitiesOf(row: Readonly<Record<QuantityColumn, string | null>>): StockQuantities {
  const onHand = sumOfRow(row.on_hand);
  const allocated = sumOfRow(row.allocated);
  const onHold = sumOfRow(row.on_hold);
  const damaged = sumOfRow(row.damaged);
  return {
    onHand,
    allocated,
    onHold,
    damaged,
    available: onHand - allocated - onHold - damaged,
    expected: sumOfRow(row.expected),
    inReturn: sumOfRow(row.in_return),
    backordered: sumOfRow(row.backordered),
  };
}

const sumOfRow = (text: string | null) => (text === null ? 0 : storedQuantity(text));

/** As JSON numbers in stock units, for events, REST and outbound feeds. */
export function quantitiesToNumbers(quantities: StockQuantities): StockQuantities {
  return {
    onHand: quantityToNumber(quantities.onHand),
    allocated: quantityToNumber(quantities.allocated),
    onHold: quantityToNumber(quantities.onHold),
    damaged: quantityToNumber(quantities.damaged),
    available: quantityToNumber(quantities.available),
    expected: quantityToNumber(quantities.expected),
    inReturn: quantityToNumber(quantities.inReturn),
    backordered: quantityToNumber(quantities.backordered),
  };
}

function sumOf(a: StockQuantities, b: StockQuantities): StockQuantities {
  return {
    onHand: a.onHand + b.onHand,
    allocated: a.allocated + b.allocated,
    onHold: a.onHold + b.onHold,
    damaged: a.damaged + b.damaged,
    available: a.available + b.available,
    expected: a.expected + b.expected,
    inReturn: a.inReturn + b.inReturn,
    backordered: a.backordered + b.backordered,
  };
}
