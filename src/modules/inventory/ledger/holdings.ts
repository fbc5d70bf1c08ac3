import { assert } from "#/kernel/assert.ts";
import type { Balance, Lot, Movement, Reservation } from "#/modules/inventory/index.ts";

/** Identifies a component of a work order. */
interface ComponentKey {
  readonly workOrderId: string;
  readonly lineNumber: number;
  readonly sku: string;
}

/**
 * The reservations of work orders while a command is planned: nothing is written until the settlement, which writes
 * everything at once. Every change records its ledger entry.
 */
export interface Holdings {
  readonly movements: readonly Movement[];
  /** The component's reservations, in the order of use. */
  heldBy(key: ComponentKey): readonly Reservation[];
  reserve(key: ComponentKey, lot: Lot, qty: number): void;
  free(key: ComponentKey, lot: Lot, qty: number): void;
  /** Consumes reserved stock of the component. */
  consumeHeld(key: ComponentKey, lot: Lot, qty: number, facts: EntryFacts): void;
  /** Consumes unreserved stock. */
  consumeFree(key: ComponentKey, lot: Lot, qty: number, facts: EntryFacts): void;
  produce(workOrderId: string, sku: string, lot: Lot, qty: number, facts: EntryFacts): void;
  /** The changed reservations with their new values. */
  changed(): readonly Reservation[];
}

/** Facts of the report for a ledger entry. */
interface EntryFacts {
  readonly serials?: readonly string[] | undefined;
  readonly reason?: string | undefined;
  readonly occurredAt?: string | undefined;
}

export function createHoldings(
  place: { readonly facilityCode: string; readonly at: string },
  existing: readonly Reservation[],
): Holdings {
  const held = new Map(existing.map((reservation) => [keyOf(reservation), reservation]));
  const changedKeys = new Set<string>();
  const movements: Movement[] = [];

  function change(key: ComponentKey, lot: Lot, delta: number): void {
    const fresh: Reservation = {
      ownerType: "WORK_ORDER",
      ownerId: key.workOrderId,
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
    assert(after.allocated >= 0, `${key.workOrderId} holds ${before.allocated} of ${key.sku}, not ${-delta}`);
    held.set(name, after);
    changedKeys.add(name);
  }

  function enter(
    entry: Pick<Movement, "type" | "sku" | "qty" | "allocatedChange">,
    workOrderId: string,
    lot: Lot,
    { serials, reason, occurredAt }: EntryFacts = {},
  ): void {
    movements.push({
      ...entry,
      ...bare(lot),
      condition: "GOOD",
      referenceType: "workOrder",
      referenceId: workOrderId,
      ...(serials === undefined || serials.length === 0 ? {} : { serials }),
      ...(reason === undefined ? {} : { reason }),
      ...(occurredAt === undefined ? {} : { occurredAt }),
    });
  }

  return {
    movements,
    heldBy: ({ workOrderId, lineNumber }) =>
      [...held.values()]
        .filter(
          (reservation) =>
            reservation.ownerId === workOrderId && reservation.lineNumber === lineNumber && reservation.allocated > 0,
        )
        .sort((a, b) => (a.expiryDate < b.expiryDate ? -1 : a.expiryDate > b.expiryDate ? 1 : before(a, b))),
    reserve(key, lot, qty) {
      change(key, lot, qty);
      enter({ type: "ALLOCATION", sku: key.sku, qty, allocatedChange: qty }, key.workOrderId, lot);
    },
    free(key, lot, qty) {
      change(key, lot, -qty);
      enter({ type: "DEALLOCATION", sku: key.sku, qty: -qty, allocatedChange: -qty }, key.workOrderId, lot);
    },
    consumeHeld(key, lot, qty, facts) {
      change(key, lot, -qty);
      enter({ type: "CONSUMPTION", sku: key.sku, qty: -qty, allocatedChange: -qty }, key.workOrderId, lot, facts);
    },
    consumeFree(key, lot, qty, facts) {
      enter({ type: "CONSUMPTION", sku: key.sku, qty: -qty, allocatedChange: 0 }, key.workOrderId, lot, facts);
    },
    produce(workOrderId, sku, lot, qty, facts) {
      enter({ type: "PRODUCTION", sku, qty, allocatedChange: 0 }, workOrderId, lot, facts);
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
 * Releases up to `qty` of the component's reservations, in the reverse order of use. @returns the released quantity.
 */
export function freeHeld(holdings: Holdings, key: ComponentKey, qty: number): number {
  let left = qty;
  for (const reservation of [...holdings.heldBy(key)].reverse()) {
    const part = Math.min(left, reservation.allocated);
    if (part > 0) holdings.free(key, reservation, part);
    left -= part;
  }
  return qty - left;
}

// Matches lots with components. Pure, so that the allocation is testable without a store.

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
