import type { Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery } from "#/db/tenant.ts";

// The quantities of lifecycle.md §8 are made of tables of several modules; the SQL stands here together, as it does in
// snapshot-repository.ts, and a test holds the two against each other.

export interface QuantityRow {
  readonly sku: string;
  readonly stock_pool: string;
  readonly on_hand: string;
  readonly allocated: string;
  readonly on_hold: string;
  readonly damaged: string;
  readonly expected: string;
  readonly in_return: string;
  readonly backordered: string;
  readonly last_moved_at: string | null;
}

/** A row for each SKU and pool that has anything, in the order of their names. */
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
    sql`select q.sku, q.stock_pool, sum(q.on_hand) as on_hand, sum(q.allocated) as allocated, sum(q.on_hold) as on_hold,
        sum(q.damaged) as damaged, sum(q.expected) as expected, sum(q.in_return) as in_return,
        sum(q.backordered) as backordered, max(q.moved_at) as last_moved_at
      from (
        select b.sku, b.stock_pool, b.qty as on_hand, b.allocated,
          case when b.condition in ('ON_HOLD', 'QUARANTINE') then b.qty
            when b.condition = 'GOOD' and b.expiry_date < ${today}::date then b.qty - b.allocated else 0 end as on_hold,
          case when b.condition = 'DAMAGED' then b.qty else 0 end as damaged,
          0 as expected, 0 as in_return, 0 as backordered, b.last_moved_at as moved_at
        from stock_balance b
        where b.client_id = ${tenant} and b.facility_code = ${facilityCode} and b.sku = any(${skus}::text[])
        union all
        select l.sku, 'DEFAULT', 0, 0, 0, 0, l.qty - l.qty_received, 0, 0, null
        from purchase_order_line l
        join purchase_order p on p.client_id = ${tenant} and p.po_number = l.po_number
          and p.vendor_order_id = l.vendor_order_id
        where l.client_id = ${tenant} and l.sku = any(${skus}::text[]) and l.qty_received < l.qty
          and p.distribution_centre = ${facilityCode} and p.status in ('OPEN', 'RECEIVING')
        union all
        select l.sku, 'DEFAULT', 0, 0, 0, 0, 0, l.qty_expected - l.qty_received, 0, null
        from return_authorisation_line l
        join return_authorisation r on r.client_id = ${tenant} and r.rma_number = l.rma_number
        where l.client_id = ${tenant} and l.sku = any(${skus}::text[]) and l.qty_received < l.qty_expected
          and r.distribution_centre = ${facilityCode} and r.status in ('AUTHORISED', 'RECEIVING')
        union all
        select l.sku, l.stock_pool, 0, 0, 0, 0, 0, 0, l.qty_backordered, null
        from sales_order_line l
        where l.client_id = ${tenant} and l.facility_code = ${facilityCode} and l.sku = any(${skus}::text[])
          and l.qty_open + l.qty_backordered > 0
      ) q
      group by q.sku, q.stock_pool order by q.sku, q.stock_pool limit 1000000`,
  );
}
