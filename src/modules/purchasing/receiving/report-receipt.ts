import { assert } from "#/kernel/assert.ts";
import { joinRefusals, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { defaultStockUnit } from "#/kernel/telemetry/measure.ts";
import { formatQuantity, quantityToNumber } from "#/kernel/values/quantity.ts";
import { findItemRules } from "#/modules/catalogue/index.ts";
import { raiseException } from "#/modules/facilities/index.ts";
import {
  type Book,
  type FreeAllocations,
  fieldsOfLot,
  postMovements,
  writeSerials,
} from "#/modules/inventory/index.ts";
import { withCarton } from "#/modules/purchasing/receiving/carton-receipt.ts";
import {
  faultsOfReceipt,
  faultsOfReceivedSerials,
  faultsOfTotals,
  findNotice,
} from "#/modules/purchasing/receiving/receipt-checks.ts";
import {
  type GoodsReceiptAnswer,
  type GoodsReceiptBody,
  readGoods,
} from "#/modules/purchasing/receiving/receipt-contract.ts";
import {
  checkReductions,
  freeAll,
  type LineDifference,
  lineDifferences,
  type StockDifference,
  stockDifferences,
} from "#/modules/purchasing/receiving/receipt-differences.ts";
import {
  afterSteps,
  bookingsOf,
  discrepancyOf,
  isComplete,
  type ReceiptBooking,
  type SplitBooking,
  stepsOfReceiving,
  withBookings,
} from "#/modules/purchasing/receiving/receiving-domain.ts";
import {
  auditsOfSteps,
  eventsOfSteps,
  purchaseOrderId,
  receiptEvent,
  receiptsOfTransfers,
} from "#/modules/purchasing/receiving/receiving-events.ts";
import type { ReceivingHeader } from "#/modules/purchasing/receiving/receiving-repository.ts";
import * as receiptRepository from "#/modules/purchasing/receiving/receiving-repository.ts";
import * as repository from "#/modules/purchasing/receiving/receiving-repository.ts";
import { settleReceipts } from "#/modules/transfers/index.ts";
import { recordAudits } from "#/store/db/audit.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { CommandResult } from "#/store/outbox/append.ts";

export interface ReceivingTerms {
  /** Per cent: the client's setting overReceiptTolerance. */
  readonly overReceiptTolerance: number;
  /** Frees allocations of a lot from orders and work orders, for corrections that remove stock. */
  readonly free: FreeAllocations;
}

/**
 * Books a goods receipt or its correction (warehouse.md, goodsReceipt): stock, serial numbers, the order's quantities
 * and state, one GR.
 *
 * @param book of the client and the reporting facility
 * @returns the answer with the events to append, or one refusal with all faults; then nothing is written.
 */
export async function reportGoodsReceipt(
  tx: UnitOfWork,
  book: Book,
  report: GoodsReceiptBody,
  terms: ReceivingTerms,
): Promise<Result<CommandResult<GoodsReceiptAnswer>, Refusal>> {
  const { clientId, facilityCode } = book;
  assert(report.clientId === clientId, `a report of client ${report.clientId} came with the book of ${clientId}`);
  const named = await withCarton(tx, facilityCode, report);
  if (!named.ok) return named;
  const body = named.value;
  const { goods, faults } = readGoods(body.lines);
  const { receiptId, correctsReceiptId } = body;
  const receiptIds = [receiptId, ...(correctsReceiptId === undefined ? [] : [correctsReceiptId])];
  // The queries run in this order on one connection: the lines are read after the lock.
  const [headers, allLines, receipts, before] = await Promise.all([
    repository.lockReceivingHeaders(tx, [body.poNumber]),
    repository.listReceivingLines(tx, [body.poNumber]),
    receiptRepository.findReceipts(tx, facilityCode, receiptIds),
    correctsReceiptId === undefined ? [] : receiptRepository.listReceiptBookings(tx, facilityCode, correctsReceiptId),
  ]);
  const notice = findNotice(body, headers, facilityCode);
  if (!notice.ok) return refused(joinRefusals([notice.fault, ...faults]));
  const header = notice.value;
  const skus = [...goods, ...before].map(({ sku }) => sku);
  const rules = await findItemRules(tx, skus);
  const hasSerials = (sku: string) => rules.get(sku)?.captureSerial === true;
  const lines = allLines.filter(({ vendorOrderId }) => vendorOrderId === header.vendorOrderId);
  faults.push(
    ...faultsOfReceipt({ body, book, at: tx.change.at, header, lines, goods, rules, receipts }),
    ...(await faultsOfReceivedSerials(tx, book, hasSerials, before, goods)),
  );
  if (isAny(faults)) return refused(joinRefusals(faults));

  const serialled = new Set(goods.filter(({ serials = [] }) => serials.length > 0).map(({ sku }) => sku));
  const linesBefore = withBookings(lines, before, -1);
  // A cancelled order expects nothing: its goods are as unplanned as those of a SKU that is not on it.
  const bookings = bookingsOf(header.status === "CANCELLED" ? [] : linesBefore, goods, {
    tolerance: terms.overReceiptTolerance,
    isCounted: (sku) => rules.get(sku)?.stockUom === defaultStockUnit || serialled.has(sku),
  });
  const counted = withBookings(linesBefore, bookings, 1);
  const stock = stockDifferences(before, bookings);
  const reductions = await checkReductions(tx, book, stock);
  faults.push(...faultsOfTotals(counted), ...reductions.faults);
  if (isAny(faults)) return refused(joinRefusals(faults));

  const freed = await freeAll(tx, book, reductions.freeings, terms.free);
  const steps = stepsOfReceiving(header.status, {
    hasGoods: goods.length > 0 && correctsReceiptId === undefined,
    isComplete: isComplete(counted),
    isClosing: body.closeOrder === true,
  });
  const after = afterSteps(header, steps, tx.change.at);
  const isClosed = after.status === "CLOSED";
  const linesAfter = lines.map((line, i): repository.StoredReceivingLine => {
    const now = { ...line, ...counted[i] };
    return { ...now, discrepancy: discrepancyOf(now, isClosed) };
  });
  const differences = lineDifferences(before, bookings);

  receiptRepository.insertReceipt(tx, {
    ...header,
    facilityCode,
    receiptId,
    correctsReceiptId,
    bookedAt: book.at,
    occurredAt: body.occurredAt ?? book.at,
    // A correction is of the same carton, unless it says that nothing came.
    sscc: body.sscc ?? (goods.length === 0 ? undefined : receipts.get(correctsReceiptId ?? "")?.sscc),
    bookings,
  });
  repository.writeReceivingHeaders(tx, tx.change.at, [after]);
  repository.writeReceivingLines(
    tx,
    linesAfter.filter((line, i) => isChanged(line, lines[i])),
  );
  bookStock(tx, book, body, hasSerials, stock);
  raiseExcess(tx, book, header, receiptId, before, bookings);
  recordAudits(tx, [
    {
      action: correctsReceiptId === undefined ? "receive" : "correctReceipt",
      objectType: "purchaseOrder",
      objectId: purchaseOrderId(header),
      detail: {
        receiptId,
        ...(body.sscc === undefined ? {} : { sscc: body.sscc }),
        ...(correctsReceiptId === undefined ? {} : { correctsReceiptId }),
      },
    },
    ...auditsOfSteps(header, header.status, steps),
  ]);
  const events = [
    ...freed,
    receiptEvent({ header: after, receiptId, correctsReceiptId, bookings, differences, lines: linesAfter }),
    ...eventsOfSteps(after, steps, linesAfter),
    ...(await settleReceipts(tx, receiptsOfTransfers([{ header: after, lines: linesAfter }]))),
  ];
  return ok({ answer: answerOf(after, receiptId, bookings, differences, linesAfter), events });
}

const isAny = (faults: readonly Refusal[]): faults is readonly [Refusal, ...Refusal[]] => faults.length > 0;

function isChanged(line: repository.StoredReceivingLine, before: repository.StoredReceivingLine | undefined): boolean {
  return (
    line.received !== before?.received || line.damaged !== before.damaged || line.discrepancy !== before.discrepancy
  );
}

function answerOf(
  header: repository.ReceivingHeader,
  receiptId: string,
  bookings: readonly ReceiptBooking[],
  differences: readonly LineDifference[],
  lines: readonly repository.StoredReceivingLine[],
): GoodsReceiptAnswer {
  const keyOf = ({ lineNumber, sku }: { lineNumber: number | undefined; sku: string }) =>
    lineNumber === undefined ? `SKU ${sku}` : `${lineNumber}`;
  const sum = (of: readonly { readonly qty: number }[]) => of.reduce((total, { qty }) => total + qty, 0);
  const bookingsByLine = Map.groupBy(bookings, keyOf);
  const differencesByLine = Map.groupBy(differences, keyOf);
  const concerned = new Map([...bookings, ...differences].map((candidate) => [keyOf(candidate), candidate]));
  return {
    poNumber: header.poNumber,
    vendorOrderId: header.vendorOrderId === "" ? null : header.vendorOrderId,
    receiptId,
    status: header.status,
    lines: [...concerned].map(([key, { lineNumber, sku }]) => {
      const line = lines.find((candidate) => candidate.lineNumber === lineNumber);
      const lineBookings = bookingsByLine.get(key) ?? [];
      return {
        lineNumber: lineNumber ?? null,
        sku,
        qtyReceived: quantityToNumber(sum(differencesByLine.get(key) ?? [])),
        qtyTotal: quantityToNumber(line?.received ?? sum(lineBookings)),
        discrepancy: line?.discrepancy ?? "UNPLANNED",
        booked: lineBookings.map(({ condition, qty, reason }) => ({
          condition,
          qty: quantityToNumber(qty),
          ...(reason === undefined ? {} : { reason }),
        })),
      };
    }),
  };
}

/** Movements and places of serial numbers. */
function bookStock(
  tx: UnitOfWork,
  book: Book,
  body: GoodsReceiptBody,
  hasSerials: (sku: string) => boolean,
  differences: readonly StockDifference[],
): void {
  const reference = { referenceType: "receipt", referenceId: body.receiptId };
  const when = body.occurredAt === undefined ? {} : { occurredAt: body.occurredAt };
  postMovements(
    tx,
    book,
    tx.change.ids,
    differences.map(({ serials, reason, ...rest }) => ({
      type: "RECEIPT" as const,
      ...rest,
      ...(serials.length === 0 ? {} : { serials }),
      ...(reason === undefined ? {} : { reason }),
      ...reference,
      ...when,
    })),
  );
  const placesOf = (state: "IN_STOCK" | "GONE") => {
    const isIn = state === "IN_STOCK";
    return differences
      .filter(({ sku, qty }) => hasSerials(sku) && qty > 0 === isIn)
      .flatMap(({ serials, qty: _, reason: __, ...place }) =>
        serials.map((serial) => ({ ...place, serial, state, facilityCode: book.facilityCode })),
      );
  };
  // A serial number that leaves one lot and comes in another gets its new place: the last place counts.
  writeSerials(tx, book.at, [...placesOf("GONE"), ...placesOf("IN_STOCK")]);
}

/** Raises one exception for each line and reason with more quantity on hold than before. */
function raiseExcess(
  tx: UnitOfWork,
  book: Book,
  header: ReceivingHeader,
  receiptId: string,
  before: readonly ReceiptBooking[],
  bookings: readonly SplitBooking[],
): void {
  const keyOf = ({ reason, sku, lineNumber }: ReceiptBooking) => JSON.stringify([reason, sku, lineNumber]);
  const sum = (of: readonly ReceiptBooking[]) => of.reduce((total, { qty }) => total + qty, 0);
  const earlier = Map.groupBy(before, keyOf);
  const objectId = purchaseOrderId(header);
  const unplanned = header.status === "CANCELLED" ? "the order is CANCELLED" : "it is not on the order";
  for (const [key, group] of Map.groupBy(bookings, keyOf)) {
    const [{ reason, sku, lineNumber }] = group as [SplitBooking, ...SplitBooking[]];
    const qty = sum(group) - sum(earlier.get(key) ?? []);
    if (reason === undefined || qty <= 0) continue;
    const why = reason === "UNPLANNED" ? unplanned : `it exceeds what line ${lineNumber} allows`;
    raiseException(tx, {
      kind: reason,
      facilityCode: book.facilityCode,
      objectType: "purchaseOrder",
      objectId,
      summary: `Purchase order ${objectId}, receipt ${receiptId}: ${formatQuantity(qty)} of SKU ${sku} are ON_HOLD, because ${why}`,
      detail: {
        receiptId,
        ...(lineNumber === undefined ? {} : { lineNumber }),
        sku,
        qty: quantityToNumber(qty),
        lots: group.map((lot) => ({
          ...fieldsOfLot(lot),
          reportedCondition: lot.reported,
          qty: quantityToNumber(lot.qty),
          ...(lot.serials === undefined ? {} : { serials: lot.serials }),
        })),
      },
    });
  }
}
