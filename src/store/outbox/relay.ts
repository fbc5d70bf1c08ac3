import { randomUUID } from "node:crypto";
import type { Clock } from "#/kernel/clock.ts";
import { type Batch, startFairTurns } from "#/kernel/concurrency/fair-turns.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { ClientTransaction, Database } from "#/store/db/database.ts";
import { isContention, isUnavailable, LeaseLostError, scopeOf } from "#/store/db/errors.ts";
import { aheadMsMax } from "#/store/db/store/clock.ts";
import { createOutboxWriter, type EventDraft } from "#/store/outbox/append.ts";
import { listDueClients } from "#/store/outbox/outbox.cross-client.ts";
import {
  createPublishTrace,
  type PublishTrace,
  type TracedWork,
  type TraceOrigins,
} from "#/store/outbox/publish-trace.ts";
import * as repository from "#/store/outbox/repository.ts";

/**
 * Follow-up work of events, in the transaction that publishes them: exactly once. Events that a consumer returns are
 * published directly after those that caused them. If their object has further rows waiting, they are published after
 * those rows. The relay calls a consumer for several clients concurrently, and once at a time for one client.
 */
export interface Consumer {
  /** The name of its work in traces, and the rows that cause it; without it, traces omit the consumer. */
  readonly span?: TracedWork;
  /**
   * Handles rows in sets; if it throws, the relay tries the rows one by one, and gives up the failing one.
   * @param rows the rows being published, followed by the events of the previous consumers.
   */
  consume(tx: ClientTransaction, at: string, rows: readonly repository.OutboxRow[]): Promise<readonly EventDraft[]>;
  /** The relay gave up a row. Later consumers see the events that this returns, as they see those of `consume`. */
  giveUp?(tx: ClientTransaction, at: string, row: repository.OutboxRow): Promise<readonly EventDraft[]>;
  /** Called when the rows are published: only a hint, for work that polling also finds. */
  afterwards?(clientId: string, rows: readonly repository.OutboxRow[]): void;
}

/**
 * Publishes outbox rows as events, client by client, each in its own gap-free order. Hints and a poll each second wake
 * it up, so that a lost hint costs only latency. A client's lane is held by a lease with a fence. Another relay takes
 * over a dead relay's lane when its lease has expired, and a relay that lost its lease settles nothing.
 */
export interface Relay {
  /** A hint that rows are waiting. @param clientId whose, where that is known. */
  wake(clientId?: string): void;
  /** Finishes the batch in progress. */
  stop(): Promise<void>;
}

export interface RelayContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly consumers: readonly Consumer[];
  readonly onError: (error: Error, clientId?: string) => void;
  /** After a restore: no event is published and no follow-up work runs while this returns true. */
  readonly isHeld?: () => boolean;
  /** Finds the documents that created the events' objects, for traces. */
  readonly findOrigins?: TraceOrigins;
  /** For tests that kill relays. */
  readonly leaseMs?: number;
  readonly pollMs?: number;
}

/**
 * Longer than a statement may take, and short enough that another relay continues a killed relay's work within seconds.
 */
const leaseMsDefault = 5_000;
const batchEventsMax = 500;
/** The weight of a batch: its rows' lines, KiB and number. */
const sizes = { sizeMin: 100, sizeMax: 2_000 };
const clientsMax = 10_000;
/** One at a time, clients wait for each other's commits; more of them take the connections of others. */
const clientsAtOnceMax = 4;
const attemptsMax = 3;
/** Rows are published one by one for about this time, then another client has its turn. */
const singlyMs = 100;
const paceMs = 100;

const nothing: Batch = { weight: 0, hasMore: false };

interface HeldLane {
  readonly fence: number;
  position: number;
  readonly leaseUntilMs: number;
}

export function startRelay(context: RelayContext): Relay {
  const { database, clock, ids, consumers, onError, leaseMs = leaseMsDefault, pollMs = 1_000 } = context;
  const owner = randomUUID();
  const slot = randomUUID();
  const writer = createOutboxWriter(ids);
  const held = new Map<string, HeldLane>();
  /** Clients whose marks this relay has cleared and whose rows are not published yet. */
  const unfinished = new Set<string>();
  /** For clients whose last batch failed because of its rows: how many rows are published one by one. */
  const singly = new Map<string, number>();
  let isStopping = false;

  const iso = (ms: number) => new Date(ms).toISOString();

  async function publish(clientId: string, size: number, eventsMax = batchEventsMax): Promise<Batch> {
    const nowMs = clock.now();
    unfinished.add(clientId);
    const store = database.ofClient(clientId);
    const lane = await store.transaction((tx) => takeWork(tx.of(clientId), nowMs));
    if (!lane) {
      // The new holder of the lane reads after it took it, so it sees the rows of the cleared marks.
      held.delete(clientId);
      unfinished.delete(clientId);
      return nothing;
    }
    held.set(clientId, lane);
    const { fence, position } = lane;
    const trace = createPublishTrace(context.findOrigins);
    const published = await store.transaction(async (tx) => {
      const view = tx.of(clientId);
      const { rows, outboxIds, weight, hasMore } = await repository.listPending(view, { size, eventsMax });
      // Read after the rows: the result of a document must not be older than the document.
      const at = iso(clock.now());
      const { caused, hasPutOff } =
        rows.length === 0
          ? { caused: [], hasPutOff: false }
          : await consumeAll(view, at, rows, outboxIds, position, trace);
      if (rows.length > 0) {
        repository.insertEvents(view, [...rows.map((row, i) => eventOf(row, position + i + 1)), ...caused]);
        repository.deletePublished(view, outboxIds);
      }
      if (hasMore) repository.mark(view, slot);
      const events = rows.length + caused.length;
      const settled = await repository.settleLane(view, {
        fence,
        position: position + events,
        owner: hasMore ? owner : undefined,
        leaseUntil: iso(nowMs + leaseMs),
      });
      if (!settled) throw new LeaseLostError(`the lane of ${clientId} has another owner`);
      return { rows, weight, events, hasMore, hasPutOff };
    });
    metrics.outboxPublished.inc(published.events);
    // Postponed events have their mark, and must not wait for the next poll.
    if (published.hasPutOff) turns.wake(clientId);
    unfinished.delete(clientId);
    if (!published.hasMore) held.delete(clientId);
    else held.set(clientId, { fence, position: position + published.events, leaseUntilMs: nowMs + leaseMs });
    if (published.rows.length > 0) for (const consumer of consumers) consumer.afterwards?.(clientId, published.rows);
    await trace?.end(database.of(clientId), published.rows, published.events);
    return { weight: published.weight, hasMore: published.hasMore };
  }

  /**
   * Claims or renews the client's lane, and clears its marks. This precedes the reading of its rows, in a separate
   * short transaction, because writers wait for the marks. Undefined: another relay holds the lane.
   */
  async function takeWork(tx: ClientTransaction, nowMs: number): Promise<HeldLane | undefined> {
    let lane = held.get(tx.clientId);
    if (!lane || lane.leaseUntilMs < nowMs + leaseMs / 2) {
      const leaseUntilMs = nowMs + leaseMs;
      const claimed = lane ? await renew(tx, lane, iso(leaseUntilMs)) : await claim(tx, iso(nowMs), iso(leaseUntilMs));
      if (!claimed) return undefined;
      lane = { fence: claimed.fence, position: claimed.lastPosition, leaseUntilMs };
    }
    await repository.clearMarks(tx);
    return lane;
  }

  /**
   * Takes the lane, and the position after which its events begin. Positions are not unique in the store: a lane that
   * was set back, by hand or by a restore of one table, would assign positions that events have already.
   */
  async function claim(tx: ClientTransaction, at: string, leaseUntil: string): Promise<repository.Lane | undefined> {
    const [lane, newest] = await Promise.all([
      repository.claimLane(tx, owner, at, leaseUntil),
      repository.findNewestPosition(tx),
    ]);
    if (!lane || newest <= lane.lastPosition) return lane;
    const from = `it is at ${lane.lastPosition}, and the newest event at ${newest}`;
    onError(
      new Error(`the lane of ${tx.clientId} was set back: ${from}; the next event follows the newest`),
      tx.clientId,
    );
    return { ...lane, lastPosition: newest };
  }

  async function renew(
    tx: ClientTransaction,
    lane: HeldLane,
    leaseUntil: string,
  ): Promise<repository.Lane | undefined> {
    const isOurs = await repository.settleLane(tx, { ...lane, owner, leaseUntil });
    return isOurs ? { fence: lane.fence, lastPosition: lane.position } : undefined;
  }

  /**
   * Collects the events that the consumers cause, to be published directly after the rows. Consumers read the present
   * state of objects, under locks that they wait for: an object may have changed after the rows were read, or after the
   * last of them. Events of such an object are written to the outbox, after that change, so that each object's events
   * keep the order in which they happened.
   */
  async function consumeAll(
    tx: ClientTransaction,
    at: string,
    rows: readonly repository.OutboxRow[],
    outboxIds: readonly string[],
    position: number,
    trace: PublishTrace | undefined,
  ): Promise<{ readonly caused: readonly repository.PublishedEvent[]; readonly hasPutOff: boolean }> {
    const caused: repository.PublishedEvent[] = [];
    const seen = [...rows];
    const putOff: EventDraft[] = [];
    for (const consumer of consumers) {
      const startedMs = performance.now();
      const answered = await consumer.consume(tx, at, seen);
      if (consumer.span) trace?.note(consumer.span, seen, startedMs);
      const isWaiting = await findWaiting(tx, outboxIds, answered);
      const drafts = answered.filter((draft) => !isWaiting(draft));
      putOff.push(...answered.filter(isWaiting));
      const events = publishedOf(drafts, at, position + rows.length + caused.length);
      caused.push(...events);
      seen.push(...drafts.map((draft, i) => rowOf(draft, events[i] as repository.PublishedEvent)));
    }
    writer.append(tx, at, putOff);
    return { caused, hasPutOff: putOff.length > 0 };
  }

  /** Which of the drafts have an object with further rows. The end of a document is published once: no other event of it waits. */
  async function findWaiting(
    tx: ClientTransaction,
    outboxIds: readonly string[],
    drafts: readonly EventDraft[],
  ): Promise<(draft: EventDraft) => boolean> {
    const objectIds = [
      ...new Set(drafts.flatMap(({ objectType, objectId }) => (objectType === "feed" ? [] : objectId))),
    ];
    if (objectIds.length === 0) return () => false;
    const waiting = await repository.listObjectsWaiting(tx, objectIds, outboxIds);
    if (waiting === undefined) return ({ objectType }) => objectType !== "feed";
    const names = new Set(waiting);
    return ({ objectType, objectId }) => names.has(`${objectType} ${objectId}`);
  }

  /** An event of a consumer, as a row for the next one. */
  function rowOf(draft: EventDraft, { eventId, occurredAt }: repository.PublishedEvent): repository.OutboxRow {
    return {
      outboxId: eventId,
      topic: draft.topic,
      objectType: draft.objectType,
      objectId: draft.objectId,
      facilityCode: draft.facilityCode ?? null,
      feedToken: draft.feedToken ?? null,
      data: draft.data,
      occurredAt,
      outbound: draft.outbound ?? null,
      attempts: 0,
    };
  }

  function eventOf(row: repository.OutboxRow, position: number): repository.PublishedEvent {
    return { ...row, eventId: row.outboxId, position };
  }

  function publishedOf(drafts: readonly EventDraft[], at: string, position: number): repository.PublishedEvent[] {
    return drafts.map((draft, i) => ({
      eventId: ids.next(Date.parse(at)),
      position: position + i + 1,
      topic: draft.topic,
      objectType: draft.objectType,
      objectId: draft.objectId,
      facilityCode: draft.facilityCode,
      occurredAt: at,
      data: draft.data,
    }));
  }

  /** Contention or a timeout is not a fault of the rows: they are retried without limit. */
  function isNoFaultOfRows(error: unknown): boolean {
    return isUnavailable(error) || isContention(error) || error instanceof LeaseLostError;
  }

  /** A batch failed because of its rows: they are published one by one, so that only the failing one stays. */
  async function publishSingly(clientId: string): Promise<Batch> {
    const untilMs = performance.now() + singlyMs;
    let weight = 0;
    let left = singly.get(clientId) ?? 0;
    for (; left > 0 && !isStopping; left--) {
      if (performance.now() >= untilMs) {
        singly.set(clientId, left);
        return { weight, hasMore: true };
      }
      try {
        const batch = await publish(clientId, 1, 1);
        weight += batch.weight;
        if (!batch.hasMore) break;
      } catch (error) {
        if (isNoFaultOfRows(error)) throw error;
        await giveUpOrRetry(clientId, error as Error);
      }
    }
    singly.delete(clientId);
    return { weight, hasMore: left === 0 };
  }

  async function giveUpOrRetry(clientId: string, error: Error): Promise<void> {
    const at = iso(clock.now());
    const lane = held.get(clientId);
    await database.ofClient(clientId).transaction(async (tx) => {
      const view = tx.of(clientId);
      const pending = await repository.listPending(view, { size: 1, eventsMax: 1 });
      const [row] = pending.rows;
      if (!row || !lane) return;
      if (pending.isBundled) {
        // One of its events failed, and the others must not wait for it: each becomes a row, and is tried by itself.
        repository.divideBundle(view, pending);
        await settle(view, lane, 0);
        return;
      }
      const isLast = row.attempts + 1 >= attemptsMax;
      onError(error, clientId);
      await repository.noteFailure(view, row.outboxId, error.message.slice(0, 1000), isLast);
      const events = isLast ? await giveUp(view, at, row, lane.position) : [];
      if (events.length > 0) repository.insertEvents(view, events);
      await settle(view, lane, events.length);
      lane.position += events.length;
    });
  }

  /** Of a lane that keeps its work: the mark, the position after the events, the lease. */
  async function settle(tx: ClientTransaction, lane: HeldLane, events: number): Promise<void> {
    repository.mark(tx, slot);
    const settled = await repository.settleLane(tx, {
      fence: lane.fence,
      position: lane.position + events,
      owner,
      leaseUntil: iso(clock.now() + leaseMs),
    });
    if (!settled) throw new LeaseLostError(`the lane of ${tx.clientId} has another owner`);
  }

  /**
   * Collects the events that giving up a row causes. As with published rows, each consumer sees the events of the
   * previous ones.
   */
  async function giveUp(
    tx: ClientTransaction,
    at: string,
    row: repository.OutboxRow,
    position: number,
  ): Promise<repository.PublishedEvent[]> {
    const events: repository.PublishedEvent[] = [];
    const seen: repository.OutboxRow[] = [];
    for (const consumer of consumers) {
      const drafts = [
        ...((await consumer.giveUp?.(tx, at, row)) ?? []),
        ...(seen.length === 0 ? [] : await consumer.consume(tx, at, seen)),
      ];
      const caused = publishedOf(drafts, at, position + events.length);
      events.push(...caused);
      seen.push(...drafts.map((draft, i) => rowOf(draft, caused[i] as repository.PublishedEvent)));
    }
    return events;
  }

  async function serve(clientId: string, size: number): Promise<Batch> {
    if (isStopping || context.isHeld?.()) return nothing;
    try {
      if (singly.has(clientId)) return await publishSingly(clientId);
      try {
        return await publish(clientId, size);
      } catch (error) {
        if (isNoFaultOfRows(error)) throw error;
        // This relay keeps the lane and the rows.
        singly.set(clientId, batchEventsMax);
        return await publishSingly(clientId);
      }
    } catch (error) {
      held.delete(clientId);
      throw error;
    }
  }

  const turns = startFairTurns<string>({
    name: "publishing",
    ...sizes,
    async find() {
      if (context.isHeld?.()) return new Map();
      const nowMs = clock.now();
      const due = await listDueClients(database.lookUps, iso(nowMs), iso(nowMs + leaseMs + aheadMsMax), clientsMax);
      return new Map([...due, ...unfinished].map((clientId) => [clientId, clientId]));
    },
    findNamed: async (clientId) => new Map(context.isHeld?.() ? [] : [[clientId, clientId]]),
    work: (clientId, _work, size) => serve(clientId, size),
    scopeOf,
    onError,
    placesMax: clientsAtOnceMax,
    paceMs,
    pollMs,
  });

  return {
    wake: turns.wake,
    async stop() {
      isStopping = true;
      await turns.stop();
      for (const [clientId, { fence, position }] of held) {
        // Releases the lane, so that the next relay need not wait for the lease to expire. Where marks are cleared, the
        // lease stays: the next relay finds the work by it.
        if (unfinished.has(clientId)) continue;
        await repository
          .settleLane(database.of(clientId), { fence, position, owner: undefined, leaseUntil: iso(clock.now()) })
          .catch(() => {});
      }
    },
  };
}
