import { dayMs } from "#/kernel/values/durations.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import { findBook, openBook, writeBook } from "#/modules/inventory/ledger/book.ts";
import { unsellableOf } from "#/modules/inventory/lot-rules.ts";
import { facilityToday } from "#/modules/inventory/quantities.ts";
import { openPurchaseOrder } from "#/modules/purchasing/states.ts";
import { openReturn } from "#/modules/returns/states.ts";
import type { ClientTransaction, ClientTx, UnitOfWork } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

export interface SnapshotRequest {
  readonly kind: "MIDNIGHT" | "REQUEST";
  /** The facility's local date, `YYYY-MM-DD`: for a midnight the day that ended, for a request the current day. */
  readonly snapshotDate: string;
  /** For a midnight: the moment, ISO 8601. Entries that are booked from then on are left out. */
  readonly boundary?: string | undefined;
  readonly wantsInv: boolean;
  readonly wantsIms: boolean;
  /** Message ids of the first parts, if they have been announced; generated otherwise. */
  readonly messageIds?: { readonly inv?: string | undefined; readonly ims?: string | undefined } | undefined;
}

export interface Snapshot {
  readonly snapshotId: string;
  readonly facilityCode: string;
  readonly kind: "MIDNIGHT" | "REQUEST";
  /** `YYYY-MM-DD` */
  readonly snapshotDate: string;
  /** The snapshot includes all entries up to this position and none after it. */
  readonly position: number;
  /** ISO 8601. */
  readonly takenAt: string;
  /** The opening snapshot of its movement statement; undefined: the statement opens with nothing, at position 0. */
  readonly previousId: string | undefined;
  readonly invMessageId: string | undefined;
  readonly imsMessageId: string | undefined;
}

/** SKUs without stock are listed if something moved within this time (outbound.md, INV). */
const movedDays = 400;
/** Rows are kept for 400 days; a statement must not open with rows that may be deleted while it is written. */
const previousDaysMax = 380;

/**
 * Stores the stock of a client in a facility at a position (lifecycle.md §8): the last position before the midnight, or
 * the last one of all. For one midnight only the first call stores it; later calls return undefined.
 *
 * It takes no lock, with one exception: a midnight after which nothing has been booked yet. Then it closes the book up
 * to that midnight, so that a transaction that began before midnight cannot book into the reported day. A `sealBook` in
 * an earlier transaction keeps the lock short.
 */
export async function takeSnapshot(
  tx: UnitOfWork,
  facilityCode: string,
  request: SnapshotRequest,
): Promise<Snapshot | undefined> {
  const { kind, snapshotDate, boundary, wantsInv, wantsIms, messageIds } = request;
  if (boundary !== undefined) await sealBook(tx, facilityCode, boundary);
  const book = await findBook(tx, facilityCode);
  const lastAtMs = book === undefined || book.last_booked_at === "-infinity" ? 0 : Date.parse(book.last_booked_at);
  const position =
    boundary === undefined ? (book?.last_position ?? 0) : await positionBefore(tx, facilityCode, boundary);
  const atMs = Date.parse(tx.change.at);
  const oldestId = idBoundary(atMs - previousDaysMax * dayMs);
  const [previousId, today] = await Promise.all([
    findPrevious(tx, facilityCode, position, oldestId),
    kind === "MIDNIGHT" ? dayAfter(snapshotDate) : facilityToday(tx.plain, facilityCode, tx.change.at),
  ]);
  const snapshotId = tx.change.ids.next(atMs);
  const invMessageId = wantsInv ? (messageIds?.inv ?? tx.change.ids.next(atMs)) : undefined;
  const imsMessageId = wantsIms ? (messageIds?.ims ?? tx.change.ids.next(atMs)) : undefined;
  const head = { snapshotId, facilityCode, kind, snapshotDate, position, previousId, invMessageId, imsMessageId };
  if (!(await insertSnapshot(tx, { ...head, at: tx.change.at }))) return undefined;
  insertSnapshotRows(tx, facilityCode, {
    snapshotId,
    position,
    // Entries after the position are booked at this moment or later, and their ids contain their moment.
    laterFromId: idBoundary(boundary === undefined ? lastAtMs : Date.parse(boundary)),
    movedSince: new Date(atMs - movedDays * dayMs).toISOString(),
    today,
  });
  await insertKitRows(tx, snapshotId);
  return { ...head, takenAt: tx.change.at };
}

/**
 * Ensures that nothing is booked before a moment (ISO 8601) from now on. A book that already has a later entry is
 * unchanged.
 */
export async function sealBook(tx: ClientTransaction, facilityCode: string, at: string): Promise<void> {
  const seen = await findBook(tx, facilityCode);
  if (seen !== undefined && seen.last_booked_at !== "-infinity" && Date.parse(seen.last_booked_at) >= Date.parse(at))
    return;
  const book = await openBook(tx, facilityCode, at);
  writeBook(tx, facilityCode, book.position, book.at);
}

function dayAfter(date: string): string {
  return new Date(Date.parse(date) + dayMs).toISOString().slice(0, 10);
}

/** Snapshots with unwritten documents, oldest first. */
export async function listUnwrittenSnapshots(tx: ClientTx, limit = 100): Promise<Snapshot[]> {
  return (await listUnwritten(tx, limit)).map(snapshotOf);
}

export async function findSnapshot(tx: ClientTx, snapshotId: string): Promise<Snapshot | undefined> {
  const row = await findHead(tx, snapshotId);
  return row && snapshotOf(row);
}

function snapshotOf(row: SnapshotHead): Snapshot {
  return {
    snapshotId: row.snapshot_id,
    facilityCode: row.facility_code,
    kind: row.kind,
    snapshotDate: row.snapshot_date,
    position: row.position,
    takenAt: row.taken_at,
    previousId: row.previous_id ?? undefined,
    invMessageId: row.inv_message_id ?? undefined,
    imsMessageId: row.ims_message_id ?? undefined,
  };
}

interface SnapshotHead {
  readonly snapshot_id: string;
  readonly facility_code: string;
  readonly kind: "MIDNIGHT" | "REQUEST";
  readonly snapshot_date: string;
  readonly position: number;
  readonly taken_at: string;
  readonly previous_id: string | null;
  readonly inv_message_id: string | null;
  readonly ims_message_id: string | null;
}

/** The last position that was booked before a moment (ISO 8601); 0 if there is none. */
async function positionBefore(tx: ClientTx, facilityCode: string, at: string): Promise<number> {
  const rows = await tx.query<{ position: number }>(sql`select position from stock_movement
      where client_id = ${tenant} and facility_code = ${facilityCode} and position > 0 and booked_at < ${at}::timestamptz
      order by position desc limit 1`);
  return rows[0]?.position ?? 0;
}

/**
 * The opening snapshot of a movement statement up to a position: the last one that went out as an INV, because the
 * client has no other; or the last of any kind if none did. A snapshot whose rows may already be deleted is excluded.
 */
async function findPrevious(
  tx: ClientTx,
  facilityCode: string,
  position: number,
  oldestId: string,
): Promise<string | undefined> {
  const rows = await tx.query<{ snapshot_id: string }>(sql`select snapshot_id from stock_snapshot
      where client_id = ${tenant} and facility_code = ${facilityCode}
        and snapshot_id > ${oldestId}::uuid and position <= ${position}
      order by inv_message_id is null, position desc, snapshot_id desc limit 1`);
  return rows[0]?.snapshot_id;
}

/** The date of the last midnight before this date that has a snapshot. */
export async function findMidnightBefore(
  tx: ClientTx,
  facilityCode: string,
  date: string,
): Promise<string | undefined> {
  const rows = await tx.query<{ snapshot_date: string }>(sql`select snapshot_date from stock_snapshot
      where client_id = ${tenant} and facility_code = ${facilityCode} and kind = 'MIDNIGHT'
        and snapshot_date < ${date}::date
      order by snapshot_date desc limit 1`);
  return rows[0]?.snapshot_date;
}

interface NewSnapshot {
  readonly snapshotId: string;
  readonly facilityCode: string;
  readonly kind: "MIDNIGHT" | "REQUEST";
  readonly snapshotDate: string;
  readonly position: number;
  readonly at: string;
  readonly previousId: string | undefined;
  readonly invMessageId: string | undefined;
  readonly imsMessageId: string | undefined;
}

/** Returns false if that midnight already has its snapshot. */
async function insertSnapshot(tx: ClientTx, snapshot: NewSnapshot): Promise<boolean> {
  const rows =
    await tx.query(sql`insert into stock_snapshot (client_id, snapshot_id, facility_code, kind, snapshot_date, position, taken_at,
        previous_id, inv_message_id, ims_message_id)
      values (${tenant}, ${snapshot.snapshotId}, ${snapshot.facilityCode}, ${snapshot.kind},
        ${snapshot.snapshotDate}::date, ${snapshot.position}, ${snapshot.at}::timestamptz, ${snapshot.previousId},
        ${snapshot.invMessageId}, ${snapshot.imsMessageId})
      on conflict do nothing returning snapshot_id`);
  return rows.length > 0;
}

/**
 * Writes the quantities of all SKUs with stock, or with a movement since `movedSince`, at a position: the balances less
 * all later entries, which have ids from `laterFromId` on. One statement reads balances and later entries, so
 * concurrent bookings do not matter. The rules of items and the expected and back-ordered quantities have no position:
 * they are as the statement sees them. Their headers are looked up one by one: a join would read all headers of the client, although few lines
 * still expect anything.
 */
function insertSnapshotRows(
  tx: ClientTransaction,
  facilityCode: string,
  snapshot: {
    readonly snapshotId: string;
    readonly position: number;
    readonly laterFromId: string;
    readonly movedSince: string;
    /** Goods that expired before it are on hold. */
    readonly today: string;
  },
): void {
  const { snapshotId, position, laterFromId, movedSince, today } = snapshot;
  tx.send(sql`insert into stock_snapshot_row as r (client_id, snapshot_id, sku, stock_pool, uom, on_hand, allocated, on_hold,
        damaged, available, expected, in_return, backordered)
      select t.client_id, ${snapshotId}::uuid, q.sku, q.stock_pool, coalesce(i.stock_uom, 'EA'), q.on_hand, q.allocated,
        q.on_hold, q.damaged, q.on_hand - q.allocated - q.unsellable, q.expected, q.in_return, q.backordered
      from tenant t
      cross join (
        with lot as (
          select k.sku, k.stock_pool, k.condition, k.expiry_date, sum(k.qty) as qty, sum(k.allocated) as allocated
          from (
            select b.sku, b.stock_pool, b.condition, b.batch_ref, b.expiry_date, b.qty, b.allocated
            from stock_balance b
            where b.client_id = ${tenant} and b.facility_code = ${facilityCode}
              and (b.qty > 0 or b.last_moved_at >= ${movedSince}::timestamptz)
            union all
            select m.sku, m.stock_pool, m.condition, m.batch_ref, m.expiry_date,
              case when m.affects_on_hand then - m.qty else 0 end, - m.allocated_change
            from stock_movement m
            where m.client_id = ${tenant} and m.facility_code = ${facilityCode} and m.position > 0
              and m.position > ${position} and m.movement_id >= ${laterFromId}::uuid
          ) k
          group by k.sku, k.stock_pool, k.condition, k.batch_ref, k.expiry_date
        ), listed as materialized (select distinct l.sku from lot l)
        select u.sku, u.stock_pool, sum(u.on_hand) as on_hand, sum(u.allocated) as allocated, sum(u.on_hold) as on_hold,
          sum(u.damaged) as damaged, sum(u.unsellable) as unsellable, sum(u.expected) as expected, sum(u.in_return) as in_return,
          sum(u.backordered) as backordered
        from (
          select b.sku, b.stock_pool, b.qty as on_hand, b.allocated,
            case when b.condition in ('ON_HOLD', 'QUARANTINE') then b.qty
              when b.condition = 'GOOD' and b.expiry_date < ${today}::date then b.qty - b.allocated else 0 end as on_hold,
            case when b.condition = 'DAMAGED' then b.qty else 0 end as damaged, ${unsellableOf(today)} as unsellable,
            0 as expected, 0 as in_return, 0 as backordered
          from lot b
          union all
          select s.sku, 'DEFAULT', 0, 0, 0, 0, 0, e.qty - e.qty_received, 0, 0
          from listed s
          join purchase_order_line e on e.client_id = ${tenant} and e.sku = s.sku and e.qty_received < e.qty
          where (select p.distribution_centre = ${facilityCode} and p.status in ${openPurchaseOrder} from purchase_order p
            where p.client_id = ${tenant} and p.po_number = e.po_number and p.vendor_order_id = e.vendor_order_id limit 1)
          union all
          select s.sku, 'DEFAULT', 0, 0, 0, 0, 0, 0, e.qty_expected - e.qty_received, 0
          from listed s
          join return_authorisation_line e on e.client_id = ${tenant} and e.sku = s.sku and e.qty_received < e.qty_expected
          where (select a.distribution_centre = ${facilityCode} and a.status in ${openReturn}
            from return_authorisation a where a.client_id = ${tenant} and a.rma_number = e.rma_number limit 1)
          union all
          select s.sku, e.stock_pool, 0, 0, 0, 0, 0, 0, 0, e.qty_backordered
          from listed s
          join sales_order_line e on e.client_id = ${tenant} and e.facility_code = ${facilityCode} and e.sku = s.sku
            and e.qty_open + e.qty_backordered > 0
        ) u
        group by u.sku, u.stock_pool
      ) q
      left join item i on i.client_id = ${tenant} and i.sku = q.sku
      where t.client_id = ${tenant}`);
}

/**
 * Adds the kits that the components of a snapshot allow, pool by pool, to what is available of the kits themselves. A
 * client without kits has an empty index of them.
 */
async function insertKitRows(tx: ClientTx, snapshotId: string): Promise<void> {
  await tx.query(sql`insert into stock_snapshot_row as r (client_id, snapshot_id, sku, stock_pool, uom, on_hand, allocated, on_hold,
        damaged, available, expected, in_return, backordered)
      select t.client_id, ${snapshotId}::uuid, k.sku, k.stock_pool, 'EA', 0, 0, 0, 0, k.kits, 0, 0, 0
      from tenant t
      cross join (
        select i.sku, s.stock_pool, min(floor(s.available / c.qty)) as kits
        from item i
        cross join lateral jsonb_to_recordset(i.components) as c(sku text, qty numeric)
        join stock_snapshot_row s on s.client_id = ${tenant} and s.snapshot_id = ${snapshotId}::uuid and s.sku = c.sku
        where i.client_id = ${tenant} and i.components is not null and i.is_active
        group by i.sku, i.components, s.stock_pool
        having count(*) = jsonb_array_length(i.components) and min(floor(s.available / c.qty)) > 0
      ) k
      where t.client_id = ${tenant}
      on conflict (client_id, snapshot_id, sku, stock_pool) do update set available = r.available + excluded.available
      returning r.sku`);
}

/** Snapshots with unwritten documents, oldest first. */
function listUnwritten(tx: ClientTx, limit: number): Promise<SnapshotHead[]> {
  return tx.query(sql`select snapshot_id, facility_code, kind, snapshot_date, position, taken_at, previous_id, inv_message_id,
        ims_message_id
      from stock_snapshot where client_id = ${tenant} and written_at is null order by snapshot_id limit ${limit}`);
}

async function findHead(tx: ClientTx, snapshotId: string): Promise<SnapshotHead | undefined> {
  const rows =
    await tx.query<SnapshotHead>(sql`select snapshot_id, facility_code, kind, snapshot_date, position, taken_at, previous_id, inv_message_id,
        ims_message_id
      from stock_snapshot where client_id = ${tenant} and snapshot_id = ${snapshotId}::uuid limit 1`);
  return rows[0];
}

export function markSnapshotWritten(tx: ClientTransaction, snapshotId: string, at: string): void {
  tx.send(sql`update stock_snapshot set written_at = ${at}::timestamptz
      where client_id = ${tenant} and snapshot_id = ${snapshotId}::uuid`);
}
