/**
 * The changes of a receipt compared with the bookings of the receipt that it corrects. A first receipt is compared with
 * nothing, so both cases share one path. Quantities are signed thousandths.
 */

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
import type { ReceiptBooking } from "#/modules/purchasing/receiving/receiving-domain.ts";
import type { ClientTx, UnitOfWork } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

/** A change of one lot in one condition, which becomes one movement. */
export interface StockDifference extends Lot {
  readonly sku: string;
  readonly condition: Condition;
  /** Never 0. */
  readonly qty: number;
  /** The incoming serial numbers if qty is above 0, the outgoing ones if it is below. */
  readonly serials: readonly string[];
  readonly reason: string | undefined;
}

/** A change of one batch on one line, as the client gets it. */
export interface LineDifference {
  readonly lineNumber: number | undefined;
  readonly sku: string;
  readonly batchRef: string;
  readonly expiryDate: string;
  readonly qty: number;
  readonly damaged: number;
  /** ON_HOLD and QUARANTINE. */
  readonly onHold: number;
  readonly serials: readonly string[];
}

interface Side<Part> {
  readonly part: Part;
  before: number;
  after: number;
  damaged: number;
  onHold: number;
  readonly serialsBefore: Set<string>;
  readonly serialsAfter: Set<string>;
}

function compare<Part>(
  before: readonly ReceiptBooking[],
  after: readonly ReceiptBooking[],
  partOf: (booking: ReceiptBooking) => Part,
): Side<Part>[] {
  const sides = new Map<string, Side<Part>>();
  const sideOf = (booking: ReceiptBooking): Side<Part> => {
    const part = partOf(booking);
    const key = JSON.stringify(part);
    const found = sides.get(key);
    if (found) return found;
    const none = { before: 0, after: 0, damaged: 0, onHold: 0 };
    const made = { part, ...none, serialsBefore: new Set<string>(), serialsAfter: new Set<string>() };
    sides.set(key, made);
    return made;
  };
  const addTo = (side: Side<Part>, { condition }: ReceiptBooking, qty: number) => {
    if (condition === "DAMAGED") side.damaged += qty;
    if (condition === "ON_HOLD" || condition === "QUARANTINE") side.onHold += qty;
  };
  for (const booking of after) {
    const side = sideOf(booking);
    side.after += booking.qty;
    addTo(side, booking, booking.qty);
    for (const serial of booking.serials ?? []) side.serialsAfter.add(serial);
  }
  for (const booking of before) {
    const side = sideOf(booking);
    side.before += booking.qty;
    addTo(side, booking, -booking.qty);
    for (const serial of booking.serials ?? []) side.serialsBefore.add(serial);
  }
  return [...sides.values()];
}

/**
 * Units with serial numbers are listed one by one, so an exchange has two parts. For other units only the balance
 * counts.
 */
function halves<Part>(side: Side<Part>): { qty: number; serials: readonly string[] }[] {
  const gone = [...side.serialsBefore.difference(side.serialsAfter)];
  const come = [...side.serialsAfter.difference(side.serialsBefore)];
  const qty = side.after - side.before;
  if (gone.length === 0) return [{ qty, serials: come }];
  if (come.length === 0) return [{ qty, serials: gone }];
  const comeQty = come.length * 1000;
  return [
    { qty: qty - comeQty, serials: gone },
    { qty: comeQty, serials: come },
  ];
}

export function stockDifferences(
  before: readonly ReceiptBooking[],
  after: readonly ReceiptBooking[],
): StockDifference[] {
  const sides = compare(before, after, ({ sku, stockPool, batchRef, expiryDate, condition, reason }) => ({
    sku,
    stockPool,
    batchRef,
    expiryDate,
    condition,
    reason,
  }));
  return sides.flatMap((side) =>
    halves(side)
      .filter(({ qty }) => qty !== 0)
      .map(({ qty, serials }) => ({ ...side.part, qty, serials })),
  );
}

export function lineDifferences(before: readonly ReceiptBooking[], after: readonly ReceiptBooking[]): LineDifference[] {
  const sides = compare(before, after, ({ lineNumber, sku, batchRef, expiryDate }) => ({
    lineNumber,
    sku,
    batchRef,
    expiryDate,
  }));
  return sides
    .flatMap((side) =>
      halves(side).map(({ qty, serials }, i) => ({
        ...side.part,
        qty,
        damaged: i === 0 ? side.damaged : 0,
        onHold: i === 0 ? side.onHold : 0,
        serials,
      })),
    )
    .filter(({ qty, damaged, onHold }) => qty !== 0 || damaged !== 0 || onHold !== 0)
    .sort((left, right) => (left.lineNumber ?? Infinity) - (right.lineNumber ?? Infinity) || 0);
}

type StockLot = { readonly sku: string } & Lot;

/** Allocations to free before stock can be removed. */
interface Freeing {
  readonly lot: StockLot;
  readonly qty: number;
}

/**
 * Checks whether stock allows a correction that removes some: unallocated units first, then allocated, unpicked ones
 * (lifecycle.md §1).
 */
export async function checkReductions(
  tx: ClientTx,
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
  const { facilityCode } = book;
  const skus = [...new Set(reductions.map(({ lot }) => lot.sku))];
  const good = reductions.filter(({ condition }) => condition === "GOOD").map(({ lot }) => lot);
  const [balances, reservations] = await Promise.all([
    listBalances(tx, facilityCode, skus),
    good.length === 0 ? [] : listReservationsOfLots(tx, facilityCode, good),
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
  tx: UnitOfWork,
  book: Book,
  freeings: readonly Freeing[],
  free: FreeAllocations,
): Promise<EventDraft[]> {
  const drafts: EventDraft[] = [];
  for (const { lot, qty } of freeings) {
    const answer = await free(tx, book, lot, qty);
    assert(answer.freed === qty, `${answer.freed} of ${qty} allocations of SKU ${lot.sku} were freed`);
    drafts.push(...answer.drafts);
  }
  return drafts;
}
