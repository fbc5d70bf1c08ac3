import { findItemRules } from "#/modules/catalogue/index.ts";
import type { Book } from "#/modules/inventory/ledger/book.ts";
import {
  type EntryFacts,
  freeSupplies,
  type HolderKey,
  type Holdings,
  type Supply,
  sumOf,
  suppliesOf,
  type Taken,
  takeStock,
} from "#/modules/inventory/ledger/holdings.ts";
import { listBalances } from "#/modules/inventory/ledger/repository.ts";
import { defaultPool, isExpired, type LotFields } from "#/modules/inventory/lot.ts";
import { facilityToday } from "#/modules/inventory/quantities.ts";
import type { ClientTx } from "#/store/db/database.ts";

/**
 * Unreserved stock of some SKUs, by SKU, in the order of use. Taking from one of the two lists also takes from the
 * other.
 */
export interface FreeStock {
  /** GOOD stock of any lot. */
  readonly all: ReadonlyMap<string, readonly Supply[]>;
  /** The part that may be reserved: of the default pool, not expired, and of an active item. */
  readonly allocatable: ReadonlyMap<string, readonly Supply[]>;
}

export async function readFreeStock(tx: ClientTx, book: Book, skus: readonly string[]): Promise<FreeStock> {
  const [balances, rules, today] = await Promise.all([
    listBalances(tx, book.facilityCode, skus),
    findItemRules(tx, skus),
    facilityToday(tx.plain, book.facilityCode, book.at),
  ]);
  const all = freeSupplies(balances);
  const isAllocatable = (lot: Supply) =>
    lot.stockPool === defaultPool && !isExpired(lot, today) && rules.get(lot.sku)?.isActive !== false;
  return {
    all: Map.groupBy(all, ({ sku }) => sku),
    allocatable: Map.groupBy(all.filter(isAllocatable), ({ sku }) => sku),
  };
}

/**
 * Takes a quantity out of the line's reservations first, then out of free stock, unless both together are not enough:
 * then it only answers what there is.
 *
 * @param wanted.lot undefined: any lot that may be reserved.
 * @param facts.serials units of the lot.
 */
export function takeOut(
  holdings: Holdings,
  key: HolderKey,
  { lot, qty }: { readonly lot: LotFields | undefined; readonly qty: number },
  free: FreeStock,
  facts: EntryFacts,
): { readonly held: readonly Taken[]; readonly rest: readonly Taken[] } {
  const fits = (supply: Supply) => isOfLot(supply, lot);
  const held = takeStock(suppliesOf(holdings.heldBy(key)).filter(fits), qty);
  const unnamed = lot === undefined ? free.allocatable : free.all;
  const rest = takeStock((unnamed.get(key.sku) ?? []).filter(fits), qty - sumOf(held));
  if (sumOf(held) + sumOf(rest) < qty) return { held, rest };
  // All are of one lot: the first serial numbers go to the reserved part, the others to the free part.
  let from = 0;
  const factsOf = (part: Taken) => {
    const serials = facts.serials?.slice(from / 1000, (from + part.qty) / 1000);
    from += part.qty;
    return { ...facts, serials };
  };
  for (const part of held) holdings.consumeHeld(key, part.lot, part.qty, factsOf(part));
  for (const part of rest) holdings.consumeFree(key, part.lot, part.qty, factsOf(part));
  return { held, rest };
}

/** True if the supply matches the named lot fields. Without a pool the default pool is meant. */
function isOfLot(supply: Supply, lot: LotFields | undefined): boolean {
  if (lot === undefined) return true;
  return (
    supply.stockPool === (lot.stockPool ?? defaultPool) &&
    (lot.batchRef === undefined || supply.batchRef === lot.batchRef) &&
    (lot.expiryDate === undefined || supply.expiryDate === lot.expiryDate)
  );
}
