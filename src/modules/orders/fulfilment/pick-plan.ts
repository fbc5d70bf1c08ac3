// Plans a reported pick: which lots it takes, and which owners exchange lots. Pure: the caller holds the lock on the
// book.

import { conflict, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import type { ItemRules } from "#/modules/catalogue/index.ts";
import {
  type Balance,
  dayAfter,
  describeLot,
  isExpired,
  type Lot,
  lotKey,
  type Movement,
  type Reservation,
} from "#/modules/inventory/index.ts";
import { qtyText, type ReservationBook } from "#/modules/orders/fulfilment/fulfilment-rules.ts";

/** The quantity that a line of the report takes from one lot, or from any lot that fits. */
export interface PickWant {
  readonly lineNumber: number;
  readonly sku: string;
  /** Integer thousandths. */
  readonly picked: number;
  readonly short: number;
  /** The lot fields that the report names. */
  readonly lot: Partial<Lot>;
  readonly serials: readonly string[];
}

export interface PickStock {
  readonly orderId: string;
  readonly reservations: ReservationBook;
  /** Balances of the SKUs for which the line does not hold all of the named lot. */
  readonly balances: readonly Balance[];
  /** The facility's local date. */
  readonly today: string;
  readonly rules: ReadonlyMap<string, Pick<ItemRules, "minShelfLifeDays">>;
  readonly at: string;
  readonly body: { readonly occurredAt?: string | undefined; readonly isForced?: boolean | undefined };
}

export interface PickPlan {
  readonly movements: readonly Movement[];
  /** Short quantities, by lot. */
  readonly shorts: readonly ({ readonly sku: string; readonly qty: number } & Lot)[];
  /** Other orders whose lots changed. */
  readonly swappedWith: readonly string[];
}

export function lotFits(lot: Lot, named: Partial<Lot>): boolean {
  return (
    (named.stockPool === undefined || named.stockPool === lot.stockPool) &&
    (named.batchRef === undefined || named.batchRef === lot.batchRef) &&
    (named.expiryDate === undefined || named.expiryDate === lot.expiryDate)
  );
}

/** Processes the report line by line; each line sees the reservations that the lines before it left. */
export function planPick(stock: PickStock, wants: readonly PickWant[]): Result<PickPlan, Refusal> {
  const { orderId, reservations } = stock;
  const movements: Movement[] = [];
  const shorts: ({ sku: string; qty: number } & Lot)[] = [];
  const swappedWith = new Set<string>();
  /** Changes of the balances' free quantity by swaps. */
  const freed = new Map<string, number>();
  /** The lots that only their shelf life keeps from the want; of an item, the first expiry date that may leave. */
  const tooShort = new Map<PickWant, { readonly lot: Balance; readonly first: string }>();
  const firstExpiryOf = (sku: string) => dayAfter(stock.today, stock.rules.get(sku)?.minShelfLifeDays ?? 0);

  const entry = (type: Movement["type"], of: { sku: string } & Lot, qty: number, ownerType: string, ownerId: string) =>
    movements.push({
      type,
      sku: of.sku,
      stockPool: of.stockPool,
      batchRef: of.batchRef,
      expiryDate: of.expiryDate,
      condition: "GOOD",
      qty,
      allocatedChange: qty,
      referenceType: ownerType === "ORDER" ? "order" : "workOrder",
      referenceId: ownerId,
      occurredAt: stock.body.occurredAt,
    });

  function take(want: PickWant, from: Reservation, qty: number): void {
    const left =
      reservations.ofLine(orderId, want.lineNumber).find((reservation) => lotKey(reservation) === lotKey(from)) ?? from;
    reservations.put({ ...left, allocated: left.allocated - qty, picked: left.picked + qty });
    movements.push({
      type: "PICK",
      sku: from.sku,
      stockPool: from.stockPool,
      batchRef: from.batchRef,
      expiryDate: from.expiryDate,
      condition: "GOOD",
      qty,
      serials: want.serials.length === 0 ? undefined : want.serials,
      referenceType: "order",
      referenceId: orderId,
      occurredAt: stock.body.occurredAt,
    });
  }

  /** Exchanges `qty` of the line's lot `from` for the lot `to`, which is held by `other` or is free. */
  function swap(want: PickWant, from: Reservation, to: { sku: string } & Lot, qty: number, other?: Reservation): void {
    const reservationsOfLine = reservations.ofLine(orderId, want.lineNumber);
    const held = reservationsOfLine.find((reservation) => lotKey(reservation) === lotKey(to)) ?? emptyOf(from, to);
    reservations.put({ ...from, allocated: from.allocated - qty });
    reservations.put({ ...held, allocated: held.allocated + qty, chosenBy: "PICK" });
    entry("DEALLOCATION", from, -qty, "ORDER", orderId);
    if (other) {
      const theirs = reservations
        .all()
        .find(
          (reservation) =>
            reservation.ownerType === other.ownerType &&
            reservation.ownerId === other.ownerId &&
            reservation.lineNumber === other.lineNumber &&
            lotKey(reservation) === lotKey(from),
        );
      const replacement = theirs ?? emptyOf(other, from);
      reservations.put({ ...other, allocated: other.allocated - qty });
      reservations.put({ ...replacement, allocated: replacement.allocated + qty, chosenBy: "PICK" });
      entry("DEALLOCATION", other, -qty, other.ownerType, other.ownerId);
      entry("ALLOCATION", { ...from }, qty, other.ownerType, other.ownerId);
      if (other.ownerType === "ORDER" && other.ownerId !== orderId) swappedWith.add(other.ownerId);
    } else {
      freed.set(lotKey(from), (freed.get(lotKey(from)) ?? 0) + qty);
      freed.set(lotKey(to), (freed.get(lotKey(to)) ?? 0) - qty);
    }
    entry("ALLOCATION", to, qty, "ORDER", orderId);
  }

  function emptyOf(holder: Reservation, lot: Lot): Reservation {
    const { stockPool, batchRef, expiryDate } = lot;
    return { ...holder, stockPool, batchRef, expiryDate, allocated: 0, picked: 0, packed: 0, allocatedAt: stock.at };
  }

  /** Exchanges up to `wanted` of the line's other lots for the named lot; returns the exchanged quantity. */
  function swapIn(want: PickWant, wanted: number): number {
    let missing = wanted;
    for (const balance of stock.balances) {
      if (balance.sku !== want.sku || balance.condition !== "GOOD" || !lotFits(balance, want.lot)) continue;
      if (isExpired(balance, stock.today)) continue;
      // The rule of allocation. What a line holds already was allocated by it.
      const first = firstExpiryOf(balance.sku);
      if (stock.body.isForced !== true && isExpired(balance, first)) {
        tooShort.set(want, { lot: balance, first });
        continue;
      }
      const holders = () =>
        reservations
          .all()
          .filter((reservation) => lotKey(reservation) === lotKey(balance) && reservation.allocated > 0)
          .filter((reservation) => reservation.ownerId !== orderId || reservation.lineNumber !== want.lineNumber)
          // The latest holder gives up the lot first.
          .toSorted((left, right) => (left.allocatedAt < right.allocatedAt ? 1 : -1));
      for (;;) {
        const source = reservations
          .ofLine(orderId, want.lineNumber)
          .find(
            (reservation) =>
              reservation.allocated > 0 &&
              reservation.stockPool === balance.stockPool &&
              !lotFits(reservation, want.lot),
          );
        if (missing === 0 || !source) break;
        const free = balance.qty - balance.allocated + (freed.get(lotKey(balance)) ?? 0);
        const other = free > 0 ? undefined : holders()[0];
        const most = free > 0 ? free : (other?.allocated ?? 0);
        const qty = Math.min(missing, source.allocated, most);
        if (qty === 0) break;
        swap(want, source, { ...balance }, qty, other);
        missing -= qty;
      }
    }
    return wanted - missing;
  }

  for (const want of wants) {
    const { lineNumber, sku, picked, short } = want;
    const line = `order ${orderId}, line ${lineNumber}`;
    const reservationsOfLine = reservations.ofLine(orderId, lineNumber);
    const allocated = reservationsOfLine.reduce((sum, reservation) => sum + reservation.allocated, 0);
    if (allocated < picked + short) {
      const reported = `${qtyText(picked + short)} of SKU ${sku} are reported`;
      return refused(conflict(`Of ${line}, ${reported}; ${qtyText(allocated)} are allocated.`));
    }
    const fitting = reservationsOfLine
      .filter((reservation) => lotFits(reservation, want.lot))
      .reduce((sum, reservation) => sum + reservation.allocated, 0);
    const lot = describeWant(want);
    if (fitting < short) {
      return refused(conflict(`Of ${line}, ${qtyText(short)} of ${lot} are short; ${qtyText(fitting)} are allocated.`));
    }
    const missing = Math.max(0, picked + short - fitting);
    const swapped = swapIn(want, missing);
    const withheld = tooShort.get(want);
    if (swapped < missing && withheld) {
      const rule = `but the item's MinShelfLifeDays asks for ${withheld.first} or later`;
      const remedy = "Pick another lot, or let an operator force the report";
      return refused(conflict(`Of ${line}, ${describeLot(withheld.lot)} is picked, ${rule}. ${remedy}.`));
    }
    if (swapped < missing) {
      const there = `${qtyText(fitting - short + swapped)} can be taken for it`;
      return refused(conflict(`Of ${line}, ${qtyText(picked)} of ${lot} are picked; ${there}.`));
    }
    let toPick = picked;
    let toMiss = short;
    for (const reservation of reservations.ofLine(orderId, lineNumber)) {
      if (!lotFits(reservation, want.lot)) continue;
      const taken = Math.min(toPick, reservation.allocated);
      if (taken > 0) take(want, reservation, taken);
      toPick -= taken;
      const gone = Math.min(toMiss, reservation.allocated - taken);
      if (gone === 0) continue;
      toMiss -= gone;
      const left = {
        ...reservation,
        allocated: reservation.allocated - taken - gone,
        picked: reservation.picked + taken,
      };
      reservations.put(left);
      entry("DEALLOCATION", reservation, -gone, "ORDER", orderId);
      const { stockPool, batchRef, expiryDate } = reservation;
      shorts.push({ sku, stockPool, batchRef, expiryDate, qty: gone });
    }
  }
  return ok({ movements, shorts, swappedWith: [...swappedWith] });
}

function describeWant({ sku, lot }: PickWant): string {
  return describeLot({
    sku,
    stockPool: lot.stockPool ?? "DEFAULT",
    batchRef: lot.batchRef ?? "",
    expiryDate: lot.expiryDate ?? "infinity",
  });
}
