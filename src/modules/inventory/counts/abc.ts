// ABC counts (client setting countAbc): what is picked often is counted often.

import { dayMs, hourMs } from "#/kernel/values/durations.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import { skusInCounts } from "#/modules/inventory/counts/domain.ts";
import { beginIntervals, listOpenCounts } from "#/modules/inventory/counts/repository.ts";
import { countLinesMax } from "#/modules/inventory/counts/request.ts";
import type { Change } from "#/store/db/audit.ts";
import type { ClientTx, Database } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

const abcClasses = ["A", "B", "C"] as const;
type AbcClass = (typeof abcClasses)[number];

/** Interval between two counts of a SKU, in days. */
const abcDays: Readonly<Record<AbcClass, number>> = { A: 30, B: 90, C: 365 };
/** Per cent of all picks that the SKUs before a SKU may have. */
const picksBefore = { A: 80, B: 95 } as const;

/** SKUs without a pick are C. @param picks number of picks by SKU */
export function abcClassesOf(picks: ReadonlyMap<string, number>): ReadonlyMap<string, AbcClass> {
  const sorted = [...picks].toSorted(([left, most], [right, more]) => more - most || (left < right ? -1 : 1));
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  let before = 0;
  return new Map(
    sorted.map(([sku, count]) => {
      const abcClass = before * 100 < total * picksBefore.A ? "A" : before * 100 < total * picksBefore.B ? "B" : "C";
      before += count;
      return [sku, abcClass];
    }),
  );
}

/**
 * The SKUs to count this night, the longest uncounted of each class first. A class gives at most its number of SKUs
 * divided by the days of its interval, rounded up: stock that was first seen in one night is spread over an interval.
 *
 * @param countedAt when each SKU in stock was counted last, ISO 8601
 * @param limit of all classes together; A comes first
 */
export function dueForAbcCount(
  countedAt: ReadonlyMap<string, string>,
  classes: ReadonlyMap<string, AbcClass>,
  isOpen: (sku: string) => boolean,
  atMs: number,
  limit: number,
): string[] {
  const skusOf = Map.groupBy(countedAt.keys(), (sku) => classes.get(sku) ?? "C");
  return abcClasses
    .flatMap((abcClass) => {
      const skus = skusOf.get(abcClass) ?? [];
      const before = new Date(atMs - abcDays[abcClass] * dayMs).toISOString();
      const lastOf = (sku: string) => countedAt.get(sku) ?? "";
      return skus
        .filter((sku) => lastOf(sku) <= before && !isOpen(sku))
        .toSorted((left, right) => (lastOf(left) < lastOf(right) ? -1 : 1))
        .slice(0, Math.ceil(skus.length / abcDays[abcClass]));
    })
    .slice(0, Math.max(0, limit));
}

const picksDays = 90;
const skusOfBatch = 1_000;
const entriesOfBatch = 10_000;
/** Entries that one night reads. Of a longer period it reads batches at even distances (docs/decisions/0012). */
const entriesOfNightMax = 1_000_000;
/** SKUs of a book that one night asks for. */
const skusOfNightMax = 500;
/** A facility that answers no counts gets no more than this. */
const openMax = 1_000;

/** The SKUs of a book that the warehouse has to count this night; none if this night has asked already. */
export async function listDueForAbcCount(
  database: Database,
  change: Change,
  clientId: string,
  facilityCode: string,
): Promise<string[]> {
  const atMs = Date.parse(change.at);
  const isoBefore = (ms: number) => new Date(atMs - ms).toISOString();
  const countedAt = await readLastCounts(database, change, clientId, facilityCode);
  const earliest = isoBefore(abcDays.A * dayMs);
  // Stock of which every SKU was counted within the shortest interval needs no classes.
  if (![...countedAt.values()].some((at) => at <= earliest)) return [];
  const open = await listOpenCounts(database.of(clientId), facilityCode);
  const ofRule = open.filter(({ cause }) => cause === "ABC");
  const tonight = isoBefore(12 * hourMs);
  if (ofRule.some(({ requestedAt }) => requestedAt > tonight)) return [];
  const inCount = skusInCounts(open);
  const picks = await readPicks(database, clientId, facilityCode, atMs - picksDays * dayMs);
  const limit = Math.min(skusOfNightMax, openMax - ofRule.length);
  return dueForAbcCount(countedAt, abcClassesOf(picks), (sku) => inCount.has(sku), atMs, limit);
}

/** When each SKU in stock was counted last; the interval of a SKU without a count begins now. */
async function readLastCounts(
  database: Database,
  change: Change,
  clientId: string,
  facilityCode: string,
): Promise<ReadonlyMap<string, string>> {
  const countedAt = new Map<string, string>();
  for (let after: string | undefined = ""; after !== undefined; ) {
    const range = { after, lotsMax: countLinesMax, limit: skusOfBatch };
    const rows = await listStockedSkus(database.of(clientId), facilityCode, range);
    const unseen = rows.filter(({ counted_at }) => counted_at === null).map(({ sku }) => sku);
    if (unseen.length > 0) {
      await database.transaction(async (tx) => beginIntervals(tx.of(clientId), facilityCode, unseen, change.at));
    }
    for (const { sku, counted_at } of rows) countedAt.set(sku, counted_at ?? change.at);
    after = rows.length < skusOfBatch ? undefined : rows.at(-1)?.sku;
  }
  return countedAt;
}

/** @param sinceMs the begin of the period */
export async function readPicks(
  database: Database,
  clientId: string,
  facilityCode: string,
  sinceMs: number,
  limits = { batch: entriesOfBatch, night: entriesOfNightMax },
): Promise<ReadonlyMap<string, number>> {
  const view = database.of(clientId);
  const since = new Date(sinceMs);
  const fromId = idBoundary(Date.UTC(since.getUTCFullYear(), since.getUTCMonth()));
  const picksOf = new Map<string, number>();
  const positions = await findPositions(view, facilityCode, fromId);
  if (positions === undefined) return picksOf;
  // Positions have no gaps: their difference is the number of entries.
  const strides = Math.max(1, Math.ceil((positions.newest - positions.oldest + 1) / limits.night));
  const skipped = (strides - 1) * limits.batch;
  const range = { since: since.toISOString(), fromId, limit: limits.batch };
  for (let before: number | null = positions.newest + 1; before !== null; ) {
    const { position, picks } = await countPicks(view, facilityCode, { ...range, before });
    for (const { sku, picks: ofBatch } of picks) picksOf.set(sku, (picksOf.get(sku) ?? 0) + ofBatch);
    before = position === null ? null : position - skipped;
  }
  return picksOf;
}

// The nightly scans of ABC counts: in batches by key, each of a bounded number of rows.

interface StockedSku {
  readonly sku: string;
  /** ISO 8601; null: the rule sees the stock for the first time. */
  readonly counted_at: string | null;
}

/** SKUs with GOOD stock after a SKU, in its order. SKUs with more lots than one task has are left out. */
export function listStockedSkus(
  tx: ClientTx,
  facilityCode: string,
  { after, lotsMax, limit }: { readonly after: string; readonly lotsMax: number; readonly limit: number },
): Promise<StockedSku[]> {
  return tx.query(sql`select b.sku, (
        select l.counted_at from stock_last_count l
        where l.client_id = ${tenant} and l.facility_code = ${facilityCode} and l.sku = b.sku limit 1
      ) as counted_at
      from (
        select s.sku from stock_balance s
        where s.client_id = ${tenant} and s.facility_code = ${facilityCode} and s.sku > ${after}
          and s.condition = 'GOOD' and s.qty > 0
        group by s.sku having count(*) <= ${lotsMax}
        order by s.sku limit ${limit}
      ) b
      order by b.sku limit ${limit}`);
}

/** The positions of the ledger of a book from a month on; null: it has no entries. @param fromId the first id of the month */
export async function findPositions(
  tx: ClientTx,
  facilityCode: string,
  fromId: string,
): Promise<{ readonly oldest: number; readonly newest: number } | undefined> {
  const [row] = await tx.query<{ oldest: number | null; newest: number | null }>(sql`select (
        select m.position from stock_movement m
        where m.client_id = ${tenant} and m.facility_code = ${facilityCode} and m.position > 0 and m.movement_id >= ${fromId}::uuid
        order by m.position limit 1
      ) as oldest, (
        select m.position from stock_movement m
        where m.client_id = ${tenant} and m.facility_code = ${facilityCode} and m.position > 0 and m.movement_id >= ${fromId}::uuid
        order by m.position desc limit 1
      ) as newest`);
  return row?.oldest == null || row.newest == null ? undefined : { oldest: row.oldest, newest: row.newest };
}

interface PickedSkus {
  /** Position of the oldest entry of the batch; null: there are no older entries of the period. */
  readonly position: number | null;
  readonly picks: readonly { readonly sku: string; readonly picks: number }[];
}

/**
 * How often goods of each SKU were taken from their places since a moment, in a number of ledger entries before a
 * position.
 *
 * @param fromId the first id of the month of that moment. It leaves out whole partitions and no row of the others: a
 * later id would read the rest of its month for nothing.
 */
export async function countPicks(
  tx: ClientTx,
  facilityCode: string,
  range: { readonly before: number; readonly since: string; readonly fromId: string; readonly limit: number },
): Promise<PickedSkus> {
  const { before, since, fromId, limit } = range;
  const rows = await tx.query<{
    position: number;
    booked_at: string;
    sku: string;
    picks: number;
  }>(sql`select min(e.position) as position, min(e.booked_at) as booked_at, e.sku,
        count(*) filter (
          where (e.type = 'PICK' and e.qty > 0 or e.type = 'CONSUMPTION') and e.booked_at >= ${since}::timestamptz
        )::integer as picks
      from (
        select m.position, m.booked_at, m.sku, m.type, m.qty from stock_movement m
        where m.client_id = ${tenant} and m.facility_code = ${facilityCode} and m.position > 0
          and m.position < ${before} and m.movement_id >= ${fromId}::uuid
        order by m.position desc limit ${limit}
      ) e
      group by e.sku limit ${limit}`);
  const isOver = rows.length === 0 || rows.some(({ booked_at }) => booked_at < since);
  const position = isOver ? null : Math.min(...rows.map((row) => row.position));
  return { position, picks: rows.filter(({ picks }) => picks > 0) };
}
