import type { Change } from "#/db/audit.ts";
import type { Transaction, Tx } from "#/db/database.ts";
import { assert } from "#/kernel/assert.ts";
import { conflict, type Refusal } from "#/kernel/refusal.ts";
import { formatQuantity } from "#/kernel/values/quantity.ts";
import {
  type Book,
  balanceKey,
  type Condition,
  describeLot,
  type FreeAllocations,
  type Lot,
  listBalances,
  listReservationsOfLots,
  lotKey,
} from "#/modules/inventory/index.ts";
import type { StockDifference } from "#/modules/purchasing/receiving/receipt-differences.ts";
import type { EventDraft } from "#/outbox/append.ts";

type StockLot = { readonly sku: string } & Lot;

/** Allocations to free before stock can be removed. */
export interface Freeing {
  readonly lot: StockLot;
  readonly qty: number;
}

/**
 * Checks whether stock allows a correction that removes some: unallocated units first, then allocated, unpicked ones
 * (lifecycle.md §1).
 */
export async function checkReductions(
  tx: Tx,
  book: Book,
  differences: readonly StockDifference[],
): Promise<{ readonly faults: readonly Refusal[]; readonly freeings: readonly Freeing[] }> {
  const nets = new Map<string, { lot: StockLot; condition: Condition; qty: number }>();
  for (const { sku, stockPool, batchRef, expiryDate, condition, qty } of differences) {
    const lot = { sku, stockPool, batchRef, expiryDate };
    const net = nets.get(balanceKey({ ...lot, condition })) ?? { lot, condition, qty: 0 };
    net.qty += qty;
    nets.set(balanceKey({ ...lot, condition }), net);
  }
  const reductions = [...nets.values()].filter(({ qty }) => qty < 0);
  if (reductions.length === 0) return { faults: [], freeings: [] };
  const { clientId, facilityCode } = book;
  const view = tx.of(clientId);
  const skus = [...new Set(reductions.map(({ lot }) => lot.sku))];
  const good = reductions.filter(({ condition }) => condition === "GOOD").map(({ lot }) => lot);
  const [balances, reservations] = await Promise.all([
    listBalances(view, facilityCode, skus),
    good.length === 0 ? [] : listReservationsOfLots(view, facilityCode, good),
  ]);
  const balanceOf = new Map(balances.map((balance) => [balanceKey(balance), balance]));
  const faults: Refusal[] = [];
  const freeings: Freeing[] = [];
  for (const { lot, condition, qty } of reductions) {
    const wanted = -qty;
    const balance = balanceOf.get(balanceKey({ ...lot, condition }));
    const there = balance?.qty ?? 0;
    const unallocated = there - (balance?.allocated ?? 0);
    if (wanted <= unallocated) continue;
    const unpicked = reservations
      .filter((reservation) => condition === "GOOD" && lotKey(reservation) === lotKey(lot))
      .reduce((sum, { allocated }) => sum + allocated, 0);
    if (wanted <= unallocated + unpicked) {
      freeings.push({ lot, qty: wanted - unallocated });
      continue;
    }
    const what = `${formatQuantity(wanted)} ${condition} of ${describeLot(lot)} cannot be removed`;
    const why = wanted <= there ? "are not picked or packed" : "are in stock";
    faults.push(conflict(`${what}, but only ${formatQuantity(unallocated + unpicked)} ${why}.`));
  }
  return { faults, freeings };
}

/** Frees the allocations; the same book has already confirmed that there are enough. */
export async function freeAll(
  tx: Transaction,
  change: Change,
  book: Book,
  freeings: readonly Freeing[],
  free: FreeAllocations,
): Promise<EventDraft[]> {
  const drafts: EventDraft[] = [];
  for (const { lot, qty } of freeings) {
    const answer = await free(tx, change, book, lot, qty);
    assert(answer.freed === qty, `${answer.freed} of ${qty} allocations of SKU ${lot.sku} were freed`);
    drafts.push(...answer.drafts);
  }
  return drafts;
}
