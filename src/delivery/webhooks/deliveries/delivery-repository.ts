import { webhookDelivery, webhookObject } from "#/delivery/webhooks/tables.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { insertInto } from "#/store/db/table.ts";

/** An object as the key of one subscription's order: its deliveries are sent in sequence. */
export interface ObjectOfWebhook {
  readonly webhookId: string;
  readonly objectType: string;
  readonly objectId: string;
}

export interface NewDelivery extends ObjectOfWebhook {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly position: number;
  readonly topicName: string;
  /** Undefined for skipped deliveries. */
  readonly sequence: number | undefined;
  /** The earliest open delivery of its object: due at once. */
  readonly isHead: boolean;
}

const rowsMax = 1_000_000;

const unique = (values: readonly string[]) => [...new Set(values)];

const keyOf = ({ webhookId, objectType, objectId }: ObjectOfWebhook) => ({
  webhook_id: webhookId,
  object_type: objectType,
  object_id: objectId,
});

const objectColumns = sql`webhook_id as "webhookId", object_type as "objectType", object_id as "objectId"`;

/**
 * These objects as `given`, each with its head as `h`: the earliest open delivery, for which the later ones wait. An
 * object without one is left out.
 */
export const headsOf = (
  objects: readonly ObjectOfWebhook[],
) => sql`json_to_recordset(${JSON.stringify(objects.map(keyOf))}::json)
        as given(webhook_id uuid, object_type text, object_id text)
      cross join lateral (
        select e.delivery_id, e.event_position from webhook_delivery e
        where e.client_id = ${tenant} and e.webhook_id = given.webhook_id
          and e.object_type = given.object_type and e.object_id = given.object_id
          and e.completed_at is null and not e.has_unblocked
        order by e.event_position limit 1
      ) h`;

/**
 * Locks the existing rows of these objects in the order of their key. A transaction that adds or ends a delivery of an
 * object holds its lock until the commit: otherwise the next delivery could be left without a due time. With several
 * object types, the query may lock more rows than the objects name.
 */
export async function lockObjects(
  tx: ClientTx,
  objects: readonly ObjectOfWebhook[],
): Promise<(ObjectOfWebhook & { readonly lastSequence: number })[]> {
  if (objects.length === 0) return [];
  return tx.query(sql`select ${objectColumns}, last_sequence as "lastSequence" from webhook_sequence
      where client_id = ${tenant} and webhook_id = any(${unique(objects.map((object) => object.webhookId))}::uuid[])
        and object_type = any(${unique(objects.map((object) => object.objectType))}::text[])
        and object_id = any(${unique(objects.map((object) => object.objectId))}::text[])
      order by webhook_id, object_type, object_id limit ${rowsMax} for update`);
}

/** The objects among these that have an open delivery that later deliveries wait for. */
export async function listObjectsWithHead(
  tx: ClientTx,
  objects: readonly ObjectOfWebhook[],
): Promise<ObjectOfWebhook[]> {
  if (objects.length === 0) return [];
  return tx.query(sql`select given.webhook_id as "webhookId", given.object_type as "objectType",
        given.object_id as "objectId"
      from ${headsOf(objects)} limit ${rowsMax}`);
}

const putAll = insertInto(webhookObject, { onConflict: { set: ["last_sequence"] }, returning: ["last_sequence"] });

/** Writes the objects' counters, and creates missing ones. */
export function putSequences(
  tx: ClientTransaction,
  objects: readonly (ObjectOfWebhook & { readonly lastSequence: number })[],
): void {
  putAll.send(
    tx,
    objects.map((object) => ({ ...keyOf(object), last_sequence: object.lastSequence })),
  );
}

const insertAll = insertInto(webhookDelivery);

export function insertDeliveries(tx: ClientTransaction, at: string, deliveries: readonly NewDelivery[]): void {
  const rows = deliveries.map((delivery) => {
    const isSkipped = delivery.sequence === undefined;
    return {
      ...keyOf(delivery),
      delivery_id: delivery.deliveryId,
      event_id: delivery.eventId,
      event_position: delivery.position,
      topic_name: delivery.topicName,
      sequence: delivery.sequence,
      status: isSkipped ? "SKIPPED" : "PENDING",
      due_at: delivery.isHead && !isSkipped ? at : undefined,
      completed_at: isSkipped ? at : undefined,
    };
  });
  insertAll.send(tx, rows);
}

/**
 * Sets the due time of each object's head where it has none. The caller has ended a delivery or unblocked its object,
 * and holds the objects' locks.
 */
export function setHeadsDue(tx: ClientTransaction, at: string, objects: readonly ObjectOfWebhook[]): void {
  if (objects.length === 0) return;
  tx.send(sql`update webhook_delivery d set due_at = ${at}::timestamptz
      where d.client_id = ${tenant} and d.due_at is null and d.status <> 'HELD' and d.delivery_id = any(array(
        select h.delivery_id from ${headsOf(objects)}))`);
}

/** Marks the lanes of these subscriptions as due, and creates missing lanes. */
export function setLanesDue(tx: ClientTransaction, at: string, webhookIds: readonly string[]): void {
  if (webhookIds.length === 0) return;
  // A lane with an open breaker keeps its due time: the next probe. It has one wherever a delivery waits.
  tx.send(sql`insert into webhook_lane as l (client_id, webhook_id, due_at)
      select t.client_id, given.webhook_id, ${at}::timestamptz
      from tenant t cross join unnest(${unique(webhookIds).sort()}::uuid[]) as given(webhook_id)
      where t.client_id = ${tenant}
      on conflict (client_id, webhook_id) do update set due_at = excluded.due_at
      where l.due_at is null or l.breaker ->> 'openedAtMs' is null
      returning l.webhook_id`);
}

/**
 * Each document has its own token, so the counters of documents that ended long ago have no use. All other counters
 * live as long as their object and subscription: a sequence that restarts looks like a loss.
 *
 * @param before a token.
 */
export async function purgeFeedSequences(tx: ClientTx, before: string, limit = 2_000): Promise<number> {
  const rows = await tx.query(sql`delete from webhook_sequence k
      where k.client_id = ${tenant} and k.object_type = 'feed' and k.ctid = any(array(
        select o.ctid from webhook_sequence o
        where o.client_id = ${tenant} and o.object_type = 'feed' and o.object_id < ${before}
          and o.webhook_id = any(array(select w.webhook_id from webhook w where w.client_id = ${tenant} limit 1000))
        limit ${limit}))
      returning k.last_sequence`);
  return rows.length;
}

/** Open deliveries wait until the subscription is resumed. */
export function holdDeliveries(tx: ClientTransaction, webhookId: string): void {
  tx.send(sql`update webhook_delivery set status = 'HELD', due_at = null
      where client_id = ${tenant} and webhook_id = ${webhookId}::uuid and completed_at is null`);
}

/**
 * Makes held deliveries due again: the earliest of each object, and those that no longer block their object. The hour
 * for which a delivery blocks others, or fails without blocking, restarts: no attempt was made during the pause.
 */
export function resumeDeliveries(tx: ClientTransaction, webhookId: string, at: string): void {
  tx.send(sql`update webhook_delivery d set status = 'PENDING', blocks_until = case when d.is_alerted then d.blocks_until end,
        due_at = case when d.has_unblocked or not exists (
          select from webhook_delivery e
          where e.client_id = ${tenant} and e.webhook_id = d.webhook_id and e.object_type = d.object_type
            and e.object_id = d.object_id and e.completed_at is null and not e.has_unblocked
            and e.event_position < d.event_position
        ) then ${at}::timestamptz end
      where d.client_id = ${tenant} and d.webhook_id = ${webhookId}::uuid and d.completed_at is null and d.status = 'HELD'`);
  // The breaker restarts: failures before the pause say nothing about the receiver's present state. The moments of the
  // last success and the last failure stay, because they are still worth knowing.
  tx.send(sql`update webhook_lane set due_at = ${at}::timestamptz,
        breaker = breaker - array['failures', 'firstFailureAtMs', 'openedAtMs', 'nextProbeAtMs', 'probeDelayMs', 'unreadableSinceMs'],
        incident = case when incident ->> 'isDisabled' = 'true' then null else incident end,
        incident_due_at = case when incident ->> 'isDisabled' = 'true' then null else incident_due_at end
      where client_id = ${tenant} and webhook_id = ${webhookId}::uuid`);
}

/**
 * The number of retries that become due at once; the others follow at their time, or after their objects' earlier ones.
 */
const probedMax = 1_000;

/** The fault that an open breaker waits out may be fixed: the breaker probes now. */
export function probeAtOnce(tx: ClientTransaction, webhookId: string, at: string): void {
  tx.send(sql`update webhook_delivery d set due_at = ${at}::timestamptz
      where d.client_id = ${tenant} and d.delivery_id = any(array(
        select a.delivery_id from webhook_delivery a
        where a.client_id = ${tenant} and a.webhook_id = ${webhookId}::uuid and a.due_at is not null
          and a.due_at > ${at}::timestamptz and a.attempt_id is null
        order by a.due_at limit ${probedMax}))`);
  tx.send(sql`update webhook_lane set due_at = ${at}::timestamptz, breaker = breaker - 'nextProbeAtMs'
      where client_id = ${tenant} and webhook_id = ${webhookId}::uuid and due_at is not null`);
}

/**
 * Open deliveries become FAILED: the subscription is deleted or disabled. The result of an attempt in progress is
 * ignored.
 */
export function endDeliveries(tx: ClientTransaction, webhookId: string, at: string, error: string): void {
  tx.send(sql`update webhook_delivery set status = 'FAILED', due_at = null, completed_at = ${at}::timestamptz, attempt_id = null,
        last_error = ${error}
      where client_id = ${tenant} and webhook_id = ${webhookId}::uuid and completed_at is null`);
}

/** Writes the attempts in progress with an unknown result: their subscription is deleted. */
export function loseAttempts(tx: ClientTransaction, webhookId: string, at: string): void {
  tx.send(sql`insert into webhook_attempt (client_id, attempt_id, delivery_id, webhook_id, state, is_probe, started_at, ended_at)
      select d.client_id, d.attempt_id, d.delivery_id, d.webhook_id, 'UNKNOWN', d.is_probe,
        to_timestamp(('x' || translate(left(d.attempt_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0), ${at}::timestamptz
      from webhook_delivery d
      where d.client_id = ${tenant} and d.webhook_id = ${webhookId}::uuid and d.completed_at is null and d.attempt_id is not null`);
}

/** Removes the lane with its subscription. */
export function removeLane(tx: ClientTransaction, webhookId: string): void {
  tx.send(sql`delete from webhook_lane where client_id = ${tenant} and webhook_id = ${webhookId}::uuid`);
}

/** The ended ones among these deliveries of a subscription, with their objects. */
export async function listSettled(
  tx: ClientTx,
  webhookId: string,
  deliveryIds: readonly string[],
): Promise<(ObjectOfWebhook & { readonly deliveryId: string })[]> {
  return tx.query(sql`select ${objectColumns}, delivery_id as "deliveryId" from webhook_delivery
      where client_id = ${tenant} and delivery_id = any(${deliveryIds}::uuid[]) and webhook_id = ${webhookId}::uuid
        and completed_at is not null
      order by delivery_id limit ${rowsMax}`);
}

/** Reopens ended deliveries: they start again with their first attempt. */
export function reopenDeliveries(tx: ClientTransaction, deliveryIds: readonly string[]): void {
  tx.send(sql`update webhook_delivery set status = 'PENDING', completed_at = null, due_at = null, attempt_id = null, attempts = 0,
        rejections = 0, blocks_until = null, has_unblocked = false, is_alerted = false, last_error = null
      where client_id = ${tenant} and delivery_id = any(${deliveryIds}::uuid[]) and completed_at is not null`);
}

/**
 * Only the earliest delivery of each object is attempted. A delivery that was due waits for an earlier one that was
 * redelivered, and blocks others for an hour when it is the earliest again.
 */
export function clearLaterDue(tx: ClientTransaction, objects: readonly ObjectOfWebhook[]): void {
  if (objects.length === 0) return;
  tx.send(sql`update webhook_delivery d set due_at = null, blocks_until = null
      where d.client_id = ${tenant} and d.delivery_id = any(array(
        select l.delivery_id
        from ${headsOf(objects)}
        cross join lateral (
          select f.delivery_id, f.event_position from webhook_delivery f
          where f.client_id = ${tenant} and f.webhook_id = given.webhook_id
            and f.object_type = given.object_type and f.object_id = given.object_id
            and f.completed_at is null and not f.has_unblocked and f.due_at is not null and f.attempt_id is null
          order by f.event_position desc limit 1
        ) l
        where l.event_position > h.event_position))`);
}

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

/** The position of `TaskCursor`; undefined where the facility has no webhook. */
export async function findTaskPosition(tx: ClientTx): Promise<number | undefined> {
  const rows = await tx.query<{ task_position: number }>(
    sql`select task_position from webhook_cursor where client_id = ${tenant} and task_position is not null limit 1`,
  );
  return rows[0]?.task_position;
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
