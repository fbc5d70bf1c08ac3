import { assert } from "#/kernel/assert.ts";
import type { Movement } from "#/modules/inventory/ledger/ledger.ts";
import type { Balance } from "#/modules/inventory/ledger/repository.ts";
import type { Reservation } from "#/modules/inventory/ledger/reservation-repository.ts";
import type { Lot } from "#/modules/inventory/lot.ts";

/** Identifies a line that holds stock: a component of a work order, or a line of a transfer. */
export interface HolderKey {
  readonly ownerId: string;
  readonly lineNumber: number;
  readonly sku: string;
}

/** The kind of object that holds the stock, and its name in ledger entries. */
export interface HolderKind {
  readonly ownerType: Exclude<Reservation["ownerType"], "ORDER">;
  readonly referenceType: string;
  /** The entry of stock that is used up, or that leaves the facility. */
  readonly outgoing: "CONSUMPTION" | "DESPATCH";
}

/**
 * The reservations of work orders or transfers while a command is planned: nothing is written until the settlement, which
 * writes everything at once. Every change records its ledger entry.
 */
export interface Holdings {
  readonly movements: readonly Movement[];
  /** The line's reservations, in the order of use. */
  heldBy(key: HolderKey): readonly Reservation[];
  reserve(key: HolderKey, lot: Lot, qty: number): void;
  free(key: HolderKey, lot: Lot, qty: number): void;
  /** Takes reserved stock of the line. */
  consumeHeld(key: HolderKey, lot: Lot, qty: number, facts: EntryFacts): void;
  /** Takes unreserved stock. */
  consumeFree(key: HolderKey, lot: Lot, qty: number, facts: EntryFacts): void;
  produce(ownerId: string, sku: string, lot: Lot, qty: number, facts: EntryFacts): void;
  /** The changed reservations with their new values. */
  changed(): readonly Reservation[];
}

/** Facts of the report for a ledger entry. */
export interface EntryFacts {
  readonly serials?: readonly string[] | undefined;
  readonly reason?: string | undefined;
  readonly occurredAt?: string | undefined;
}

export function createHoldings(
  { ownerType, referenceType, outgoing }: HolderKind,
  place: { readonly facilityCode: string; readonly at: string },
  existing: readonly Reservation[],
): Holdings {
  const held = new Map(existing.map((reservation) => [keyOf(reservation), reservation]));
  const changedKeys = new Set<string>();
  const movements: Movement[] = [];

  function change(key: HolderKey, lot: Lot, delta: number): void {
    const fresh: Reservation = {
      ownerType,
      ownerId: key.ownerId,
      lineNumber: key.lineNumber,
      facilityCode: place.facilityCode,
      sku: key.sku,
      ...bare(lot),
      allocated: 0,
      picked: 0,
      packed: 0,
      chosenBy: chosenBy(lot),
      allocatedAt: place.at,
    };
    const name = keyOf(fresh);
    const before = held.get(name) ?? fresh;
    const after = { ...before, allocated: before.allocated + delta };
    assert(after.allocated >= 0, `${key.ownerId} holds ${before.allocated} of ${key.sku}, not ${-delta}`);
    held.set(name, after);
    changedKeys.add(name);
  }

  function enter(
    entry: Pick<Movement, "type" | "sku" | "qty" | "allocatedChange">,
    ownerId: string,
    lot: Lot,
    { serials, reason, occurredAt }: EntryFacts = {},
  ): void {
    movements.push({
      ...entry,
      ...bare(lot),
      condition: "GOOD",
      referenceType,
      referenceId: ownerId,
      ...(serials === undefined || serials.length === 0 ? {} : { serials }),
      ...(reason === undefined ? {} : { reason }),
      ...(occurredAt === undefined ? {} : { occurredAt }),
    });
  }

  function leave(key: HolderKey, lot: Lot, qty: number, allocatedChange: number, facts: EntryFacts): void {
    const { sku, ownerId } = key;
    // Counts take what is despatched from the staged units: the same report has picked it.
    if (outgoing === "DESPATCH") enter({ type: "PICK", sku, qty, allocatedChange: 0 }, ownerId, lot, facts);
    enter({ type: outgoing, sku, qty: -qty, allocatedChange }, ownerId, lot, facts);
  }

  return {
    movements,
    heldBy: ({ ownerId, lineNumber }) =>
      [...held.values()]
        .filter(
          (reservation) =>
            reservation.ownerId === ownerId && reservation.lineNumber === lineNumber && reservation.allocated > 0,
        )
        .sort((a, b) => (a.expiryDate < b.expiryDate ? -1 : a.expiryDate > b.expiryDate ? 1 : before(a, b))),
    reserve(key, lot, qty) {
      change(key, lot, qty);
      enter({ type: "ALLOCATION", sku: key.sku, qty, allocatedChange: qty }, key.ownerId, lot);
    },
    free(key, lot, qty) {
      change(key, lot, -qty);
      enter({ type: "DEALLOCATION", sku: key.sku, qty: -qty, allocatedChange: -qty }, key.ownerId, lot);
    },
    consumeHeld(key, lot, qty, facts) {
      change(key, lot, -qty);
      leave(key, lot, qty, -qty, facts);
    },
    consumeFree(key, lot, qty, facts) {
      leave(key, lot, qty, 0, facts);
    },
    produce(ownerId, sku, lot, qty, facts) {
      enter({ type: "PRODUCTION", sku, qty, allocatedChange: 0 }, ownerId, lot, facts);
    },
    changed: () => [...changedKeys].map((name) => held.get(name) as Reservation),
  };
}

/** Of two lots with the same expiry date, or with none, the one that was reserved first is used first. */
function before(a: Reservation, b: Reservation): number {
  return a.allocatedAt < b.allocatedAt ? -1 : a.allocatedAt > b.allocatedAt ? 1 : a.batchRef < b.batchRef ? -1 : 1;
}

function keyOf({ ownerId, lineNumber, stockPool, batchRef, expiryDate }: Reservation): string {
  return JSON.stringify([ownerId, lineNumber, stockPool, batchRef, expiryDate]);
}

function bare({ stockPool, batchRef, expiryDate }: Lot): Lot {
  return { stockPool, batchRef, expiryDate };
}

/** Reservations as supplies. */
export function suppliesOf(held: readonly Reservation[]): Supply[] {
  return held.map(({ sku, stockPool, batchRef, expiryDate, allocated, allocatedAt }) => ({
    sku,
    stockPool,
    batchRef,
    expiryDate,
    receivedAt: allocatedAt,
    qty: allocated,
  }));
}

/**
 * Releases up to `qty` of the line's reservations, in the reverse order of use. @returns the released quantity.
 */
export function freeHeld(holdings: Holdings, key: HolderKey, qty: number): number {
  let left = qty;
  for (const reservation of [...holdings.heldBy(key)].reverse()) {
    const part = Math.min(left, reservation.allocated);
    if (part > 0) holdings.free(key, reservation, part);
    left -= part;
  }
  return qty - left;
}

// Matches lots with lines. Pure, so that the allocation is testable without a store.

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
