import { addDeliveries, openCursor } from "#/delivery/webhooks/deliveries/deliveries.ts";
import { findPositionSince } from "#/delivery/webhooks/events/event-list.ts";
import * as repository from "#/delivery/webhooks/events/events-check-repository.ts";
import { receives, type Subscription } from "#/delivery/webhooks/subscriptions/subscription.ts";
import { listSubscriptions } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import { type EventDocumentType, eventDocumentTypes } from "#/kernel/feed-types.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import { companionOf, type Ids, idBoundary } from "#/kernel/values/ids.ts";
import type { ClientTransaction, Database } from "#/store/db/database.ts";
import { isTimeOut } from "#/store/db/errors.ts";

export const eventRules = {
  POSITION_TWICE: "two events have the same position",
  POSITION_LEFT_OUT: "positions are missing in the log",
  LANE_BEHIND: "the next event would have a position that is already used",
  SEQUENCE: "the sequence does not follow the previous one of its object",
  CURSOR_AHEAD: "future events would not be delivered",
  NOT_DELIVERED: "events have no delivery for a subscription to their topic",
  NO_DOCUMENT: "events have no outbound document, and cause one",
  NO_EVENT: "outbound documents belong to no event: they are doubled, or their events are lost",
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

/** One statement reads a page of the log. */
const limits = { statementTimeoutMs: 10_000 };
/** A page has fewer events for a client of many subscriptions: each event is compared with each of them. */
const pageMax = 2_000;
const pageMin = 100;
const comparedMax = 20_000;
const shownMax = 100;
/** Objects whose last sequence is remembered: some 20 MB. */
const objectsMax = 100_000;
/** Ids of the first events of a range differ from the order of their positions by at most this number. */
const lookedMax = 10_000;
/** The clock that created a delivery may lag behind the clock of its event. */
const clockMsMax = minuteMs;

/** The outbound document that each event of a topic causes (outbound.md); other events cause one at times. */
const documentOf: Readonly<Record<string, EventDocumentType>> = {
  "feed:processed": "ACK",
  "feed:failed": "ACK",
  "goodsReceipt:received": "GR",
  "order:backordered": "OS",
  "order:partiallyAllocated": "OS",
  "order:allocated": "OS",
  "order:packed": "OS",
  "order:partiallyDespatched": "OS",
  "order:delivered": "OS",
  "order:returnedToSender": "OS",
  "order:cancelled": "OS",
  "return:received": "RS",
  "return:closed": "RS",
  "inventory:adjusted": "ADJ",
};
const typesOfEvents: ReadonlySet<string> = new Set(eventDocumentTypes);

/**
 * Checks for a client that positions of its events are unique and have no gaps, and that each object's sequence has no
 * gaps; that every subscription has a delivery of each event that it wants (webhooks.md §2); and that each event has its
 * outbound document, and each document its event (outbound.md). It reads page by page.
 */
export async function checkEvents(check: EventsCheck): Promise<readonly BrokenEvents[]> {
  const { database, clientId, isRepairing } = check;
  const counters = await database.transaction((tx) => repository.findCounters(tx.of(clientId)));
  if (counters === undefined) return [];
  const from = await database.transaction(
    (tx) => findPositionSince(tx.of(clientId), idBoundary(check.sinceMs), lookedMax),
    limits,
  );
  const newest = counters.newest ?? 0;
  const isLaneBehind = counters.last_position < newest;
  // Repaired findings stay in the list: an operator must find out their cause.
  if (isRepairing && isLaneBehind) await database.transaction((tx) => repository.raiseLane(tx.of(clientId), newest));
  const lane = isLaneBehind
    ? [{ rule: "LANE_BEHIND", object: "the lane", found: counters.last_position, expected: newest } as const]
    : [];
  const log = from === undefined ? [] : await checkLog(check, counters, from, newest);
  const documents = await checkDocuments(check);
  const last = Math.max(counters.last_position, newest);
  const isAhead = counters.cursor !== null && counters.cursor > last;
  if (isRepairing && isAhead) await database.transaction((tx) => setCursorBack(tx.of(clientId), last));
  const cursor = isAhead
    ? [{ rule: "CURSOR_AHEAD", object: "the cursor", found: counters.cursor ?? 0, expected: last } as const]
    : [];
  return [...[...lane, ...cursor].map((finding) => ({ ...finding, isRepaired: isRepairing })), ...log, ...documents];
}

async function setCursorBack(tx: ClientTransaction, position: number): Promise<void> {
  const cursor = await openCursor(tx);
  if (cursor !== undefined && cursor.position > position) cursor.moveTo(position);
}

/** Reads the log page by page. A page that exceeds the statement timeout is repeated with fewer events. */
async function checkLog(
  check: EventsCheck,
  counters: repository.Counters,
  from: number,
  newest: number,
): Promise<BrokenEvents[]> {
  const { database, clientId, isRepairing } = check;
  const subscriptions =
    counters.cursor === null
      ? []
      : (await listSubscriptions(database.of(clientId))).filter(
          ({ kind, status }) => kind === "WEBHOOK" && receives(status),
        );
  // A restore skipped positions and sequences: only duplicates are broken.
  const follow = followLog(counters.sequence_base > 0);
  const undelivered = new Map<string, number>();
  const undocumented: repository.CheckedEvent[] = [];
  const documents: FoundDocuments = { adjustments: new Set(), hasFound: false, firstAt: undefined };
  let size = Math.max(pageMin, Math.min(pageMax, Math.floor(comparedMax / Math.max(1, subscriptions.length))));
  for (let after = from - 1; ; ) {
    try {
      const page = await readPage(check, after, newest, size);
      const until = page.events.at(-1)?.position;
      if (until === undefined) break;
      const cursor = Math.min(counters.cursor ?? 0, until);
      documents.firstAt ??= page.events[0]?.occurred_at;
      const without = await findUndocumented(check, page.events, documents);
      const missed = new Map<string, number>();
      for (const subscription of subscriptions) {
        missed.set(subscription.webhookId, await checkDeliveries(check, subscription, after, cursor));
      }
      // No statement of the page is repeated from here on.
      undocumented.push(...without.slice(0, shownMax - undocumented.length));
      for (const [webhookId, count] of missed) {
        if (count > 0) undelivered.set(webhookId, (undelivered.get(webhookId) ?? 0) + count);
      }
      for (const event of page.events) if (event.topic === adjusted) documents.adjustments.add(adjustmentOf(event));
      follow.add(page.events);
      after = until;
      if (page.isLast) break;
    } catch (error) {
      if (!isTimeOut(error) || size === pageMin) throw error;
      size = Math.max(pageMin, Math.floor(size / 4));
    }
  }
  return [
    ...follow.broken(),
    ...[...undelivered].map(([webhookId, found]) => ({
      rule: "NOT_DELIVERED" as const,
      object: `webhook ${webhookId}`,
      found,
      expected: 0,
      isRepaired: isRepairing,
    })),
    ...undocumented.map((event) => ({
      rule: "NO_DOCUMENT" as const,
      object: `${event.topic} of ${event.object_type} ${event.object_id} at position ${event.position}`,
      found: 0,
      expected: 1,
      isRepaired: false,
    })),
  ];
}

interface Page {
  readonly events: readonly repository.CheckedEvent[];
  readonly isLast: boolean;
}

async function readPage(
  { database, clientId }: EventsCheck,
  after: number,
  newest: number,
  size: number,
): Promise<Page> {
  const read = (limit: number) =>
    database.transaction((tx) => repository.listChecked(tx.of(clientId), after, newest, limit), limits);
  const events = await read(size);
  if (events.length < size) return { events, isLast: true };
  // Events of one position stay on one page.
  const last = events.at(-1)?.position;
  const whole = events.filter(({ position }) => position !== last);
  return { events: whole.length > 0 ? whole : await read(size * 10), isLast: false };
}

/** Compares positions and sequences with those before them. */
function followLog(hasLeftOut: boolean) {
  const broken: BrokenEvents[] = [];
  const sequences = new Map<string, number>();
  let before: number | undefined;
  const isBroken = (found: number, last: number) => (hasLeftOut ? found <= last : found !== last + 1);
  return {
    broken: () => [...ofRule(isOfPosition, broken), ...ofRule((rule) => !isOfPosition(rule), broken)],
    add(events: readonly repository.CheckedEvent[]): void {
      for (const { position, object_type, object_id, sequence } of events) {
        if (before !== undefined && isBroken(position, before)) {
          broken.push({
            rule: position === before ? "POSITION_TWICE" : "POSITION_LEFT_OUT",
            object: `the event after position ${before}`,
            found: position,
            expected: before + 1,
            isRepaired: false,
          });
        }
        before = position;
        if (sequence === null) continue;
        const object = `${object_type} ${object_id}`;
        const last = sequences.get(object);
        if (last !== undefined && isBroken(sequence, last)) {
          broken.push({
            rule: "SEQUENCE",
            object: `${object} at position ${position}`,
            found: sequence,
            expected: last + 1,
            isRepaired: false,
          });
        }
        // The objects that have rested longest are forgotten first.
        sequences.delete(object);
        sequences.set(object, sequence);
        if (sequences.size > objectsMax) sequences.delete(sequences.keys().next().value as string);
      }
      // A log that is broken everywhere needs no more than the first places.
      if (broken.length > pageMax) broken.length = pageMax;
    },
  };
}

const isOfPosition = (rule: BrokenEvents["rule"]) => rule.startsWith("POSITION");
const ofRule = (is: (rule: BrokenEvents["rule"]) => boolean, broken: readonly BrokenEvents[]) =>
  broken.filter(({ rule }) => is(rule)).slice(0, shownMax);

/** The number of events after a position, up to another, that the subscription wants and that have no delivery. */
function checkDeliveries(
  check: EventsCheck,
  subscription: Subscription,
  after: number,
  until: number,
): Promise<number> {
  const { topicName, additionalTopicNames, facilityCode, webhookId } = subscription;
  const range: repository.MissedRange = {
    webhookId,
    after: Math.max(after, subscription.fromPosition),
    until,
    // The topics of the subscription before its last change are unknown.
    since: subscription.updatedAt,
    topicPatterns: [topicName, ...additionalTopicNames].map((name) => name.replace("*", "%")),
    facilityCode: facilityCode === "*" ? undefined : facilityCode,
    deliveriesFrom: idBoundary(check.sinceMs - clockMsMax),
  };
  if (range.after >= until) return Promise.resolve(0);
  return check.isRepairing ? addMissed(check, subscription, range) : countMissed(check, range);
}

async function countMissed({ database, clientId }: EventsCheck, range: repository.MissedRange): Promise<number> {
  return (await database.transaction((tx) => repository.listMissed(tx.of(clientId), range, pageMax), limits)).length;
}

/** Adds under the lock of the cursor: no other transaction fans the same events out. */
async function addMissed(
  { database, ids, nowMs, clientId }: EventsCheck,
  { webhookId }: Subscription,
  range: repository.MissedRange,
): Promise<number> {
  const at = new Date(nowMs).toISOString();
  return database.transaction(async (tx) => {
    const view = tx.of(clientId);
    await openCursor(view);
    const missed = await repository.listMissed(view, range, pageMax);
    const wanted = missed.map((event) => ({
      webhookId,
      eventId: event.event_id,
      position: event.position,
      topicName: event.topic,
      objectType: event.object_type,
      objectId: event.object_id,
    }));
    await addDeliveries(view, ids, at, wanted);
    return missed.length;
  }, limits);
}

const adjusted = "inventory:adjusted";

/** The findings of the pages before. */
interface FoundDocuments {
  /** Adjustments with an earlier event. */
  readonly adjustments: Set<string>;
  /** An event has its document: the log has reached the release that derives the ids of documents. */
  hasFound: boolean;
  /** The moment of the first event. The first events of its adjustment may lie before the checked range. */
  firstAt: string | undefined;
}

/** The events of an adjustment happen at one moment in one facility. */
const adjustmentOf = ({ occurred_at, facility_code }: repository.CheckedEvent) => `${occurred_at} ${facility_code}`;

/**
 * The events that always cause an outbound document. An adjustment has an event for each SKU, and its first one has the
 * ADJ. A report on an announced return has up to two events, and its last one has the RS. Unannounced goods have an RS
 * only in a client's setting, which may have changed since: they are not checked.
 */
function causesOf(
  events: readonly repository.CheckedEvent[],
  { adjustments, firstAt }: FoundDocuments,
): repository.CheckedEvent[] {
  const seen = new Set<string>();
  const closed = new Set(
    events.filter(({ topic }) => topic === "return:closed").map((event) => `${event.occurred_at} ${event.object_id}`),
  );
  const lastAt = events.at(-1)?.occurred_at;
  return events.filter((event) => {
    const { topic, rma_number, occurred_at, object_id } = event;
    if (topic === adjusted) {
      const adjustment = adjustmentOf(event);
      const isFirst = !adjustments.has(adjustment) && !seen.has(adjustment) && occurred_at !== firstAt;
      seen.add(adjustment);
      return isFirst;
    }
    if (topic === "return:received") {
      // The close may follow on the next page.
      return rma_number !== null && occurred_at !== lastAt && !closed.has(`${occurred_at} ${object_id}`);
    }
    return documentOf[topic] !== undefined && (topic !== "return:closed" || rma_number !== null);
  });
}

/** Those of the events that always cause an outbound document, and have none. */
async function findUndocumented(
  { database, clientId }: EventsCheck,
  events: readonly repository.CheckedEvent[],
  known: FoundDocuments,
): Promise<repository.CheckedEvent[]> {
  const causes = causesOf(events, known);
  if (causes.length === 0) return [];
  const idsOf = causes.map(({ event_id }) => companionOf(event_id)).sort();
  const found = new Set(await database.transaction((tx) => repository.listDocuments(tx.of(clientId), idsOf), limits));
  const missing: repository.CheckedEvent[] = [];
  known.hasFound ||= found.size > 0;
  for (const event of causes.filter(({ event_id }) => !found.has(companionOf(event_id))).slice(0, shownMax)) {
    // An ADJ of releases before 0.2.0 cannot be found by its event.
    const mayBeOfBefore =
      event.topic === adjusted ? !known.hasFound : await hasDocumentOfBefore(database, clientId, event);
    if (!mayBeOfBefore) missing.push(event);
  }
  return missing;
}

/** Documents of releases before 0.2.0 have a separate id: a document about the same object belongs to the event. */
async function hasDocumentOfBefore(
  database: Database,
  clientId: string,
  { topic, object_id, occurred_at, event_id }: repository.CheckedEvent,
): Promise<boolean> {
  const type = documentOf[topic] as string;
  const from = idBoundary(Date.parse(occurred_at) - clockMsMax);
  const about = await database.transaction(
    (tx) =>
      topic.startsWith("feed:")
        ? repository.listDocumentsOfFeed(tx.of(clientId), object_id)
        : repository.listDocumentsAbout(tx.of(clientId), { type, objectId: object_id, from }),
    limits,
  );
  const companionIds = about.map(({ message_id }) => companionOf(message_id)).sort();
  const events =
    companionIds.length === 0
      ? []
      : await database.transaction((tx) => repository.listEventIds(tx.of(clientId), companionIds), limits);
  return about.length > events.length && !events.includes(event_id);
}

/**
 * Documents without an event. Documents of releases before 0.2.0 have a separate id: the first document whose
 * event is found begins the check.
 */
async function checkDocuments({ database, clientId, sinceMs }: EventsCheck): Promise<BrokenEvents[]> {
  const broken: BrokenEvents[] = [];
  let hasBegun = false;
  for (let after = idBoundary(sinceMs); ; ) {
    const page = await database.transaction(
      (tx) => repository.listCheckedDocuments(tx.of(clientId), after, pageMax),
      limits,
    );
    const documents = page.filter(({ type }) => typesOfEvents.has(type));
    const eventIds = documents.map(({ message_id }) => companionOf(message_id)).sort();
    const found =
      eventIds.length === 0
        ? new Set<string>()
        : new Set(await database.transaction((tx) => repository.listEventIds(tx.of(clientId), eventIds), limits));
    for (const { message_id, type, object_id } of documents) {
      const hasEvent = found.has(companionOf(message_id));
      hasBegun ||= hasEvent;
      if (!hasBegun || hasEvent || broken.length >= shownMax) continue;
      broken.push({
        rule: "NO_EVENT",
        object: `${type} ${message_id} about ${object_id}`,
        found: 1,
        expected: 0,
        isRepaired: false,
      });
    }
    if (page.length < pageMax) return broken;
    after = page.at(-1)?.message_id as string;
  }
}
