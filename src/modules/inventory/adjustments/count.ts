import { conflict, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { defaultStockUnit } from "#/kernel/telemetry/measure.ts";
import { formatQuantity } from "#/kernel/values/quantity.ts";
import { composeAdjustment, type EventLine } from "#/modules/inventory/adjustments/adjusted-event.ts";
import type { LaterMovement } from "#/modules/inventory/adjustments/count-repository.ts";
import * as repository from "#/modules/inventory/adjustments/count-repository.ts";
import { type ReadLine, readLines, refusalOfFields } from "#/modules/inventory/adjustments/report-lines.ts";
import {
  type AdjustmentAnswer,
  type CountReport,
  type FreeAllocations,
  shortPickReason,
} from "#/modules/inventory/adjustments/reports.ts";
import {
  answerCount,
  faultsOfAnswer,
  findRequestedCount,
  supersedeWaiting,
  type WaitingLine,
} from "#/modules/inventory/counts/answer.ts";
import { type CountTolerance, isWholeSku, isWithinTolerance } from "#/modules/inventory/counts/domain.ts";
import { writeLastCounts } from "#/modules/inventory/counts/repository.ts";
import type { Book } from "#/modules/inventory/ledger/book.ts";
import { type Balance, listBalances } from "#/modules/inventory/ledger/repository.ts";
import { listReservationsOfLots } from "#/modules/inventory/ledger/reservation-repository.ts";
import { listSerialsInStock } from "#/modules/inventory/ledger/serial-repository.ts";
import { bookChanges, checkChanges, type StockChange } from "#/modules/inventory/ledger/stock-change.ts";
import { balanceKey, type Condition, describeLot, type Lot, lotKey } from "#/modules/inventory/lot.ts";
import type { ClientTransaction, UnitOfWork } from "#/store/db/database.ts";
import type { CommandResult, EventDraft } from "#/store/outbox/append.ts";

/** The input of a count beside its report. */
export interface CountTerms {
  readonly free: FreeAllocations;
  /** Of requested counts: a difference above it waits for approval. */
  readonly tolerance: CountTolerance;
}

export interface CountAnswer extends AdjustmentAnswer {
  readonly countId: string;
  /** Of a requested count: `WAITING` while an operator has to approve a difference. */
  readonly status?: "COUNTED" | "WAITING";
  /** Of a requested count: the differences that are not booked. */
  readonly waiting?: readonly WaitingLine[];
}

interface CountResult {
  readonly counted: Counted;
  readonly uom: string;
  readonly expected: number;
  readonly changes: readonly StockChange[];
  readonly faults: readonly string[];
}

/**
 * count/report (warehouse.md): the difference to the balance at the moment of the count becomes an ADJUSTMENT with
 * reason COUNT. The short-picked quantity of a counted lot is released or lost. A count without a difference changes
 * nothing. Refused like an adjustment. Lines of the same lot and condition, counted in several places, are added up.
 *
 * The `countId` of a requested count answers it: each of its lines must be counted, and a difference above the
 * tolerance waits for approval.
 */
export async function reportCount(
  tx: UnitOfWork,
  book: Book,
  report: CountReport,
  { free, tolerance }: CountTerms,
): Promise<Result<CommandResult<CountAnswer>, Refusal>> {
  const { countId, occurredAt } = report;
  const open = await findRequestedCount(tx, book, countId);
  if (!open.ok) return open;
  const requested = open.value;
  const { read, faults: wrong } = await readLines(tx, report.lines, "countedQty", "zeroOrMore");
  if (requested) wrong.push(...faultsOfAnswer(requested, report));
  if (wrong.length > 0) return refused(refusalOfFields(wrong));
  const uomOf = new Map(read.map(({ sku, rules }) => [sku, rules.stockUom]));
  const { lots, completeSkus } = await readCounted(tx, book, report, read);
  const results = lots.map((counted): CountResult => {
    const uom = uomOf.get(counted.place.sku) ?? defaultStockUnit;
    return { counted, uom, expected: recordedQuantity(counted), ...differenceOf(counted) };
  });
  const isWaiting = ({ expected, changes }: CountResult) =>
    requested !== undefined && changes.length > 0 && !isWithinTolerance(expected, changes, tolerance);
  const changes = results.flatMap((result) => (isWaiting(result) ? [] : result.changes));
  const checked = await checkChanges(tx, book, changes);
  const faults = [...results.flatMap((result) => result.faults), ...checked.faults];
  if (faults.length > 0) return refused(conflict(faults.join("; ")));
  const places = results.map(({ counted }) => counted.place);
  await supersedeWaiting(tx, book, countId, places);
  const scope = requested?.scope;
  writeLastCounts(tx, book, scope && isWholeSku(scope) ? [scope.sku] : completeSkus);
  const head = { countId, adjustmentId: countId, reasonCode: "COUNT" };
  const events: EventDraft[] = [];
  let lines: CountAnswer["lines"] = [];
  if (changes.length > 0) {
    const freed = await bookChanges(tx, book, changes, {
      shortages: checked.shortages,
      free,
      cause: { referenceType: "count", referenceId: countId, reasonCode: "COUNT", occurredAt, action: "count" },
    });
    const adjusted = await composeAdjustment(tx, book, { ...head, lines: eventLinesOf(changes) });
    events.push(...freed, ...adjusted.drafts);
    lines = adjusted.lines;
  }
  if (!requested) return ok({ answer: { ...head, lines }, events });
  const answered = answerCount(tx, book, requested, {
    countedAt: occurredAt ?? book.at,
    results: results.map((result) => ({
      place: result.counted.place,
      uom: result.uom,
      expected: result.expected,
      counted: result.counted.countedQty,
      changes: result.changes,
      isWaiting: isWaiting(result),
    })),
  });
  return ok({ answer: { ...head, lines, ...answered }, events });
}

type Place = { readonly sku: string; readonly condition: Condition } & Lot;

/** Each counted balance with its current facts and its later entries, and the SKUs of which the report names all GOOD lots. */
async function readCounted(
  tx: ClientTransaction,
  book: Book,
  report: CountReport,
  lines: readonly ReadLine<CountReport["lines"][number]>[],
): Promise<{ readonly lots: readonly Counted[]; readonly completeSkus: readonly string[] }> {
  const { facilityCode } = book;
  const { includesStaged = false, occurredAt } = report;
  const at = occurredAt ?? book.at;
  const skus = [...new Set(lines.map(({ sku }) => sku))];
  const serialSkus = [...new Set(lines.filter(({ rules }) => rules.captureSerial).map(({ sku }) => sku))];
  const counts = Map.groupBy(lines, ({ line: { condition = "GOOD" }, sku, lot }) =>
    balanceKey({ ...lot, sku, condition }),
  );
  const lots = lines.map(({ sku, lot }) => ({ sku, ...lot }));
  const [balances, reservations, serials, later, shortPicked] = await Promise.all([
    listBalances(tx, facilityCode, skus),
    listReservationsOfLots(tx, facilityCode, [...new Map(lots.map((lot) => [lotKey(lot), lot])).values()]),
    listSerialsInStock(tx, facilityCode, serialSkus),
    occurredAt === undefined
      ? []
      : repository
          .positionAt(tx, facilityCode, at)
          .then((position) => repository.listLaterMovements(tx, facilityCode, skus, { position, at })),
    repository.listShortPicked(tx, facilityCode, skus, at),
  ]);
  const balanceOf = new Map(balances.map((balance) => [balanceKey(balance), balance.qty]));
  const stagedOf = new Map<string, number>();
  for (const holder of reservations) {
    const key = lotKey(holder);
    stagedOf.set(key, (stagedOf.get(key) ?? 0) + holder.picked + holder.packed);
  }
  const laterOf = Map.groupBy(later, balanceKey);
  const serialsOf = Map.groupBy(serials, balanceKey);
  const shortOf = new Map(
    shortPicked.map((short) => {
      const onHold = balanceOf.get(balanceKey({ ...short, condition: "ON_HOLD" })) ?? 0;
      return [lotKey(short), Math.max(0, Math.min(short.qty, short.qtyThen, onHold))];
    }),
  );
  const counted = [...counts].map(([key, same]): Counted => {
    const [{ sku, lot, line, rules }] = same as [(typeof same)[number]];
    const place: Place = { ...lot, sku, condition: line.condition ?? "GOOD" };
    const isGood = place.condition === "GOOD";
    // If the on-hold stock was counted too, that count covers the short-picked quantity.
    const isHoldCounted = counts.has(balanceKey({ ...place, condition: "ON_HOLD" }));
    const isExplained = place.condition === "ON_HOLD" || (isGood && !isHoldCounted);
    return {
      place,
      countedQty: same.reduce((sum, { qty }) => sum + qty, 0),
      serials: rules.captureSerial ? same.flatMap((readLine) => readLine.serials) : undefined,
      balanceNow: balanceOf.get(key) ?? 0,
      stagedNow: isGood ? (stagedOf.get(lotKey(place)) ?? 0) : 0,
      later: laterOf.get(key) ?? [],
      includesStaged,
      shortPicked: isExplained ? (shortOf.get(lotKey(place)) ?? 0) : 0,
      serialsNow: (serialsOf.get(key) ?? []).map(({ serial, ownerId }) => ({
        serial,
        isStaged: ownerId !== undefined,
      })),
    };
  });
  const isLeftOut = (balance: Balance) => balance.condition === "GOOD" && !counts.has(balanceKey(balance));
  const incomplete = new Set(balances.filter(isLeftOut).map(({ sku }) => sku));
  return { lots: counted, completeSkus: skus.filter((sku) => !incomplete.has(sku)) };
}

/** A released quantity is reported as found again, ON_HOLD to GOOD. */
export function eventLinesOf(changes: readonly StockChange[]): EventLine[] {
  return changes.flatMap((change): EventLine[] => {
    const { sku, qty, stockPool, batchRef, expiryDate, condition } = change;
    const line = { sku, qty, stockPool, batchRef, expiryDate };
    if (change.type === "RELEASE") {
      return qty > 0 ? [{ ...line, fromCondition: "ON_HOLD", toCondition: "GOOD" }] : [];
    }
    return [{ ...line, ...(qty < 0 ? { fromCondition: condition } : { toCondition: condition }) }];
  });
}

// Evaluates a count. Pure, so that it is testable without a store. Quantities in integer thousandths.

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
function recordedQuantity(counted: Counted): number {
  return expectedQuantity(counted) + (counted.place.condition === "GOOD" ? counted.shortPicked : 0);
}

/** The change of the staged quantity by an entry: PICK adds to it, DESPATCH takes from it. */
function stagedChange({ type, qty }: LaterMovement): number {
  return type === "PICK" || type === "DESPATCH" ? qty : 0;
}

/**
 * The expected serial numbers at the moment of the count, short-picked ones included: the missing ones were unknown.
 */
function expectedSerials({ serialsNow, later, includesStaged }: Counted): Set<string> {
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

interface Difference {
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
