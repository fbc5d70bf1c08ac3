import { conflict, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { composeAdjustment, type EventLine } from "#/modules/inventory/adjustments/adjusted-event.ts";
import {
  faultsOfPoolTransfer,
  faultsOfReason,
  faultsOfSign,
  type ReadLine,
  readLines,
  refusalOfFields,
} from "#/modules/inventory/adjustments/report-lines.ts";
import {
  type AdjustmentAnswer,
  type AdjustmentReport,
  type FreeAllocations,
  type HoldReport,
  shortPickReason,
} from "#/modules/inventory/adjustments/reports.ts";
import type { Book } from "#/modules/inventory/ledger/book.ts";
import {
  bookChanges,
  type Cause,
  checkChanges,
  type StockChange,
  takesAllocated,
} from "#/modules/inventory/ledger/stock-change.ts";
import type { Lot } from "#/modules/inventory/lot.ts";
import type { ClientTransaction, UnitOfWork } from "#/store/db/database.ts";
import type { CommandResult, EventDraft } from "#/store/outbox/append.ts";

/**
 * adjustment/report (warehouse.md): signed quantities with a reason. Refused as a whole, with the faults of all lines
 * in one text. A 422 means that a SKU, the reason or a quantity is wrong, or that captured data of the item are
 * missing. A 409 means that stock or serial numbers are missing, or that a reduction finds only picked and packed
 * units.
 */
export async function reportAdjustment(
  tx: UnitOfWork,
  book: Book,
  report: AdjustmentReport,
  free: FreeAllocations,
): Promise<Result<CommandResult<AdjustmentAnswer>, Refusal>> {
  const read = await readAdjustment(tx, report);
  return read.ok ? bookReport(tx, book, { ...read.value, free }) : read;
}

/** The changes of a valid adjustment, before stock is checked. */
export async function readAdjustment(
  tx: ClientTransaction,
  report: AdjustmentReport,
): Promise<Result<ReadReport, Refusal>> {
  const { adjustmentId, reasonCode, occurredAt, note, freesAllocations } = report;
  const { read, faults } = await readLines(tx, report.lines, "qty", "signed");
  faults.push(...faultsOfReason(reasonCode), ...faultsOfSign(reasonCode, report.lines));
  if (reasonCode === "POOL_TRANSFER") faults.push(...faultsOfPoolTransfer(read));
  if (faults.length > 0) return refused(refusalOfFields(faults));
  const changes = read.map((line): StockChange => {
    const { condition = "GOOD" } = line.line;
    return { ...placeOf(line), type: "ADJUSTMENT", condition, qty: line.qty, reason: reasonCode };
  });
  const eventLines = read.map(({ line: { condition = "GOOD" }, sku, qty, lot }): EventLine => {
    return { ...lot, sku, qty, ...(qty < 0 ? { fromCondition: condition } : { toCondition: condition }) };
  });
  const cause: Cause = {
    referenceType: "adjustment",
    referenceId: adjustmentId,
    reasonCode,
    occurredAt,
    action: "adjust",
    note,
  };
  return ok({ changes, eventLines, cause, freesAllocations });
}

/**
 * hold/report (warehouse.md): moves quantities from one condition to another with two entries each: HOLD, or RELEASE if
 * they become GOOD. Refused like an adjustment.
 */
export async function reportHold(
  tx: UnitOfWork,
  book: Book,
  report: HoldReport,
  free: FreeAllocations,
): Promise<Result<CommandResult<AdjustmentAnswer>, Refusal>> {
  const { reasonCode, occurredAt, note, freesAllocations } = report;
  const { read, faults } = await readLines(tx, report.lines, "qty", "positive");
  faults.push(...faultsOfReason(reasonCode));
  report.lines.forEach(({ fromCondition, toCondition }, i) => {
    if (fromCondition === toCondition) {
      const message = `fromCondition and toCondition are both ${toCondition}; name two different ones`;
      faults.push({ pointer: `#/lines/${i}/toCondition`, message });
    }
  });
  if (faults.length > 0) return refused(refusalOfFields(faults));
  const changes = read.flatMap((line): StockChange[] => {
    const { fromCondition, toCondition } = line.line;
    const type = toCondition === "GOOD" ? "RELEASE" : "HOLD";
    const place = { ...placeOf(line), type, reason: reasonCode } as const;
    return [
      { ...place, condition: fromCondition, qty: -line.qty },
      { ...place, condition: toCondition, qty: line.qty },
    ];
  });
  const eventLines = read.map(({ line: { fromCondition, toCondition }, sku, qty, lot }): EventLine => {
    return { ...lot, sku, qty, fromCondition, toCondition };
  });
  // The report has no id that could name the ADJ.
  const referenceId = report.reportId ?? tx.change.ids.next(Date.parse(tx.change.at));
  const cause: Cause = { referenceType: "adjustment", referenceId, reasonCode, occurredAt, action: "hold", note };
  return bookReport(tx, book, { changes, eventLines, cause, freesAllocations, free });
}

function placeOf({ sku, lot, serials, rules }: ReadLine<unknown>) {
  return { ...lot, sku, serials, isSerialKept: rules.captureSerial };
}

export interface ReadReport {
  readonly changes: readonly StockChange[];
  readonly eventLines: readonly EventLine[];
  readonly cause: Cause;
  readonly freesAllocations: boolean | undefined;
}

/** Books a report that was read, unless the stock refuses it. */
export async function bookReport(
  tx: UnitOfWork,
  book: Book,
  report: ReadReport & { readonly free: FreeAllocations },
): Promise<Result<CommandResult<AdjustmentAnswer>, Refusal>> {
  const { changes, eventLines, cause, freesAllocations = true, free } = report;
  const { faults, shortages } = await checkChanges(tx, book, changes);
  if (faults.length > 0) return refused(conflict(faults.join("; ")));
  if (shortages.length > 0 && !freesAllocations) return refused(takesAllocated(shortages));
  const freed = await bookChanges(tx, book, changes, { shortages, free, cause });
  const { referenceId: adjustmentId, reasonCode } = cause;
  const { drafts, lines } = await composeAdjustment(tx, book, { adjustmentId, reasonCode, lines: eventLines });
  return ok({ answer: { adjustmentId, reasonCode, lines }, events: [...freed, ...drafts] });
}

/**
 * Moves the short quantity of a pick from GOOD to ON_HOLD until a count clears it up (lifecycle.md §1). The caller
 * first frees the reservations of the picked line (DEALLOCATION posted), so that no order has the missing units
 * allocated. For an item with serial numbers the missing ones are unknown: all serials keep their place until the
 * count.
 *
 * @returns `inventory:adjusted` with an ADJ document, reason SHORT_PICK.
 */
export async function shortPick(
  tx: UnitOfWork,
  book: Book,
  short: {
    readonly orderId: string;
    readonly occurredAt?: string | undefined;
    /** The missing quantity of each lot, integer thousandths above 0. */
    readonly lots: readonly ({ readonly sku: string; readonly qty: number } & Lot)[];
  },
): Promise<EventDraft[]> {
  if (short.lots.length === 0) return [];
  const changes = short.lots.flatMap(({ sku, qty, stockPool, batchRef, expiryDate }): StockChange[] => {
    const lot = { stockPool, batchRef, expiryDate };
    const place = { ...lot, sku, type: "HOLD", serials: [], isSerialKept: false, reason: shortPickReason } as const;
    return [
      { ...place, condition: "GOOD", qty: -qty },
      { ...place, condition: "ON_HOLD", qty },
    ];
  });
  await bookChanges(tx, book, changes, {
    shortages: [],
    free: async () => ({ freed: 0, drafts: [] }),
    cause: {
      referenceType: "order",
      referenceId: short.orderId,
      reasonCode: shortPickReason,
      occurredAt: short.occurredAt,
      action: "hold",
    },
  });
  const { drafts } = await composeAdjustment(tx, book, {
    adjustmentId: tx.change.ids.next(Date.parse(tx.change.at)),
    reasonCode: shortPickReason,
    lines: short.lots.map((lot) => ({ ...lot, fromCondition: "GOOD", toCondition: "ON_HOLD" })),
  });
  return drafts;
}
