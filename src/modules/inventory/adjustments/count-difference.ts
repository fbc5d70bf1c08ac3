// Evaluates a count. Pure, so that it is testable without a store. Quantities in integer thousandths.
import { formatQuantity } from "#/kernel/values/quantity.ts";
import type { LaterMovement } from "#/modules/inventory/adjustments/count-repository.ts";
import { shortPickReason } from "#/modules/inventory/adjustments/reports.ts";
import type { StockChange } from "#/modules/inventory/ledger/stock-change.ts";
import { type Condition, describeLot, type Lot } from "#/modules/inventory/lot.ts";

/** One counted balance, with all facts about it. */
export interface Counted {
  readonly place: { readonly sku: string; readonly condition: Condition } & Lot;
  readonly countedQty: number;
  /** The counted serial numbers, if the item keeps serial numbers. */
  readonly serials: readonly string[] | undefined;
  readonly balanceNow: number;
  /** Units that are picked or packed now. */
  readonly stagedNow: number;
  /** Later entries of this balance, newest first. */
  readonly later: readonly LaterMovement[];
  readonly includesStaged: boolean;
  /**
   * Short-picked quantity of the lot on hold that this count explains: for a GOOD balance, or for the ON_HOLD balance.
   */
  readonly shortPicked: number;
  /** Serial numbers that are in stock here now, and whether they are picked. Only if the item keeps serial numbers. */
  readonly serialsNow: readonly { readonly serial: string; readonly isStaged: boolean }[];
}

/** The expected quantity at the moment of the count. */
export function expectedQuantity(counted: Counted): number {
  let balance = counted.balanceNow;
  let staged = counted.stagedNow;
  for (const movement of counted.later) {
    if (movement.affectsOnHand) balance -= movement.qty;
    staged -= stagedChange(movement);
  }
  return balance - (counted.includesStaged ? 0 : staged);
}

/** The quantity that the books have of the counted balance: the expected one, and what a pick did not find there. */
export function recordedQuantity(counted: Counted): number {
  return expectedQuantity(counted) + (counted.place.condition === "GOOD" ? counted.shortPicked : 0);
}

/** The change of the staged quantity by an entry: PICK adds to it, DESPATCH takes from it. */
function stagedChange({ type, qty }: LaterMovement): number {
  return type === "PICK" || type === "DESPATCH" ? qty : 0;
}

/**
 * The expected serial numbers at the moment of the count, short-picked ones included: the missing ones were unknown.
 */
export function expectedSerials({ serialsNow, later, includesStaged }: Counted): Set<string> {
  const shelf = new Set(serialsNow.filter(({ isStaged }) => includesStaged || !isStaged).map(({ serial }) => serial));
  for (const movement of later) {
    // A pick takes a unit off the shelf. A despatched unit was already off it, unless the count includes the staging
    // area.
    const isMoved = includesStaged ? movement.affectsOnHand : movement.type === "PICK" || movement.type !== "DESPATCH";
    if (!isMoved) continue;
    const hasCome = movement.type === "PICK" ? movement.qty < 0 : movement.qty > 0;
    for (const serial of movement.serials) {
      if (hasCome) shelf.delete(serial);
      else shelf.add(serial);
    }
  }
  return shelf;
}

export interface Difference {
  readonly changes: readonly StockChange[];
  readonly faults: readonly string[];
}

/**
 * The changes that set the balance to the counted quantity. They also end the short-picked hold of the lot: the surplus
 * over the balance is released, the rest is lost.
 */
export function differenceOf(counted: Counted): Difference {
  const { place, countedQty, serials } = counted;
  const difference = countedQty - expectedQuantity(counted);
  const isGood = place.condition === "GOOD";
  const shortPicked = isGood ? counted.shortPicked : 0;
  const found = Math.min(Math.max(difference, 0), shortPicked);
  const lost = shortPicked - found;
  const rest = difference - found;
  const of = (type: StockChange["type"], condition: Condition, qty: number, reason: string): StockChange => {
    return { ...place, type, condition, qty, reason, serials: [], isSerialKept: serials !== undefined };
  };
  const changes: StockChange[] = [];
  if (found > 0) {
    changes.push(of("RELEASE", "ON_HOLD", -found, shortPickReason), of("RELEASE", "GOOD", found, shortPickReason));
  }
  if (serials === undefined) {
    if (lost > 0) changes.push(of("ADJUSTMENT", "ON_HOLD", -lost, shortPickReason));
    // For the ON_HOLD balance itself: a reduction takes the short-picked units first.
    const ended = isGood ? 0 : Math.min(Math.max(-rest, 0), counted.shortPicked);
    if (ended > 0) changes.push(of("ADJUSTMENT", place.condition, -ended, shortPickReason));
    if (rest + ended !== 0) changes.push(of("ADJUSTMENT", place.condition, rest + ended, "COUNT"));
    return { changes, faults: [] };
  }
  const { missing, unexpected, faults } = serialDifference(counted, serials);
  const lostUnits = lost / 1000;
  if (missing.length < lostUnits || (unexpected.length - missing.length) * 1000 !== rest - lost) {
    const kept = formatQuantity(expectedQuantity(counted) + shortPicked);
    const text = `${describeLot(place)}: the known serials do not add up to the known quantity (${kept}); send an adjustment`;
    return { changes: [], faults: [...faults, text] };
  }
  const withSerials = (change: StockChange, named: readonly string[]) =>
    named.length === 0 ? [] : [{ ...change, qty: Math.sign(change.qty) * named.length * 1000, serials: named }];
  changes.push(
    ...withSerials(of("ADJUSTMENT", "ON_HOLD", -1, shortPickReason), missing.slice(0, lostUnits)),
    ...withSerials(of("ADJUSTMENT", place.condition, -1, "COUNT"), missing.slice(lostUnits)),
    ...withSerials(of("ADJUSTMENT", place.condition, 1, "COUNT"), unexpected),
  );
  return { changes, faults };
}

/** The count cannot check a serial number that moved after it. */
function serialDifference(counted: Counted, serials: readonly string[]) {
  const expected = expectedSerials(counted);
  const listed = new Set(serials);
  const here = new Set(counted.serialsNow.map(({ serial }) => serial));
  const missing = [...expected].filter((serial) => !listed.has(serial));
  const unexpected = serials.filter((serial) => !expected.has(serial));
  const faults = [
    ...missing
      .filter((serial) => !here.has(serial))
      .map((serial) => `serial ${serial} of SKU ${counted.place.sku} was not counted, but has left since; count again`),
    ...unexpected
      .filter((serial) => here.has(serial))
      .map((serial) => `serial ${serial} of SKU ${counted.place.sku} was counted before it arrived; count again`),
  ];
  return { missing, unexpected, faults };
}
