import { quantityToNumber } from "#/kernel/values/quantity.ts";
import type { CartonLine } from "#/modules/purchasing/cartons.ts";
import { keyColumnsOf, type PurchaseOrderKey, type PurchaseOrderWrite } from "#/modules/purchasing/repository.ts";
import type { CartonRecord } from "#/modules/purchasing/rest-contract.ts";
import { openPurchaseOrder } from "#/modules/purchasing/states.ts";
import { purchaseOrderCarton } from "#/modules/purchasing/tables.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { deleteFrom, insertInto } from "#/store/db/table.ts";

const insertCartons = insertInto(purchaseOrderCarton);
const deleteCartons = deleteFrom(purchaseOrderCarton, { by: ["po_number", "vendor_order_id"] });

/** The content of a carton as it is stored and answered. */
const storedLine = ({
  lineNumber,
  sku,
  qty,
  feedQty,
  sentUom,
  batchRef,
  expiryDate,
}: CartonLine): CartonRecord["lines"][number] => ({
  lineNumber: lineNumber ?? null,
  sku,
  qty: quantityToNumber(qty),
  feedQty: quantityToNumber(feedQty),
  qtyUom: sentUom ?? null,
  batchRef: batchRef ?? null,
  expiryDate: expiryDate ?? null,
});

/** @param isNew the purchase orders have no cartons yet */
export function replaceCartons(tx: ClientTransaction, orders: readonly PurchaseOrderWrite[], isNew: boolean): void {
  if (!isNew)
    deleteCartons.send(
      tx,
      orders.map(({ key }) => keyColumnsOf(key)),
    );
  const rows = orders.flatMap(({ key, message: { cartons = [] } }) =>
    cartons.map(({ sscc, trackingNumber, lines }) => ({
      ...keyColumnsOf(key),
      sscc,
      tracking_number: trackingNumber,
      lines: lines.map(storedLine),
    })),
  );
  insertCartons.send(tx, rows);
}

/** The cartons with these SSCCs that open purchase orders announce. */
export function findAnnouncedCartons(
  tx: ClientTx,
  ssccs: readonly string[],
): Promise<(PurchaseOrderKey & { readonly sscc: string })[]> {
  return tx.query(sql`select c.sscc, c.po_number as "poNumber", c.vendor_order_id as "vendorOrderId"
      from purchase_order_carton c
      join purchase_order p on p.client_id = ${tenant} and p.po_number = c.po_number
        and p.vendor_order_id = c.vendor_order_id
      where c.client_id = ${tenant} and c.sscc = any(${ssccs}::text[]) and p.status in ${openPurchaseOrder}
      order by c.sscc, c.po_number, c.vendor_order_id limit ${ssccs.length * 10}`);
}

/** The purchase orders of a facility that announce a carton: open ones first, then the newest. */
export function findCartonOrders(
  tx: ClientTx,
  facilityCode: string,
  sscc: string,
): Promise<(PurchaseOrderKey & { readonly isOpen: boolean })[]> {
  return tx.query(sql`select p.po_number as "poNumber", p.vendor_order_id as "vendorOrderId",
        p.status in ${openPurchaseOrder} as "isOpen"
      from purchase_order_carton c
      join purchase_order p on p.client_id = ${tenant} and p.po_number = c.po_number
        and p.vendor_order_id = c.vendor_order_id
      where c.client_id = ${tenant} and c.sscc = ${sscc} and p.distribution_centre = ${facilityCode}
      order by "isOpen" desc, p.received_at desc, p.po_number limit 100`);
}

export interface StoredCarton extends PurchaseOrderKey, CartonRecord {}

/** The cartons of all notices of these purchase orders, with the receipts that they came with. */
export function listCartons(tx: ClientTx, poNumbers: readonly string[]): Promise<StoredCarton[]> {
  return tx.query(sql`select c.po_number as "poNumber", c.vendor_order_id as "vendorOrderId", c.sscc,
        c.tracking_number as "trackingNumber", c.lines, r.receipt_id as "receiptId"
      from purchase_order_carton c
      left join goods_receipt r on r.client_id = ${tenant} and r.po_number = c.po_number
        and r.vendor_order_id = c.vendor_order_id and r.sscc = c.sscc and r.corrected_by is null
      where c.client_id = ${tenant} and c.po_number = any(${poNumbers}::text[])
      order by c.po_number, c.vendor_order_id, c.sscc limit 100000`);
}

/** The cartons of one notice among these, as they are answered. */
export const cartonsOf = (cartons: readonly StoredCarton[], of: PurchaseOrderKey): CartonRecord[] =>
  cartons
    .filter(({ poNumber, vendorOrderId }) => poNumber === of.poNumber && vendorOrderId === of.vendorOrderId)
    .map(({ sscc, trackingNumber, lines, receiptId }) => ({ sscc, trackingNumber, lines, receiptId }));
