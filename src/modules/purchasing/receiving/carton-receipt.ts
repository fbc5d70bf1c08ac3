import { conflict, notFound, type Refusal, unprocessable } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { findCartonOrders, listCartons, type StoredCarton } from "#/modules/purchasing/carton-repository.ts";
import type {
  GoodsReceiptBody,
  GoodsReceiptLine,
  NamedReceipt,
} from "#/modules/purchasing/receiving/receipt-contract.ts";
import { purchaseOrderId } from "#/modules/purchasing/receiving/receiving-events.ts";
import { lockReceivingHeaders } from "#/modules/purchasing/receiving/receiving-repository.ts";
import type { ClientTx } from "#/store/db/database.ts";

/**
 * The report with the purchase order of its carton, and the goods of the carton where the report counts none. The
 * purchase order is locked: nothing changes the carton until the transaction ends.
 */
export async function withCarton(
  tx: ClientTx,
  facilityCode: string,
  body: GoodsReceiptBody,
): Promise<Result<NamedReceipt, Refusal>> {
  const { sscc, poNumber, lines = [] } = body;
  if (sscc === undefined) return ok({ ...body, poNumber: poNumber ?? "", lines });
  const found = await findOrder(tx, facilityCode, sscc, body);
  if (!found.ok) return found;
  const key = found.value;
  await lockReceivingHeaders(tx, [key.poNumber]);
  const cartons = await listCartons(tx, [key.poNumber]);
  const carton = cartons.find((candidate) => candidate.sscc === sscc && candidate.vendorOrderId === key.vendorOrderId);
  // An UPDATE may have taken it away since.
  if (carton === undefined) return refused(refusalOfUnknown(body, facilityCode));
  const { receiptId } = carton;
  if (receiptId !== null && receiptId !== body.correctsReceiptId && receiptId !== body.receiptId) {
    const text = `Carton ${sscc} of purchase order ${purchaseOrderId(key)} came with receipt ${receiptId} already`;
    return refused(conflict(`${text}; correct that receipt, or report by line what came besides.`));
  }
  if (lines.length === 0 && carton.lines.length === 0) {
    return refused(unprocessable(`Carton ${sscc} was announced without its content; report the counted lines.`));
  }
  const goods = lines.length > 0 ? lines : carton.lines.map(goodsOf);
  return ok({ ...body, poNumber: key.poNumber, vendorOrderId: key.vendorOrderId, lines: goods });
}

const goodsOf = ({ lineNumber, sku, qty, batchRef, expiryDate }: StoredCarton["lines"][number]): GoodsReceiptLine => ({
  lineNumber: lineNumber ?? undefined,
  sku,
  qty,
  batchRef: batchRef ?? undefined,
  expiryDate: expiryDate ?? undefined,
});

/** The purchase order of a carton: the open one, or else the last one that announced it. */
async function findOrder(tx: ClientTx, facilityCode: string, sscc: string, body: GoodsReceiptBody) {
  const { poNumber, vendorOrderId } = body;
  const orders = (await findCartonOrders(tx, facilityCode, sscc)).filter(
    (order) =>
      (poNumber === undefined || order.poNumber === poNumber) &&
      (vendorOrderId === undefined || order.vendorOrderId === vendorOrderId),
  );
  const open = orders.filter(({ isOpen }) => isOpen);
  if (open.length > 1) {
    const names = open.map(purchaseOrderId).join(", ");
    return refused(
      unprocessable(`Carton ${sscc} is of several purchase orders; name poNumber and vendorOrderId: ${names}.`),
    );
  }
  const [order] = orders;
  return order === undefined ? refused(refusalOfUnknown(body, facilityCode)) : ok(order);
}

function refusalOfUnknown({ clientId, sscc, poNumber }: GoodsReceiptBody, facilityCode: string): Refusal {
  const what =
    poNumber === undefined
      ? `No purchase order of client ${clientId} at facility ${facilityCode} announces carton ${sscc}`
      : `Purchase order ${poNumber} does not announce carton ${sscc} at facility ${facilityCode}`;
  return notFound(
    `${what}; report its goods by line of the purchase order that they belong to, or by unidentifiedReceipt/report if it is not known.`,
  );
}
