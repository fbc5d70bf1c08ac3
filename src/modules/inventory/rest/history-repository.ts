import { columnsOf } from "#/http/routes/columns.ts";
import { unsellableOf } from "#/modules/inventory/lot-rules.ts";
import {
  type MovementRecord,
  movement,
  type SnapshotRecord,
  snapshot,
} from "#/modules/inventory/rest/history-contract.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { allOf, sql, tenant } from "#/store/db/sql.ts";

/** The columns of an entry of the ledger, in a statement that names the table `m`. */
export const entryColumns = sql`m.position, m.type, m.sku, m.stock_pool, m.condition, m.batch_ref, m.expiry_date, m.qty,
  m.affects_on_hand, m.serials, m.reason, m.reference_type, m.reference_id, m.booked_at, m.occurred_at`;

/** Where the fields of the record of an entry come from, in a statement over `entryColumns`. */
export const entrySources = {
  at: sql`booked_at`,
  lot: sql`json_build_object('stockPool', stock_pool, 'batchRef', nullif(batch_ref, ''),
    'expiryDate', nullif(expiry_date, 'infinity'))`,
  serials: sql`coalesce(serials, '{}')`,
  reference: sql`json_build_object('type', reference_type, 'id', reference_id)`,
};
const movementColumns = columnsOf(movement, "x", entrySources);

/** An entry, with the number of entries before the page was cut for its serial numbers. */
export type ListedMovement = MovementRecord & { readonly found: number };

/** Entries after one position and up to another, in order. */
export function listMovements(
  tx: ClientTx,
  facilityCode: string,
  page: {
    readonly sku: string | undefined;
    readonly type: string | undefined;
    readonly after: number;
    readonly to: number;
    /** A lower bound of their ids. */
    readonly fromId: string;
    readonly limit: number;
    /** Entries with more serial numbers go to the next page; the first entry always comes. */
    readonly serialsMax: number;
  },
): Promise<ListedMovement[]> {
  const { sku, type, after, to, fromId, limit, serialsMax } = page;
  const conditions = allOf([
    // Each of the two indexes needs its own condition.
    sku === undefined ? sql`m.position > 0` : sql`m.sku = ${sku} and m.sku > ''`,
    type === undefined ? undefined : sql`m.type = ${type}`,
  ]);
  return tx.query(sql`select ${movementColumns}, x.found
      from (
        select ${entryColumns},
          count(*) over ()::integer as found, row_number() over (order by m.position) as place,
          sum(coalesce(cardinality(m.serials), 0)) over (order by m.position) as named
        from (
          select ${entryColumns}
          from stock_movement m
          where m.client_id = ${tenant} and m.facility_code = ${facilityCode} and m.position > ${after} and m.position <= ${to}
            and m.movement_id >= ${fromId}::uuid and ${conditions}
          order by m.position limit ${limit}
        ) m
      ) x
      where x.place = 1 or x.named <= ${serialsMax} order by x.position limit ${limit}`);
}

/** A snapshot, with its id. */
export type Midnight = SnapshotRecord & { readonly snapshotId: string };

const midnightColumns = sql`${columnsOf(snapshot, "stock_snapshot", {
  date: sql`snapshot_date`,
  distributionCentre: sql`facility_code`,
})}, snapshot_id as "snapshotId"`;

/**
 * Snapshots of midnights in the order in which they were taken. The condition on the kind is written so that PostgreSQL
 * does not scan the whole index of midnights, which has another order.
 */
export function listMidnights(
  tx: ClientTx,
  page: {
    readonly facilityCode: string | undefined;
    /** `YYYY-MM-DD`: this date or later. */
    readonly from: string;
    readonly to: string | undefined;
    readonly isNewestFirst: boolean;
    /** The last snapshot of the previous page. */
    readonly after: string | undefined;
    /** A lower bound of the ids of these dates. */
    readonly oldestId: string;
    readonly limit: number;
  },
): Promise<Midnight[]> {
  const { facilityCode, from, to, isNewestFirst, after, oldestId, limit } = page;
  const bound = isNewestFirst
    ? sql`snapshot_id < ${after ?? "ffffffff-ffff-ffff-ffff-ffffffffffff"}::uuid`
    : sql`snapshot_id > ${after ?? "00000000-0000-0000-0000-000000000000"}::uuid`;
  const conditions = allOf([
    bound,
    facilityCode === undefined ? undefined : sql`facility_code = ${facilityCode}`,
    to === undefined ? undefined : sql`snapshot_date <= ${to}::date`,
  ]);
  return tx.query(sql`select ${midnightColumns} from stock_snapshot
      where client_id = ${tenant} and kind <> 'REQUEST' and snapshot_id >= ${oldestId}::uuid
        and snapshot_date >= ${from}::date and ${conditions}
      order by ${isNewestFirst ? sql`snapshot_id desc` : sql`snapshot_id`} limit ${limit}`);
}

/** The snapshot of the midnight that ended a date. */
export async function findMidnight(tx: ClientTx, facilityCode: string, date: string): Promise<Midnight | undefined> {
  const rows = await tx.query<Midnight>(sql`select ${midnightColumns} from stock_snapshot
      where client_id = ${tenant} and facility_code = ${facilityCode} and kind = 'MIDNIGHT'
        and snapshot_date = ${date}::date limit 1`);
  return rows[0];
}

/** `[stockPool, onHand, allocated, onHold, damaged, expected, inReturn, backordered, available]` */
export type TakenPool = readonly [string, number, number, number, number, number, number, number, number];

export interface TakenRow {
  readonly sku: string;
  readonly uom: string;
  readonly pools: readonly TakenPool[];
}

const takenColumns = sql`r.sku, max(r.uom) as uom, json_agg(json_build_array(r.stock_pool, r.on_hand, r.allocated,
  r.on_hold, r.damaged, r.expected, r.in_return, r.backordered, r.available) order by r.stock_pool) as pools`;

/** The SKUs of a snapshot after one SKU, in order, with the quantities of each pool. */
export function listTakenRows(tx: ClientTx, snapshotId: string, after: string, limit: number): Promise<TakenRow[]> {
  return tx.query(sql`select ${takenColumns} from stock_snapshot_row r
      where r.client_id = ${tenant} and r.snapshot_id = ${snapshotId}::uuid and r.sku > ${after}
      group by r.sku order by r.sku limit ${limit}`);
}

/** These SKUs of a snapshot, in no order. @param skus at most 1 000 */
export function listTakenSkus(tx: ClientTx, snapshotId: string, skus: readonly string[]): Promise<TakenRow[]> {
  return tx.query(sql`select ${takenColumns} from stock_snapshot_row r
      where r.client_id = ${tenant} and r.snapshot_id = ${snapshotId}::uuid and r.sku = any(${skus}::text[])
      group by r.sku limit 1000`);
}

/**
 * The last position that was booked before a moment (ISO 8601), 0 if there is none. The position of the next snapshot
 * is an upper bound, so the scan covers only the entries between the two.
 *
 * @param date `YYYY-MM-DD`, the day that ended with the moment.
 */
export async function positionOfDay(tx: ClientTx, facilityCode: string, date: string, at: string): Promise<number> {
  const rows = await tx.query<{ position: number }>(sql`select m.position from stock_movement m
      where m.client_id = ${tenant} and m.facility_code = ${facilityCode} and m.position > 0
        and m.booked_at < ${at}::timestamptz and m.position <= coalesce((
          select s.position from stock_snapshot s
          where s.client_id = ${tenant} and s.facility_code = ${facilityCode} and s.kind = 'MIDNIGHT'
            and s.snapshot_date > ${date}::date
          order by s.snapshot_date limit 1), 9223372036854775807)
      order by m.position desc limit 1`);
  return rows[0]?.position ?? 0;
}

/** SKUs after one SKU that the client has ever had in the facility, in order. */
export async function listStockedSkus(
  tx: ClientTx,
  facilityCode: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ sku: string }>(sql`select distinct b.sku from stock_balance b
      where b.client_id = ${tenant} and b.facility_code = ${facilityCode} and b.sku > ${after}
      order by b.sku limit ${limit}`);
  return rows.map(({ sku }) => sku);
}

/** Integer thousandths. */
export interface PastBalance {
  readonly sku: string;
  readonly stockPool: string;
  readonly onHand: number;
  readonly allocated: number;
  readonly onHold: number;
  readonly damaged: number;
  readonly unsellable: number;
}

/**
 * The quantities of SKUs at a position: the balances less all later entries. `insertSnapshotRows` computes the same,
 * and a test compares the two. The rules of items have no history: the present ones decide what was unsellable. One row for each SKU and pool that has ever had stock.
 */
export function listPastQuantities(
  tx: ClientTx,
  facilityCode: string,
  at: {
    readonly skus: readonly string[];
    readonly position: number;
    /** Entries after the position have ids from this one on. */
    readonly laterFromId: string;
    /** Goods that expired before it are on hold. */
    readonly today: string;
  },
): Promise<PastBalance[]> {
  const { skus, position, laterFromId, today } = at;
  return tx.query(sql`select b.sku, b.stock_pool as "stockPool", (sum(b.qty) * 1000)::bigint as "onHand",
        (sum(b.allocated) * 1000)::bigint as allocated,
        (sum(case when b.condition in ('ON_HOLD', 'QUARANTINE') then b.qty
          when b.condition = 'GOOD' and b.expiry_date < ${today}::date then b.qty - b.allocated else 0 end)
          * 1000)::bigint as "onHold",
        (sum(case when b.condition = 'DAMAGED' then b.qty else 0 end) * 1000)::bigint as damaged,
        (sum(${unsellableOf(today)}) * 1000)::bigint as unsellable
      from (
        select b.sku, b.stock_pool, b.condition, b.expiry_date, b.qty, b.allocated
        from stock_balance b
        where b.client_id = ${tenant} and b.facility_code = ${facilityCode} and b.sku = any(${skus}::text[])
        union all
        select m.sku, m.stock_pool, m.condition, m.expiry_date, case when m.affects_on_hand then - m.qty else 0 end,
          - m.allocated_change
        from stock_movement m
        where m.client_id = ${tenant} and m.facility_code = ${facilityCode} and m.sku = any(${skus}::text[]) and m.sku > ''
          and m.position > ${position} and m.movement_id >= ${laterFromId}::uuid
      ) b
      group by b.sku, b.stock_pool order by b.sku, b.stock_pool limit 1000000`);
}

/** The SKUs with an entry up to a position and with an id from `sinceId` on. */
export async function listMovedSkus(
  tx: ClientTx,
  facilityCode: string,
  until: { readonly skus: readonly string[]; readonly position: number; readonly sinceId: string },
): Promise<Set<string>> {
  const rows = await tx.query<{ sku: string }>(sql`select given.sku from unnest(${until.skus}::text[]) as given(sku)
      cross join lateral (
        select m.position from stock_movement m
        where m.client_id = ${tenant} and m.facility_code = ${facilityCode} and m.sku = given.sku and m.sku > ''
          and m.position <= ${until.position} and m.movement_id >= ${until.sinceId}::uuid
        order by m.position desc limit 1) last
      limit 1000`);
  return new Set(rows.map(({ sku }) => sku));
}
