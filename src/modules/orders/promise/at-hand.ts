import { poolsOf } from "#/modules/inventory/index.ts";
import type { OrderLine } from "#/modules/orders/intake/check-order.ts";
import type { FreeStock } from "#/modules/orders/routing/free-stock.ts";

/** Integer thousandths of the stock unit, like all quantities here. */
interface Goods {
  readonly sku: string;
  readonly qty: number;
}

export interface LineAtHand {
  /** Of the line's quantity, what allocation could take now; of a kit in kits. */
  readonly qty: number;
  /** The goods that leave for it: of kits that are not in stock as such, their components. */
  readonly goods: readonly Goods[];
  /** The goods that the rest of the line lacks: less those that are free for it. */
  readonly missing: readonly Goods[];
  /** The goods that leave for the rest when they are there. */
  readonly rest: readonly Goods[];
}

/**
 * What is at hand for each line of a basket, as allocation serves the lines of an order: line by line, from the line's
 * own pool and then from DEFAULT; of a kit, stock of the kit first and then whole kits of components.
 */
export function atHandOf(lines: readonly OrderLine[], stock: readonly FreeStock[]): LineAtHand[] {
  const free = new Map(stock.map((place) => [keyOf(place.sku, place.stockPool), place.free]));
  const freeOf = (sku: string, stockPool: string) =>
    poolsOf(stockPool).reduce((sum, pool) => sum + (free.get(keyOf(sku, pool)) ?? 0), 0);
  const take = (sku: string, stockPool: string, most: number): Goods => {
    let left = most;
    for (const pool of poolsOf(stockPool)) {
      const there = free.get(keyOf(sku, pool)) ?? 0;
      const taken = Math.min(left, there);
      free.set(keyOf(sku, pool), there - taken);
      left -= taken;
    }
    return { sku, qty: most - left };
  };
  const atHand = lines.map(({ sku, stockPool, qty, isInactive, components }) => {
    if (components === undefined) {
      const taken = take(sku, stockPool, qty);
      return { qty: taken.qty, goods: [taken], rest: [{ sku, qty: qty - taken.qty }] };
    }
    const ofKits = (kits: number) => components.map((part) => ({ sku: part.sku, qty: (kits * part.qty) / kitUnit }));
    const kitsOf = (part: Goods) => Math.floor(freeOf(part.sku, stockPool) / part.qty) * kitUnit;
    const built = isInactive ? 0 : take(sku, stockPool, Math.min(qty, wholeKits(freeOf(sku, stockPool)))).qty;
    const made = isInactive ? 0 : Math.min(qty - built, ...components.map(kitsOf));
    const parts = ofKits(made).map((part) => take(part.sku, stockPool, part.qty));
    return { qty: built + made, goods: [{ sku, qty: built }, ...parts], rest: ofKits(qty - built - made) };
  });
  // Stock that makes no whole kit is left to the lines after it, and only then lessens the missing goods.
  return atHand.map((line, i) => ({
    ...line,
    missing: line.rest.map(({ sku, qty }) => ({
      sku,
      qty: qty - take(sku, lines[i]?.stockPool ?? "", qty).qty,
    })),
  }));
}

/** One kit in thousandths: kits are whole. */
const kitUnit = 1_000;
const wholeKits = (qty: number) => Math.floor(qty / kitUnit) * kitUnit;

const keyOf = (sku: string, stockPool: string) => JSON.stringify([sku, stockPool]);
