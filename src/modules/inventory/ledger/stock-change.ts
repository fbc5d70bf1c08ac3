import { assert } from "#/kernel/assert.ts";
import { conflict, type Refusal } from "#/kernel/refusal.ts";
import { formatQuantity, quantityToNumber } from "#/kernel/values/quantity.ts";
import type { FreeAllocations } from "#/modules/inventory/adjustments/reports.ts";
import type { Book } from "#/modules/inventory/ledger/book.ts";
import { type Movement, postMovements } from "#/modules/inventory/ledger/ledger.ts";
import { type Balance, listBalances } from "#/modules/inventory/ledger/repository.ts";
import { listReservationsOfLots, type Reservation } from "#/modules/inventory/ledger/reservation-repository.ts";
import {
  findSerials,
  listSerialsInStock,
  type SerialPlace,
  writeSerials,
} from "#/modules/inventory/ledger/serial-repository.ts";
import {
  balanceKey,
  type Condition,
  describeLot,
  fieldsOfLot,
  type Lot,
  type LotFields,
  lotKey,
} from "#/modules/inventory/lot.ts";
import { recordAudits } from "#/store/db/audit.ts";
import type { ClientTx, UnitOfWork } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

/** One entry that a report requests: a quantity of a lot in a condition comes (+) or goes (−). */
export interface StockChange extends Lot {
  readonly type: "ADJUSTMENT" | "HOLD" | "RELEASE";
  readonly sku: string;
  readonly condition: Condition;
  /** Signed integer thousandths. */
  readonly qty: number;
  readonly serials: readonly string[];
  /** True if the item keeps serial numbers. */
  readonly isSerialKept: boolean;
  readonly reason: string;
}

/** The faults of the changes, one sentence each; without faults, the allocations that must be freed. */
export interface CheckResult {
  readonly faults: readonly string[];
  readonly shortages: readonly Shortage[];
}

interface Shortage {
  readonly lot: { readonly sku: string } & Lot;
  readonly qty: number;
}

/** The refusal of a loss of allocated units that no one has allowed. */
export function takesAllocated(shortages: readonly Shortage[]): Refusal {
  const lots = shortages.map(({ lot, qty }) => `${formatQuantity(qty)} of ${describeLot(lot)}`).join("; ");
  return conflict(
    `This takes units that orders have allocated: ${lots}. With freesAllocations they are taken from the orders of the lowest priority.`,
  );
}

/**
 * Checks whether all changes can be booked together. Reductions take unallocated quantity first, then allocated,
 * unpicked quantity; picked and packed units stay (lifecycle.md §1). Reads only.
 */
export async function checkChanges(tx: ClientTx, book: Book, changes: readonly StockChange[]): Promise<CheckResult> {
  const { facilityCode } = book;
  const skus = [...new Set(changes.map(({ sku }) => sku))];
  const kept = changes.filter(({ isSerialKept }) => isSerialKept);
  const named = kept.flatMap(({ sku, serials }) => serials.map((serial) => ({ sku, serial })));
  const reduced = reductionsOf(changes);
  const reducedGood = reduced.filter(({ condition }) => condition === "GOOD");
  const [balances, reservations, serials] = await Promise.all([
    listBalances(tx, facilityCode, skus),
    listReservationsOfLots(tx, facilityCode, reducedGood),
    findSerials(tx, named),
  ]);
  const { faults, shortages } = checkReductions(facilityCode, reduced, balances, reservations);
  const unnamed = await findUnnamedOnHold(tx, book, kept, serials, balances);
  return { faults: [...faults, ...checkSerials(facilityCode, kept, serials, unnamed)], shortages };
}

/**
 * The number of units of a lot that are ON_HOLD while their serial numbers are stored as GOOD, by `lotKey`: a short
 * pick does not know which ones are missing. It is read only if a change takes such a unit.
 */
async function findUnnamedOnHold(
  tx: ClientTx,
  { facilityCode }: Book,
  changes: readonly StockChange[],
  places: readonly SerialPlace[],
  balances: readonly Balance[],
): Promise<ReadonlyMap<string, number>> {
  const good = new Set(
    places.filter(({ condition }) => condition === "GOOD").map(({ sku, serial }) => `${sku} ${serial}`),
  );
  const skus = changes
    .filter(({ condition, qty }) => condition === "ON_HOLD" && qty < 0)
    .filter(({ sku, serials }) => serials.some((serial) => good.has(`${sku} ${serial}`)))
    .map(({ sku }) => sku);
  if (skus.length === 0) return new Map();
  const inStock = await listSerialsInStock(tx, facilityCode, [...new Set(skus)]);
  const named = Map.groupBy(
    inStock.filter(({ condition }) => condition === "ON_HOLD"),
    lotKey,
  );
  return new Map(
    balances
      .filter(({ condition }) => condition === "ON_HOLD")
      .map((balance) => [lotKey(balance), balance.qty / 1000 - (named.get(lotKey(balance))?.length ?? 0)]),
  );
}

type Reduction = { readonly sku: string; readonly condition: Condition; qty: number } & Lot;

/** Balances that all changes together reduce, with the reduction. */
function reductionsOf(changes: readonly StockChange[]): Reduction[] {
  const sums = new Map<string, Reduction>();
  for (const { sku, condition, qty, stockPool, batchRef, expiryDate } of changes) {
    const place = { sku, condition, stockPool, batchRef, expiryDate };
    const key = balanceKey(place);
    const sum = sums.get(key) ?? { ...place, qty: 0 };
    sum.qty -= qty;
    sums.set(key, sum);
  }
  return [...sums.values()].filter(({ qty }) => qty > 0);
}

/** Pure: checks reductions against balances and reservations. */
export function checkReductions(
  facilityCode: string,
  reductions: readonly Reduction[],
  balances: readonly Balance[],
  reservations: readonly Reservation[],
): { readonly faults: string[]; readonly shortages: Shortage[] } {
  const faults: string[] = [];
  const shortages: Shortage[] = [];
  const balanceOf = new Map(balances.map((balance) => [balanceKey(balance), balance]));
  const holdersOf = Map.groupBy(reservations, lotKey);
  for (const reduction of reductions) {
    const { condition, qty } = reduction;
    const there = balanceOf.get(balanceKey(reduction));
    const subject = `${describeLot(reduction)}: ${formatQuantity(qty)} to be taken from ${condition} in ${facilityCode}`;
    if (!there || there.qty < qty) {
      faults.push(`${subject}, but there are ${formatQuantity(there?.qty ?? 0)}; count the lot, or name another one`);
      continue;
    }
    const missing = qty - (there.qty - there.allocated);
    if (missing <= 0) continue;
    const holders = holdersOf.get(lotKey(reduction)) ?? [];
    const sum = (of: (holder: Reservation) => number) => holders.reduce((total, holder) => total + of(holder), 0);
    const unpicked = sum(({ allocated }) => allocated);
    if (missing > unpicked) {
      const left = formatQuantity(qty - (missing - unpicked));
      const picked = formatQuantity(sum((holder) => holder.picked));
      const packed = formatQuantity(sum((holder) => holder.packed));
      faults.push(
        `${subject}, but only ${left} can be: ${picked} picked and ${packed} packed for orders; put those back or despatch them first`,
      );
    } else shortages.push({ lot: reduction, qty: missing });
  }
  return { faults, shortages };
}

/**
 * Pure: an outgoing unit must be here and unowned. An incoming one must not be in stock, unless the same report removes
 * it.
 */
function checkSerials(
  facilityCode: string,
  changes: readonly StockChange[],
  places: readonly SerialPlace[],
  unnamedOnHold: ReadonlyMap<string, number>,
): readonly string[] {
  const faults: string[] = [];
  const keyOf = (sku: string, serial: string) => JSON.stringify([sku, serial]);
  const placeOf = new Map(places.map((place) => [keyOf(place.sku, place.serial), place]));
  const leaving = new Set<string>();
  const coming = new Set<string>();
  const unnamed = new Map(unnamedOnHold);
  const isInCondition = (place: SerialPlace, change: StockChange) => {
    if (place.condition === change.condition) return true;
    const left = unnamed.get(lotKey(place)) ?? 0;
    if (place.condition !== "GOOD" || change.condition !== "ON_HOLD" || left <= 0) return false;
    unnamed.set(lotKey(place), left - 1);
    return true;
  };
  for (const change of changes) {
    for (const serial of change.qty < 0 ? change.serials : []) {
      const key = keyOf(change.sku, serial);
      const place = placeOf.get(key);
      const isHere = place?.state === "IN_STOCK" && place.facilityCode === facilityCode;
      if (!isHere || lotKey(place) !== lotKey(change)) {
        faults.push(`serial ${serial} is not in stock in ${facilityCode} as ${describeLot(change)}`);
      } else if (!isInCondition(place, change)) {
        faults.push(
          `serial ${serial} of SKU ${change.sku} is ${place.condition}, not ${change.condition}; name its condition`,
        );
      } else if (place.ownerId !== undefined) {
        faults.push(`serial ${serial} of SKU ${change.sku} is picked for ${place.ownerId}; put it back first`);
      } else if (leaving.has(key)) {
        faults.push(`serial ${serial} of SKU ${change.sku} is present twice`);
      }
      leaving.add(key);
    }
  }
  for (const change of changes) {
    for (const serial of change.qty > 0 ? change.serials : []) {
      const key = keyOf(change.sku, serial);
      const place = placeOf.get(key);
      if ((place?.state === "IN_STOCK" && !leaving.has(key)) || coming.has(key)) {
        const where = place === undefined ? "this report" : place.facilityCode;
        faults.push(`serial ${serial} of SKU ${change.sku} is in stock already, in ${where}`);
      }
      coming.add(key);
    }
  }
  return faults;
}

/** The cause of a change. */
export interface Cause {
  readonly referenceType: "adjustment" | "count" | "order";
  readonly referenceId: string;
  readonly reasonCode: string;
  readonly occurredAt: string | undefined;
  /** Verb of the audit lines. */
  readonly action: string;
  readonly note?: string | undefined;
  /** SKUs whose lots and quantities the audit lines name, because they count against the tolerance of the day. */
  readonly countedSkus?: ReadonlySet<string> | undefined;
}

/**
 * Books checked changes: frees allocations, writes entries and serial numbers, and an audit line for each SKU.
 *
 * @returns the events of the freed allocations.
 */
export async function bookChanges(
  tx: UnitOfWork,
  book: Book,
  changes: readonly StockChange[],
  options: { readonly shortages: readonly Shortage[]; readonly free: FreeAllocations; readonly cause: Cause },
): Promise<EventDraft[]> {
  const { shortages, free, cause } = options;
  const drafts: EventDraft[] = [];
  for (const { lot, qty } of shortages) {
    const result = await free(tx, book, lot, qty);
    assert(result.freed === qty, `${describeLot(lot)}: ${result.freed} of ${qty} thousandths were freed`);
    drafts.push(...result.drafts);
  }
  postMovements(tx, book, tx.change.ids, changes.map(movementOf(cause)));
  writeSerials(tx, tx.change.at, placesAfter(book.facilityCode, changes));
  recordAudits(
    tx,
    [...new Set(changes.map(({ sku }) => sku))].map((sku) => ({
      action: cause.action,
      objectType: "stock",
      objectId: `${book.facilityCode}/${sku}`,
      detail: {
        [`${cause.referenceType}Id`]: cause.referenceId,
        reasonCode: cause.reasonCode,
        note: cause.note,
        ...(cause.countedSkus?.has(sku) ? { lots: changes.filter((line) => line.sku === sku).map(countedLotOf) } : {}),
      },
    })),
  );
  return drafts;
}

/** A change as its audit line names it; `listAdjustedToday` reads it. */
const countedLotOf = (line: StockChange): CountedLot => ({
  ...fieldsOfLot(line),
  condition: line.condition,
  qty: quantityToNumber(line.qty),
});

export interface CountedLot extends LotFields {
  readonly condition: Condition;
  /** Signed, in stock units. */
  readonly qty: number;
}

const movementOf =
  ({ referenceType, referenceId, occurredAt }: Cause) =>
  ({ isSerialKept: _, ...change }: StockChange): Movement => ({ ...change, referenceType, referenceId, occurredAt });

/** Incoming units after outgoing ones: a serial number that does both ends at its new place. */
function placesAfter(facilityCode: string, changes: readonly StockChange[]): SerialPlace[] {
  const placesOf = (change: StockChange): SerialPlace[] =>
    change.serials.map((serial) => ({
      sku: change.sku,
      serial,
      state: change.qty > 0 ? "IN_STOCK" : "GONE",
      facilityCode,
      condition: change.condition,
      stockPool: change.stockPool,
      batchRef: change.batchRef,
      expiryDate: change.expiryDate,
    }));
  const kept = changes.filter(({ isSerialKept }) => isSerialKept);
  return [
    ...kept.filter(({ qty }) => qty < 0).flatMap(placesOf),
    ...kept.filter(({ qty }) => qty > 0).flatMap(placesOf),
  ];
}
