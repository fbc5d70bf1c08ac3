import { formatQuantity } from "#/kernel/values/quantity.ts";
import type { PurchaseOrderMessage } from "#/modules/purchasing/domain.ts";
import type { PurchaseOrderState } from "#/modules/purchasing/states.ts";
import { purchaseOrder, purchaseOrderLine } from "#/modules/purchasing/tables.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { insertInto, selectFrom, updateOf } from "#/store/db/table.ts";

export interface StoredPurchaseOrder {
  readonly po_number: string;
  readonly vendor_order_id: string;
  readonly status: PurchaseOrderState;
  readonly distribution_centre: string;
  readonly revision: number | null;
  readonly feed_token: string;
  readonly from_facility: string | null;
}

const lockByNumber = selectFrom(purchaseOrder, {
  by: "po_number",
  select: ["po_number", "vendor_order_id", "status", "distribution_centre", "revision", "feed_token", "from_facility"],
  orderBy: ["po_number", "vendor_order_id"],
  lock: "for no key update",
  limit: 10_000,
});

/** All notices of these purchase orders, locked in key order until the transaction ends. */
export function lockPurchaseOrders(tx: ClientTx, poNumbers: readonly string[]): Promise<StoredPurchaseOrder[]> {
  return lockByNumber.query(tx, poNumbers) as Promise<StoredPurchaseOrder[]>;
}

export interface PurchaseOrderKey {
  readonly poNumber: string;
  readonly vendorOrderId: string;
}

export interface PurchaseOrderWrite {
  readonly key: PurchaseOrderKey;
  readonly message: PurchaseOrderMessage;
  readonly token: string;
  readonly receivedAt: string;
}

export const keyColumnsOf = ({ poNumber, vendorOrderId }: PurchaseOrderKey) => ({
  po_number: poNumber,
  vendor_order_id: vendorOrderId,
});

const contentOf = ({ key, message }: PurchaseOrderWrite) => ({
  ...keyColumnsOf(key),
  distribution_centre: message.distributionCentre,
  message_id: message.messageId,
  extended_attributes: message.extendedAttributes,
  revision: message.revision,
  carrier_code: message.carrierCode,
  tracking_number: message.trackingNumber,
});

const insertHeaders = insertInto(purchaseOrder, {
  except: ["completed_at", "closed_at", "has_discrepancy", "version"],
});

/**
 * The primary key resolves races: if another transaction inserts the order first, this transaction fails and runs
 * again.
 */
export function insertPurchaseOrders(tx: ClientTransaction, orders: readonly PurchaseOrderWrite[]): void {
  const rows = orders.map((order) => ({
    ...contentOf(order),
    status: "OPEN",
    feed_token: order.token,
    received_at: order.receivedAt,
    updated_at: order.receivedAt,
    from_facility: order.message.fromFacility,
  }));
  insertHeaders.send(tx, rows);
}

/** Without a revision the order keeps its own. */
const revision = sql`coalesce(given.revision, purchase_order.revision)`;
const version = sql`purchase_order.version + 1`;

const replaceHeaders = updateOf(purchaseOrder, {
  set: ["distribution_centre", "message_id", "extended_attributes", "updated_at", "carrier_code", "tracking_number"],
  with: { revision: "bigint?" },
  also: { revision, version },
});

export function replacePurchaseOrders(tx: ClientTransaction, at: string, orders: readonly PurchaseOrderWrite[]): void {
  const rows = orders.map((order) => ({ ...contentOf(order), updated_at: at }));
  replaceHeaders.send(tx, rows);
}

const lineContent = ["line_id", "sku", "alt_sku", "product_name", "qty", "feed_qty", "feed_uom"] as const;
const upsertLines = insertInto(purchaseOrderLine, {
  columns: ["po_number", "vendor_order_id", "line_number", ...lineContent],
  onConflict: { set: lineContent },
  returning: ["line_number"],
});

/** Replaces the lines by those of the document; the received quantity of a line stays. */
export function replaceLines(tx: ClientTransaction, orders: readonly PurchaseOrderWrite[]): void {
  const kept = orders.map(({ key, message }) => ({
    ...keyColumnsOf(key),
    line_numbers: message.lines.map(({ lineNumber }) => lineNumber),
  }));
  tx.send(sql`delete from purchase_order_line l using (
        select po_number, vendor_order_id, line_numbers from json_to_recordset(${JSON.stringify(kept)}::json)
          as given(po_number text, vendor_order_id text, line_numbers integer[])
        limit ${kept.length}
      ) given
      where l.client_id = ${tenant} and l.po_number = given.po_number and l.vendor_order_id = given.vendor_order_id
        and l.line_number <> all(given.line_numbers)`);
  const rows = orders.flatMap(({ key, message }) =>
    message.lines.map((line) => ({
      ...keyColumnsOf(key),
      line_number: line.lineNumber,
      line_id: line.lineId,
      sku: line.sku,
      alt_sku: line.altSku,
      product_name: line.productName,
      qty: formatQuantity(line.qty),
      feed_qty: formatQuantity(line.feedQty),
      feed_uom: line.feedUom,
    })),
  );
  upsertLines.send(tx, rows);
}

const cancelHeaders = updateOf(purchaseOrder, {
  set: ["status", "updated_at"],
  with: { revision: "bigint?" },
  also: { revision, version },
});

export function cancelPurchaseOrders(
  tx: ClientTransaction,
  at: string,
  orders: readonly { key: PurchaseOrderKey; revision: number | undefined }[],
): void {
  const rows = orders.map(({ key, revision }) => ({
    ...keyColumnsOf(key),
    status: "CANCELLED",
    updated_at: at,
    revision,
  }));
  cancelHeaders.send(tx, rows);
}

export interface PurchaseOrderStatus {
  readonly po_number: string;
  readonly vendor_order_id: string;
  readonly status: string;
  readonly distribution_centre: string;
  /** The document that wrote it last. */
  readonly feed_token: string;
}

/** The states of purchase orders; one number may have several, one for each shipping notice. */
export function findStatuses(tx: ClientTx, poNumbers: readonly string[]): Promise<PurchaseOrderStatus[]> {
  return tx.query(sql`select po_number, vendor_order_id, status, distribution_centre, feed_token from purchase_order
      where client_id = ${tenant} and po_number = any(${poNumbers}::text[])
      order by updated_at limit 10000`);
}
