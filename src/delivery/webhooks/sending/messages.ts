import type { Tx } from "#/db/database.ts";
import { eventBody } from "#/delivery/webhooks/events/event-body.ts";
import { listEventsById } from "#/delivery/webhooks/fan-out/event-repository.ts";

/** What is sent of an event: the same on every try, because it is made of what never changes. */
export interface Message {
  /** The header webhook-id. */
  readonly id: string;
  readonly body: string | Buffer;
}

/** Answers by event id; what is not kept any more is missing. */
export type MessageSource = (
  tx: Tx,
  clientId: string,
  eventIds: readonly string[],
) => Promise<ReadonlyMap<string, Message>>;

/** Messages of the event log. */
export const readEventMessages: MessageSource = async (tx, clientId, eventIds) => {
  if (eventIds.length === 0) return new Map();
  const events = await listEventsById(tx, clientId, eventIds);
  return new Map(
    events.map((event) => {
      const body = eventBody(clientId, event);
      return [event.event_id, { id: body.id, body: JSON.stringify(body) }];
    }),
  );
};
