import type { Database, Transaction } from "#/db/database.ts";
import { addDeliveries, openCursor } from "#/delivery/webhooks/deliveries/deliveries.ts";
import { findPositionSince } from "#/delivery/webhooks/events/event-repository.ts";
import * as repository from "#/delivery/webhooks/events/events-check-repository.ts";
import { receives, type Subscription } from "#/delivery/webhooks/subscriptions/subscription.ts";
import { listSubscriptions } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import { type Ids, idBoundary } from "#/kernel/values/ids.ts";

export const eventRules = {
  POSITION_TWICE: "two events have one position",
  POSITION_LEFT_OUT: "positions are missing in the log",
  LANE_BEHIND: "the next event would have a position that is taken",
  SEQUENCE: "the sequence does not follow the one before of its object",
  CURSOR_AHEAD: "events that are still to come would not be delivered",
  NOT_DELIVERED: "events have no delivery for a subscription that wants them",
} as const;

export interface BrokenEvents {
  readonly rule: keyof typeof eventRules;
  readonly object: string;
  /** A position, a sequence, or how many events. */
  readonly found: number;
  readonly expected: number;
  /** Put right in this run. */
  readonly isRepaired: boolean;
}

export interface EventsCheck {
  readonly database: Database;
  readonly ids: Ids;
  readonly nowMs: number;
  readonly clientId: string;
  /** Events since then (Unix milliseconds). */
  readonly sinceMs: number;
  readonly isRepairing: boolean;
}

/** A stretch of the log is read in one statement. */
const limits = { statementTimeoutMs: 10 * 60_000 };
const shownMax = 100;
const missedMax = 500;
/** Ids of the first events of a stretch lie no further from the order of their positions. */
const lookedMax = 10_000;
/** A delivery may have been made by a clock that was behind the one of its event. */
const clockMsMax = 60_000;

/**
 * Proves of a client that positions of its events have no gaps and are unique, that each object's sequence has no holes, and
 * that every subscription has a delivery of each event that it wants (webhooks.md §2).
 */
export async function checkEvents(check: EventsCheck): Promise<readonly BrokenEvents[]> {
  const { database, clientId, isRepairing } = check;
  const counters = await database.transaction((tx) => repository.findCounters(tx, clientId));
  if (counters === undefined) return [];
  const from = await database.transaction(
    (tx) => findPositionSince(tx, clientId, idBoundary(check.sinceMs), lookedMax),
    limits,
  );
  const newest = counters.newest ?? 0;
  const isLaneBehind = counters.last_position < newest;
  // What was repaired stays in the list: somebody has to ask how it came about.
  if (isRepairing && isLaneBehind) await database.transaction((tx) => repository.raiseLane(tx, clientId, newest));
  const lane = isLaneBehind
    ? [{ rule: "LANE_BEHIND", object: "the lane", found: counters.last_position, expected: newest } as const]
    : [];
  const log = from === undefined ? [] : await checkLog(check, from, counters.sequence_base > 0);
  const deliveries = counters.cursor === null ? [] : await checkDeliveries(check, counters.cursor, from, newest);
  const last = Math.max(counters.last_position, newest);
  const isAhead = counters.cursor !== null && counters.cursor > last;
  if (isRepairing && isAhead) await database.transaction((tx) => setCursorBack(tx, clientId, last));
  const cursor = isAhead
    ? [{ rule: "CURSOR_AHEAD", object: "the cursor", found: counters.cursor ?? 0, expected: last } as const]
    : [];
  return [...[...lane, ...cursor].map((one) => ({ ...one, isRepaired: isRepairing })), ...log, ...deliveries];
}

async function setCursorBack(tx: Transaction, clientId: string, position: number): Promise<void> {
  const cursor = await openCursor(tx, clientId);
  if (cursor !== undefined && cursor.position > position) cursor.moveTo(position);
}

/** @param hasLeftOut a restore left positions and sequences out: only those that are given twice are broken. */
async function checkLog(
  { database, clientId }: EventsCheck,
  from: number,
  hasLeftOut: boolean,
): Promise<BrokenEvents[]> {
  const [positions, sequences] = await database.transaction(
    (tx) =>
      Promise.all([
        repository.listBrokenPositions(tx, clientId, from, shownMax),
        repository.listBrokenSequences(tx, clientId, from, shownMax),
      ]),
    limits,
  );
  const isBroken = (found: number, before: number) => !hasLeftOut || found <= before;
  return [
    ...positions
      .filter(({ position, before }) => isBroken(position, before))
      .map(({ position, before }) => ({
        rule: position === before ? ("POSITION_TWICE" as const) : ("POSITION_LEFT_OUT" as const),
        object: `the event after position ${before}`,
        ...{ found: position, expected: before + 1, isRepaired: false },
      })),
    ...sequences
      .filter(({ sequence, before }) => isBroken(sequence, before))
      .map((row) => ({
        rule: "SEQUENCE" as const,
        object: `${row.object_type} ${row.object_id} at position ${row.position}`,
        ...{ found: row.sequence, expected: row.before + 1, isRepaired: false },
      })),
  ];
}

/** Of each subscription that receives: events up to the cursor that it wants and has no delivery of. */
async function checkDeliveries(
  check: EventsCheck,
  cursor: number,
  from: number | undefined,
  newest: number,
): Promise<BrokenEvents[]> {
  if (from === undefined) return [];
  const { database, clientId, isRepairing } = check;
  const subscriptions = (await listSubscriptions(database, clientId)).filter(
    ({ kind, status }) => kind === "WEBHOOK" && receives(status),
  );
  const broken: BrokenEvents[] = [];
  for (const subscription of subscriptions) {
    const { topicName, facilityCode, webhookId } = subscription;
    const range: repository.MissedRange = {
      ...{ webhookId, after: Math.max(from - 1, subscription.fromPosition), until: Math.min(cursor, newest) },
      // What it wanted before it was changed is not known any more.
      since: subscription.updatedAt,
      topic: topicName.endsWith("*") ? undefined : topicName,
      topicPrefix: topicName.endsWith("*") ? topicName.slice(0, -1) : undefined,
      facilityCode: facilityCode === "*" ? undefined : facilityCode,
      deliveriesFrom: idBoundary(Math.max(0, check.sinceMs - clockMsMax)),
    };
    const missed = isRepairing ? await addMissed(check, subscription, range) : await countMissed(check, range);
    if (missed > 0) {
      const object = `webhook ${webhookId}`;
      broken.push({ rule: "NOT_DELIVERED", object, found: missed, expected: 0, isRepaired: isRepairing });
    }
  }
  return broken;
}

/** Counted no further than to the limit of a page. */
async function countMissed({ database, clientId }: EventsCheck, range: repository.MissedRange): Promise<number> {
  return (await database.transaction((tx) => repository.listMissed(tx, clientId, range, missedMax), limits)).length;
}

/** Page by page, each under the lock of the cursor: nobody fans the same events out. */
async function addMissed(
  { database, ids, nowMs, clientId }: EventsCheck,
  { webhookId }: Subscription,
  range: repository.MissedRange,
): Promise<number> {
  const at = new Date(nowMs).toISOString();
  for (let added = 0, { after } = range; ; ) {
    const page = await database.transaction(async (tx) => {
      await openCursor(tx, clientId);
      const missed = await repository.listMissed(tx, clientId, { ...range, after }, missedMax);
      const wanted = missed.map((event) => ({
        ...{ webhookId, eventId: event.event_id, position: event.position, topicName: event.topic },
        ...{ objectType: event.object_type, objectId: event.object_id },
      }));
      await addDeliveries(tx, ids, clientId, at, wanted);
      return missed;
    }, limits);
    added += page.length;
    after = page.at(-1)?.position ?? after;
    if (page.length < missedMax) return added;
  }
}
