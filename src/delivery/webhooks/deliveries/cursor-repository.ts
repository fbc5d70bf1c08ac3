import type { ClientTransaction } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";

/**
 * Locks the client's fan-out cursor. A transaction that changes what a client's subscriptions receive holds this lock,
 * as fan-out does. No event is therefore fanned out by an outdated state of a subscription.
 *
 * @returns the cursor's position; undefined where the client has never had a subscription.
 */
export async function lockCursor(tx: ClientTransaction): Promise<number | undefined> {
  const rows = await tx.query<{ last_position: number }>(
    sql`select last_position from webhook_cursor where client_id = ${tenant} limit 1 for no key update`,
  );
  return rows[0]?.last_position;
}

/** Inserts the cursor of the client's first subscription. Waits for a concurrent insert and then does nothing. */
export async function insertCursor(tx: ClientTransaction, position: number): Promise<void> {
  await tx.query(sql`insert into webhook_cursor (client_id, last_position) values (${tenant}, ${position}::bigint)
      on conflict (client_id) do nothing returning last_position`);
}

/** Where the events of a facility's tasks continue: the position of its task feed up to which they were written. */
export interface TaskCursor {
  readonly last_position: number;
  readonly task_position: number | null;
}

/** Locks the cursor of a facility, as `lockCursor` does. */
export async function lockTaskCursor(tx: ClientTransaction): Promise<TaskCursor | undefined> {
  const rows = await tx.query<TaskCursor>(
    sql`select last_position, task_position from webhook_cursor where client_id = ${tenant} limit 1 for no key update`,
  );
  return rows[0];
}

export function moveTaskCursor(tx: ClientTransaction, position: number): void {
  tx.send(sql`update webhook_cursor set task_position = ${position}::bigint where client_id = ${tenant}`);
}

/** The first webhook of a facility: events start at the end of its task feed. */
export function startTaskCursor(tx: ClientTransaction, position: number): void {
  tx.send(sql`update webhook_cursor set task_position = ${position}::bigint
      where client_id = ${tenant} and task_position is null`);
}

/** After the deletion of a facility's last webhook, no more events of its tasks are written. */
export function endTaskCursor(tx: ClientTransaction): void {
  tx.send(sql`update webhook_cursor set task_position = null where client_id = ${tenant}`);
}

/** Inserts the rows of a facility that a client has since its creation. */
export async function insertFacilityTenant(tx: ClientTransaction): Promise<void> {
  await tx.query(
    sql`insert into tenant (client_id) values (${tenant}) on conflict (client_id) do nothing returning client_id`,
  );
  await tx.query(
    sql`insert into outbox_lane (client_id) values (${tenant}) on conflict (client_id) do nothing returning client_id`,
  );
}

export function moveCursor(tx: ClientTransaction, position: number): void {
  tx.send(sql`update webhook_cursor set last_position = ${position}::bigint where client_id = ${tenant}`);
}

/** After a restore: a client that had fanned out all events has no backlog because of skipped positions. */
export function passLeftOut(tx: ClientTransaction, positions: number): void {
  tx.send(sql`update webhook_cursor c set last_position = l.last_position from outbox_lane l
      where c.client_id = ${tenant} and l.client_id = ${tenant}
        and c.last_position = l.last_position - ${positions}::bigint`);
}
