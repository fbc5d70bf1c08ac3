import type { Tx } from "#/db/database.ts";
import { quantityToNumber } from "#/kernel/quantity.ts";
import { findFacility } from "#/modules/facilities/index.ts";
import { localDate } from "#/modules/inventory/midnight.ts";
import * as repository from "#/modules/inventory/quantity-repository.ts";
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

export interface SkuQuantities {
  readonly total: StockQuantities;
  /** By stock pool, in the order of their names; purchase orders and returns expect for the default pool. */
  readonly pools: ReadonlyMap<string, StockQuantities>;
  /** ISO 8601; undefined where nothing has ever moved. */
  readonly lastMovedAt: string | undefined;
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

/**
 * The quantities of SKUs in a facility, as one statement sees them. Every SKU that is asked for is answered, with zeros
 * where there is nothing.
 *
 * @param today the facility's own date, `YYYY-MM-DD` (`facilityToday`): goods that expired before it count as on hold.
 */
export async function readQuantities(
  tx: Tx,
  clientId: string,
  facilityCode: string,
  skus: readonly string[],
  today: string,
): Promise<Map<string, SkuQuantities>> {
  const answer = new Map<string, SkuQuantities>(
    skus.map((sku) => [sku, { total: none, pools: new Map(), lastMovedAt: undefined }]),
  );
  if (skus.length === 0) return answer;
  for (const row of await repository.listQuantities(tx, clientId, facilityCode, skus, today)) {
    const before = answer.get(row.sku);
    if (!before) continue;
    const pool = quantitiesOf(row);
    const moved = row.last_moved_at ?? undefined;
    answer.set(row.sku, {
      total: sumOf(before.total, pool),
      pools: new Map([...before.pools, [row.stock_pool, pool]]),
      lastMovedAt: moved !== undefined && moved > (before.lastMovedAt ?? "") ? moved : before.lastMovedAt,
    });
  }
  return answer;
}

/** The date that it is in a facility. @param at ISO 8601. */
export async function facilityToday(tx: Tx, facilityCode: string, at: string): Promise<string> {
  const facility = await findFacility(tx, facilityCode);
  return localDate(facility?.timezone ?? "UTC", Date.parse(at));
}

export function quantitiesOf(row: repository.QuantityRow): StockQuantities {
  const onHand = storedQuantity(row.on_hand);
  const allocated = storedQuantity(row.allocated);
  const onHold = storedQuantity(row.on_hold);
  const damaged = storedQuantity(row.damaged);
  return {
    onHand,
    allocated,
    onHold,
    damaged,
    available: onHand - allocated - onHold - damaged,
    expected: storedQuantity(row.expected),
    inReturn: storedQuantity(row.in_return),
    backordered: storedQuantity(row.backordered),
  };
}

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
