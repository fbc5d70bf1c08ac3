import { assert } from "#/kernel/assert.ts";
import { within } from "#/kernel/concurrency/deadline.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { idBoundary, isUuidV7, timeOfId } from "#/kernel/values/ids.ts";
import { isContention, OvertakenError, StoreUnavailableError, sqlStateOf } from "#/store/db/errors.ts";
import { retryOnTableLock } from "#/store/db/retry-on-conflict.ts";
import { withSchemaLock } from "#/store/db/schema/migrator.ts";
import { clockQuery } from "#/store/db/store/clock.ts";
import type { DatabaseOptions } from "#/store/db/store/connection.ts";

/**
 * Append-only tables are partitioned by month over their time-ordered id. A UUIDv7 contains its own timestamp, so the
 * key stays (client_id, id) without a second time column, and a look-up by id reads one partition. The ledger has no key.
 */
interface PartitionedTable {
  readonly table: string;
  /** Days that a month is kept after its end; undefined keeps it for ever. */
  readonly keptDays: number | undefined;
  /** A table of raw feeds, which a client may keep for longer. */
  readonly isOfFeeds?: true;
  /** Percent of a page that inserts fill; the rest is for updates that change no index. */
  readonly fillfactor?: number;
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
  // The beginning of an attempt names it in its delivery: with room in the page a push writes 7 to 9 % less log.
  { table: "webhook_delivery", keptDays: 90, fillfactor: 70 },
  { table: "webhook_attempt", keptDays: 30 },
  { table: "request_log", keptDays: 14 },
  { table: "stock_snapshot_row", keptDays: 400 },
  { table: "carrier_decision", keptDays: 400 },
  { table: "routing_decision", keptDays: 400 },
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
  for (const partitioned of partitionedTables) {
    const { keptDays = Number.POSITIVE_INFINITY } = partitioned;
    for (let offset = -1; offset <= monthsAhead; offset++) {
      const month = monthOf(nowMs, offset);
      if (!isOver(month.toMs, keptDays, nowMs)) await makeMonth(connection, partitioned, month);
    }
  }
  await followReplicaIdentity(connection);
}

/** Without a key, Citus moves a shard of a month only if its whole rows are its replica identity, which no partition inherits. */
async function followReplicaIdentity(connection: DdlConnection): Promise<void> {
  const { rows } = await connection.query(
    `select i.inhrelid::regclass::text as name from pg_inherits i
       join pg_class p on p.oid = i.inhparent and p.relkind = 'p' and p.relreplident = 'f'
       join pg_class m on m.oid = i.inhrelid and m.relreplident <> 'f'
     where p.relnamespace = 'public'::regnamespace order by 1 limit 10000`,
  );
  for (const { name } of rows as { name: string }[]) {
    await retryOnTableLock(() => connection.query(`alter table ${name} replica identity full`));
  }
}

/** Creates a table's partitions from a past month up to last month, for rows of that time. */
export async function makePastPartitions(
  connection: DdlConnection,
  table: PartitionedTable["table"],
  fromMs: number,
  nowMs: number,
): Promise<void> {
  const partitioned = partitionedTables.find((partitionedTable) => partitionedTable.table === table);
  assert(partitioned !== undefined, `${table} has no partitions`);
  for (let offset = -1; monthOf(nowMs, offset).toMs > fromMs; offset--) {
    await makeMonth(connection, partitioned, monthOf(nowMs, offset));
  }
}

async function makeMonth(
  connection: DdlConnection,
  { table, fillfactor = 100 }: PartitionedTable,
  month: Month,
): Promise<void> {
  await retryOnTableLock(() =>
    connection.query(
      `create table if not exists ${table}_${month.suffix} partition of ${table}
       for values from ('${idBoundary(month.fromMs)}') to ('${idBoundary(month.toMs)}')
       with (fillfactor = ${fillfactor})`,
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

// A clock that jumps further than the months that are made ahead needs one that is not there yet: it is made when the
// first row needs it, and the failed work is tried again.

/** No month further than this from the store's clock is made: such an id is a fault. */
const aheadMsMax = 100 * dayMs;
const backMsMax = 400 * dayMs;

/** Work waits this long for its month, and is tried again in any case. */
const waitMsMax = 2_000;

/** @param url for DDL and advisory locks, not through a pooler */
export function createMonthMaker(url: string, log: Logger): NonNullable<DatabaseOptions["onFailure"]> {
  /** All that fail at the same time wait for one. */
  let making: Promise<void> | undefined;

  async function make(failure: Error): Promise<void> {
    const rowMs = timeOfRow(failure);
    await withSchemaLock(url, async (client) => {
      const { rows } = await client.query<{ ms: number }>(clockQuery);
      const nowMs = (rows[0] as { ms: number }).ms;
      const isNear = rowMs !== undefined && rowMs < nowMs + aheadMsMax && rowMs > nowMs - backMsMax;
      await makePartitions(client, isNear ? rowMs : nowMs);
    });
    log.warn({ err: failure }, "partitions of a month were missing, and were made");
  }

  return async (error) => {
    if (!isMissingMonth(error)) return error;
    making ??= make(error).finally(() => {
      making = undefined;
    });
    try {
      await within(making, waitMsMax, () => new OvertakenError("the partitions of a month are being made"));
    } catch (cause) {
      if (cause instanceof OvertakenError) return cause;
      log.error({ err: cause }, "partitions of a month are missing, and could not be made");
      return new StoreUnavailableError("partitions of a month are missing", { cause });
    }
    return new OvertakenError("the partitions of a month were missing, and were made", { cause: error });
  };
}

/** 23514 with these words; on Citus the name is that of a shard. */
const missing = /^no partition of relation "[^"]+" found for row/;

function isMissingMonth(error: unknown): error is Error {
  return error instanceof Error && /^(23514|XX000)$/.test(sqlStateOf(error) ?? "") && missing.test(error.message);
}

/** The time in the key of the row; undefined where PostgreSQL does not show the key. */
function timeOfRow(error: Error): number | undefined {
  const { detail = "" } = error as { readonly detail?: string };
  const id = /= \(([0-9a-f-]{36})\)/.exec(detail)?.[1];
  return id !== undefined && isUuidV7(id) ? timeOfId(id) : undefined;
}
