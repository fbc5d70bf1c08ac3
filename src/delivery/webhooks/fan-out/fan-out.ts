import { addDeliveries, openCursor, type WantedDelivery } from "#/delivery/webhooks/deliveries/deliveries.ts";
import { listFannedOut } from "#/delivery/webhooks/events/event-list.ts";
import { findBacklog } from "#/delivery/webhooks/fan-out/backlog.ts";
import { type ClientBacklog, listClientBacklogs } from "#/delivery/webhooks/fan-out/fan-out.cross-client.ts";
import { wants } from "#/delivery/webhooks/subscriptions/subscription.ts";
import { listSubscriptions } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import type { Clock } from "#/kernel/clock.ts";
import { type Batch, type FairTurns, startFairTurns } from "#/kernel/concurrency/fair-turns.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { Database } from "#/store/db/database.ts";
import { isContention, isStoreAway, logLevelOf, scopeOf } from "#/store/db/errors.ts";

export interface FanOutContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** These subscriptions have new deliveries. */
  readonly onDeliveries: (clientId: string, webhookIds: ReadonlySet<string>) => void;
}

const pollMs = 1_000;
const paceMs = 20;
/** Slow clients share one of these; together with the relay's and the dispatcher's transactions they fill a pool. */
const clientsAtOnceMax = 3;
const eventsMax = 500;
/**
 * The size of a batch counts an event once for each subscription of its client. Otherwise 500 events of 200
 * subscriptions that each want every event make one transaction of 100,000 rows.
 */
const sizes = { sizeMin: 500, sizeMax: 10_000 };

const nothing = { webhookIds: new Set<string>(), weight: 0, hasMore: false };

/**
 * Creates a delivery of each event for each subscription that wants it, client by client. The same transaction moves
 * the cursor: exactly once. Positions of the event log become visible in order and without gaps, so a cursor misses no
 * event.
 */
export function startFanOut({ database, clock, ids, log, onDeliveries }: FanOutContext): FairTurns {
  async function fanOut({ clientId, lastPosition }: ClientBacklog, size: number): Promise<Batch> {
    const { webhookIds, ...batch } = await database.ofClient(clientId).transaction(async (tx) => {
      const view = tx.of(clientId);
      const cursor = await openCursor(view);
      if (cursor === undefined) return nothing;
      const subscriptions = (await listSubscriptions(view)).filter(({ kind }) => kind === "WEBHOOK");
      const weightOfEvent = Math.max(1, subscriptions.length);
      const limit = Math.max(1, Math.min(eventsMax, Math.floor(size / weightOfEvent)));
      const events = await listFannedOut(view, cursor.position, limit);
      const hasMore = events.length === limit;
      // The last positions may hold no event: a restore skips positions, and old months are dropped.
      const upTo = Math.max(events.at(-1)?.position ?? 0, hasMore ? 0 : lastPosition);
      if (upTo <= cursor.position) return nothing;
      const wanted = events.flatMap((event) =>
        subscriptions
          .filter((subscription) => wants(subscription, event))
          .map(
            ({ webhookId }): WantedDelivery => ({
              webhookId,
              eventId: event.event_id,
              position: event.position,
              topicName: event.topic,
              objectType: event.object_type,
              objectId: event.object_id,
            }),
          ),
      );
      await addDeliveries(view, ids, new Date(clock.now()).toISOString(), wanted);
      cursor.moveTo(upTo);
      return {
        webhookIds: new Set(wanted.map(({ webhookId }) => webhookId)),
        weight: events.length * weightOfEvent,
        hasMore,
      };
    });
    if (webhookIds.size > 0) onDeliveries(clientId, webhookIds);
    return batch;
  }

  return startFairTurns({
    name: "fan-out",
    ...sizes,
    find: async () =>
      new Map((await listClientBacklogs(database.lookUps)).map((backlog) => [backlog.clientId, backlog])),
    async findNamed(clientId) {
      const backlog = await findBacklog(database.ofClient(clientId).reads.of(clientId));
      return new Map(backlog === undefined ? [] : [[clientId, backlog]]);
    },
    work: (_clientId, backlog, size) => fanOut(backlog, size),
    scopeOf,
    onError(error, clientId) {
      if (clientId === undefined || isStoreAway(error))
        log[logLevelOf(error)]({ err: error }, "fanning out was interrupted");
      else if (!isContention(error)) log[logLevelOf(error)]({ err: error, clientId }, "events could not be fanned out");
    },
    placesMax: clientsAtOnceMax,
    paceMs,
    pollMs,
  });
}
