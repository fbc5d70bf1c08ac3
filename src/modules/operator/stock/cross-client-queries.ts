/** Stock over all clients, for operators: read-only, by an index, a page at a time. */
import type { Tx } from "#/db/database.ts";
import { allOf, type Statement, sql } from "#/db/sql.ts";
import type { Scope } from "#/http/operator.ts";

/** Place in the list of levels: it goes by product, so that one product stands together. */
export interface LevelPlace {
  readonly sku: string;
  readonly clientId: string;
  readonly facilityCode: string;
}

export interface LevelRow {
  readonly client_id: string;
  readonly facility_code: string;
  readonly sku: string;
  /** Quantities as PostgreSQL writes numerics. */
  readonly on_hand: string;
  readonly allocated: string;
  readonly on_hold: string;
  readonly damaged: string;
  readonly lots: number;
  /** `YYYY-MM-DD` of the lot that expires first; null where none does. */
  readonly first_expiry: string | null;
  readonly last_moved_at: string;
}

export interface LevelFilter extends Scope {
  /** Beginning of the SKU; `''` for all. */
  readonly prefix: string;
  readonly after: LevelPlace | undefined;
  /** ISO 8601: what has expired by then, in the zone of its facility, is on hold. */
  readonly at: string;
  readonly limit: number;
}

/** Behind every text that begins with this one. */
export function endOfPrefix(prefix: string): string {
  return `${prefix}\u{10FFFF}`;
}

/** What each client has of each product in each facility, in the order of the products. */
export function listLevels(tx: Tx, filter: LevelFilter): Promise<LevelRow[]> {
  const { prefix, after, at, limit } = filter;
  const from = after && after.sku > prefix ? after.sku : prefix;
  const place = after ?? { sku: "", clientId: "", facilityCode: "" };
  return tx.query(
    sql`select b.client_id, b.facility_code, b.sku, sum(b.qty) as on_hand, sum(b.allocated) as allocated,
        sum(case when b.condition in ('ON_HOLD', 'QUARANTINE') then b.qty
          when b.condition = 'GOOD' and b.expiry_date < (${at}::timestamptz at time zone f.timezone)::date
            then b.qty - b.allocated else 0 end) as on_hold,
        sum(case when b.condition = 'DAMAGED' then b.qty else 0 end) as damaged,
        count(*) filter (where b.qty > 0)::integer as lots,
        min(b.expiry_date) filter (where b.qty > 0 and b.expiry_date < 'infinity') as first_expiry,
        max(b.last_moved_at) as last_moved_at
      from stock_balance b join facility f on f.facility_code = b.facility_code
      where ${scoped(filter)} and b.sku >= ${from} and b.sku < ${endOfPrefix(prefix)}
        and (b.sku, b.client_id, b.facility_code) > (${place.sku}, ${place.clientId}, ${place.facilityCode})
      group by b.sku, b.client_id, b.facility_code order by b.sku, b.client_id, b.facility_code limit ${limit}`,
  );
}

/** Each has an index of its own: by client, by facility, or by product alone. */
function scoped({ clientIds, facilityCodes }: Scope): Statement {
  const ofFacilities = facilityCodes === null ? undefined : sql`b.facility_code = any(${facilityCodes}::text[])`;
  if (clientIds?.length === 1) return allOf([sql`b.client_id = ${clientIds[0]} and b.sku > ''`, ofFacilities]);
  const ofClients = clientIds === null ? undefined : sql`b.client_id = any(${clientIds}::text[])`;
  if (facilityCodes?.length === 1) {
    return allOf([sql`b.facility_code = ${facilityCodes[0]} and b.facility_code >= ''`, ofClients]);
  }
  return allOf([sql`b.sku >= ''`, ofClients, ofFacilities]);
}

export interface ExpiryPlace {
  readonly expiryDate: string;
  readonly clientId: string;
  readonly facilityCode: string;
  readonly sku: string;
  readonly lot: string;
}

export interface ExpiringRow {
  readonly client_id: string;
  readonly facility_code: string;
  readonly sku: string;
  readonly stock_pool: string;
  readonly condition: string;
  readonly batch_ref: string;
  readonly expiry_date: string;
  readonly qty: string;
  readonly allocated: string;
  /** Pool, condition and batch in one text: the end of the place. */
  readonly lot: string;
  readonly days_left: number;
}

export interface ExpiryFilter extends Scope {
  /** `YYYY-MM-DD`, both included. */
  readonly from: string;
  readonly to: string;
  readonly after: ExpiryPlace | undefined;
  readonly at: string;
  readonly limit: number;
}

/** Lots with stock that expire between two days, the first to expire first. */
export function listExpiring(tx: Tx, filter: ExpiryFilter): Promise<ExpiringRow[]> {
  const { clientIds, facilityCodes, from, to, after, at, limit } = filter;
  const place = after ?? { expiryDate: "-infinity", clientId: "", facilityCode: "", sku: "", lot: "" };
  const conditions = allOf([
    clientIds === null ? undefined : sql`b.client_id = any(${clientIds}::text[])`,
    facilityCodes === null ? undefined : sql`b.facility_code = any(${facilityCodes}::text[])`,
  ]);
  return tx.query(
    sql`select p.client_id, p.facility_code, p.sku, p.stock_pool, p.condition, p.batch_ref, p.expiry_date, p.qty,
        p.allocated, p.lot, p.expiry_date - (${at}::timestamptz at time zone f.timezone)::date as days_left
      from (
        select b.client_id, b.facility_code, b.sku, b.stock_pool, b.condition, b.batch_ref, b.expiry_date, b.qty,
          b.allocated, concat(b.stock_pool, ' ', b.condition, ' ', b.batch_ref) as lot
        from stock_balance b
        where b.expiry_date < 'infinity' and b.expiry_date >= ${from}::date and b.expiry_date <= ${to}::date and b.qty > 0
          and ${conditions}
          and (b.expiry_date, b.client_id, b.facility_code, b.sku, concat(b.stock_pool, ' ', b.condition, ' ', b.batch_ref))
            > (${place.expiryDate}::date, ${place.clientId}, ${place.facilityCode}, ${place.sku}, ${place.lot})
        order by b.expiry_date, b.client_id, b.facility_code, b.sku, lot limit ${limit}
      ) p
      join facility f on f.facility_code = p.facility_code
      order by p.expiry_date, p.client_id, p.facility_code, p.sku, p.lot limit ${limit}`,
  );
}

/** A product of a client in a facility. */
export type Product = Pick<ExpiringRow, "client_id" | "facility_code" | "sku">;

export const productKey = ({ client_id, facility_code, sku }: Product) =>
  JSON.stringify([client_id, facility_code, sku]);

/**
 * What was despatched of these products in movements that carry ids from this on, by `productKey`; nothing is told of
 * those of which nothing was.
 */
export async function sumDespatched(
  tx: Tx,
  named: readonly Product[],
  fromId: string,
): Promise<ReadonlyMap<string, string>> {
  const products = [...new Map(named.map((it) => [productKey(it), it])).values()];
  if (products.length === 0) return new Map();
  const [clients, facilities, skus] = [
    products.map((it) => it.client_id),
    products.map((it) => it.facility_code),
    products.map((it) => it.sku),
  ];
  const rows = await tx.query<Product & { readonly qty: string }>(
    sql`select m.client_id, m.facility_code, m.sku, - sum(m.qty) as qty
      from unnest(${clients}::text[], ${facilities}::text[], ${skus}::text[]) as n(client_id, facility_code, sku)
        join stock_movement m on m.client_id = n.client_id and m.facility_code = n.facility_code and m.sku = n.sku
      where m.sku > '' and m.movement_id >= ${fromId}::uuid and m.type = 'DESPATCH'
      group by m.client_id, m.facility_code, m.sku limit 10000`,
  );
  return new Map(rows.map((row) => [productKey(row), row.qty]));
}
