import type { Entry } from "#/intake/feeds/intake/definition.ts";
import { formatQuantity } from "#/kernel/values/quantity.ts";
import type { ReturnMessage } from "#/modules/returns/domain.ts";
import { returnAuthorisation, returnAuthorisationLine } from "#/modules/returns/tables.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { insertInto, selectFrom } from "#/store/db/table.ts";

const findByNumber = selectFrom(returnAuthorisation, {
  by: "rma_number",
  select: ["rma_number", "feed_token"],
  limit: 1000,
});
const insertHeaders = insertInto(returnAuthorisation, {
  except: ["closed_at", "version"],
});
const insertLines = insertInto(returnAuthorisationLine, {
  except: ["qty_received", "discrepancy"],
});

export function findReturns(
  tx: ClientTx,
  rmaNumbers: readonly string[],
): Promise<{ rma_number: string; feed_token: string }[]> {
  return findByNumber.query(tx, rmaNumbers);
}

/**
 * The primary key resolves races: if another transaction inserts the return first, this transaction fails and runs
 * again.
 */
export function insertReturns(tx: ClientTransaction, entries: readonly Entry<ReturnMessage>[]): void {
  const rows = entries.map(({ message, token, receivedAt }) => ({
    rma_number: message.rmaNumber,
    status: "AUTHORISED",
    distribution_centre: message.distributionCentre,
    order_reference: message.orderReference,
    order_id: message.orderId,
    creation_time_stamp: message.creationTimeStamp,
    feed_token: token,
    received_at: receivedAt,
    updated_at: receivedAt,
  }));
  insertHeaders.send(tx, rows);
}

export function insertReturnLines(tx: ClientTransaction, entries: readonly Entry<ReturnMessage>[]): void {
  const rows = entries.flatMap(({ message }) =>
    message.lines.map((line) => ({
      rma_number: message.rmaNumber,
      line_number: line.lineNumber,
      sku: line.sku,
      return_reason_code: line.returnReasonCode,
      qty_expected: formatQuantity(line.qty),
      feed_qty: formatQuantity(line.feedQty),
      feed_uom: line.feedUom,
      attribute_one: line.attributeOne,
      attribute_three: line.attributeThree,
    })),
  );
  insertLines.send(tx, rows);
}
