import type { Transaction, Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery, tenantSend } from "#/db/tenant.ts";
import { formatQuantity } from "#/kernel/quantity.ts";
import type { PurchaseOrderMessage, PurchaseOrderState } from "#/modules/purchasing/domain.ts";

export interface StoredPurchaseOrder {
  readonly po_number: string;
  readonly vendor_order_id: string;
  readonly status: PurchaseOrderState;
  readonly distribution_centre: string;
  readonly revision: number | null;
  readonly feed_token: string;
}

/** All notices of these purchase orders, locked in key order until the transaction ends. */
export function lockPurchaseOrders(
  tx: Tx,
  clientId: string,
  poNumbers: readonly string[],
): Promise<StoredPurchaseOrder[]> {
  return tenantQuery(
    tx,
    clientId,
    sql`select po_number, vendor_order_id, status, distribution_centre, revision, feed_token from purchase_order
      where client_id = ${tenant} and po_number = any(${poNumbers}::text[])
      order by po_number, vendor_order_id limit 10000 for no key update`,
  );
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

function headerOf({ key, message, token, receivedAt }: PurchaseOrderWrite) {
  return {
    p: key.poNumber,
    v: key.vendorOrderId,
    dc: message.distributionCentre,
    m: message.messageId,
    ea: message.extendedAttributes,
    rv: message.revision,
    k: token,
    r: receivedAt,
  };
}

const headerColumns = sql`p text, v text, dc text, m text, ea jsonb, rv bigint, k uuid, r timestamptz`;

/** The primary key decides: an order that another transaction inserted first fails this one, which is then run again. */
export function insertPurchaseOrders(tx: Transaction, clientId: string, orders: readonly PurchaseOrderWrite[]): void {
  tenantSend(
    tx,
    clientId,
    sql`insert into purchase_order as o (client_id, po_number, vendor_order_id, status, distribution_centre, message_id,
        extended_attributes, revision, feed_token, received_at, updated_at)
      select t.client_id, x.p, x.v, 'OPEN', x.dc, x.m, x.ea, x.rv, x.k, x.r, x.r
      from tenant t cross join json_to_recordset(${JSON.stringify(orders.map(headerOf))}::json) as x(${headerColumns})
      where t.client_id = ${tenant}`,
  );
}

export function replacePurchaseOrders(
  tx: Transaction,
  clientId: string,
  at: string,
  orders: readonly PurchaseOrderWrite[],
): void {
  tenantSend(
    tx,
    clientId,
    sql`update purchase_order o set distribution_centre = x.dc, message_id = x.m, extended_attributes = x.ea,
        revision = coalesce(x.rv, o.revision), updated_at = ${at}::timestamptz, version = o.version + 1
      from json_to_recordset(${JSON.stringify(orders.map(headerOf))}::json) as x(${headerColumns})
      where o.client_id = ${tenant} and o.po_number = x.p and o.vendor_order_id = x.v`,
  );
}

/** Lines become those of the document; what was received of a line stays. */
export function replaceLines(tx: Transaction, clientId: string, orders: readonly PurchaseOrderWrite[]): void {
  const rows = orders.flatMap(({ key, message }) =>
    message.lines.map((line) => ({
      p: key.poNumber,
      v: key.vendorOrderId,
      n: line.lineNumber,
      i: line.lineId,
      s: line.sku,
      a: line.altSku,
      d: line.productName,
      q: formatQuantity(line.qty),
      fq: formatQuantity(line.feedQty),
      fu: line.feedUom,
    })),
  );
  const keys = orders.map(({ key, message }) => ({
    p: key.poNumber,
    v: key.vendorOrderId,
    n: message.lines.map(({ lineNumber }) => lineNumber),
  }));
  tenantSend(
    tx,
    clientId,
    sql`delete from purchase_order_line l using json_to_recordset(${JSON.stringify(keys)}::json) as x(p text, v text, n integer[])
      where l.client_id = ${tenant} and l.po_number = x.p and l.vendor_order_id = x.v and l.line_number <> all(x.n)`,
  );
  tenantSend(
    tx,
    clientId,
    sql`insert into purchase_order_line as l (client_id, po_number, vendor_order_id, line_number, line_id, sku, alt_sku,
        product_name, qty, feed_qty, feed_uom)
      select t.client_id, x.p, x.v, x.n, x.i, x.s, x.a, x.d, x.q, x.fq, x.fu
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as x(p text, v text, n integer, i text,
        s text, a text, d text, q numeric, fq numeric, fu text)
      where t.client_id = ${tenant}
      on conflict (client_id, po_number, vendor_order_id, line_number) do update set line_id = excluded.line_id,
        sku = excluded.sku, alt_sku = excluded.alt_sku, product_name = excluded.product_name, qty = excluded.qty,
        feed_qty = excluded.feed_qty, feed_uom = excluded.feed_uom
      returning l.line_number`,
  );
}

export function cancelPurchaseOrders(
  tx: Transaction,
  clientId: string,
  at: string,
  orders: readonly { key: PurchaseOrderKey; revision: number | undefined }[],
): void {
  const rows = orders.map(({ key, revision }) => ({ p: key.poNumber, v: key.vendorOrderId, rv: revision }));
  tenantSend(
    tx,
    clientId,
    sql`update purchase_order o set status = 'CANCELLED', revision = coalesce(x.rv, o.revision),
        updated_at = ${at}::timestamptz, version = o.version + 1
      from json_to_recordset(${JSON.stringify(rows)}::json) as x(p text, v text, rv bigint)
      where o.client_id = ${tenant} and o.po_number = x.p and o.vendor_order_id = x.v`,
  );
}
