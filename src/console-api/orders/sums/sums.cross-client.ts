/** Sums over the lines and the parcels of orders of all clients, for operators: read-only, for a page of orders. */

import Type, { type Static } from "typebox";
import { orderParcels, orderQuantities } from "#/console-api/orders/contract.ts";
import type { FoundOrder } from "#/console-api/orders/orders.cross-client.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import { stateCodes } from "#/modules/orders/index.ts";
import type { Tx } from "#/store/db/database.ts";
import { acrossClients as sql } from "#/store/db/sql.ts";

const parcelSums = Type.Omit(orderParcels, ["costs"]);

export interface OrderSums extends Static<typeof orderQuantities>, Static<typeof parcelSums> {
  readonly clientId: string;
  readonly orderId: string;
  readonly lines: number;
  /** Null where nothing is back-ordered. */
  readonly missingSkus: readonly string[] | null;
  /** When the order last reached the code that represents its state, ISO 8601. */
  readonly statusSince: string | null;
  /** Of each stored decision, which prices all parcels packed with it; null where it chose a service without a price. */
  readonly prices: readonly (StoredPrice | null)[] | null;
}

/** Currency, amount without surcharges, and with them, as carrier decisions store them. */
type StoredPrice = readonly [currency: string, base: number, total: number, ...unknown[]];

/**
 * Sums over the lines and the parcels of these orders, and the time since when each order has the given event code. The names are
 * joined with their orders, and `distinct` keeps them together, so that each node sums its own orders (docs/citus.md).
 * The parcels of an order are read once. A decision is looked up by its whole key, in the partition of its month: a join
 * could read all decisions of a client.
 */
export function sumOrders(tx: Tx, orders: readonly FoundOrder[]): Promise<OrderSums[]> {
  const clients = orders.map(({ clientId }) => clientId);
  const orderIds = orders.map(({ orderId }) => orderId);
  const codes = orders.map(({ status }) => stateCodes[status] ?? 0);
  return tx.query(
    sql`select o.client_id as "clientId", o.order_id as "orderId", s.lines, ${columnsOf(orderQuantities, "s")},
        m.since as "statusSince", ${columnsOf(parcelSums, "p")}, p.prices,
        case when s.backordered > 0 then (
          select (array_agg(distinct l.sku order by l.sku))[1:10] from sales_order_line l
          where l.client_id = o.client_id and l.order_id = o.order_id and l.qty_backordered > 0
            and l.kit_qty is distinct from 0) end as "missingSkus"
      from (
        select distinct r.client_id, r.order_id, n.code
        from (
          select u.client_id, u.order_id, u.code
          from unnest(${clients}::text[], ${orderIds}::text[], ${codes}::integer[]) as u(client_id, order_id, code)
        ) n
          join sales_order r on r.client_id = n.client_id and r.order_id = n.order_id
      ) o
      cross join lateral (
        select count(*)::integer as lines, sum(l.qty_ordered) as ordered, sum(l.qty_open) as open,
          sum(l.qty_backordered) as backordered, sum(l.qty_allocated) as allocated, sum(l.qty_picked) as picked,
          sum(l.qty_packed) as packed, sum(l.qty_despatched) as despatched, sum(l.qty_cancelled) as cancelled
        from sales_order_line l where l.client_id = o.client_id and l.order_id = o.order_id
          and coalesce(l.kit_qty, 0) = 0) s
      cross join lateral (
        select max(e.at) as since from order_milestone e
        where e.client_id = o.client_id and e.order_id = o.order_id and e.code = o.code) m
      cross join lateral (
        select count(*)::integer as count, min(l.despatched_at) as despatched_at,
          (array_agg(l.carrier_code order by l.packed_at, l.olpn_id))[1] as carrier_code,
          (array_agg(l.carrier_service_code order by l.packed_at, l.olpn_id))[1] as carrier_service_code,
          count(distinct (l.carrier_code, l.carrier_service_code)) filter (where l.carrier_code is not null) as services,
          (array_agg(l.tracking_number order by l.packed_at, l.olpn_id)
            filter (where l.tracking_number is not null))[1] as tracking_number,
          count(distinct l.tracking_number)::integer as tracking_numbers,
          json_agg(l.price) filter (where l.decision_id is not null and l.rank = 1) as prices
        from (
          select k.*, case when k.rank = 1 then (select d.decision -> 'choices' -> 0 -> 2 from carrier_decision d
            where d.client_id = k.client_id and d.decision_id = k.decision_id) end as price
          from (
            select l.client_id, l.olpn_id, l.decision_id, l.packed_at, l.despatched_at, l.carrier_code,
              l.carrier_service_code, l.tracking_number,
              row_number() over (partition by l.client_id, l.decision_id order by l.olpn_id) as rank
            from parcel l
            where l.client_id = o.client_id and l.order_id = o.order_id and l.order_id > '' and l.status <> 'VOIDED'
          ) k
        ) l) p
      limit 1000`,
  );
}
