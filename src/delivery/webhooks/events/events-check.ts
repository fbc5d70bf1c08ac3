import { findPositionSince } from "#/delivery/webhooks/events/event-list.ts";
import * as repository from "#/delivery/webhooks/events/events-check-repository.ts";
import { receives, type Subscription, topicNamesOf } from "#/delivery/webhooks/subscriptions/subscription.ts";
import { listSubscriptions } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import { eventDocumentTypes } from "#/kernel/feed-types.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import { companionOf, idBoundary } from "#/kernel/values/ids.ts";
import type { ClientTx, Database } from "#/store/db/database.ts";

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
  /** Names the finding over several checks, where the object does not: it leaves out a position that moves. */
  readonly key?: string;
  /** A position, a sequence, or a number of events. */
  readonly found: number;
  readonly expected: number;
}

/** Each statement reads a page of the log or of the documents. */
const pageMax = 2_000;
/** The events of one moment are on one page: an adjustment has an event for each of its lots. */
const momentMax = 20_000;
/** Ids of the first events of a range differ from the order of their positions by at most this number. */
const lookedMax = 10_000;
const limits = { statementTimeoutMs: 10_000 };
/** Findings of each rule. */
const shownMax = 100;
/** Objects whose last sequence is remembered: some 20 MB. */
const objectsMax = 100_000;
/** The clock that created a delivery may lag behind the clock of its event. */
const clockMsMax = minuteMs;

const adjusted = "inventory:adjusted";
/** The events that cause an outbound document always (outbound.md); other events cause one at times. */
const causes: ReadonlySet<string> = new Set([
  "feed:processed",
  "feed:failed",
  "goodsReceipt:received",
  "order:backordered",
  "order:partiallyAllocated",
  "order:allocated",
  "order:packed",
  "order:partiallyDespatched",
  "order:delivered",
  "order:returnedToSender",
  "order:cancelled",
  "return:received",
  "return:closed",
  adjusted,
]);
const typesOfEvents: ReadonlySet<string> = new Set(eventDocumentTypes);

export interface EventsCheck {
  readonly database: Database;
  readonly clientId: string;
  /** Events since then (Unix milliseconds). */
  readonly sinceMs: number;
}

type Read = <T>(query: (tx: ClientTx) => Promise<T>) => Promise<T>;

/**
 * Checks for a client that positions of its events are unique and have no gaps, and that each object's sequence has no
 * gaps; that every subscription has a delivery of each event that it wants (webhooks.md §2); and that each event has its
 * outbound document, and each document its event (outbound.md). It reads page by page.
 */
export async function checkEvents({ database, clientId, sinceMs }: EventsCheck): Promise<readonly BrokenEvents[]> {
  const read: Read = (query) => database.transaction((tx) => query(tx.of(clientId)), limits);
  const counters = await read(repository.findCounters);
  if (counters === undefined) return [];
  const { cursor, last_position } = counters;
  const newest = counters.newest ?? 0;
  const last = Math.max(last_position, newest);
  const broken: BrokenEvents[] = [];
  if (last_position < newest)
    broken.push({ rule: "LANE_BEHIND", object: "the lane", found: last_position, expected: newest });
  if (cursor !== null && cursor > last)
    broken.push({ rule: "CURSOR_AHEAD", object: "the cursor", found: cursor, expected: last });
  return [...broken, ...(await checkLog(read, counters, sinceMs)), ...(await checkDocuments(read, sinceMs))];
}

async function checkLog(read: Read, counters: repository.Counters, sinceMs: number): Promise<BrokenEvents[]> {
  const cursor = counters.cursor ?? 0;
  const newest = counters.newest ?? 0;
  const subscriptions = (cursor === 0 ? [] : await read(listSubscriptions)).filter(
    ({ kind, status }) => kind === "WEBHOOK" && receives(status),
  );
  // A restore skipped positions and sequences: only duplicates are broken.
  const follow = followLog(counters.sequence_base > 0);
  const undelivered = new Map<string, { readonly first: number; readonly count: number }>();
  const undocumented: BrokenEvents[] = [];
  const findUndocumented = undocumentedOf(read);
  const from = await read((tx) => findPositionSince(tx, idBoundary(sinceMs), lookedMax));
  for (let after = from === undefined ? newest : from - 1; after < newest; ) {
    const page = await readPage(read, after, newest);
    const last = page.at(-1)?.position;
    if (last === undefined) break;
    const span = { after, until: Math.min(cursor, last), deliveriesFrom: idBoundary(sinceMs - clockMsMax) };
    for (const subscription of span.until > after ? subscriptions : []) {
      const { first, count } = await read((tx) => repository.countMissed(tx, rangeOf(subscription, span)));
      if (first === null) continue;
      const before = undelivered.get(subscription.webhookId) ?? { first, count: 0 };
      undelivered.set(subscription.webhookId, { ...before, count: before.count + count });
    }
    undocumented.push(...(await findUndocumented(page)).slice(0, shownMax - undocumented.length));
    follow.add(page);
    after = last;
  }
  const missed = [...undelivered].map(([webhookId, { first, count }]): BrokenEvents => {
    const key = `webhook ${webhookId}`;
    return { rule: "NOT_DELIVERED", object: `${key} from position ${first}`, key, found: count, expected: 0 };
  });
  return [...follow.broken(), ...missed, ...undocumented];
}

/** The events that a page compares with a subscription. The topics of the subscription before its last change are unknown. */
function rangeOf(
  subscription: Subscription,
  span: Pick<repository.MissedRange, "after" | "until" | "deliveriesFrom">,
): repository.MissedRange {
  const { webhookId, facilityCode, fromPosition, updatedAt } = subscription;
  return {
    ...span,
    webhookId,
    after: Math.max(span.after, fromPosition),
    since: updatedAt,
    topicPatterns: topicNamesOf(subscription).map((name) => name.replace("*", "%")),
    facilityCode: facilityCode === "*" ? undefined : facilityCode,
  };
}

/** Events of one moment stay on one page. */
async function readPage(read: Read, after: number, newest: number): Promise<repository.CheckedEvent[]> {
  const list = (limit: number) => read((tx) => repository.listChecked(tx, after, newest, limit));
  const events = await list(pageMax);
  const last = events.at(-1)?.occurred_at;
  // Only the trailing run: one moment may come again, because the relay splits a commit over batches.
  const end = events.findLastIndex(({ occurred_at }) => occurred_at !== last) + 1;
  const whole = events.length < pageMax ? events : events.slice(0, end);
  return whole.length > 0 || events.length === 0 ? whole : list(momentMax);
}

/** Compares positions and sequences with those before them. */
function followLog(hasLeftOut: boolean) {
  const ofPositions: BrokenEvents[] = [];
  const ofSequences: BrokenEvents[] = [];
  const sequences = new Map<string, number>();
  let before: number | undefined;
  const isBroken = (found: number, last: number) => (hasLeftOut ? found <= last : found !== last + 1);
  const push = (list: BrokenEvents[], finding: BrokenEvents) => list.length < shownMax && list.push(finding);
  return {
    broken: () => [...ofPositions, ...ofSequences],
    add(events: readonly repository.CheckedEvent[]): void {
      for (const { position, object_type, object_id, sequence } of events) {
        if (before !== undefined && isBroken(position, before)) {
          const rule = position === before ? "POSITION_TWICE" : "POSITION_LEFT_OUT";
          const object = `the event after position ${before}`;
          push(ofPositions, { rule, object, found: position, expected: before + 1 });
        }
        before = position;
        if (sequence === null) continue;
        const name = `${object_type} ${object_id}`;
        const last = sequences.get(name);
        if (last !== undefined && isBroken(sequence, last)) {
          const object = `${name} at position ${position}`;
          push(ofSequences, { rule: "SEQUENCE", object, found: sequence, expected: last + 1 });
        }
        // The objects that have rested longest are forgotten first.
        sequences.delete(name);
        sequences.set(name, sequence);
        if (sequences.size > objectsMax) sequences.delete(sequences.keys().next().value as string);
      }
    },
  };
}

/**
 * Events that together cause one document: an adjustment has an event for each SKU, and its first one has the ADJ; a
 * report on an announced return has up to two events, and its last one has the RS.
 */
function causeOf({ topic, occurred_at, facility_code, object_id, event_id }: repository.CheckedEvent): string {
  if (topic === adjusted) return `${occurred_at} ${facility_code}`;
  return topic.startsWith("return:") ? `${occurred_at} ${object_id}` : event_id;
}

/** Unannounced goods have an RS only in a client's setting, which may have changed since: they are not checked. */
const isCause = ({ topic, rma_number }: repository.CheckedEvent) =>
  causes.has(topic) && (!topic.startsWith("return:") || rma_number !== null);

/** Finds in each page the events that always cause an outbound document, and have none. */
function undocumentedOf(read: Read) {
  let firstAt: string | undefined;
  return async (page: readonly repository.CheckedEvent[]): Promise<BrokenEvents[]> => {
    firstAt ??= page[0]?.occurred_at;
    // The first events of the first adjustment may lie before the page.
    const events = page.filter(
      (event) => isCause(event) && (event.topic !== adjusted || event.occurred_at !== firstAt),
    );
    const messageIds = events.map(({ event_id }) => companionOf(event_id)).sort();
    const found = new Set(await read((tx) => repository.listDocuments(tx, messageIds)));
    const reported = new Set(events.filter(({ event_id }) => found.has(companionOf(event_id))).map(causeOf));
    const missing = events.filter((event) => {
      const isMissing = !reported.has(causeOf(event));
      reported.add(causeOf(event));
      return isMissing;
    });
    return missing.map(({ topic, object_type, object_id, position }) => {
      const object = `${topic} of ${object_type} ${object_id} at position ${position}`;
      return { rule: "NO_DOCUMENT", object, found: 0, expected: 1 };
    });
  };
}

async function checkDocuments(read: Read, sinceMs: number): Promise<BrokenEvents[]> {
  const broken: BrokenEvents[] = [];
  for (let after: string | undefined = idBoundary(sinceMs); after !== undefined && broken.length < shownMax; ) {
    const from: string = after;
    const page = await read((tx) => repository.listCheckedDocuments(tx, from, pageMax));
    const documents = page.filter(({ type }) => typesOfEvents.has(type));
    const eventIds = documents.map(({ message_id }) => companionOf(message_id)).sort();
    const found = new Set(await read((tx) => repository.listEventIds(tx, eventIds)));
    for (const { message_id, type, object_id } of documents.filter((d) => !found.has(companionOf(d.message_id)))) {
      broken.push({ rule: "NO_EVENT", object: `${type} ${message_id} about ${object_id}`, found: 1, expected: 0 });
    }
    after = page.at(-1)?.message_id;
  }
  return broken.slice(0, shownMax);
}
