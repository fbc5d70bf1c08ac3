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
  /** A position, a sequence, or a number of events. */
  readonly found: number;
  readonly expected: number;
  /** Repaired in this run. */
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

/** One statement reads a range of the log. */
const limits = { statementTimeoutMs: 10 * 60_000 };
const shownMax = 100;
const missedMax = 500;
/** Ids of the first events of a range differ from the order of their positions by at most this number. */
const lookedMax = 10_000;
/** The clock that created a delivery may lag behind the clock of its event. */
const clockMsMax = 60_000;

/**
 * Checks for a client that positions of its events are unique and have no gaps, and that each object's sequence has no
 * gaps. Also checks that every subscription has a delivery of each event that it wants (webhooks.md §2).
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
  // Repaired findings stay in the list: an operator must find out their cause.
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

/** @param hasLeftOut a restore skipped positions and sequences: only duplicates are broken. */
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

/** For each receiving subscription: events up to the cursor that it wants and that have no delivery. */
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
      // What the subscription wanted before its last change is unknown.
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

/** Counts up to the limit of a page. */
async function countMissed({ database, clientId }: EventsCheck, range: repository.MissedRange): Promise<number> {
  return (await database.transaction((tx) => repository.listMissed(tx, clientId, range, missedMax), limits)).length;
}

/** Adds page by page, each under the lock of the cursor: no other transaction fans the same events out. */
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
