import { findItemRules, type ItemRules } from "#/modules/catalogue/index.ts";
import { isExpired, poolsOf, type UnsellableReason } from "#/modules/inventory/index.ts";
import { type ConsideredLot, listLotsWithRefusal } from "#/modules/orders/allocation/considered-lots.ts";
import type { Order, OrderLine } from "#/modules/orders/order.ts";
import type { ClientTx } from "#/store/db/database.ts";

const inactiveReason = "inactive in the catalogue: SKU ";
const unsellableReason = "stock that cannot be sold: SKU ";
/** The starts of a statusReason that allocation sets for lines that lack goods. */
export const shortageReasons = [inactiveReason, unsellableReason] as const;

/** True for a reason that allocation sets again for as long as it holds. */
export function isShortageReason(statusReason: string | undefined): boolean {
  return shortageReasons.some((start) => statusReason?.startsWith(start));
}

/** An order before and after an allocation. */
interface AllocatedOrder {
  readonly before: Order;
  readonly order: Order;
}

/** Why allocation refuses stock of SKUs at a facility. */
export interface Shortages {
  readonly rules: ReadonlyMap<string, Pick<ItemRules, "isActive">>;
  readonly lots: readonly ConsideredLot[];
  readonly today: string;
}

/** Lots of a SKU and pool that are looked at: the reason names the first that is refused. */
const lotsOfPoolMax = 5;

/** @param today the date of the facility, `YYYY-MM-DD` */
export async function findShortages(
  tx: ClientTx,
  { facilityCode, today }: { readonly facilityCode: string; readonly today: string },
  changes: readonly AllocatedOrder[],
): Promise<Shortages> {
  const skus = [...new Set(changes.flatMap((change) => linesShort(change).map(({ sku }) => sku)))];
  const [rules, lots] = await Promise.all([
    findItemRules(tx, skus),
    listLotsWithRefusal(tx, facilityCode, today, skus, lotsOfPoolMax),
  ]);
  return { rules: new Map([...rules.values()].map((item) => [item.sku, item])), lots, today };
}

/** Items of lines that wait, or of which a part was cancelled, are inactive in the catalogue. */
export function reasonOfInactive(change: AllocatedOrder, { rules }: Shortages): string | undefined {
  const skus = linesShort(change).flatMap(({ sku }) => (rules.get(sku)?.isActive === false ? sku : []));
  return skus.length > 0 ? inactiveReason + named(skus) : undefined;
}

/** Lines wait although stock is there: the rules of selling refuse it. */
export function reasonOfUnsellable({ order }: AllocatedOrder, shortages: Shortages): string | undefined {
  const refused = order.lines.flatMap((line) => {
    const reason = line.buckets.backordered > 0 ? refusalOf(line, shortages) : undefined;
    return reason === undefined ? [] : `${line.sku} (${reason})`;
  });
  return refused.length > 0 ? unsellableReason + named(refused) : undefined;
}

/** Lines that wait, or of which this allocation cancelled a part. */
function linesShort({ before, order }: AllocatedOrder): OrderLine[] {
  return order.lines.filter(
    ({ buckets }, i) =>
      buckets.backordered > 0 || buckets.cancelled > (before.lines[i]?.buckets.cancelled ?? buckets.cancelled),
  );
}

const namedMax = 3;

function named(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  const more = distinct.length > namedMax ? ` and ${distinct.length - namedMax} more` : "";
  return `${distinct.slice(0, namedMax).join(", ")}${more}`;
}

/** The first rule that refuses stock of the line's pools, in the order of use. */
function refusalOf({ sku, stockPool }: OrderLine, { rules, lots, today }: Shortages): UnsellableReason | undefined {
  for (const pool of poolsOf(stockPool)) {
    for (const lot of lots) {
      if (lot.sku !== sku || lot.stockPool !== pool) continue;
      if (lot.refusedBy === "CONDITION" && lot.condition !== "GOOD") return lot.condition;
      if (lot.refusedBy === "SHELF_LIFE") {
        if (!rules.has(sku)) return "UNKNOWN_ITEM";
        return isExpired(lot, today) ? "EXPIRED" : "SHELF_LIFE";
      }
    }
  }
  return undefined;
}
