import { randomUUID } from "node:crypto";
import type { Database, Transaction } from "#/db/database.ts";
import { isContention, isUnavailable, LeaseLostError, scopeOf } from "#/db/errors.ts";
import { aheadMsMax } from "#/db/store/clock.ts";
import type { Clock } from "#/kernel/clock.ts";
import { type Batch, startFairTurns } from "#/kernel/concurrency/fair-turns.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { createOutboxWriter, type EventDraft } from "#/outbox/append.ts";
import { listDueClients } from "#/outbox/outbox.cross-client.ts";
import { createPublishTrace, type PublishTrace, type TracedWork, type TraceOrigins } from "#/outbox/publish-trace.ts";
import * as repository from "#/outbox/repository.ts";

/**
 * What happens because something happened, in the transaction that publishes it: exactly once. Events that a consumer
 * answers are published right behind those that caused them; those of an object of which more is waiting, behind that.
 * A consumer is called for several clients at the same time, and for one client once at a time.
 */
export interface Consumer {
  /** Topics whose data `consume` looks at; of all others it sees topic and object only. */
  readonly topics?: readonly string[];
  /** What its work is called in traces, and which rows make it work; without it none is told of. */
  readonly span?: TracedWork;
  /**
   * Set-wise; throwing makes the relay try the rows one by one, and give up on the one that fails.
   * @param rows what is being published, and behind it what the consumers before this one have caused.
   */
  consume(
    tx: Transaction,
    clientId: string,
    at: string,
    rows: readonly repository.OutboxRow[],
  ): Promise<readonly EventDraft[]>;
  /** A row was given up. What this causes is seen by the consumers behind, as what `consume` causes is. */
  giveUp?(tx: Transaction, clientId: string, at: string, row: repository.OutboxRow): Promise<readonly EventDraft[]>;
  /** Called when the rows are published: a hint only, for what can also be found by looking. */
  afterwards?(clientId: string, rows: readonly repository.OutboxRow[]): void;
}

/**
 * Publishes outbox rows as events, client by client, each in its own gap-free order. It is woken by hints and by a poll
 * each second, so that a lost hint costs latency only. A client's lane is held by a lease with a fence: a dead relay's
 * lane is taken over when its lease has run out, and whoever lost a lease settles nothing.
 */
export interface Relay {
  /** A hint that there is work. */
  wake(): void;
  /** Finishes the batch under way. */
  stop(): Promise<void>;
}

export interface RelayContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly consumers: readonly Consumer[];
  readonly onError: (error: Error, clientId?: string) => void;
  /** After a restore: nothing is published, and nothing follows of it, as long as this says so. */
  readonly isHeld?: () => boolean;
  /** Which documents the objects of events come from, for traces. */
  readonly findOrigins?: TraceOrigins;
  /** For tests that kill relays. */
  readonly leaseMs?: number;
  readonly pollMs?: number;
}

/** Longer than a statement may take, short enough that the work of a relay that was killed goes on within seconds. */
const leaseMsDefault = 5_000;
const batchRowsMax = 500;
/** Of a batch: its rows' lines, KiB and number. */
const sizes = { sizeMin: 100, sizeMax: 2_000 };
const clientsMax = 10_000;
/** One after the other, clients would wait for each other's commits; more at a time would take the connections of others. */
const clientsAtOnceMax = 4;
const triesMax = 3;
/** Rows go one by one for about so long, then it is another client's turn. */
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
  const topics = consumers.flatMap((consumer) => consumer.topics ?? []);
  /** Clients whose marks were cleared here and whose rows are not published yet. */
  const unfinished = new Set<string>();
  /** Of clients whose last batch failed for a reason of its own: how many rows go one by one. */
  const singly = new Map<string, number>();
  let isStopping = false;

  const iso = (ms: number) => new Date(ms).toISOString();

  async function publish(clientId: string, size: number, rowsMax = batchRowsMax): Promise<Batch> {
    const nowMs = clock.now();
    unfinished.add(clientId);
    const lane = await database.transaction((tx) => takeWork(tx, clientId, nowMs));
    if (!lane) {
      // Whoever has the lane now reads after it took it, so what our cleared marks stood for is seen there.
      held.delete(clientId);
      unfinished.delete(clientId);
      return nothing;
    }
    held.set(clientId, lane);
    const { fence, position } = lane;
    const trace = createPublishTrace(context.findOrigins);
    const published = await database.transaction(async (tx) => {
      const { rows, weight, hasMore } = await repository.listPending(tx, clientId, topics, { size, rowsMax });
      // Asked for after the rows were read: what comes of a document must not be older than the document.
      const at = iso(clock.now());
      const { caused, hasPutOff } =
        rows.length === 0
          ? { caused: [], hasPutOff: false }
          : await consumeAll(tx, clientId, at, rows, position, trace);
      if (rows.length > 0) {
        const outboxIds = rows.map(({ outbox_id }) => outbox_id);
        repository.publishRows(tx, clientId, position, outboxIds);
        repository.deletePublished(tx, clientId, outboxIds);
      }
      if (caused.length > 0) repository.insertEvents(tx, clientId, caused);
      if (hasMore) repository.mark(tx, clientId, slot);
      const events = rows.length + caused.length;
      const settled = await repository.settleLane(tx, clientId, {
        fence,
        position: position + events,
        owner: hasMore ? owner : undefined,
        leaseUntil: iso(nowMs + leaseMs),
      });
      if (!settled) throw new LeaseLostError(`the lane of ${clientId} has another owner`);
      return { rows, weight, events, hasMore, hasPutOff };
    });
    metrics.outboxPublished.inc(published.events);
    // What was put off has its mark, and is not to wait for the next poll.
    if (published.hasPutOff) turns.wake();
    unfinished.delete(clientId);
    if (!published.hasMore) held.delete(clientId);
    else held.set(clientId, { fence, position: position + published.events, leaseUntilMs: nowMs + leaseMs });
    if (published.rows.length > 0) for (const consumer of consumers) consumer.afterwards?.(clientId, published.rows);
    await trace?.end(database, clientId, published.rows, published.events);
    return { weight: published.weight, hasMore: published.hasMore };
  }

  /**
   * Makes sure of the client's lane, and clears its marks: before its rows are read, and in a short transaction of its own,
   * because writers wait for the marks. Undefined: somebody else has the lane.
   */
  async function takeWork(tx: Transaction, clientId: string, nowMs: number): Promise<HeldLane | undefined> {
    let lane = held.get(clientId);
    if (!lane || lane.leaseUntilMs < nowMs + leaseMs / 2) {
      const leaseUntilMs = nowMs + leaseMs;
      const claimed = lane
        ? await renew(tx, clientId, lane, iso(leaseUntilMs))
        : await repository.claimLane(tx, clientId, owner, iso(nowMs), iso(leaseUntilMs));
      if (!claimed) return undefined;
      lane = { fence: claimed.fence, position: claimed.last_position, leaseUntilMs };
    }
    await repository.clearMarks(tx, clientId);
    return lane;
  }

  async function renew(
    tx: Transaction,
    clientId: string,
    lane: HeldLane,
    leaseUntil: string,
  ): Promise<repository.Lane | undefined> {
    const isOurs = await repository.settleLane(tx, clientId, { ...lane, owner, leaseUntil });
    return isOurs ? { fence: lane.fence, last_position: lane.position } : undefined;
  }

  /**
   * What the consumers cause, to be published right behind the rows. Consumers look at objects as they stand, under locks
   * that they wait for: something may have happened to one after the rows were read, or behind the last of them. What is
   * caused of such an object is written to the outbox, where it comes behind that, so that of each object all is told in
   * the order in which it happened.
   */
  async function consumeAll(
    tx: Transaction,
    clientId: string,
    at: string,
    rows: readonly repository.OutboxRow[],
    position: number,
    trace: PublishTrace | undefined,
  ): Promise<{ readonly caused: readonly repository.PublishedEvent[]; readonly hasPutOff: boolean }> {
    const caused: repository.PublishedEvent[] = [];
    const seen = [...rows];
    const putOff: EventDraft[] = [];
    for (const consumer of consumers) {
      const startedMs = performance.now();
      const answered = await consumer.consume(tx, clientId, at, seen);
      if (consumer.span) trace?.note(consumer.span, seen, startedMs);
      const waiting = await findWaiting(tx, clientId, rows, answered);
      const drafts = answered.filter((draft) => !waiting.has(nameOf(draft)));
      putOff.push(...answered.filter((draft) => waiting.has(nameOf(draft))));
      const events = publishedOf(drafts, at, position + rows.length + caused.length);
      caused.push(...events);
      seen.push(...drafts.map((draft, i) => rowOf(draft, events[i] as repository.PublishedEvent)));
    }
    writer.append(tx, clientId, at, putOff);
    return { caused, hasPutOff: putOff.length > 0 };
  }

  const nameOf = ({ objectType, objectId }: EventDraft) => `${objectType} ${objectId}`;

  async function findWaiting(
    tx: Transaction,
    clientId: string,
    rows: readonly repository.OutboxRow[],
    drafts: readonly EventDraft[],
  ): Promise<ReadonlySet<string>> {
    // A document's end is told once, and nothing else of it waits.
    const objectIds = [
      ...new Set(drafts.flatMap(({ objectType, objectId }) => (objectType === "feed" ? [] : objectId))),
    ];
    if (objectIds.length === 0) return new Set();
    const outboxIds = rows.map(({ outbox_id }) => outbox_id);
    return new Set(await repository.listObjectsWaiting(tx, clientId, objectIds, outboxIds));
  }

  /** What a consumer has caused, as the next one sees it. */
  function rowOf(draft: EventDraft, { eventId, occurredAt }: repository.PublishedEvent): repository.OutboxRow {
    return {
      outbox_id: eventId,
      topic: draft.topic,
      object_type: draft.objectType,
      object_id: draft.objectId,
      facility_code: draft.facilityCode ?? null,
      feed_token: draft.feedToken ?? null,
      data: draft.data,
      occurred_at: occurredAt,
      outbound: draft.outbound ?? null,
      tries: 0,
    };
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

  /** What was only in another's way, or took too long, says nothing about the rows: they are tried again as often as it takes. */
  function isNoFaultOfRows(error: unknown): boolean {
    return isUnavailable(error) || isContention(error) || error instanceof LeaseLostError;
  }

  /** A batch failed for a reason of its own: its rows go one by one, so that only the one that cannot be handled stays. */
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
    await database.transaction(async (tx) => {
      const [row] = (await repository.listPending(tx, clientId, topics, { size: 1, rowsMax: 1 })).rows;
      if (!row || !lane) return;
      const isLast = row.tries + 1 >= triesMax;
      onError(error, clientId);
      await repository.noteFailure(tx, clientId, row.outbox_id, error.message.slice(0, 1000), isLast);
      const events = isLast ? await giveUp(tx, clientId, at, row, lane.position) : [];
      if (events.length > 0) repository.insertEvents(tx, clientId, events);
      repository.mark(tx, clientId, slot);
      const settled = await repository.settleLane(tx, clientId, {
        fence: lane.fence,
        position: lane.position + events.length,
        owner,
        leaseUntil: iso(clock.now() + leaseMs),
      });
      if (!settled) throw new LeaseLostError(`the lane of ${clientId} has another owner`);
      lane.position += events.length;
    });
  }

  /** What giving a row up causes. As with rows that are published, each consumer sees what those before it have caused. */
  async function giveUp(
    tx: Transaction,
    clientId: string,
    at: string,
    row: repository.OutboxRow,
    position: number,
  ): Promise<repository.PublishedEvent[]> {
    const events: repository.PublishedEvent[] = [];
    const seen: repository.OutboxRow[] = [];
    for (const consumer of consumers) {
      const drafts = [
        ...((await consumer.giveUp?.(tx, clientId, at, row)) ?? []),
        ...(seen.length === 0 ? [] : await consumer.consume(tx, clientId, at, seen)),
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
        // The lane stays ours, and so do the rows.
        singly.set(clientId, batchRowsMax);
        return await publishSingly(clientId);
      }
    } catch (error) {
      held.delete(clientId);
      throw error;
    }
  }

  const turns = startFairTurns<string>({
    ...sizes,
    async find() {
      if (context.isHeld?.()) return new Map();
      const nowMs = clock.now();
      const due = await listDueClients(database, iso(nowMs), iso(nowMs + leaseMs + aheadMsMax), clientsMax);
      return new Map([...due, ...unfinished].map((clientId) => [clientId, clientId]));
    },
    work: (clientId, _work, size) => serve(clientId, size),
    scopeOf,
    onError,
    ...{ placesMax: clientsAtOnceMax, paceMs, pollMs },
  });

  return {
    wake: () => turns.wake(),
    async stop() {
      isStopping = true;
      await turns.stop();
      for (const [clientId, { fence, position }] of held) {
        // Given back, so that the next relay need not wait for the lease to run out; where marks are gone the lease is what
        // the next one finds the work by.
        if (unfinished.has(clientId)) continue;
        await repository
          .settleLane(database, clientId, { fence, position, owner: undefined, leaseUntil: iso(clock.now()) })
          .catch(() => {});
      }
    },
  };
}
