// Which lots serve which component: pure, so that what the allocator would do can be read and tested without a store.
import type { Balance, Lot } from "#/modules/inventory/index.ts";

/** Stock of a lot that may be taken; `qty` goes down as it is. */
export interface Supply extends Lot {
  readonly sku: string;
  readonly receivedAt: string;
  qty: number;
}

export interface Taken {
  readonly lot: Lot;
  readonly qty: number;
}

/** First expired first out, then first in first out; a lot without an expiry date comes last. */
function inOrderOfUse(a: Supply, b: Supply): number {
  return (
    compare(a.expiryDate, b.expiryDate) || compare(a.receivedAt, b.receivedAt) || compare(a.batchRef, b.batchRef) || 0
  );
}

// 'infinity', as the store writes the date of what never expires, stands behind every YYYY-MM-DD.
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Why a lot was chosen, as reservations keep it. */
export function chosenBy({ expiryDate }: Lot): "FEFO" | "FIFO" {
  return expiryDate === "infinity" ? "FIFO" : "FEFO";
}

/** GOOD stock that nobody holds, in the order in which it is to be used. */
export function freeSupplies(balances: readonly Balance[]): Supply[] {
  return balances
    .filter(({ condition, qty, allocated }) => condition === "GOOD" && qty > allocated)
    .map(({ sku, stockPool, batchRef, expiryDate, receivedAt, qty, allocated }) => ({
      sku,
      stockPool,
      batchRef,
      expiryDate,
      receivedAt,
      qty: qty - allocated,
    }))
    .sort(inOrderOfUse);
}

/** Takes up to `qty` out of the supplies, the first first. @param supplies of one SKU; what is taken is taken off them. */
export function takeStock(supplies: readonly Supply[], qty: number): Taken[] {
  const taken: Taken[] = [];
  let left = qty;
  for (const supply of supplies) {
    if (left === 0) break;
    const part = Math.min(left, supply.qty);
    if (part === 0) continue;
    supply.qty -= part;
    left -= part;
    const { stockPool, batchRef, expiryDate } = supply;
    taken.push({ lot: { stockPool, batchRef, expiryDate }, qty: part });
  }
  return taken;
}

export function sumOf(parts: readonly { readonly qty: number }[]): number {
  return parts.reduce((sum, { qty }) => sum + qty, 0);
}
