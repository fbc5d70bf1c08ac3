import { withNulls } from "#/http/routes/schema.ts";
import { quantityOf, quantityToNumber } from "#/kernel/values/quantity.ts";
import { defaultPool } from "#/modules/inventory/index.ts";
import { type GradedRow, gradedQuantityOf } from "#/modules/returns/reports/grading-repository.ts";
import { recordsOf } from "#/modules/returns/reports/return-events.ts";
import { type RmaRecord, rmaDisposition, rmaLine } from "#/modules/returns/rest-contract.ts";
import type { StoredLine } from "#/modules/returns/rest-repository.ts";

/**
 * The lines of a return: the fields of the feed, with the line data of its events.
 *
 * @param lines by line number.
 * @param graded in order of receipt.
 */
export function rmaLinesOf(lines: readonly StoredLine[], graded: readonly GradedRow[]): RmaRecord["lines"] {
  const expected = lines.map(({ lineNumber, sku, qtyExpected, qtyReceived, discrepancy }) => ({
    lineNumber,
    sku,
    expected: quantityOf(qtyExpected),
    received: quantityOf(qtyReceived),
    discrepancy,
  }));
  const stored = new Map<number | undefined, StoredLine>(lines.map((line) => [line.lineNumber, line]));
  return recordsOf(expected, graded.map(gradedQuantityOf)).map(({ expected, received, ...record }) =>
    withNulls(rmaLine, {
      ...stored.get(record.lineNumber),
      ...record,
      qtyExpected: quantityToNumber(expected),
      qtyReceived: quantityToNumber(received),
      dispositions: record.dispositions.map((goods) =>
        withNulls(rmaDisposition, { stockPool: defaultPool, ...goods, serials: [...(goods.serials ?? [])] }),
      ),
    }),
  );
}
