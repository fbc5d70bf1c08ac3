import type { Database } from "#/db/database.ts";
import { isContention, isUnavailable, logLevelOf } from "#/db/errors.ts";
import { type ClientBehind, listClientsBehind } from "#/delivery/webhooks/cross-client-queries.ts";
import { listFannedOut } from "#/delivery/webhooks/event-repository.ts";
import type { Clock } from "#/kernel/clock.ts";
import { forEachAtOnce } from "#/kernel/gate.ts";
import type { Ids } from "#/kernel/ids.ts";
import type { Logger } from "#/kernel/log.ts";
import { startTurns, type Turns } from "#/kernel/turns.ts";
import { addDeliveries, listSubscriptions, openCursor, type WantedDelivery, wants } from "#/modules/webhooks/index.ts";

export interface FanOutContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** There is something to deliver for these subscriptions. */
  readonly onDeliveries: (clientId: string, webhookIds: ReadonlySet<string>) => void;
}

const pollMs = 1_000;
const paceMs = 20;
const clientsMax = 1_000;
/** One after the other, clients would wait for each other's commits; with the relay's and the dispatcher's they fill a pool. */
const clientsAtOnceMax = 2;
const eventsMax = 500;
/** As many subscriptions, each wanting each event, would make one transaction of 100,000 rows: it takes fewer events then. */
const deliveriesMax = 10_000;

const nothing = { webhookIds: new Set<string>(), hasMore: false };

/**
 * Makes a delivery of each event for each subscription that wants it, client by client, behind a cursor that is moved in the
 * same transaction: exactly once. Positions of the event log have no gaps in the order in which they can be seen, so a
 * cursor misses nothing.
 */
export function startFanOut({ database, clock, ids, log, onDeliveries }: FanOutContext): Turns {
  /** One batch of a client; answers whether there is more. */
  async function fanOut({ clientId, lastPosition }: ClientBehind): Promise<boolean> {
    const { webhookIds, hasMore } = await database.transaction(async (tx) => {
      const cursor = await openCursor(tx, clientId);
      if (cursor === undefined) return nothing;
      const subscriptions = (await listSubscriptions(tx, clientId)).filter(({ kind }) => kind === "WEBHOOK");
      const limit = Math.max(1, Math.min(eventsMax, Math.floor(deliveriesMax / Math.max(1, subscriptions.length))));
      const events = await listFannedOut(tx, clientId, cursor.position, limit);
      const hasMore = events.length === limit;
      // Behind the last event no other may ever have been: a restore leaves positions out, and months go.
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
      await addDeliveries(tx, ids, clientId, new Date(clock.now()).toISOString(), wanted);
      cursor.moveTo(upTo);
      return { webhookIds: new Set(wanted.map(({ webhookId }) => webhookId)), hasMore };
    });
    if (webhookIds.size > 0) onDeliveries(clientId, webhookIds);
    return hasMore;
  }

  /** Each client gets one batch, so that a busy one delays no other. */
  async function turn(isStopping: () => boolean): Promise<boolean> {
    let hasMore = false;
    const behind = (await listClientsBehind(database)).slice(0, clientsMax);
    await forEachAtOnce(behind, clientsAtOnceMax, async (behind) => {
      if (isStopping()) return;
      try {
        if (await fanOut(behind)) hasMore = true;
      } catch (error) {
        if (isUnavailable(error)) throw error;
        if (!isContention(error))
          log.error({ err: error, clientId: behind.clientId }, "events could not be fanned out");
      }
    });
    return hasMore;
  }

  const onInterrupted = (error: Error) => log[logLevelOf(error)]({ err: error }, "fanning out was interrupted");
  return startTurns({ turn, onInterrupted, paceMs, pollMs });
}
