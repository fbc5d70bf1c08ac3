import type { Transaction } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery, tenantSend } from "#/db/tenant.ts";

/**
 * Locks the place up to which the client's events have been fanned out. Whoever changes what a client's subscriptions are
 * sent holds it, as fanning out does: so that no event is fanned out by what a subscription was a moment ago.
 *
 * @returns its position; undefined where the client has never had a subscription.
 */
export async function lockCursor(tx: Transaction, clientId: string): Promise<number | undefined> {
  const rows = await tenantQuery<{ last_position: number }>(
    tx,
    clientId,
    sql`select last_position from webhook_cursor where client_id = ${tenant} limit 1 for no key update`,
  );
  return rows[0]?.last_position;
}

/** Of the client's first subscription. Another one that is made at the same time is waited for, and leaves this undone. */
export async function insertCursor(tx: Transaction, clientId: string, position: number): Promise<void> {
  await tenantQuery(
    tx,
    clientId,
    sql`insert into webhook_cursor (client_id, last_position) values (${tenant}, ${position}::bigint)
      on conflict (client_id) do nothing returning last_position`,
  );
}

export function moveCursor(tx: Transaction, clientId: string, position: number): void {
  tenantSend(
    tx,
    clientId,
    sql`update webhook_cursor set last_position = ${position}::bigint where client_id = ${tenant}`,
  );
}

/** After a restore: whoever had fanned out all events is not behind because of positions that were left out. */
export function passLeftOut(tx: Transaction, clientId: string, positions: number): void {
  tenantSend(
    tx,
    clientId,
    sql`update webhook_cursor c set last_position = l.last_position from outbox_lane l
      where c.client_id = ${tenant} and l.client_id = ${tenant}
        and c.last_position = l.last_position - ${positions}::bigint`,
  );
}
