import type { ClientTx } from "#/db/database.ts";
import { eventBody } from "#/delivery/webhooks/events/event-body.ts";
import { listEventsById } from "#/delivery/webhooks/fan-out/event-repository.ts";

/** The message of an event: the same in every attempt, because its content never changes. */
export interface Message {
  /** The header webhook-id. */
  readonly id: string;
  readonly body: string | Buffer;
}

/** Returns messages by event id; events that are no longer kept are missing. */
export type MessageSource = (tx: ClientTx, eventIds: readonly string[]) => Promise<ReadonlyMap<string, Message>>;

/** Messages of the event log. */
export const readEventMessages: MessageSource = async (tx, eventIds) => {
  if (eventIds.length === 0) return new Map();
  const events = await listEventsById(tx, eventIds);
  return new Map(
    events.map((event) => {
      const body = eventBody(tx.clientId, event);
      return [event.event_id, { id: body.id, body: JSON.stringify(body) }];
    }),
  );
};
