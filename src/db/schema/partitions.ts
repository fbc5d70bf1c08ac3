import { isContention } from "#/db/errors.ts";
import { retryOnTableLock } from "#/db/retry-on-conflict.ts";
import { assert } from "#/kernel/assert.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { idBoundary } from "#/kernel/values/ids.ts";

/**
 * Append-only tables are partitioned by month over their time-ordered id. A UUIDv7 contains its own timestamp, so the
 * key stays (client_id, id) without a second time column, and a look-up by id reads one partition.
 */
export interface PartitionedTable {
  readonly table: string;
  /** Days that a month is kept after its end; undefined keeps it for ever. */
  readonly keptDays: number | undefined;
  /** A table of raw feeds, which a client may keep for longer. */
  readonly isOfFeeds?: true;
}

const feedDays = 90;

/**
 * Days that a month of raw feeds is kept after its end. @param longestDays the longest retention of any client; 0: no
 * client sets one.
 */
export function feedMonthsDays(longestDays: number): number {
  return Math.max(feedDays, longestDays);
}

export const partitionedTables: readonly PartitionedTable[] = [
  { table: "feed_document", keptDays: feedDays, isOfFeeds: true },
  { table: "feed_payload", keptDays: feedDays, isOfFeeds: true },
  { table: "event", keptDays: 90 },
  { table: "outbound_document", keptDays: 90 },
  { table: "webhook_delivery", keptDays: 90 },
  { table: "webhook_attempt", keptDays: 30 },
  { table: "request_log", keptDays: 14 },
  { table: "stock_snapshot_row", keptDays: 400 },
  { table: "carrier_decision", keptDays: 400 },
  { table: "stock_movement", keptDays: undefined },
  { table: "audit_log", keptDays: undefined },
];

const monthsAhead = 3;

interface Month {
  readonly suffix: string;
  readonly fromMs: number;
  readonly toMs: number;
}

function monthOf(atMs: number, offset: number): Month {
  const at = new Date(atMs);
  const from = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + offset, 1);
  const start = new Date(from);
  return {
    suffix: `${start.getUTCFullYear()}_${String(start.getUTCMonth() + 1).padStart(2, "0")}`,
    fromMs: from,
    toMs: Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + offset + 1, 1),
  };
}

/** Suffix of a month's partitions: `2026_11`. @param offset months from the month of `atMs` */
export function monthSuffix(atMs: number, offset: number): string {
  return monthOf(atMs, offset).suffix;
}

/** A connection that accepts plain text, because DDL takes no parameters. `pg.Client` is one. */
export interface DdlConnection {
  query(text: string): Promise<{ readonly rows: unknown[] }>;
}

/** Whether the retention of a month that ends at `endMs` is over. */
const isOver = (endMs: number, keptDays: number, nowMs: number) => endMs + keptDays * dayMs <= nowMs;

/**
 * Creates the partitions of last month (clocks differ), this month and the next three, but none that would be dropped at
 * once. Idempotent, and safe while other
 * nodes do the same: the caller holds the schema lock (`withSchemaLock`).
 */
export async function makePartitions(connection: DdlConnection, nowMs: number): Promise<void> {
  for (const { table, keptDays = Number.POSITIVE_INFINITY } of partitionedTables) {
    for (let offset = -1; offset <= monthsAhead; offset++) {
      const month = monthOf(nowMs, offset);
      if (!isOver(month.toMs, keptDays, nowMs)) await makeMonth(connection, table, month);
    }
  }
}

/** Creates a table's partitions from a past month up to last month, for rows of that time. */
export async function makePastPartitions(
  connection: DdlConnection,
  table: PartitionedTable["table"],
  fromMs: number,
  nowMs: number,
): Promise<void> {
  assert(
    partitionedTables.some((partitionedTable) => partitionedTable.table === table),
    `${table} has no partitions`,
  );
  for (let offset = -1; monthOf(nowMs, offset).toMs > fromMs; offset--) {
    await makeMonth(connection, table, monthOf(nowMs, offset));
  }
}

async function makeMonth(connection: DdlConnection, table: string, month: Month): Promise<void> {
  await retryOnTableLock(() =>
    connection.query(
      `create table if not exists ${table}_${month.suffix} partition of ${table}
       for values from ('${idBoundary(month.fromMs)}') to ('${idBoundary(month.toMs)}')`,
    ),
  );
  if (table === "audit_log")
    await connection.query(`revoke update, delete, truncate on ${table}_${month.suffix} from current_user`);
}

const dropAttemptsMax = 3;

/**
 * Drops the months whose last day is older than the table's retention; returns the names of the dropped partitions.
 * When a transaction reads a month for longer than the connection's lock_timeout, the drop is retried, and then
 * postponed to the next run. A statement that waits for the lock makes all others wait for the whole table.
 *
 * @param feedDaysMin a client's own retention of raw feeds, when it is longer: a month goes for all clients together.
 * @param onPutOff receives the name of a month that stays for now.
 */
export async function dropOldPartitions(
  connection: DdlConnection,
  nowMs: number,
  feedDaysMin = 0,
  onPutOff: (name: string) => void = () => {},
): Promise<string[]> {
  const dropped: string[] = [];
  for (const { table, keptDays: usualDays, isOfFeeds = false } of partitionedTables) {
    if (usualDays === undefined) continue;
    const keptDays = isOfFeeds ? feedMonthsDays(feedDaysMin) : usualDays;
    const { rows } = await connection.query(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = '${table}'::regclass order by 1 limit 1000`,
    );
    for (const { name } of rows as { name: string }[]) {
      const match = /_(\d{4})_(\d{2})$/.exec(name);
      assert(match, `partition ${name} is not named by month`);
      const endMs = Date.UTC(Number(match[1]), Number(match[2]), 1);
      if (!isOver(endMs, keptDays, nowMs)) continue;
      if (await dropMonth(connection, name)) dropped.push(name);
      else onPutOff(name);
    }
  }
  return dropped;
}

async function dropMonth(connection: DdlConnection, name: string): Promise<boolean> {
  try {
    await retryOnTableLock(() => connection.query(`drop table ${name}`), dropAttemptsMax);
    return true;
  } catch (error) {
    if (isContention(error)) return false;
    throw error;
  }
}
