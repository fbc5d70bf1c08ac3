import type { Change } from "#/db/audit.ts";
import type { Database } from "#/db/database.ts";
import { dayMs, hourMs } from "#/kernel/values/durations.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import { abcClassesOf, abcDays, dueForAbcCount } from "#/modules/inventory/counts/abc.ts";
import { countPicks, findPositions, listStockedSkus } from "#/modules/inventory/counts/abc-repository.ts";
import { skusInCounts } from "#/modules/inventory/counts/domain.ts";
import { beginIntervals } from "#/modules/inventory/counts/last-count-repository.ts";
import { listOpenCounts } from "#/modules/inventory/counts/repository.ts";
import { countLinesMax } from "#/modules/inventory/counts/request.ts";

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
