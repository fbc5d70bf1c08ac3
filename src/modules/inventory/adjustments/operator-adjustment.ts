import { conflict, type Refusal, unprocessableFaults } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { defaultStockUnit } from "#/kernel/telemetry/measure.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import { findItemRules } from "#/modules/catalogue/index.ts";
import { bookReport, readAdjustment } from "#/modules/inventory/adjustments/adjustment.ts";
import { isWithinDay, listAdjustedToday } from "#/modules/inventory/adjustments/day-tolerance.ts";
import type { FreeAllocations, reasonCodes } from "#/modules/inventory/adjustments/reports.ts";
import type { CountTolerance, StockCount } from "#/modules/inventory/counts/domain.ts";
import { insertCount } from "#/modules/inventory/counts/repository.ts";
import { linesOfLots } from "#/modules/inventory/counts/request.ts";
import { type Book, openBook } from "#/modules/inventory/ledger/book.ts";
import { checkChanges, type StockChange } from "#/modules/inventory/ledger/stock-change.ts";
import { type Condition, type LotFields, lotOf } from "#/modules/inventory/lot.ts";
import { recordAudit } from "#/store/db/audit.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { CommandResult } from "#/store/outbox/append.ts";

/** The reasons that an operator may give. The others belong to reports of warehouses and to opening stock. */
export const operatorReasons = [
  "COUNT",
  "DAMAGE",
  "EXPIRED",
  "FOUND",
  "LOST",
  "CONDITION",
  "DISPOSAL",
  "CORRECTION",
  "OTHER",
] as const satisfies readonly (typeof reasonCodes)[number][];

/** Quantities as JSON numbers in stock units. */
export interface OperatorAdjustment extends LotFields {
  readonly facilityCode: string;
  readonly sku: string;
  readonly condition: Condition;
  /** Signed difference. */
  readonly qty?: number | undefined;
  /** In the place of `qty`: what is on the shelf, without picked and packed units. */
  readonly countedQty?: number | undefined;
  readonly serials?: readonly string[] | undefined;
  readonly reasonCode: string;
  readonly note?: string | undefined;
  /** Missing units may be taken from orders and work orders that have them allocated. */
  readonly freesAllocations: boolean;
}

export interface OperatorAdjustmentResult {
  readonly status: "BOOKED" | "WAITING";
  /** Of a booked adjustment. */
  readonly adjustmentId: string | undefined;
  /** Of a waiting one: another user approves the difference of this count. */
  readonly countId: string | undefined;
  /** Signed difference, in stock units. */
  readonly qty: number;
}

/**
 * An operator adjusts a lot (warehouse.md, Adjustments by operators). A difference is booked at once, as a warehouse's report
 * is, if the client's tolerance of counts covers it together with all that users have adjusted of the lot in 24 hours;
 * a larger one waits for another user, as a count with the cause ADJUSTMENT. Refused like a report, and where it takes allocated units without `freesAllocations`.
 */
export async function adjustStock(
  tx: UnitOfWork,
  request: OperatorAdjustment,
  terms: { readonly tolerance: CountTolerance; readonly free: FreeAllocations },
): Promise<Result<CommandResult<OperatorAdjustmentResult>, Refusal>> {
  const { facilityCode, sku, condition, countedQty, serials, reasonCode, note, freesAllocations } = request;
  if ((request.qty === undefined) === (countedQty === undefined)) {
    const message = "send either qty, the difference, or countedQty, what is on the shelf";
    return refused(unprocessableFaults([{ pointer: "#/qty", message }]));
  }
  const book = await openBook(tx, facilityCode, tx.change.at);
  const place = { ...lotOf(request), sku, condition };
  const uom = (await findItemRules(tx, [sku])).get(sku)?.stockUom ?? defaultStockUnit;
  const [line] = await linesOfLots(tx, facilityCode, [{ ...place, lineNumber: 1, uom }]);
  const expected = line?.expected ?? 0;
  const qty = request.qty ?? Math.round((countedQty ?? 0) * 1000 - expected) / 1000;
  if (qty === 0) {
    const message = `${quantityToNumber(expected)} is what the books have on the shelf; there is nothing to adjust`;
    const pointer = countedQty === undefined ? "#/qty" : "#/countedQty";
    return refused(unprocessableFaults([{ pointer, message }]));
  }
  const { stockPool, batchRef, expiryDate } = request;
  const adjustmentId = tx.change.ids.next(Date.parse(tx.change.at));
  const lines = [{ sku, qty, condition, stockPool, batchRef, expiryDate, serials }];
  const read = await readAdjustment(tx, { adjustmentId, reasonCode, note, freesAllocations, lines });
  if (!read.ok) return read;
  const { changes } = read.value;
  // After the lock of the book, so that of two adjustments at once the second counts the first.
  const today = await listAdjustedToday(tx, facilityCode, [sku], tx.change.at);
  if (!isWithinDay(expected, changes, today, terms.tolerance)) {
    const { faults } = await checkChanges(tx, book, changes);
    if (faults.length > 0) return refused(conflict(faults.join("; ")));
    const countId = leaveWaiting(tx, book, { place, uom, expected, changes, reasonCode, note });
    return ok({ answer: { status: "WAITING", countId, adjustmentId: undefined, qty }, events: [] });
  }
  const cause = { ...read.value.cause, countedSkus: new Set([sku]) };
  const booked = await bookReport(tx, book, { ...read.value, cause, free: terms.free });
  if (!booked.ok) return booked;
  return ok({ answer: { status: "BOOKED", adjustmentId, countId: undefined, qty }, events: booked.value.events });
}

/** The adjustment as a count whose difference waits: the exception, the page and the approval of counts serve it. */
function leaveWaiting(
  tx: UnitOfWork,
  { facilityCode, position }: Book,
  of: {
    readonly place: Pick<StockChange, "sku" | "condition" | "stockPool" | "batchRef" | "expiryDate">;
    readonly uom: string;
    readonly expected: number;
    readonly changes: readonly StockChange[];
    readonly reasonCode: string;
    readonly note: string | undefined;
  },
): string {
  const { place, uom, expected, changes, reasonCode, note } = of;
  const countId = tx.change.ids.next(Date.parse(tx.change.at));
  const counted = expected + changes.reduce((sum, { qty }) => sum + qty, 0);
  const count: StockCount = {
    countId,
    facilityCode,
    status: "WAITING",
    cause: "ADJUSTMENT",
    scope: place,
    isBlind: false,
    note,
    requestedAt: tx.change.at,
    requestedBy: tx.change.actor,
    lines: [{ lineNumber: 1, uom, ...place, expected, counted, state: "WAITING", changes }],
    countedAt: tx.change.at,
    reportedAt: tx.change.at,
    reportedPosition: position,
  };
  insertCount(tx, count);
  recordAudit(tx, {
    action: "adjust",
    objectType: "count",
    objectId: countId,
    detail: { facilityCode, sku: place.sku, reasonCode, note, qty: quantityToNumber(counted - expected) },
  });
  return countId;
}
