import { findItemRules } from "#/modules/catalogue/index.ts";
import type { Work } from "#/modules/facilities/index.ts";
import { defaultPool } from "#/modules/inventory/index.ts";
import { cartonsOf, listCartons } from "#/modules/purchasing/carton-repository.ts";
import { purchaseOrderId } from "#/modules/purchasing/receiving/receiving-events.ts";
import { listReceivingHeaders, listReceivingLines } from "#/modules/purchasing/receiving/receiving-repository.ts";
import type { ClientTx } from "#/store/db/database.ts";

/** Purchase orders have no priority field. */
const middlePriority = 5;

/**
 * The receiving work of a facility for these purchase orders: for each OPEN or RECEIVING shipping notice the lines with
 * open quantity. Unknown purchase orders are absent.
 *
 * @param poNumbers without vendorOrderId; the work's objectId has it, as `poNumber/vendorOrderId`
 */
export async function listReceivingWork(tx: ClientTx, poNumbers: readonly string[]): Promise<Work[]> {
  if (poNumbers.length === 0) return [];
  const [headers, lines, cartons] = await Promise.all([
    listReceivingHeaders(tx, poNumbers),
    listReceivingLines(tx, poNumbers),
    listCartons(tx, poNumbers),
  ]);
  const open = lines.filter(({ qty, received }) => received < qty);
  const rules = await findItemRules(tx, [...new Set(open.map(({ sku }) => sku))]);
  const openByOrder = Map.groupBy(open, purchaseOrderId);
  return headers.map((header): Work => {
    const expected = cartonsOf(cartons, header).filter(({ receiptId }) => receiptId === null);
    const isWanted = header.status === "OPEN" || header.status === "RECEIVING";
    return {
      type: "PURCHASE_ORDER",
      objectId: purchaseOrderId(header),
      facilityCode: header.distributionCentre,
      isWanted,
      priority: middlePriority,
      lines: (isWanted ? (openByOrder.get(purchaseOrderId(header)) ?? []) : []).map((line) => ({
        lineNumber: line.lineNumber,
        sku: line.sku,
        qty: line.qty - line.received,
        uom: rules.get(line.sku)?.stockUom ?? "",
        stockPool: defaultPool,
      })),
      purchaseOrder: {
        poNumber: header.poNumber,
        vendorOrderId: header.vendorOrderId === "" ? undefined : header.vendorOrderId,
        carrierCode: header.carrierCode,
        trackingNumber: header.trackingNumber,
        cartons: isWanted && expected.length > 0 ? expected.map(({ receiptId: _, ...carton }) => carton) : undefined,
      },
      extendedAttributes: header.extendedAttributes,
    };
  });
}
