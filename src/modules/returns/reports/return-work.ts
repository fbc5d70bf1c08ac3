import { findItemRules } from "#/modules/catalogue/index.ts";
import type { Work } from "#/modules/facilities/index.ts";
import { defaultPool } from "#/modules/inventory/index.ts";
import { listReturnHeaders, listReturnLines } from "#/modules/returns/reports/grading-repository.ts";
import type { ClientTx } from "#/store/db/database.ts";

/** Returns have no priority field. */
const middlePriority = 5;

/**
 * The receiving work of a facility for these returns: the lines with open expected quantity, while the return is
 * AUTHORISED or RECEIVING. Unknown returns are absent.
 */
export async function listReturnWork(tx: ClientTx, rmaNumbers: readonly string[]): Promise<Work[]> {
  if (rmaNumbers.length === 0) return [];
  const [headers, lines] = await Promise.all([listReturnHeaders(tx, rmaNumbers), listReturnLines(tx, rmaNumbers)]);
  const open = lines.filter(({ expected, received }) => received < expected);
  const rules = await findItemRules(
    tx,
    open.map(({ sku }) => sku),
  );
  const openByReturn = Map.groupBy(open, ({ rmaNumber }) => rmaNumber);
  return headers.map((header): Work => {
    const isWanted = header.status === "AUTHORISED" || header.status === "RECEIVING";
    return {
      type: "RETURN",
      objectId: header.rmaNumber,
      facilityCode: header.distributionCentre,
      isWanted,
      priority: middlePriority,
      lines: (isWanted ? (openByReturn.get(header.rmaNumber) ?? []) : []).map((line) => ({
        lineNumber: line.lineNumber,
        sku: line.sku,
        qty: line.expected - line.received,
        uom: rules.get(line.sku)?.stockUom ?? "",
        stockPool: defaultPool,
        returnReasonCode: line.returnReasonCode,
        attributeOne: line.attributeOne,
        attributeThree: line.attributeThree,
      })),
      orderReference: header.orderReference,
      orderId: header.orderId,
    };
  });
}
