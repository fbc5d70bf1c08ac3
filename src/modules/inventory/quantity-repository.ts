import type { Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery } from "#/db/tenant.ts";

// The quantities of lifecycle.md §8 are made of tables of several modules; the SQL stands here together, as it does in
// snapshot-repository.ts, and a test holds the two against each other.

/** Quantities as PostgreSQL writes numerics; null where there is nothing to be added up. */
export interface QuantityRow {
  /** `''` in the one row that tells the position. */
  readonly sku: string;
  readonly stock_pool: string;
  readonly on_hand: string | null;
  readonly allocated: string | null;
  readonly on_hold: string | null;
  readonly damaged: string | null;
  readonly expected: string | null;
  readonly in_return: string | null;
  readonly backordered: string | null;
  readonly last_moved_at: string | null;
  /** Stock unit of the item, in its row of the default pool only. */
  readonly uom: string | null;
  readonly position: number | null;
}

/**
 * A row for each SKU and pool that has anything, in the order of their names; one of the default pool for each SKU that is
 * known, whether it has anything or not; and before them one with the position of the book, if it has been opened. As one
 * state of the store has them, because it is one statement. Nulls in the place of zeros are neither added up nor sent; the
 * SKUs are one parameter, because a thousand of them are not to be sent and read five times.
 */
export function listQuantities(
  tx: Tx,
  clientId: string,
  facilityCode: string,
  skus: readonly string[],
  today: string,
): Promise<QuantityRow[]> {
  return tenantQuery(
    tx,
    clientId,
    sql`with asked as materialized (select ${skus}::text[] as skus)
      select q.sku, q.stock_pool, sum(q.on_hand) as on_hand, sum(q.allocated) as allocated, sum(q.on_hold) as on_hold,
        sum(q.damaged) as damaged, sum(q.expected) as expected, sum(q.in_return) as in_return,
        sum(q.backordered) as backordered, max(q.moved_at) as last_moved_at, max(q.uom) as uom,
        max(q.position) as position
      from (
        select b.sku, b.stock_pool, b.qty as on_hand, b.allocated,
          case when b.condition in ('ON_HOLD', 'QUARANTINE') then b.qty
            when b.condition = 'GOOD' and b.expiry_date < ${today}::date then b.qty - b.allocated end as on_hold,
          case when b.condition = 'DAMAGED' then b.qty end as damaged,
          null::numeric as expected, null::numeric as in_return, null::numeric as backordered,
          b.last_moved_at as moved_at, null::text as uom, null::bigint as position
        from stock_balance b
        where b.client_id = ${tenant} and b.facility_code = ${facilityCode}
          and b.sku = any((select skus from asked)::text[])
        union all
        select l.sku, 'DEFAULT', null, null, null, null, l.qty - l.qty_received, null, null, null, null, null
        from purchase_order_line l
        join purchase_order p on p.client_id = ${tenant} and p.po_number = l.po_number
          and p.vendor_order_id = l.vendor_order_id
        where l.client_id = ${tenant} and l.sku = any((select skus from asked)::text[])
          and l.qty_received < l.qty
          and p.distribution_centre = ${facilityCode} and p.status in ('OPEN', 'RECEIVING')
        union all
        select l.sku, 'DEFAULT', null, null, null, null, null, l.qty_expected - l.qty_received, null, null, null, null
        from return_authorisation_line l
        join return_authorisation r on r.client_id = ${tenant} and r.rma_number = l.rma_number
        where l.client_id = ${tenant} and l.sku = any((select skus from asked)::text[])
          and l.qty_received < l.qty_expected
          and r.distribution_centre = ${facilityCode} and r.status in ('AUTHORISED', 'RECEIVING')
        union all
        select l.sku, l.stock_pool, null, null, null, null, null, null, l.qty_backordered, null, null, null
        from sales_order_line l
        where l.client_id = ${tenant} and l.facility_code = ${facilityCode}
          and l.sku = any((select skus from asked)::text[])
          and l.qty_open + l.qty_backordered > 0
        union all
        select i.sku, 'DEFAULT', null, null, null, null, null, null, null, null, i.stock_uom, null
        from item i
        where i.client_id = ${tenant} and i.sku = any((select skus from asked)::text[])
        union all
        select '', '', null, null, null, null, null, null, null, null, null, s.last_position
        from stock_book s
        where s.client_id = ${tenant} and s.facility_code = ${facilityCode}
      ) q
      group by q.sku, q.stock_pool order by q.sku, q.stock_pool limit 1000000`,
  );
}
