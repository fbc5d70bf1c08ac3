import { quantityToNumber, storedQuantity } from "#/kernel/values/quantity.ts";
import { defaultPool } from "#/modules/inventory/index.ts";
import { gradedQuantityOf } from "#/modules/returns/reports/grading-repository.ts";
import { recordsOf } from "#/modules/returns/reports/return-events.ts";
import type { RmaRecord } from "#/modules/returns/rest-contract.ts";
import type { RmaDispositionRow, RmaLineRow, RmaRow } from "#/modules/returns/rest-repository.ts";

/** The parts of the return that are in other tables than its row. */
export interface RmaParts {
  /** By line number. */
  readonly lines: readonly RmaLineRow[];
  /** In order of receipt. */
  readonly dispositions: readonly RmaDispositionRow[];
}

/** The record of a return from its rows. */
export function rmaRecord(clientId: string, row: RmaRow, { lines, dispositions }: RmaParts): RmaRecord {
  return {
    rmaNumber: row.rma_number,
    clientId,
    status: row.status,
    distributionCentre: row.distribution_centre,
    orderReference: row.order_reference,
    orderId: row.order_id,
    creationTimeStamp: row.creation_time_stamp,
    lines: linesOf(lines, dispositions),
    feedToken: row.feed_token,
    receivedAt: row.received_at,
    updatedAt: row.updated_at,
    closedAt: row.closed_at,
    version: row.version,
  };
}

/** The fields of the feed, merged with the line data of the return's events. */
function linesOf(lines: readonly RmaLineRow[], dispositions: readonly RmaDispositionRow[]): RmaRecord["lines"] {
  const asGiven = new Map(lines.map((line) => [line.line_number, line]));
  const expected = lines.map((line) => ({
    lineNumber: line.line_number,
    sku: line.sku,
    expected: storedQuantity(line.qty_expected),
    received: storedQuantity(line.qty_received),
    discrepancy: line.discrepancy,
  }));
  return recordsOf(expected, dispositions.map(gradedQuantityOf)).map((record) => {
    const row = record.lineNumber === undefined ? undefined : asGiven.get(record.lineNumber);
    return {
      lineNumber: record.lineNumber ?? null,
      sku: record.sku,
      returnReasonCode: row?.return_reason_code ?? null,
      qtyUom: row?.feed_uom ?? null,
      quantityReturned: row ? quantityToNumber(storedQuantity(row.feed_qty)) : null,
      attributeOne: row?.attribute_one ?? null,
      attributeThree: row?.attribute_three ?? null,
      qtyExpected: quantityToNumber(record.expected),
      qtyReceived: quantityToNumber(record.received),
      discrepancy: record.discrepancy,
      dispositions: record.dispositions.map(({ disposition, qty, ...goods }) => ({
        disposition,
        qty,
        stockPool: goods.stockPool ?? defaultPool,
        batchRef: goods.batchRef ?? null,
        expiryDate: goods.expiryDate ?? null,
        serials: [...(goods.serials ?? [])],
        returnReasonCode: goods.returnReasonCode ?? null,
        note: goods.note ?? null,
      })),
    };
  });
}
