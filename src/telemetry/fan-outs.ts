import type { Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery } from "#/db/tenant.ts";
import { listClientsBehind } from "#/telemetry/telemetry.cross-client.ts";

export interface FanOutBehind {
  readonly clientId: string;
  readonly events: number;
  /** Time of the oldest of these events, ISO 8601 UTC. */
  readonly since: string;
}

/**
 * Clients with events that have no deliveries yet. The oldest event of each client takes one look-up by key; a join of
 * all clients scans the index of every month. After a restore, skipped positions have no event.
 */
export async function listFanOutsBehind(tx: Tx, limit: number): Promise<FanOutBehind[]> {
  const clients = await listClientsBehind(tx, limit);
  const behind = await Promise.all(
    clients.map(async ({ client_id: clientId, last_position: lastPosition, events }) => {
      const since = await findNextEventTime(tx, clientId, lastPosition);
      return since === undefined ? [] : [{ clientId, events, since }];
    }),
  );
  return behind.flat();
}

/** Time of the first event after a position. */
export async function findNextEventTime(tx: Tx, clientId: string, position: number): Promise<string | undefined> {
  const rows = await tenantQuery<{ occurred_at: string }>(
    tx,
    clientId,
    sql`select occurred_at from event
      where client_id = ${tenant} and position > 0 and position > ${position} order by position limit 1`,
  );
  return rows[0]?.occurred_at;
}
