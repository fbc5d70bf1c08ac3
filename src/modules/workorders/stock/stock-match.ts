// Matches lots with components. Pure, so that the allocation is testable without a store.
import type { Balance, Lot } from "#/modules/inventory/index.ts";

/** Available stock of a lot; taking from it reduces `qty`. */
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

// 'infinity', the stored date of goods that never expire, sorts after every YYYY-MM-DD.
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The reason for the choice of a lot, as reservations store it. */
export function chosenBy({ expiryDate }: Lot): "FEFO" | "FIFO" {
  return expiryDate === "infinity" ? "FIFO" : "FEFO";
}

/** Unreserved GOOD stock, in the order of use. */
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

/** Takes up to `qty` from the supplies, in their order. @param supplies of one SKU; their `qty` is reduced. */
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
