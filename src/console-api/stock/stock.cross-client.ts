/** Stock over all clients, for operators: read-only, by an index, a page at a time. */

import type { Static } from "typebox";
import { within } from "#/console-api/overview/within-repository.ts";
import {
  type expiryKinds,
  type StoredExpiring,
  type StoredWanted,
  storedExpiring,
  storedLevel,
  storedWanted,
} from "#/console-api/stock/contract.ts";
import type { Scope } from "#/http/access/operator.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import { firstExpiryOfItem } from "#/modules/inventory/index.ts";
import type { Tx } from "#/store/db/database.ts";
import { allOf, type Statement, acrossClients as sql } from "#/store/db/sql.ts";

/** Position in the list of levels: the list is sorted by product, so that all rows of a product are adjacent. */
export interface LevelPlace {
  readonly sku: string;
  readonly clientId: string;
  readonly facilityCode: string;
}

export interface StoredLevel extends Static<typeof storedLevel> {
  /** A part of `onHold`. */
  readonly quarantined: number;
  /** A part of `onHold`. */
  readonly expired: number;
  /** Null: the catalogue has no such item. */
  readonly isActive: boolean | null;
}

/** Conditions on a level; each is optional. No index finds them, except `isOnHold` alone (`listOnHold`). */
export interface WantedLevels {
  /** Stock in condition ON_HOLD. */
  readonly isOnHold?: boolean | undefined;
  /** Nothing is available. */
  readonly isUnavailable?: boolean | undefined;
  /** Stock that cannot be sold. */
  readonly isUnsellable?: boolean | undefined;
  /** A GOOD lot with stock whose last day is today or within so many days. */
  readonly expiresWithinDays?: number | undefined;
}

export interface LevelFilter extends Scope, WantedLevels {
  /** Prefix of the SKU; `''` for all. */
  readonly prefix: string;
  readonly after: LevelPlace | undefined;
  /** The last position of the scan; undefined: the end of the list. */
  readonly reach?: LevelPlace | undefined;
  /** Only these products; undefined: all. */
  readonly among?: readonly Product[] | undefined;
  /** ISO 8601: stock that has expired by then, in the zone of its facility, is on hold. */
  readonly at: string;
  readonly limit: number;
}

/** A text that sorts after every text that begins with this one. */
export function endOfPrefix(prefix: string): string {
  return `${prefix}\u{10FFFF}`;
}

/** The stock of each client, product and facility, in the order of the products. */
export function listLevels(tx: Tx, filter: LevelFilter): Promise<StoredLevel[]> {
  const { prefix, among, at, limit } = filter;
  const place = startOf(filter);
  const last = filter.reach ?? { ...firstPlace, sku: endOfPrefix(prefix) };
  const balances =
    among === undefined
      ? sql`stock_balance b`
      : sql`${productsOf(among)} as n(client_id, facility_code, sku) join stock_balance b
          on b.client_id = n.client_id and b.facility_code = n.facility_code and b.sku = n.sku`;
  const today = sql`(${at}::timestamptz at time zone f.timezone)::date`;
  const isSellable = sql`b.condition = 'GOOD' and b.expiry_date >= ${firstExpiryOfItem(today)}`;
  // The named products are within the range. A second condition on it would lead the planner to read all of the range.
  const range =
    among === undefined
      ? sql`(b.sku, b.client_id, b.facility_code) > (${place.sku}, ${place.clientId}, ${place.facilityCode})
        and b.sku <= ${last.sku}
        and (b.sku, b.client_id, b.facility_code) <= (${last.sku}, ${last.clientId}, ${last.facilityCode})`
      : undefined;
  const expired = sql`sum(case when b.condition = 'GOOD' and b.expiry_date < ${today} then b.qty - b.allocated else 0 end)`;
  const columns = columnsOf(storedLevel, "b", {
    distributionCentre: sql`b.facility_code`,
    name: sql`max(i.name)`,
    onHand: sql`sum(b.qty)`,
    allocated: sql`sum(b.allocated)`,
    onHold: sql`sum(case when b.condition in ('ON_HOLD', 'QUARANTINE') then b.qty else 0 end) + ${expired}`,
    damaged: sql`sum(case when b.condition = 'DAMAGED' then b.qty else 0 end)`,
    unsellable: sql`sum(case when ${isSellable} then 0 else b.qty - b.allocated end)`,
    lots: sql`count(*) filter (where b.qty > 0)::integer`,
    firstExpiry: sql`min(b.expiry_date) filter (where b.qty > 0 and b.expiry_date < 'infinity')`,
    lastMovementAt: sql`max(b.last_moved_at)`,
  });
  const levelsOf = (scope: Statement) =>
    sql`select ${columns}, ${expired}::float8 as expired, bool_or(i.is_active) as "isActive",
        sum(case when b.condition = 'QUARANTINE' then b.qty else 0 end)::float8 as quarantined
      from ${balances} join facility f on f.facility_code = b.facility_code
        left join item i on i.client_id = b.client_id and i.sku = b.sku
      where ${allOf([scope, range])}
      group by ${groupOf(filter, isSellable, today)}
      order by b.sku, b.client_id, b.facility_code limit ${limit}`;
  const { clientIds, facilityCodes } = filter;
  if (clientIds?.length !== 1 || among !== undefined) return tx.query(levelsOf(scoped(filter)));
  // The key of one client's balances is facility, then product: the query reads a page of each facility, and takes the
  // first rows.
  const ofBook = sql`b.client_id = ${clientIds[0]} and b.facility_code = k.facility_code`;
  const ofFacilities = facilityCodes === null ? undefined : sql`k.facility_code = any(${facilityCodes}::text[])`;
  return tx.query(
    sql`select l.* from stock_book k cross join lateral (${levelsOf(ofBook)}) l
      where ${allOf([sql`k.client_id = ${clientIds[0]}`, ofFacilities])}
      order by l.sku, l."clientId", l."distributionCentre" limit ${limit}`,
  );
}

/** A group for each level that has what is wanted. @param isSellable on a lot `b` */
function groupOf(wanted: WantedLevels, isSellable: Statement, today: Statement): Statement {
  const { isOnHold, isUnavailable, isUnsellable, expiresWithinDays } = wanted;
  const conditions = [
    isOnHold ? sql`bool_or(b.condition = 'ON_HOLD' and b.qty > 0)` : undefined,
    isUnavailable ? sql`coalesce(bool_or(${isSellable} and b.qty > b.allocated), false) = false` : undefined,
    isUnsellable ? sql`bool_or((${isSellable}) is not true and b.qty > b.allocated)` : undefined,
    expiresWithinDays === undefined
      ? undefined
      : sql`bool_or(b.condition = 'GOOD' and b.qty > 0 and b.expiry_date >= ${today}
          and b.expiry_date <= ${today} + ${expiresWithinDays}::integer)`,
  ].filter((condition) => condition !== undefined);
  const levels = sql`b.sku, b.client_id, b.facility_code`;
  return conditions.length === 0 ? levels : sql`${levels} having ${allOf(conditions)}`;
}

/** Pages that `listLevels` reads for a lot: four (3.2 to 4.0 measured), of its index, its row and its item. */
const pagesOfLot = 5;

/**
 * The product of the last of the next lots, of which `looked` pages are read; undefined where there are fewer. Only the
 * columns of an index limit it, so that it reads no more lots, whichever of them the list shows.
 */
export async function findReachOfLevels(
  tx: Tx,
  filter: Omit<LevelFilter, "at" | "limit">,
  looked: number,
): Promise<LevelPlace | undefined> {
  const { clientIds, facilityCodes } = filter;
  const place = startOf(filter);
  const scope: Scope = {
    clientIds: clientIds?.length === 1 ? clientIds : null,
    facilityCodes: facilityCodes?.length === 1 ? facilityCodes : null,
  };
  const rows = await tx.query<{ sku: string; client_id: string; facility_code: string }>(
    sql`select b.sku, b.client_id, b.facility_code from stock_balance b
      where ${scoped(scope)} and b.sku > '' and b.sku < ${endOfPrefix(filter.prefix)}
        and (b.sku, b.client_id, b.facility_code) > (${place.sku}, ${place.clientId}, ${place.facilityCode})
      order by b.sku, b.client_id, b.facility_code limit 1 offset ${Math.floor(looked / pagesOfLot) - 1}`,
  );
  return rows[0] && { sku: rows[0].sku, clientId: rows[0].client_id, facilityCode: rows[0].facility_code };
}

/** An index scan starts at the last lower bound: a second one, the prefix of the names, acts as a filter only. */
function startOf({ prefix, after }: Pick<LevelFilter, "prefix" | "after">): LevelPlace {
  return after && after.sku >= prefix ? after : { ...firstPlace, sku: prefix };
}

const firstPlace: LevelPlace = { sku: "", clientId: "", facilityCode: "" };

/** Products with stock in condition ON_HOLD, in the order of the levels. */
export function listOnHold(tx: Tx, filter: Omit<LevelFilter, "at" | "among" | "reach">): Promise<Product[]> {
  const { clientIds, facilityCodes, prefix, after = firstPlace, limit } = filter;
  return tx.query(
    sql`select distinct b.sku, b.client_id as "clientId", b.facility_code as "distributionCentre" from stock_balance b
      where b.condition = 'ON_HOLD' and b.qty > 0 and starts_with(b.sku, ${prefix})
        and (b.sku, b.client_id, b.facility_code) > (${after.sku}, ${after.clientId}, ${after.facilityCode})
        and ${within({ clientIds, facilityCodes }, sql`b.client_id`, sql`b.facility_code`)}
      order by b.sku, b.client_id, b.facility_code limit ${limit}`,
  );
}

const wantedColumns = columnsOf(storedWanted, "l", {
  distributionCentre: sql`l.facility_code`,
  lines: sql`count(*)::integer`,
  orders: sql`count(distinct l.order_id)::integer`,
  qty: sql`sum(l.qty_backordered)`,
  oldestAcceptedAt: sql`min(l.accepted_at)`,
});

/** Products for which order lines wait, each in its facility. */
export function listBackordered(
  tx: Tx,
  { after = firstPlace, limit, ...scope }: Scope & { readonly after: LevelPlace | undefined; readonly limit: number },
): Promise<StoredWanted[]> {
  return tx.query(
    sql`select ${wantedColumns}
      from sales_order_line l
      where l.qty_open + l.qty_backordered > 0 and l.qty_backordered > 0
        and (l.sku, l.client_id, l.facility_code) > (${after.sku}, ${after.clientId}, ${after.facilityCode})
        and ${within(scope, sql`l.client_id`, sql`l.facility_code`)}
      group by l.sku, l.client_id, l.facility_code order by l.sku, l.client_id, l.facility_code limit ${limit}`,
  );
}

/** Each case has its own index: by client, by facility, or by product only. */
function scoped({ clientIds, facilityCodes }: Scope): Statement {
  const ofFacilities = facilityCodes === null ? undefined : sql`b.facility_code = any(${facilityCodes}::text[])`;
  if (clientIds?.length === 1) return allOf([sql`b.client_id = ${clientIds[0]}`, ofFacilities]);
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

export interface ExpiringRow extends StoredExpiring {
  readonly daysLeft: number;
  /** Pool, condition and batch in one text: the last part of the position. */
  readonly lot: string;
}

export interface ExpiryFilter extends Scope {
  /** `YYYY-MM-DD`, both included. */
  readonly from: string;
  readonly to: string;
  readonly after: ExpiryPlace | undefined;
  readonly only: (typeof expiryKinds)[number] | undefined;
  readonly at: string;
  readonly limit: number;
}

/** The current local day in the facility of a balance. @param at ISO 8601 */
const todayThere = (at: string) =>
  sql`(select (${at}::timestamptz at time zone z.timezone)::date from facility z where z.facility_code = b.facility_code)`;

const expiringColumns = columnsOf(storedExpiring, "p", {
  distributionCentre: sql`p.facility_code`,
  batchRef: sql`nullif(p.batch_ref, '')`,
});

/** Lots with stock that expire between two days, the first to expire first. */
export function listExpiring(tx: Tx, filter: ExpiryFilter): Promise<ExpiringRow[]> {
  const { clientIds, facilityCodes, from, to, after, only, at, limit } = filter;
  const place = after ?? { expiryDate: "-infinity", clientId: "", facilityCode: "", sku: "", lot: "" };
  const conditions = allOf([
    clientIds === null ? undefined : sql`b.client_id = any(${clientIds}::text[])`,
    facilityCodes === null ? undefined : sql`b.facility_code = any(${facilityCodes}::text[])`,
    only === undefined ? undefined : sql`b.condition = 'GOOD'`,
    only === "EXPIRED_ALLOCATED" ? sql`b.allocated > 0` : undefined,
    only === undefined ? undefined : sql`(b.expiry_date < ${todayThere(at)}) = ${only !== "EXPIRING"}::boolean`,
  ]);
  return tx.query(
    sql`select ${expiringColumns}, p.lot, p.expiry_date - (${at}::timestamptz at time zone f.timezone)::date as "daysLeft"
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
export type Product = Pick<StoredExpiring, "clientId" | "distributionCentre" | "sku">;

/** The names of these products in the catalogues of their clients, by `itemKey`; unknown products are absent. */
export async function namesOf(
  tx: Tx,
  products: readonly Pick<Product, "clientId" | "sku">[],
): Promise<ReadonlyMap<string, string>> {
  const items = [...new Map(products.map((product) => [itemKey(product), product])).values()];
  if (items.length === 0) return new Map();
  const rows = await tx.query<Pick<Product, "clientId" | "sku"> & { readonly name: string }>(
    sql`select i.client_id as "clientId", i.sku, i.name
      from unnest(${items.map((item) => item.clientId)}::text[], ${items.map((item) => item.sku)}::text[])
          as n(client_id, sku)
        join item i on i.client_id = n.client_id and i.sku = n.sku
      limit 10000`,
  );
  return new Map(rows.map((row) => [itemKey(row), row.name]));
}

export const itemKey = ({ clientId, sku }: Pick<Product, "clientId" | "sku">) => JSON.stringify([clientId, sku]);

/** Products as the rows of a function, without its alias. */
const productsOf = (products: readonly Product[]) =>
  sql`unnest(${products.map((product) => product.clientId)}::text[], ${products.map((product) => product.distributionCentre)}::text[],
    ${products.map((product) => product.sku)}::text[])`;

export const productKey = ({ clientId, distributionCentre, sku }: Product) =>
  JSON.stringify([clientId, distributionCentre, sku]);

/**
 * The despatched quantity of these products in movements with ids from this one on, by `productKey`; products without
 * any are absent.
 */
export async function sumDespatched(
  tx: Tx,
  named: readonly Product[],
  fromId: string,
): Promise<ReadonlyMap<string, number>> {
  const products = [...new Map(named.map((product) => [productKey(product), product])).values()];
  if (products.length === 0) return new Map();
  const rows = await tx.query<Product & { readonly qty: number }>(
    sql`select m.client_id as "clientId", m.facility_code as "distributionCentre", m.sku, (- sum(m.qty))::float8 as qty
      from ${productsOf(products)} as n(client_id, facility_code, sku)
        join stock_movement m on m.client_id = n.client_id and m.facility_code = n.facility_code and m.sku = n.sku
      where m.sku > '' and m.movement_id >= ${fromId}::uuid and m.type = 'DESPATCH'
      group by m.client_id, m.facility_code, m.sku limit 10000`,
  );
  return new Map(rows.map((row) => [productKey(row), row.qty]));
}
