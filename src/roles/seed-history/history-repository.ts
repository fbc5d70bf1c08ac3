// Rows of the history, put in place set-wise: as a year of work leaves them behind, and not as that work would write them.
import type { Transaction, Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery, tenantSend } from "#/db/tenant.ts";
import type {
  HistoryItemRow,
  HistoryLineRow,
  HistoryMilestoneRow,
  HistoryOrderRow,
  HistoryParcelRow,
} from "#/roles/seed-history/history-rows.ts";

/** More than any batch has. */
const rowsMax = 10_000;

/** Which of these SKUs are there. */
export async function findHistorySkus(tx: Tx, clientId: string, skus: readonly string[]): Promise<Set<string>> {
  const rows = await tenantQuery<{ sku: string }>(
    tx,
    clientId,
    sql`select i.sku from item i
      where i.client_id = ${tenant} and i.sku = any(${skus}::text[]) limit ${rowsMax}`,
  );
  return new Set(rows.map(({ sku }) => sku));
}

/** Which of these orders are there. */
export async function findHistoryOrders(tx: Tx, clientId: string, orderIds: readonly string[]): Promise<Set<string>> {
  const rows = await tenantQuery<{ order_id: string }>(
    tx,
    clientId,
    sql`select o.order_id from sales_order o
      where o.client_id = ${tenant} and o.order_id = any(${orderIds}::text[]) limit ${rowsMax}`,
  );
  return new Set(rows.map(({ order_id }) => order_id));
}

/** @param at ISO 8601 UTC: since when the items are known. @param token in the place of their catalogue's */
export function insertHistoryItems(
  tx: Transaction,
  clientId: string,
  rows: readonly HistoryItemRow[],
  { at, token }: { readonly at: string; readonly token: string },
): void {
  tenantSend(
    tx,
    clientId,
    sql`insert into item as i (client_id, sku, name, ean_code, product_type, country_of_origin, weight, weight_uom_code,
        length, width, height, dimensions_uom_code, dated_at, feed_token, created_at, updated_at)
      select t.client_id, x.s, x.n, x.e, x.t, x.c, x.w, 'KG', x.l, x.b, x.h, 'CM', ${at}::timestamptz, ${token}::uuid,
        ${at}::timestamptz, ${at}::timestamptz
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as x(s text, n text, e text, t text,
        c text, w numeric, l numeric, b numeric, h numeric)
      where t.client_id = ${tenant}`,
  );
}

export function insertHistoryOrders(tx: Transaction, clientId: string, rows: readonly HistoryOrderRow[]): void {
  tenantSend(
    tx,
    clientId,
    sql`insert into sales_order as o (client_id, order_id, status, status_reason, cancel_reason, external_order_reference,
        origin, language, order_date, shipping_method, currency, shipping_cost, subtotal, total_price, bill_to_address,
        ship_to_address, distribution_centre, is_routed, routed_by, holds, feed_token, received_at, updated_at, despatch_by,
        taken_at, backordered_since, ended_at)
      select t.client_id, x.o, x.s, x.sr, x.sr, x.xr, 'WEB', x.la, x.od, x.sm, x.cu, x.sc, x.st, x.tp, x.ad, x.ad, x.dc,
        true, 'FILLS', x.ho, x.k, x.r, x.u, x.db, x.ta, x.bs, x.ea
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as x(o text, s text, sr text, xr text,
        la text, od timestamptz, sm text, cu text, sc numeric, st numeric, tp numeric, ad jsonb, dc text, k uuid, ho jsonb,
        r timestamptz, u timestamptz, db timestamptz, ta timestamptz, bs timestamptz, ea timestamptz)
      where t.client_id = ${tenant}`,
  );
}

export function insertHistoryLines(tx: Transaction, clientId: string, rows: readonly HistoryLineRow[]): void {
  tenantSend(
    tx,
    clientId,
    sql`insert into sales_order_line as l (client_id, order_id, line_number, sku, stock_pool, uom, feed_qty, line_total,
        unit_net_price, qty_ordered, qty_open, qty_backordered, qty_despatched, qty_cancelled, qty_delivered, facility_code,
        priority, accepted_at)
      select t.client_id, x.o, x.n, x.s, 'DEFAULT', 'EA', x.q, x.lt, x.un, x.q, x.qo, x.qb, x.qd, x.qc, x.qe, x.f, 5, x.r
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as x(o text, n integer, s text, q numeric,
        un numeric, lt numeric, qo numeric, qb numeric, qd numeric, qc numeric, qe numeric, f text, r timestamptz)
      where t.client_id = ${tenant}`,
  );
}

export function insertHistoryParcels(tx: Transaction, clientId: string, rows: readonly HistoryParcelRow[]): void {
  tenantSend(
    tx,
    clientId,
    sql`insert into parcel as p (client_id, olpn_id, order_id, facility_code, status, carrier_code, carrier_service_code,
        decision_id, tracking_number, is_own_tracking_number, tracking_url, weight, weight_uom_code, length, width, height,
        dimensions_uom_code, contents, packed_at, loaded_at, despatched_at, status_at, is_delivered, updated_at)
      select t.client_id, x.i, x.o, x.f, x.s, x.cc, x.cs, x.di, x.i, true, x.tr, x.w, 'KG', x.l, x.b, x.h, 'CM', x.c, x.p,
        x.d, x.d, x.sa, x.e, x.u
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as x(i text, o text, f text, s text,
        cc text, cs text, di uuid, tr text, w numeric, l numeric, b numeric, h numeric, c jsonb, p timestamptz,
        d timestamptz, sa timestamptz, e boolean, u timestamptz)
      where t.client_id = ${tenant}`,
  );
}

export function insertHistoryMilestones(tx: Transaction, clientId: string, rows: readonly HistoryMilestoneRow[]): void {
  tenantSend(
    tx,
    clientId,
    sql`insert into order_milestone as m (client_id, order_id, milestone_id, olpn_id, code, at, received_at)
      select t.client_id, x.o, x.i, x.p, x.c, x.a, x.a
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as x(o text, i uuid, p text, c smallint,
        a timestamptz)
      where t.client_id = ${tenant}`,
  );
}
