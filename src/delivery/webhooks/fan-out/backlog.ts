import { type ClientBacklog, listClientBacklogs } from "#/delivery/webhooks/fan-out/fan-out.cross-client.ts";
import type { ClientTx, Tx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

export interface FanOutBacklog {
  readonly clientId: string;
  readonly events: number;
  /** Time of the oldest of these events, ISO 8601 UTC. */
  readonly since: string;
}

/** Each client behind takes one look-up by key. */
const clientsMax = 1_000;

/**
 * Clients with events that have no deliveries yet; of more than 1,000 those with the most events. The oldest event of
 * each client takes one look-up by key; a join of all clients scans the index of every month. After a restore, skipped
 * positions have no event.
 *
 * @param clientIds null: all clients.
 */
export async function listFanOutBacklogs(tx: Tx, clientIds: readonly string[] | null = null): Promise<FanOutBacklog[]> {
  const among = clientIds === null ? undefined : new Set(clientIds);
  const clients = (await listClientBacklogs(tx))
    .filter(({ clientId }) => among?.has(clientId) ?? true)
    .map((client) => ({ ...client, events: client.lastPosition - client.fannedOutPosition }))
    .sort((a, b) => b.events - a.events)
    .slice(0, clientsMax);
  const backlogs = await Promise.all(
    clients.map(async ({ clientId, fannedOutPosition, events }) => {
      const since = await findNextEventTime(tx.of(clientId), fannedOutPosition);
      return since === undefined ? [] : [{ clientId, events, since }];
    }),
  );
  return backlogs.flat();
}

/** The client's backlog; undefined where all its events have deliveries, or no subscription wants any. */
export async function findBacklog(tx: ClientTx): Promise<ClientBacklog | undefined> {
  const rows = await tx.query<ClientBacklog>(
    sql`select c.client_id as "clientId", c.last_position as "fannedOutPosition", l.last_position as "lastPosition"
      from webhook_cursor c join outbox_lane l on l.client_id = c.client_id
      where c.client_id = ${tenant} and l.client_id = ${tenant} and l.last_position > c.last_position limit 1`,
  );
  return rows[0];
}

/** The client whose oldest event has waited longest. */
export function oldestBacklog(backlogs: readonly FanOutBacklog[]): FanOutBacklog | undefined {
  const [first] = [...backlogs].sort((a, b) => Date.parse(a.since) - Date.parse(b.since));
  return first;
}

/** Time of the first event after a position. */
export async function findNextEventTime(tx: ClientTx, position: number): Promise<string | undefined> {
  const rows = await tx.query<{ occurred_at: string }>(sql`select occurred_at from event
      where client_id = ${tenant} and position > 0 and position > ${position} order by position limit 1`);
  return rows[0]?.occurred_at;
}
