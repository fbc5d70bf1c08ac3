import { passLeftOut } from "#/delivery/webhooks/index.ts";
import type { Clock } from "#/kernel/clock.ts";
import { startPolling, untilNextMs } from "#/kernel/concurrency/polling.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { notifyChange } from "#/modules/clients/index.ts";
import { leaveOutPositions } from "#/modules/inventory/index.ts";
import { leaveOutNumbers } from "#/modules/parcels/index.ts";
import { leaveOutOfFeeds } from "#/modules/warehouse/index.ts";
import type { Database, Tx } from "#/store/db/database.ts";
import { withSchemaLock } from "#/store/db/schema/migrator.ts";
import { sql } from "#/store/db/sql.ts";
import {
  type AskHold,
  findHolds,
  insertHolds,
  listHeldParts,
  type RestoreHold,
  type RestorePart,
} from "#/store/db/store/restore-hold.ts";
import { listTenants } from "#/store/db/tenants.cross-client.ts";
import { leaveOut } from "#/store/outbox/repository.ts";

/** More events, outbound documents and tasks than a client or facility produces in any period that a restore loses. */
const positionsLeftOut = 1_000_000_000;
/** Gap in the movement numbers of a book. A reader of one movement type scans through it, 50 000 a page. */
const movementsLeftOut = 10_000_000;
/** More events than one object has. */
export const sequencesLeftOut = 1_000_000;

interface RestoredContext {
  readonly database: Database;
  /** Connection for the lock that lets one node run the restore steps. */
  readonly directUrl: string;
  /** Prefix of the SSCCs that this deployment assigns. */
  readonly companyPrefix: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Prepares a database that was restored (CROSSDOCK_RESTORED). The first node to do so skips the numbers that other
 * systems may have seen since. It puts outgoing work on hold until an operator releases it. Other nodes and later
 * starts find this done. A database restored to a point in time holds nothing written after it, so that time
 * distinguishes a new restore from a restart. An interrupted run starts again and skips more numbers.
 *
 * @param restored the time, or `true`: then the name of the database cluster is used
 */
export async function beginRestored(context: RestoredContext, restored: string): Promise<readonly RestoreHold[]> {
  const { database, directUrl, clock, log } = context;
  return await withSchemaLock(directUrl, async () => {
    const restoredTo = restored === "true" ? await findClusterName(database) : restored;
    const known = await findHolds(database, restoredTo);
    if (known.length > 0) {
      if (known.every(({ released_at }) => released_at !== null)) {
        log.warn({ restoredTo }, "CROSSDOCK_RESTORED names a restore that was released: remove the variable");
      }
      return known;
    }
    await leaveOutNumbers(database, context.companyPrefix);
    await leaveOutOfFeeds(database, positionsLeftOut);
    for (const clientId of await listTenants(database)) {
      await database.transaction(async (tx) => {
        const view = tx.of(clientId);
        await leaveOut(view, { positions: positionsLeftOut, sequences: sequencesLeftOut });
        passLeftOut(view, positionsLeftOut);
        await leaveOutPositions(view, movementsLeftOut);
      });
    }
    await insertHolds(database, restoredTo, new Date(clock.now()).toISOString());
    await notifyChange(database);
    log.warn({ restoredTo }, "restored: deliveries, allocation and tasks wait for 'crossdock restore release'");
    return await findHolds(database, restoredTo);
  });
}

/** The holds that every part of a process checks before it works. */
interface Holds {
  readonly isHeld: AskHold;
  /** Called on a hint that a part was released. */
  refresh(): void;
  stop(): Promise<void>;
}

const pollMs = 5_000;

/**
 * Keeps the held parts in memory. It reads them at once after a notification, and every five seconds in case it was lost,
 * so that a check costs a worker nothing. While the store does not answer, held parts stay on hold.
 */
export async function watchHolds(database: Database, log: Logger): Promise<Holds> {
  let held: ReadonlySet<RestorePart> = new Set(await listHeldParts(database));

  async function look(): Promise<void> {
    const now = new Set(await listHeldParts(database));
    const released = [...held].filter((part) => !now.has(part));
    if (released.length > 0) log.info({ released }, "released after a restore");
    held = now;
  }

  // Ignored: other readers and writers of this process report a store that does not answer.
  const polling = startPolling({
    name: "watch of holds",
    everyMs: pollMs,
    turn: () =>
      look().then(
        () => untilNextMs(pollMs),
        () => undefined,
      ),
  });

  return {
    isHeld: (part) => held.has(part),
    refresh: () => polling.wake(),
    stop: () => polling.stop(),
  };
}

/**
 * Identifies the database by its cluster, database and timeline. Every point-in-time recovery begins a new timeline, so
 * its name differs. A copy of the files has the same name.
 */
async function findClusterName(tx: Tx): Promise<string> {
  const rows = await tx.query<{ name: string }>(
    sql`select format('cluster %s, timeline %s, database %s', s.system_identifier, c.timeline_id, d.oid) as name
      from pg_control_system() s cross join pg_control_checkpoint() c
      join pg_database d on d.datname = current_database() limit 1`,
  );
  return rows[0]?.name ?? "restored";
}
