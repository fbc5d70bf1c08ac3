import Type, { type Static } from "typebox";
import { columnsOf } from "#/http/routes/columns.ts";
import { closed, maybeText, moment, nullable, quantity, text } from "#/http/routes/schema.ts";
import { noBatch, noExpiry } from "#/modules/inventory/index.ts";
import type { PurchaseOrderKey } from "#/modules/purchasing/repository.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

const receiptEntry = Type.Object(
  {
    lineNumber: nullable(
      Type.Integer({ description: "The line; null: the SKU is not on the purchase order.", examples: [1] }),
    ),
    sku: text("Product.", "MUG-BLUE-330"),
    qty: quantity("In stock units."),
    condition: text("Condition as booked.", "GOOD"),
    stockPool: text("Stock pool.", "DEFAULT"),
    batchRef: maybeText("Batch; null for none.", "B-2026-11"),
    expiryDate: nullable(
      Type.String({ format: "date", description: "Last good day; null for none.", examples: ["2027-03-31"] }),
    ),
    reason: maybeText("OVER_RECEIPT or UNPLANNED, where it is one.", "OVER_RECEIPT"),
  },
  { ...closed, title: "InboundReceiptEntry", description: "Goods of one lot." },
);

const receipt = Type.Object(
  {
    receiptId: text("Identifier of the warehouse.", "R-2026-0815"),
    bookedAt: moment("When it was booked."),
    occurredAt: moment("When it happened in the warehouse."),
    correctsReceiptId: maybeText("The receipt that it corrects.", "R-2026-0814"),
    correctedBy: maybeText("The receipt that corrects it.", "R-2026-0816"),
    sscc: maybeText("The carton that came; null: the receipt is by line.", "340123450000000017"),
    entries: Type.Array(receiptEntry, { description: "What came." }),
  },
  { ...closed, title: "InboundReceipt", description: "A receipt of goods." },
);

/** An entry of a receipt, with its receipt. */
const entryOfReceipt = Type.Object({
  ...Type.Omit(receipt, ["entries"]).properties,
  ...receiptEntry.properties,
});
type EntryOfReceipt = Static<typeof entryOfReceipt>;

export const receipts = Type.Array(receipt, { description: "The newest first; the entries of the last 2000." });
type Receipt = Static<typeof receipt>;

/** An order has hardly more than some hundred. */
const entriesMax = 2_000;

const ofReceipt = {
  receiptId: "r",
  bookedAt: "r",
  occurredAt: "r",
  correctsReceiptId: "r",
  correctedBy: "r",
  sscc: "r",
};
const entryColumns = columnsOf(entryOfReceipt, "l", {
  ...ofReceipt,
  batchRef: sql`nullif(l.batch_ref, ${noBatch})`,
  expiryDate: sql`nullif(l.expiry_date, ${noExpiry}::date)`,
});

/** The receipts of a purchase order, the newest first. */
export async function listReceipts(tx: ClientTx, of: PurchaseOrderKey): Promise<Receipt[]> {
  return receiptsOf(await listReceivedEntries(tx, [of], entriesMax));
}

/** An entry of a receipt, with the purchase order that it belongs to. */
interface ReceivedEntry extends EntryOfReceipt {
  /** That of its purchase order among the requested. */
  readonly place: string;
  readonly facilityCode: string;
}

/** Receipts of these purchase orders, in their order, the newest receipt of each first. */
export function listReceivedEntries(
  tx: ClientTx,
  keys: readonly PurchaseOrderKey[],
  limit: number,
): Promise<ReceivedEntry[]> {
  const [numbers, notices] = [keys.map(({ poNumber }) => poNumber), keys.map(({ vendorOrderId }) => vendorOrderId)];
  return tx.query(sql`select ${entryColumns}, r.facility_code as "facilityCode", k.place::text as place
      from unnest(${numbers}::text[], ${notices}::text[]) with ordinality as k(po_number, vendor_order_id, place)
      join goods_receipt r on r.client_id = ${tenant} and r.po_number = k.po_number
        and r.vendor_order_id = k.vendor_order_id
      join goods_receipt_line l on l.client_id = ${tenant} and l.facility_code = r.facility_code
        and l.receipt_id = r.receipt_id
      order by k.place, r.booked_at desc, r.receipt_id, l.entry limit ${limit}`);
}

/** The receipts of one purchase order. A receipt is identified by its facility too. */
export function receiptsOf(rows: readonly ReceivedEntry[]): Receipt[] {
  const byReceipt = Map.groupBy(
    rows.slice(0, entriesMax),
    ({ facilityCode, receiptId }) => `${facilityCode}\n${receiptId}`,
  );
  return Array.from(byReceipt.values(), (entries) => ({ ...(entries[0] as EntryOfReceipt), entries }));
}
