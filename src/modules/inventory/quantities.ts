import { formatQuantity, quantityOf, quantityToNumber, storedQuantity } from "#/kernel/values/quantity.ts";
import { findFacility, listFacilityPage } from "#/modules/facilities/index.ts";
import { type UnsellablePart, unsellableOf, unsellablePartsOf } from "#/modules/inventory/lot-rules.ts";
import { localDate } from "#/modules/inventory/snapshots/midnight.ts";
import { openPurchaseOrder } from "#/modules/purchasing/states.ts";
import { openReturn } from "#/modules/returns/states.ts";
import type { ClientTx, Tx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

/**
 * lifecycle.md §8, in integer thousandths of the stock unit; `available` = onHand − allocated − unsellable. Each unit
 * counts once: an allocated unit of an expired lot counts as allocated and not also as unsellable, so `available` is
 * never negative.
 */
export interface StockQuantities {
  readonly onHand: number;
  readonly allocated: number;
  readonly onHold: number;
  readonly damaged: number;
  /** Not allocated, and refused by a rule of `lot-rules.ts`: onHold, damaged, too near its expiry, or of an inactive item. */
  readonly unsellable: number;
  readonly available: number;
  readonly expected: number;
  readonly inReturn: number;
  readonly backordered: number;
}

export interface PoolQuantities {
  readonly stockPool: string;
  readonly quantities: StockQuantities;
}

export interface SkuQuantities {
  readonly total: StockQuantities;
  /** By name; purchase orders and returns count towards the default pool. */
  readonly pools: readonly PoolQuantities[];
  /** The unsellable quantity of all pools by reason, reasons without a quantity left out. */
  readonly unsellableParts: readonly UnsellablePart[];
  /** The part of `expected` that another facility has shipped. */
  readonly inTransit: number;
  /** Of a kit: what its components allow; a part of `available`. */
  readonly kit?: KitStock | undefined;
  /** ISO 8601; undefined if nothing has ever moved. */
  readonly lastMovedAt: string | undefined;
  /** Stock unit of the item; undefined if the client has no such SKU. */
  readonly uom: string | undefined;
}

/** The kits that can be made of the available components, and the component that allows no more. */
export interface KitStock {
  /** Integer thousandths, as all quantities. */
  readonly kits: number;
  readonly sku: string;
  readonly available: number;
}

/** As the catalogue stores it: qty for one kit, a JSON number. */
interface Component {
  readonly sku: string;
  readonly qty: number;
}

export interface StockState {
  /** The position of the last entry that the quantities include; 0 if there is none. */
  readonly position: number;
  /** Every requested SKU, with zeros if it has no stock. */
  readonly skus: ReadonlyMap<string, SkuQuantities>;
}

const none: StockQuantities = {
  onHand: 0,
  allocated: 0,
  onHold: 0,
  damaged: 0,
  unsellable: 0,
  available: 0,
  expected: 0,
  inReturn: 0,
  backordered: 0,
};

interface Sum {
  total: StockQuantities;
  inTransit: number;
  readonly pools: PoolQuantities[];
  lastMovedAt: string | undefined;
  uom: string | undefined;
  quarantined: number;
  expired: number;
  isActive: boolean | undefined;
  components: readonly Component[];
}

const emptySum = (): Sum => ({
  total: none,
  inTransit: 0,
  pools: [],
  lastMovedAt: undefined,
  uom: undefined,
  quarantined: 0,
  expired: 0,
  isActive: undefined,
  components: [],
});

/**
 * The quantities of SKUs in a facility with the position of its book, as one statement sees them.
 *
 * @param today the facility's local date, `YYYY-MM-DD` (`facilityToday`): goods that expired before it count as on
 *   hold, and those that expire before the item's `MinShelfLifeDays` from it as unsellable.
 */
export async function readStock(
  tx: ClientTx,
  facilityCode: string,
  skus: readonly string[],
  today: string,
  attempts = attemptsMax,
): Promise<StockState> {
  const sums = new Map<string, Sum>();
  for (const sku of skus) sums.set(sku, emptySum());
  let position = 0;
  for (const row of await listQuantities(tx, facilityCode, skus, today)) {
    position = row.position ?? position;
    const sum = sums.get(row.sku);
    if (sum) addRow(sum, row);
  }
  const quantities = new Map([...sums].map(([sku, sum]) => [sku, quantitiesOfSku(sum)]));
  const kits = [...sums].flatMap(([sku, { components }]) => (components.length === 0 ? [] : { sku, components }));
  if (kits.length === 0) return { position, skus: quantities };
  // Kits cost a second statement. No entry may be between the two, or between their quantities.
  const parts = [...new Set(kits.flatMap(({ components }) => components.map(({ sku }) => sku)))];
  const stock = await readStock(tx, facilityCode, parts, today);
  if (stock.position !== position && attempts > 1) return readStock(tx, facilityCode, skus, today, attempts - 1);
  for (const { sku, components } of kits) {
    const isActive = sums.get(sku)?.isActive === true;
    quantities.set(sku, withComponents(quantities.get(sku) as SkuQuantities, components, stock.skus, isActive));
  }
  return { position, skus: quantities };
}

/** Look-ups of kits that the ledger overtakes run again so many times; then the newer components count. */
const attemptsMax = 3;

/**
 * The quantities of a kit with the kits that its components allow, pool by pool: nothing is stored. Nothing is available
 * of an inactive kit.
 */
function withComponents(
  kit: SkuQuantities,
  components: readonly Component[],
  stock: StockState["skus"],
  isActive: boolean,
): SkuQuantities {
  const availableIn = (sku: string, pool: string) =>
    stock.get(sku)?.pools.find(({ stockPool }) => stockPool === pool)?.quantities.available ?? 0;
  const names = new Set(
    components.flatMap(({ sku }) => (stock.get(sku)?.pools ?? []).map(({ stockPool }) => stockPool)),
  );
  const kitsIn = new Map(
    [...names].map((pool) => [pool, isActive ? wholeKits(components, (sku) => availableIn(sku, pool)) : 0]),
  );
  const more = (pool: string) => kitsIn.get(pool) ?? 0;
  const added = [...kitsIn].filter(
    ([pool, kits]) => kits > 0 && !kit.pools.some(({ stockPool }) => stockPool === pool),
  );
  const pools = [
    ...kit.pools.map(({ stockPool, quantities }) => ({
      stockPool,
      quantities: { ...quantities, available: quantities.available + more(stockPool) },
    })),
    ...added.map(([stockPool, kits]) => ({ stockPool, quantities: { ...none, available: kits } })),
  ].sort((left, right) => (left.stockPool < right.stockPool ? -1 : 1));
  const kits = [...kitsIn.values()].reduce((sum, qty) => sum + qty, 0);
  const totalOf = (sku: string) => stock.get(sku)?.total.available ?? 0;
  const limiting = components.toSorted(
    (left, right) => totalOf(left.sku) / left.qty - totalOf(right.sku) / right.qty,
  )[0];
  return {
    ...kit,
    total: { ...kit.total, available: kit.total.available + kits },
    pools,
    kit: limiting && { kits, sku: limiting.sku, available: totalOf(limiting.sku) },
  };
}

/** In integer thousandths, as the available quantities. */
function wholeKits(components: readonly Component[], availableOf: (sku: string) => number): number {
  return Math.min(...components.map(({ sku, qty }) => Math.floor(availableOf(sku) / quantityOf(qty)))) * 1_000;
}

/** "2 kits: CUP-RED has 5". */
export const kitSentence = ({ kits, sku, available }: KitStock): string =>
  `${formatQuantity(kits)} ${kits === 1_000 ? "kit" : "kits"}: ${sku} has ${formatQuantity(available)}`;

function quantitiesOfSku({ total, inTransit, pools, lastMovedAt, uom, components: _, ...facts }: Sum): SkuQuantities {
  return { total, inTransit, pools, lastMovedAt, uom, unsellableParts: unsellablePartsOf({ ...total, ...facts }) };
}

function addRow(sum: Sum, row: PoolSums): void {
  const pool = quantitiesOf(row);
  const movedAt = row.lastMovedAt ?? undefined;
  sum.uom = row.uom ?? sum.uom;
  sum.isActive = row.isActive ?? sum.isActive;
  if (row.components !== null) sum.components = JSON.parse(row.components);
  sum.quarantined += sumOfRow(row.quarantined);
  sum.expired += sumOfRow(row.expired);
  sum.inTransit += sumOfRow(row.inTransit);
  // The row of the default pool may exist only for the item.
  const isEmpty = movedAt === undefined && pool.expected + pool.inReturn + pool.backordered === 0;
  if (isEmpty) return;
  sum.total = sum.total === none ? pool : sumOf(sum.total, pool);
  sum.pools.push({ stockPool: row.stockPool, quantities: pool });
  if (movedAt !== undefined && movedAt > (sum.lastMovedAt ?? "")) sum.lastMovedAt = movedAt;
}

/** The quantities without the position, for every requested SKU. */
export async function readQuantities(
  tx: ClientTx,
  facilityCode: string,
  skus: readonly string[],
  today: string,
): Promise<ReadonlyMap<string, SkuQuantities>> {
  if (skus.length === 0) return new Map();
  return (await readStock(tx, facilityCode, skus, today)).skus;
}

/** The local date in a facility. @param at ISO 8601. */
export async function facilityToday(tx: Tx, facilityCode: string, at: string): Promise<string> {
  const facility = await findFacility(tx, facilityCode);
  return localDate(facility?.timezone ?? "UTC", Date.parse(at));
}

/** The facilities by their local date: two dates, or three, if their time zones differ. @param at ISO 8601. */
export async function facilitiesByDate(
  tx: Tx,
  facilityCodes: readonly string[],
  at: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await listFacilityPage(tx, { codes: facilityCodes, after: "", limit: facilityCodes.length });
  const zones = new Map(found.map(({ facilityCode, timezone }) => [facilityCode, timezone]));
  return Map.groupBy(facilityCodes, (code) => localDate(zones.get(code) ?? "UTC", Date.parse(at)));
}

function quantitiesOf(row: PoolSums): StockQuantities {
  const onHand = sumOfRow(row.onHand);
  const allocated = sumOfRow(row.allocated);
  const unsellable = sumOfRow(row.unsellable);
  return {
    onHand,
    allocated,
    onHold: sumOfRow(row.onHold),
    damaged: sumOfRow(row.damaged),
    unsellable,
    available: onHand - allocated - unsellable,
    expected: sumOfRow(row.expected),
    inReturn: sumOfRow(row.inReturn),
    backordered: sumOfRow(row.backordered),
  };
}

const sumOfRow = (text: string | null) => (text === null ? 0 : storedQuantity(text));

/** The quantities as JSON numbers in stock units, for events, REST and outbound feeds. */
export function quantitiesToNumbers(quantities: StockQuantities): StockQuantities {
  return {
    onHand: quantityToNumber(quantities.onHand),
    allocated: quantityToNumber(quantities.allocated),
    onHold: quantityToNumber(quantities.onHold),
    damaged: quantityToNumber(quantities.damaged),
    unsellable: quantityToNumber(quantities.unsellable),
    available: quantityToNumber(quantities.available),
    expected: quantityToNumber(quantities.expected),
    inReturn: quantityToNumber(quantities.inReturn),
    backordered: quantityToNumber(quantities.backordered),
  };
}

function sumOf(a: StockQuantities, b: StockQuantities): StockQuantities {
  return {
    onHand: a.onHand + b.onHand,
    allocated: a.allocated + b.allocated,
    onHold: a.onHold + b.onHold,
    damaged: a.damaged + b.damaged,
    unsellable: a.unsellable + b.unsellable,
    available: a.available + b.available,
    expected: a.expected + b.expected,
    inReturn: a.inReturn + b.inReturn,
    backordered: a.backordered + b.backordered,
  };
}

// The quantities of lifecycle.md §8 come from tables of several modules. Their SQL is together in this file and again
// in snapshots/snapshot.ts; a test compares the two.

/**
 * Quantities as PostgreSQL writes numerics; null if there is nothing to sum. `quarantined` and `expired` are parts of
 * `onHold`, `inTransit` is one of `expected`.
 */
interface PoolSums
  extends Readonly<
    Record<Exclude<keyof StockQuantities, "available"> | "quarantined" | "expired" | "inTransit", string | null>
  > {
  /** `''` in the row with the position. */
  readonly sku: string;
  readonly stockPool: string;
  readonly lastMovedAt: string | null;
  /** Stock unit of the item, only in its row of the default pool. */
  readonly uom: string | null;
  /** Of the item, in the same row. */
  readonly isActive: boolean | null;
  /** Of a kit, in the same row: JSON. */
  readonly components: string | null;
  readonly position: number | null;
}

/**
 * Returns a row for each SKU and pool with any quantity, by name. Each known SKU also has a row of the default pool,
 * even without stock. The first row has the position of the book, if the book exists. It is one statement, so it sees
 * one snapshot of the store. Nulls instead of zeros are neither summed nor sent. The SKUs are one parameter, because a
 * thousand SKUs must not be sent and parsed five times.
 */
function listQuantities(
  tx: ClientTx,
  facilityCode: string,
  skus: readonly string[],
  today: string,
): Promise<PoolSums[]> {
  return tx.query(sql`with asked as materialized (select ${skus}::text[] as skus)
      select q.sku, q.stock_pool as "stockPool", sum(q.on_hand) as "onHand", sum(q.allocated) as allocated,
        sum(q.on_hold) as "onHold", sum(q.damaged) as damaged, sum(q.unsellable) as unsellable,
        sum(q.quarantined) as quarantined, sum(q.expired) as expired, sum(q.expected) as expected,
        sum(q.in_transit) as "inTransit", sum(q.in_return) as "inReturn", sum(q.backordered) as backordered, max(q.moved_at) as "lastMovedAt",
        max(q.uom) as uom, bool_or(q.is_active) as "isActive", max(q.components) as components, max(q.position) as position
      from (
        select b.sku, b.stock_pool, b.qty as on_hand, b.allocated,
          case when b.condition in ('ON_HOLD', 'QUARANTINE') then b.qty
            when b.condition = 'GOOD' and b.expiry_date < ${today}::date then b.qty - b.allocated end as on_hold,
          case when b.condition = 'DAMAGED' then b.qty end as damaged,
          nullif(${unsellableOf(today)}, 0) as unsellable,
          case when b.condition = 'QUARANTINE' then b.qty end as quarantined,
          case when b.condition = 'GOOD' and b.expiry_date < ${today}::date then b.qty - b.allocated end as expired,
          null::numeric as expected, null::numeric as in_return, null::numeric as backordered,
          b.last_moved_at as moved_at, null::text as uom, null::boolean as is_active,
          null::text as components, null::bigint as position, null::numeric as in_transit
        from stock_balance b
        where b.client_id = ${tenant} and b.facility_code = ${facilityCode}
          and b.sku = any((select skus from asked)::text[])
        union all
        select l.sku, 'DEFAULT', null, null, null, null, null, null, null, l.qty - l.qty_received, null, null, null, null,
          null, null, null, case when p.from_facility is not null then l.qty - l.qty_received end
        from purchase_order_line l
        join purchase_order p on p.client_id = ${tenant} and p.po_number = l.po_number
          and p.vendor_order_id = l.vendor_order_id
        where l.client_id = ${tenant} and l.sku = any((select skus from asked)::text[])
          and l.qty_received < l.qty
          and p.distribution_centre = ${facilityCode} and p.status in ${openPurchaseOrder}
        union all
        select l.sku, 'DEFAULT', null, null, null, null, null, null, null, null, l.qty_expected - l.qty_received, null, null,
          null, null, null, null, null
        from return_authorisation_line l
        join return_authorisation r on r.client_id = ${tenant} and r.rma_number = l.rma_number
        where l.client_id = ${tenant} and l.sku = any((select skus from asked)::text[])
          and l.qty_received < l.qty_expected
          and r.distribution_centre = ${facilityCode} and r.status in ${openReturn}
        union all
        select l.sku, l.stock_pool, null, null, null, null, null, null, null, null, null, l.qty_backordered, null, null, null,
          null, null, null
        from sales_order_line l
        where l.client_id = ${tenant} and l.facility_code = ${facilityCode}
          and l.sku = any((select skus from asked)::text[])
          and l.qty_open + l.qty_backordered > 0
        union all
        select i.sku, 'DEFAULT', null, null, null, null, null, null, null, null, null, null, null, i.stock_uom, i.is_active,
          i.components::text, null, null
        from item i
        where i.client_id = ${tenant} and i.sku = any((select skus from asked)::text[])
        union all
        select '', '', null, null, null, null, null, null, null, null, null, null, null, null, null, null, s.last_position, null
        from stock_book s
        where s.client_id = ${tenant} and s.facility_code = ${facilityCode}
      ) q
      group by q.sku, q.stock_pool order by q.sku, q.stock_pool limit 1000000`);
}
