import { conflict, type Refusal } from "#/kernel/refusal.ts";
import { insertPurchaseOrders, lockPurchaseOrders, replaceLines } from "#/modules/purchasing/repository.ts";
import type { Expectation } from "#/modules/transfers/index.ts";
import type { UnitOfWork } from "#/store/db/database.ts";

/**
 * Announces the goods of a transfer to the receiving facility: as a purchase order whose shipping notice is the sending
 * facility. Refused if the client has sent one of this number and notice.
 */
export async function expectTransfer(
  tx: UnitOfWork,
  { transferId: poNumber, fromFacility, toFacility, lines }: Expectation,
): Promise<Refusal | undefined> {
  const key = { poNumber, vendorOrderId: fromFacility };
  const stored = await lockPurchaseOrders(tx, [poNumber]);
  if (stored.some(({ vendor_order_id }) => vendor_order_id === fromFacility)) {
    return conflict(`The client has a purchase order ${poNumber} with vendorOrderId ${fromFacility} already.`);
  }
  const { at, ids } = tx.change;
  const message = {
    ...key,
    action: "NEW",
    revision: undefined,
    distributionCentre: toFacility,
    messageId: undefined,
    extendedAttributes: {},
    fromFacility,
    lines: lines.map(({ lineNumber, sku, qty }) => ({
      path: "",
      lineNumber,
      lineId: undefined,
      sku,
      altSku: undefined,
      productName: undefined,
      feedQty: qty,
      feedUom: undefined,
      qty,
      uom: "",
    })),
  } as const;
  const order = { key, message, token: ids.next(Date.parse(at)), receivedAt: at };
  insertPurchaseOrders(tx, [order]);
  replaceLines(tx, [order]);
  return undefined;
}
