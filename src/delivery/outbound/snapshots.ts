import { listClientsWithoutSnapshot } from "#/delivery/outbound/outbound.cross-client.ts";
import { assert } from "#/kernel/assert.ts";
import type { Clock } from "#/kernel/clock.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { noteDays } from "#/modules/activity/index.ts";
import { listFacilities } from "#/modules/facilities/index.ts";
import {
  facilityToday,
  findMidnightBefore,
  lastMidnight,
  listUnwrittenSnapshots,
  type Midnight,
  sealBook,
  takeSnapshot,
} from "#/modules/inventory/index.ts";
import type { Change } from "#/store/db/audit.ts";
import { type ClientTurns, createClientTurns } from "#/store/db/client-turns.ts";
import type { Database, UnitOfWork } from "#/store/db/database.ts";

export interface SnapshotJob {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The job pauses after this, in milliseconds; its next run continues. */
  readonly budgetMs?: number;
  /** Kept from run to run, so that each run begins with the clients that were served longest ago. */
  readonly turns?: ClientTurns;
  /** Called when documents are ready to push. */
  readonly onPushed?: () => void;
}

/** So that later jobs need not wait for the midnight of a large facility. */
export const budgetMsDefault = 20_000;
const clientsMax = 1_000;
/** One statement of some seconds takes a snapshot of a large catalogue. */
const statementMsMax = minuteMs;
/** After a longer time without a worker, only the last midnights get their snapshots late. */
const lateMidnightsMax = 7;
/** Each costs as much as a midnight snapshot: a client that requests more must wait for these. */
const waitingMax = 10;

interface Book {
  readonly clientId: string;
  readonly facilityCode: string;
  readonly timezone: string;
  /** The last one. */
  readonly midnight: Midnight;
}

/**
 * Takes the snapshot of each facility's last midnight, in its time zone, for each client with an earlier movement
 * there. A midnight that no worker saw gets its snapshot first. The feeds are INV, followed by IMS (outbound.md).
 *
 * @returns the number of snapshots.
 */
export async function takeMidnightSnapshots({
  database,
  clock,
  ids,
  budgetMs = budgetMsDefault,
  turns = createClientTurns(),
}: SnapshotJob): Promise<number> {
  const untilMs = clock.now() + budgetMs;
  const books: [string, Book][] = [];
  for (const { facilityCode, timezone } of await listFacilities(database)) {
    const midnight = lastMidnight(timezone, clock.now());
    for (const clientId of await listClientsWithoutSnapshot(database.lookUps, facilityCode, midnight, clientsMax)) {
      books.push([`${clientId} ${facilityCode}`, { clientId, facilityCode, timezone, midnight }]);
    }
  }
  let taken = 0;
  await turns.run(
    books,
    async (book) => {
      const change = { actor: "worker", origin: "midnight", at: new Date(clock.now()).toISOString(), ids };
      const midnight = await firstMissing(database, book);
      if (await takeMidnightSnapshot(database, change, book.clientId, book.facilityCode, midnight)) taken++;
      return midnight.at !== book.midnight.at;
    },
    () => clock.now() >= untilMs,
  );
  return taken;
}

/** The first midnight without a snapshot after the last one that has one. */
async function firstMissing(database: Database, book: Book): Promise<Midnight> {
  const { clientId, facilityCode, timezone, midnight } = book;
  const lastDate = await findMidnightBefore(database.ofClient(clientId).of(clientId), facilityCode, midnight.endedDate);
  let first = midnight;
  for (let late = 0; lastDate !== undefined && late < lateMidnightsMax; late++) {
    const earlier = lastMidnight(timezone, Date.parse(first.at) - 1);
    if (earlier.endedDate <= lastDate) break;
    first = earlier;
  }
  return first;
}

async function takeMidnightSnapshot(
  database: Database,
  change: Change,
  clientId: string,
  facilityCode: string,
  midnight: Midnight,
): Promise<boolean> {
  // Separate, so that no transaction waits for the book while the snapshot is written.
  await database.transaction((tx) => sealBook(tx.of(clientId), facilityCode, midnight.at));
  const snapshot = await database.transaction(
    (tx) => {
      // The stock of the day is one of its figures.
      noteDays(tx.of(clientId), [{ day: midnight.endedDate, facilityCode }]);
      return takeSnapshot(tx.of(clientId, change), facilityCode, {
        kind: "MIDNIGHT",
        snapshotDate: midnight.endedDate,
        boundary: midnight.at,
        wantsInv: true,
        wantsIms: true,
      });
    },
    { statementTimeoutMs: statementMsMax },
  );
  return snapshot !== undefined;
}

/**
 * Takes a snapshot at a client's request. INV is followed by an IMS, as always; IMS alone reports the movements since
 * the last INV.
 *
 * @returns the messageId of the future first part; refused while too many of the client's snapshots wait to be written.
 */
export async function requestStatement(
  tx: UnitOfWork,
  facilityCode: string,
  type: "INV" | "IMS",
): Promise<Result<string, string>> {
  const waiting = await listUnwrittenSnapshots(tx, waitingMax);
  if (waiting.length >= waitingMax) {
    return refused(
      `${waiting.length} snapshots of client ${tx.clientId} wait to be written; ask again when they are written`,
    );
  }
  const snapshot = await takeSnapshot(tx, facilityCode, {
    kind: "REQUEST",
    snapshotDate: await facilityToday(tx.plain, facilityCode, tx.change.at),
    wantsInv: type === "INV",
    wantsIms: true,
  });
  const messageId = type === "INV" ? snapshot?.invMessageId : snapshot?.imsMessageId;
  assert(messageId !== undefined, `a snapshot on request has the message of ${type} that was asked for`);
  return ok(messageId);
}
