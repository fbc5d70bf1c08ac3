import type { Refusal } from "#/kernel/refusal.ts";
import { ok, type Result } from "#/kernel/result.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import { listStockedSkus } from "#/modules/inventory/rest/history-repository.ts";
import {
  type DayEnd,
  findDayEnd,
  type PastPool,
  type PastSku,
  readSkusOfDay,
} from "#/modules/inventory/rest/past-day.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Database } from "#/store/db/database.ts";

/** Quantities of a SKU at the end of a day, as JSON numbers in stock units. */
interface PastQuantities {
  readonly onHand: number;
  /** Of the pools that the client counts as available. */
  readonly available: number;
  readonly allocated: number;
  readonly onHold: number;
  readonly damaged: number;
  readonly unsellable: number;
}

const noQuantities: PastQuantities = {
  onHand: 0,
  available: 0,
  allocated: 0,
  onHold: 0,
  damaged: 0,
  unsellable: 0,
};

export function quantitiesOfPools(pools: readonly PastPool[], availablePools: "*" | readonly string[]): PastQuantities {
  const sumOf = (of: (pool: PastPool) => number) => quantityToNumber(pools.reduce((sum, pool) => sum + of(pool), 0));
  const isCounted = ({ stockPool }: PastPool) => availablePools === "*" || availablePools.includes(stockPool);
  return {
    onHand: sumOf(({ onHand }) => onHand),
    available: sumOf((pool) => (isCounted(pool) ? pool.available : 0)),
    allocated: sumOf(({ allocated }) => allocated),
    onHold: sumOf(({ onHold }) => onHold),
    damaged: sumOf(({ damaged }) => damaged),
    unsellable: sumOf(({ onHand, allocated, available }) => onHand - allocated - available),
  };
}

/** SKUs in a step, and steps in a page: a page may end before it is full. */
const skusAtOnce = 500;
const stepsMax = 12;

interface DayComparison {
  readonly facilityCode: string;
  /** `YYYY-MM-DD` */
  readonly from: string;
  readonly to: string;
  /** SKUs without a difference too. */
  readonly isAll: boolean;
  /** The pools that the client counts as available. */
  readonly availablePools: "*" | readonly string[];
  /** The last SKU of the previous page, `''` for the first page. */
  readonly after: string;
  readonly limit: number;
}

/** A SKU at the ends of two days, with zeros where it had no stock. */
export interface ComparedSku {
  readonly sku: string;
  readonly uom: string;
  readonly from: PastQuantities;
  readonly to: PastQuantities;
}

interface ComparedDays {
  readonly from: DayEnd;
  readonly to: DayEnd;
  readonly skus: readonly ComparedSku[];
  /** The SKU after which the next page begins; undefined at the end. */
  readonly nextAfter: string | undefined;
}

/**
 * The stock of a client in a facility at the ends of two days, by SKU: those whose on-hand or available quantity
 * differs, or all. It looks through the SKUs that the facility has ever had, 500 at a time and at most 6,000 for a
 * page, so the cost of a page depends neither on the movements between the days nor on the number of SKUs. Refused like
 * `readPastDay`.
 */
export async function compareDays(
  database: Database,
  change: Change,
  clientId: string,
  request: DayComparison,
): Promise<Result<ComparedDays, Refusal>> {
  const { facilityCode, limit } = request;
  const from = await findDayEnd(database, change, clientId, { facilityCode, date: request.from });
  if (!from.ok) return from;
  const to = await findDayEnd(database, change, clientId, { facilityCode, date: request.to });
  if (!to.ok) return to;
  const ends = { from: from.value, to: to.value };
  const found: ComparedSku[] = [];
  let after = request.after;
  for (let steps = 0; steps < stepsMax; steps++) {
    const skus = await listStockedSkus(database.of(clientId), facilityCode, after, skusAtOnce);
    const [before, since] = await Promise.all(
      [ends.from, ends.to].map((end) => readSkusOfDay(database.of(clientId), facilityCode, end, skus)),
    );
    found.push(...compared(skus, before ?? [], since ?? [], request));
    const last = found[limit - 1];
    if (last !== undefined && found.length > limit) {
      return ok({ ...ends, skus: found.slice(0, limit), nextAfter: last.sku });
    }
    if (skus.length < skusAtOnce) return ok({ ...ends, skus: found, nextAfter: undefined });
    after = skus.at(-1) ?? after;
  }
  return ok({ ...ends, skus: found, nextAfter: after });
}

function compared(
  skus: readonly string[],
  from: readonly PastSku[],
  to: readonly PastSku[],
  { isAll, availablePools }: DayComparison,
): ComparedSku[] {
  const [before, since] = [from, to].map((day) => new Map(day.map((past) => [past.sku, past])));
  return skus.flatMap((sku): ComparedSku[] => {
    const [then, later] = [before?.get(sku), since?.get(sku)];
    const uom = later?.uom ?? then?.uom;
    if (uom === undefined) return [];
    const [first, last] = [then, later].map((day) =>
      day === undefined ? noQuantities : quantitiesOfPools(day.pools, availablePools),
    ) as [PastQuantities, PastQuantities];
    const isChanged = first.onHand !== last.onHand || first.available !== last.available;
    return isChanged || isAll ? [{ sku, uom, from: first, to: last }] : [];
  });
}
