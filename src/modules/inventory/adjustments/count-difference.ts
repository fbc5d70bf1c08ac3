// What a count means: pure, so that it can be read and tested without a store. Quantities in integer thousandths.
import { formatQuantity } from "#/kernel/values/quantity.ts";
import type { LaterMovement } from "#/modules/inventory/adjustments/count-repository.ts";
import { shortPickReason } from "#/modules/inventory/adjustments/reports.ts";
import type { StockChange } from "#/modules/inventory/ledger/stock-change.ts";
import { type Condition, describeLot, type Lot } from "#/modules/inventory/lot.ts";

/** One balance that was counted, with all that is known of it. */
export interface Counted {
  readonly place: { readonly sku: string; readonly condition: Condition } & Lot;
  readonly countedQty: number;
  /** Those that were counted, where the item keeps serial numbers. */
  readonly serials: readonly string[] | undefined;
  readonly balanceNow: number;
  /** Picked and packed now. */
  readonly stagedNow: number;
  /** Of this balance, newest first. */
  readonly later: readonly LaterMovement[];
  readonly includesStaged: boolean;
  /** What a short pick has put on hold of the lot, and this count explains: of a GOOD balance, or of what is on hold. */
  readonly shortPicked: number;
  /** In stock here now: with whether somebody has picked them. Only where the item keeps serial numbers. */
  readonly serialsNow: readonly { readonly serial: string; readonly isStaged: boolean }[];
}

/** What should have been counted at the moment of the count. */
export function expectedQuantity(counted: Counted): number {
  let balance = counted.balanceNow;
  let staged = counted.stagedNow;
  for (const movement of counted.later) {
    if (movement.affectsOnHand) balance -= movement.qty;
    staged -= stagedChange(movement);
  }
  return balance - (counted.includesStaged ? 0 : staged);
}

/** What an entry adds to what stands ready: PICK puts it there, DESPATCH takes it away. */
function stagedChange({ type, qty }: LaterMovement): number {
  return type === "PICK" || type === "DESPATCH" ? qty : 0;
}

/** The serial numbers that should have been counted then, short-picked ones too: nobody knew which were missing. */
export function expectedSerials({ serialsNow, later, includesStaged }: Counted): Set<string> {
  const shelf = new Set(serialsNow.filter(({ isStaged }) => includesStaged || !isStaged).map(({ serial }) => serial));
  for (const movement of later) {
    // Off the shelf goes what is picked; what is despatched was off it already, unless the staging area counts too.
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
 * The changes that make the balance what was counted. What a short pick has put on hold ends with it: as much as was
 * counted above the balance is released, the rest is lost.
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
    // On hold itself: what goes first is what no pick had found.
    const ended = isGood ? 0 : Math.min(Math.max(-rest, 0), counted.shortPicked);
    if (ended > 0) changes.push(of("ADJUSTMENT", place.condition, -ended, shortPickReason));
    if (rest + ended !== 0) changes.push(of("ADJUSTMENT", place.condition, rest + ended, "COUNT"));
    return { changes, faults: [] };
  }
  const { missing, unexpected, faults } = serialDifference(counted, serials);
  const lostUnits = lost / 1000;
  if (missing.length < lostUnits || (unexpected.length - missing.length) * 1000 !== rest - lost) {
    const kept = formatQuantity(expectedQuantity(counted) + shortPicked);
    const text = `${describeLot(place)}: the serials known do not make up the quantity known (${kept}); send an adjustment`;
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

/** A serial number that moved between the count and now cannot be judged by it. */
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
      .map((serial) => `serial ${serial} of SKU ${counted.place.sku} was counted before it came; count again`),
  ];
  return { missing, unexpected, faults };
}
