import type { Change } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import { conflict, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { composeAdjustment, type EventLine } from "#/modules/inventory/adjustments/adjusted-event.ts";
import { type Counted, differenceOf } from "#/modules/inventory/adjustments/count-difference.ts";
import * as repository from "#/modules/inventory/adjustments/count-repository.ts";
import { type ReadLine, readLines, refusalOfFields } from "#/modules/inventory/adjustments/report-lines.ts";
import type { AdjustmentAnswer, CountReport, FreeAllocations } from "#/modules/inventory/adjustments/reports.ts";
import { listBalances } from "#/modules/inventory/ledger/balance-repository.ts";
import type { Book } from "#/modules/inventory/ledger/book.ts";
import { listReservationsOfLots } from "#/modules/inventory/ledger/reservation-repository.ts";
import { listSerialsInStock } from "#/modules/inventory/ledger/serial-repository.ts";
import { bookChanges, checkChanges, type StockChange } from "#/modules/inventory/ledger/stock-change.ts";
import { balanceKey, type Condition, type Lot, lotKey } from "#/modules/inventory/lot.ts";
import type { CommandResult } from "#/outbox/append.ts";

export interface CountAnswer extends AdjustmentAnswer {
  readonly countId: string;
}

/**
 * count/report (warehouse.md): the difference to the balance at the moment of the count becomes an ADJUSTMENT with
 * reason COUNT. The short-picked quantity of a counted lot is released or lost. A count without a difference changes
 * nothing. Refused like an adjustment. Lines of the same lot and condition, counted in several places, are added up.
 */
export async function reportCount(
  tx: Transaction,
  change: Change,
  book: Book,
  report: CountReport,
  free: FreeAllocations,
): Promise<Result<CommandResult<CountAnswer>, Refusal>> {
  const { countId, occurredAt } = report;
  const { read, faults: wrong } = await readLines(tx, book.clientId, report.lines, "countedQty", "zeroOrMore");
  if (wrong.length > 0) return refused(refusalOfFields(wrong));
  const differences = (await readCounted(tx, book, report, read)).map(differenceOf);
  const changes = differences.flatMap((difference) => difference.changes);
  const checked = await checkChanges(tx, book, changes);
  const faults = [...differences.flatMap((difference) => difference.faults), ...checked.faults];
  if (faults.length > 0) return refused(conflict(faults.join("; ")));
  const head = { countId, adjustmentId: countId, reasonCode: "COUNT" };
  if (changes.length === 0) return ok({ answer: { ...head, lines: [] }, events: [] });
  const freed = await bookChanges(tx, change, book, changes, {
    shortages: checked.shortages,
    free,
    cause: { referenceType: "count", referenceId: countId, reasonCode: "COUNT", occurredAt, action: "count" },
  });
  const { drafts, lines } = await composeAdjustment(tx, change, book, { ...head, lines: eventLinesOf(changes) });
  return ok({ answer: { ...head, lines }, events: [...freed, ...drafts] });
}

type Place = { readonly sku: string; readonly condition: Condition } & Lot;

/** Each counted balance with its current facts and its later entries. */
async function readCounted(
  tx: Transaction,
  book: Book,
  report: CountReport,
  lines: readonly ReadLine<CountReport["lines"][number]>[],
): Promise<Counted[]> {
  const { clientId, facilityCode } = book;
  const { includesStaged = false, occurredAt } = report;
  const at = occurredAt ?? book.at;
  const skus = [...new Set(lines.map(({ sku }) => sku))];
  const serialSkus = [...new Set(lines.filter(({ rules }) => rules.captureSerial).map(({ sku }) => sku))];
  const counts = Map.groupBy(lines, ({ line: { condition = "GOOD" }, sku, lot }) =>
    balanceKey({ ...lot, sku, condition }),
  );
  const lots = lines.map(({ sku, lot }) => ({ sku, ...lot }));
  const [balances, reservations, serials, later, shortPicked] = await Promise.all([
    listBalances(tx, clientId, facilityCode, skus),
    listReservationsOfLots(tx, clientId, facilityCode, [...new Map(lots.map((lot) => [lotKey(lot), lot])).values()]),
    listSerialsInStock(tx, clientId, facilityCode, serialSkus),
    occurredAt === undefined
      ? []
      : repository
          .positionAt(tx, clientId, facilityCode, at)
          .then((position) => repository.listLaterMovements(tx, clientId, facilityCode, skus, { position, at })),
    repository.listShortPicked(tx, clientId, facilityCode, skus, at),
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
  return [...counts].map(([key, same]): Counted => {
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
}

/** A released quantity is reported as found again, ON_HOLD to GOOD. */
function eventLinesOf(changes: readonly StockChange[]): EventLine[] {
  return changes.flatMap((change): EventLine[] => {
    const { sku, qty, stockPool, batchRef, expiryDate, condition } = change;
    const line = { sku, qty, stockPool, batchRef, expiryDate };
    if (change.type === "RELEASE") {
      return qty > 0 ? [{ ...line, fromCondition: "ON_HOLD", toCondition: "GOOD" }] : [];
    }
    return [{ ...line, ...(qty < 0 ? { fromCondition: condition } : { toCondition: condition }) }];
  });
}
