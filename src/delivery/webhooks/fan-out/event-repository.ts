import type { ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import type { LoggedEvent } from "#/delivery/webhooks/events/event-body.ts";

export type EventHead = Omit<LoggedEvent, "sequence" | "occurred_at" | "data">;

/** Events after a position, in their order, without their payload. */
export function listFannedOut(tx: ClientTx, after: number, limit: number): Promise<EventHead[]> {
  return tx.query(sql`select event_id, position, topic, object_type, object_id, facility_code from event
      where client_id = ${tenant} and position > 0 and position > ${after}::bigint order by position limit ${limit}`);
}

/** Those events with these ids that are still kept. */
export function listEventsById(tx: ClientTx, eventIds: readonly string[]): Promise<LoggedEvent[]> {
  return tx.query(sql`select event_id, position, topic, object_type, object_id, sequence, facility_code, occurred_at, data from event
      where client_id = ${tenant} and event_id = any(${eventIds}::uuid[]) limit ${eventIds.length}`);
}
