import type { Tx } from "#/store/db/database.ts";
import { acrossClients as sql } from "#/store/db/sql.ts";

/**
 * Clients with events that have not been fanned out, in no order. A client that never had a subscription has no cursor.
 *
 * The query returns all of them. With a smaller limit the planner looks up each client in both tables, two pages for
 * each, instead of reading both small tables once.
 */
export function listClientBacklogs(tx: Tx): Promise<ClientBacklog[]> {
  return tx.query(
    sql`select c.client_id as "clientId", c.last_position as "fannedOutPosition", l.last_position as "lastPosition"
      from webhook_cursor c join outbox_lane l on l.client_id = c.client_id
      where l.last_position > c.last_position limit 100000`,
  );
}

/** Clients whose cursor is ahead of their event log: their next events would have no deliveries. */
export async function listCursorsAhead(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select c.client_id from webhook_cursor c join outbox_lane l on l.client_id = c.client_id
      where c.last_position > l.last_position limit 100000`,
  );
  return rows.map(({ client_id }) => client_id);
}

export interface ClientBacklog {
  readonly clientId: string;
  /** The position of the last event that has deliveries. */
  readonly fannedOutPosition: number;
  /** The last assigned position: a later read lacks no event up to it. */
  readonly lastPosition: number;
}

/** A facility with webhooks, and the position of its task feed up to which events were written. */
export interface TaskReader {
  readonly tenantId: string;
  readonly position: number;
}

/** The facilities with webhooks, in no order: usually few or none. */
export function listTaskReaders(tx: Tx): Promise<TaskReader[]> {
  return tx.query(
    sql`select client_id as "tenantId", task_position as position from webhook_cursor
      where task_position is not null limit 10000`,
  );
}

export interface LaneName {
  readonly clientId: string;
  readonly webhookId: string;
}

const laneName = sql`client_id as "clientId", webhook_id as "webhookId"`;

/**
 * Due lanes without a holder, those first that have waited longest. Moments ISO 8601 UTC.
 * @param leaseMost the latest end of a lease that is taken now: a lease with a later end is void.
 */
export function listDueLanes(tx: Tx, at: string, leaseMost: string, limit: number): Promise<LaneName[]> {
  return tx.query(
    sql`select ${laneName} from webhook_lane
      where due_at is not null and due_at <= ${at}::timestamptz and (lease_until is null
        or lease_until < ${at}::timestamptz or lease_until > ${leaseMost}::timestamptz)
      order by due_at limit ${limit}`,
  );
}

/** Lanes that are due after a moment, the last ones first. @param after ISO 8601 UTC. */
export function listLanesAhead(tx: Tx, after: string, limit: number): Promise<LaneName[]> {
  return tx.query(
    sql`select ${laneName} from webhook_lane
      where due_at is not null and due_at > ${after}::timestamptz order by due_at desc limit ${limit}`,
  );
}

/**
 * Lanes whose incident is due for a check, the longest due first. Moments ISO 8601 UTC.
 * @param dueMost the latest possible due time: a later one comes from a clock that was ahead.
 */
export function listDueIncidents(tx: Tx, at: string, dueMost: string, limit: number): Promise<LaneName[]> {
  return tx.query(sql`select ${laneName}
    from webhook_lane where incident_due_at is not null
      and (incident_due_at <= ${at}::timestamptz or incident_due_at > ${dueMost}::timestamptz)
    order by incident_due_at limit ${limit}`);
}
