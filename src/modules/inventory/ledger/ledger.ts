import { assert } from "#/kernel/assert.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { formatQuantity } from "#/kernel/values/quantity.ts";
import { type Book, writeBook } from "#/modules/inventory/ledger/book.ts";
import * as repository from "#/modules/inventory/ledger/repository.ts";
import { balanceKey, type Condition, type Lot } from "#/modules/inventory/lot.ts";
import type { ClientTransaction } from "#/store/db/database.ts";

/** Types of entries that change on-hand quantities or their condition; a change of condition is two entries. */
export const stockMovementTypes = [
  "RECEIPT",
  "RETURN",
  "DESPATCH",
  "ADJUSTMENT",
  "CONSUMPTION",
  "PRODUCTION",
  "HOLD",
  "RELEASE",
] as const;

/** Types of entries about reservations: listed, but neither in balances nor in movement statements. */
export const reservationMovementTypes = ["ALLOCATION", "DEALLOCATION", "PICK"] as const;

export type MovementType = (typeof stockMovementTypes)[number] | (typeof reservationMovementTypes)[number];

export interface Movement extends Lot {
  readonly type: MovementType;
  readonly sku: string;
  readonly condition: Condition;
  /**
   * Integer thousandths, signed. For ALLOCATION and DEALLOCATION it repeats `allocatedChange`. For PICK it is the
   * quantity that was taken from its location to the staging area (positive) or put back (negative): counts leave out
   * staged units.
   */
  readonly qty: number;
  /**
   * The change of `allocated` of the lot, integer thousandths: + for ALLOCATION; − for DEALLOCATION, and for DESPATCH
   * and CONSUMPTION of reserved quantity; 0 for PICK, because picked quantity is still allocated.
   */
  readonly allocatedChange?: number | undefined;
  readonly serials?: readonly string[] | undefined;
  readonly reason?: string | undefined;
  /** `order`, `receipt`, `purchaseOrder`, `return`, `adjustment`, `count`, `workOrder`, `transfer` */
  readonly referenceType: string;
  readonly referenceId: string;
  /** When it happened on the floor, ISO 8601; by default the moment of booking. */
  readonly occurredAt?: string | undefined;
}

const affecting: ReadonlySet<MovementType> = new Set(stockMovementTypes);

/** True if entries of this type count towards on-hand. */
export function affectsOnHand(type: MovementType): boolean {
  return affecting.has(type);
}

/** True if the entry frees stock that waiting lines may want. */
function feedsAllocation({ type, condition, qty, allocatedChange = 0 }: Movement): boolean {
  if (affectsOnHand(type) && condition === "GOOD" && qty > 0) return true;
  return allocatedChange < 0 && type !== "DESPATCH" && type !== "CONSUMPTION";
}

/**
 * Books entries in the given order: their rows with positions, the balances, the book, and the touched SKUs. It waits
 * for nothing, and the number of statements does not depend on the number of entries.
 *
 * Callers have checked the result: a balance below zero, or allocated above it, fails the transaction. Only the sum of
 * the entries of one call is checked against the balance, so one call may take and give in any order.
 *
 * @param options.isPublished false for historical entries, which are reported neither to clients nor to waiting lines.
 *   Default: true.
 */
export function postMovements(
  tx: ClientTransaction,
  book: Book,
  ids: Ids,
  movements: readonly Movement[],
  { isPublished = true }: { readonly isPublished?: boolean } = {},
): void {
  if (movements.length === 0) return;
  assert(tx.clientId === book.clientId, "the book of another client");
  const { facilityCode, at } = book;
  const atMs = Date.parse(at);
  const entries: repository.EntryRow[] = [];
  const balances = new Map<string, BalanceSum>();
  const needsAllocationOf = new Map<string, boolean>();
  for (const movement of movements) {
    const position = ++book.position;
    const isCounted = affectsOnHand(movement.type);
    entries.push(entryOf(movement, ids.next(atMs), position, isCounted));
    const key = balanceKey(movement);
    const sum = balances.get(key) ?? { movement, qty: 0, allocated: 0, position };
    if (isCounted) sum.qty += movement.qty;
    sum.allocated += movement.allocatedChange ?? 0;
    sum.position = position;
    balances.set(key, sum);
    needsAllocationOf.set(movement.sku, (needsAllocationOf.get(movement.sku) ?? false) || feedsAllocation(movement));
  }
  repository.insertEntries(tx, facilityCode, at, entries);
  repository.addToBalances(tx, facilityCode, at, [...balances.values()].map(balanceRowOf));
  const wants = isPublished ? [...needsAllocationOf].map(([sku, wants]) => ({ sku, needs_allocation: wants })) : [];
  if (wants.length > 0) repository.markChanged(tx, facilityCode, at, wants);
  writeBook(tx, facilityCode, book.position, at);
}

interface BalanceSum {
  readonly movement: Movement;
  qty: number;
  allocated: number;
  position: number;
}

function balanceRowOf({ movement, qty, allocated, position }: BalanceSum): repository.BalanceChangeRow {
  return {
    sku: movement.sku,
    stock_pool: movement.stockPool,
    condition: movement.condition,
    batch_ref: movement.batchRef,
    expiry_date: movement.expiryDate,
    qty,
    allocated,
    position,
  };
}

function entryOf(movement: Movement, id: string, position: number, isCounted: boolean): repository.EntryRow {
  return {
    movement_id: id,
    position,
    type: movement.type,
    sku: movement.sku,
    stock_pool: movement.stockPool,
    condition: movement.condition,
    batch_ref: movement.batchRef,
    expiry_date: movement.expiryDate,
    qty: formatQuantity(movement.qty),
    affects_on_hand: isCounted,
    allocated_change: formatQuantity(movement.allocatedChange ?? 0),
    serials: movement.serials?.length ? movement.serials : undefined,
    reason: movement.reason,
    reference_type: movement.referenceType,
    reference_id: movement.referenceId,
    occurred_at: movement.occurredAt,
  };
}
