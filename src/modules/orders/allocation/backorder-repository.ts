import { type ClientSettings, resolveSettings } from "#/modules/clients/index.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

/** The policy for a partly allocated order, from the client's settings (operations.md §2). */
export interface BackorderPolicy {
  readonly backorder: ClientSettings["backorder"];
  /** Days after which backordered quantity is cancelled. */
  readonly backorderDays: number;
}

export async function findPolicy(tx: ClientTx): Promise<BackorderPolicy> {
  const { backorder, backorderDays } = resolveSettings(await findStoredSettings(tx));
  return { backorder, backorderDays };
}

/** True if the allocated part may leave while the rest waits. The order's own setting takes precedence. */
export function shipsInParts(
  order: { readonly shipPartial: boolean },
  { backorder }: Pick<BackorderPolicy, "backorder">,
): boolean {
  return order.shipPartial || backorder !== "WAIT";
}

/** True if the quantity that is not in stock is cancelled at once. */
export function cancelsRest(order: { readonly shipPartial: boolean }, { backorder }: BackorderPolicy): boolean {
  return backorder === "SHIP_AND_CANCEL" && !order.shipPartial;
}

export async function findStoredSettings(tx: ClientTx): Promise<Readonly<Record<string, unknown>>> {
  const rows = await tx.plain.query<{ settings: Readonly<Record<string, unknown>> }>(
    sql`select c.settings from client c where c.client_id = ${tx.clientId} limit 1`,
  );
  return rows[0]?.settings ?? {};
}

/**
 * The SKUs that these orders wait for, with the facility of each line. The condition deliberately does not match the
 * partial index of waiting lines: PostgreSQL would scan that whole index, all waiting lines of the client, for these
 * few orders.
 */
export function listWaitingSkus(
  tx: ClientTx,
  orderIds: readonly string[],
): Promise<{ order_id: string; facility_code: string; sku: string }[]> {
  return tx.query(sql`select order_id, facility_code, sku from sales_order_line
      where client_id = ${tenant} and order_id = any(${orderIds}::text[]) and (qty_open > 0 or qty_backordered > 0)
      limit 200000`);
}

/** An order with its facilities. */
interface PlacedOrder {
  readonly order_id: string;
  readonly facilities: readonly string[];
}

const placed = sql`order_id, array_prepend(distribution_centre, split_facilities) as facilities`;

/** Orders of which some quantity has been backordered since before `before`, oldest first. */
export function listBackordered(tx: ClientTx, before: string, limit: number): Promise<PlacedOrder[]> {
  return tx.query(sql`select ${placed} from sales_order
      where client_id = ${tenant} and backordered_since is not null and backordered_since < ${before}::timestamptz
      order by backordered_since limit ${limit}`);
}

/** Partly allocated orders that have waited for the rest since before `before`, oldest first. */
export function listPartlyAllocated(tx: ClientTx, before: string, limit: number): Promise<PlacedOrder[]> {
  return tx.query(sql`select ${placed} from sales_order
      where client_id = ${tenant} and backordered_since is not null and backordered_since < ${before}::timestamptz
        and status = 'PARTIALLY_ALLOCATED' and not ship_partial and pick_accepted_at is null
      order by backordered_since limit ${limit}`);
}

/** Orders that wait for these SKUs in a facility, in the order of allocation. */
export async function listWaitingOrders(
  tx: ClientTx,
  facilityCode: string,
  skus: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ order_id: string }>(sql`select l.order_id from sales_order_line l
      where l.client_id = ${tenant} and l.facility_code = ${facilityCode} and l.sku = any(${skus}::text[])
        and l.qty_open + l.qty_backordered > 0
        and (select o.holds from sales_order o where o.client_id = ${tenant} and o.order_id = l.order_id limit 1) = '[]'
      order by l.priority, l.accepted_at, l.order_id limit ${limit}`);
  return [...new Set(rows.map(({ order_id }) => order_id))];
}

/** Marks unreported cancel requests from before `before` as reported at `at`, and returns them. */
export function markUnanswered(
  tx: ClientTx,
  before: string,
  at: string,
  limit: number,
): Promise<{ order_id: string; distribution_centre: string; cancel_requested_at: string }[]> {
  return tx.query(sql`update sales_order o set cancel_escalated_at = ${at}::timestamptz
      where o.client_id = ${tenant} and o.order_id = any(array(
          select d.order_id from sales_order d
          where d.client_id = ${tenant} and d.cancel_requested_at is not null
            and d.cancel_requested_at < ${before}::timestamptz and d.cancel_escalated_at is null
          order by d.order_id limit ${limit} for no key update))
      returning o.order_id, o.distribution_centre, o.cancel_requested_at`);
}
