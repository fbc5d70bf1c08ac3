import type { Database } from "#/db/database.ts";
import { withSchemaLock } from "#/db/schema/migrator.ts";
import {
  type AskHold,
  findHolds,
  insertHolds,
  listHeldParts,
  type RestoreHold,
  type RestorePart,
} from "#/db/store/restore-hold.ts";
import { passLeftOut } from "#/delivery/webhooks/index.ts";
import type { Clock } from "#/kernel/clock.ts";
import { createAlarm } from "#/kernel/concurrency/alarm.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { listClients } from "#/modules/clients/index.ts";
import { leaveOutPositions } from "#/modules/inventory/index.ts";
import { leaveOutNumbers } from "#/modules/parcels/index.ts";
import { leaveOutOfFeeds } from "#/modules/warehouse/index.ts";
import { leaveOut } from "#/outbox/repository.ts";
import { findClusterName } from "#/roles/restored-repository.ts";

/** More events, outbound documents and tasks than a client or facility has in any time that a restore loses. */
const positionsLeftOut = 1_000_000_000;
/** Of a book: a reader of one type of movement looks through them, 50 000 a page. */
const movementsLeftOut = 10_000_000;
/** More events than one object has. */
export const sequencesLeftOut = 1_000_000;

export interface RestoredContext {
  readonly database: Database;
  /** For the lock that lets one node do it. */
  readonly directUrl: string;
  /** Of the SSCCs that this deployment gives. */
  readonly companyPrefix: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * A node was told that its database was restored (CROSSDOCK_RESTORED). The first one to be told leaves out the numbers that
 * the world may have seen since, and lets what leaves the house wait for an operator; to the others, and to every later
 * start, it has been done. A database that is brought back to a moment cannot hold what was written after it: so the
 * moment is the name by which a new restore is told from a restart. Interrupted, it is done anew, and leaves out more.
 *
 * @param restored the moment, or `true`: then the database cluster gives the name
 */
export async function beginRestored(context: RestoredContext, restored: string): Promise<readonly RestoreHold[]> {
  const { database, directUrl, clock, log } = context;
  return await withSchemaLock(directUrl, async () => {
    const restoredTo = restored === "true" ? await findClusterName(database) : restored;
    const known = await findHolds(database, restoredTo);
    if (known.length > 0) {
      if (known.every(({ released_at }) => released_at !== null)) {
        log.warn({ restoredTo }, "CROSSDOCK_RESTORED names a restore that was released: take the variable away");
      }
      return known;
    }
    await leaveOutNumbers(database, context.companyPrefix);
    await leaveOutOfFeeds(database, positionsLeftOut);
    for (const { clientId } of await listClients(database)) {
      await database.transaction(async (tx) => {
        await leaveOut(tx, clientId, { positions: positionsLeftOut, sequences: sequencesLeftOut });
        passLeftOut(tx, clientId, positionsLeftOut);
        await leaveOutPositions(tx, clientId, movementsLeftOut);
      });
    }
    await insertHolds(database, restoredTo, new Date(clock.now()).toISOString());
    log.warn({ restoredTo }, "restored: deliveries, allocation and tasks wait for 'crossdock restore release'");
    return await findHolds(database, restoredTo);
  });
}

/** What every part of a process asks before it goes on. */
export interface Holds {
  readonly isHeld: AskHold;
  /** A hint that something was released. */
  refresh(): void;
  stop(): Promise<void>;
}

const pollMs = 1_000;

/**
 * Keeps in memory what waits: a look each second, and at once after a notice, so that asking costs a worker nothing. While the
 * store does not answer, what waited still waits.
 */
export async function watchHolds(database: Database, log: Logger): Promise<Holds> {
  let held: ReadonlySet<RestorePart> = new Set(await listHeldParts(database));
  const alarm = createAlarm();
  let isStopping = false;

  async function look(): Promise<void> {
    const now = new Set(await listHeldParts(database));
    const released = [...held].filter((part) => !now.has(part));
    if (released.length > 0) log.info({ released }, "released after a restore");
    held = now;
  }

  const looking = (async () => {
    while (!isStopping) {
      alarm.hear();
      // Whatever reads or writes in this process tells of a store that does not answer.
      await look().catch(() => {});
      await alarm.rest(pollMs);
    }
  })();

  return {
    isHeld: (part) => held.has(part),
    refresh: () => alarm.ring(),
    async stop() {
      isStopping = true;
      alarm.ring();
      await looking;
    },
  };
}
