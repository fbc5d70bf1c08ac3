import type { Transaction, Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { deleteFrom, insertInto, table } from "#/db/table.ts";
import { tenantQuery, tenantSend } from "#/db/tenant.ts";
import type { LaneKey } from "#/delivery/webhooks/lanes/lane-repository.ts";

// Updates also name their keys in an array, which prunes the other months before any is read. Row by row, PostgreSQL
// queries each month, and reads whole months instead while they are small.

/** A delivery that is due, or whose attempt has begun. Moments ISO 8601 UTC. */
export interface DueDelivery {
  readonly delivery_id: string;
  readonly event_id: string;
  readonly topic_name: string;
  readonly object_type: string;
  readonly object_id: string;
  readonly sequence: number | null;
  readonly attempts: number;
  readonly rejections: number;
  readonly blocks_until: string | null;
  readonly has_unblocked: boolean;
}

/** The due deliveries of a lane, the longest due first, locked until their attempts are written. */
export function takeDue(
  tx: Transaction,
  { clientId, webhookId }: LaneKey,
  at: string,
  limit: number,
): Promise<DueDelivery[]> {
  return tenantQuery(
    tx,
    clientId,
    sql`select delivery_id, event_id, topic_name, object_type, object_id, sequence, attempts, rejections, blocks_until, has_unblocked
      from webhook_delivery
      where client_id = ${tenant} and webhook_id = ${webhookId}::uuid and due_at is not null
        and due_at <= ${at}::timestamptz and attempt_id is null and completed_at is null
      order by due_at limit ${limit} for update skip locked`,
  );
}

export interface StartedAttempt {
  readonly attemptId: string;
  readonly deliveryId: string;
  readonly isProbe: boolean;
}

const webhookAttempt = table("webhook_attempt", ["attempt_id"], {
  attempt_id: "uuid",
  delivery_id: "uuid",
  webhook_id: "uuid",
  state: "text",
  is_probe: "boolean",
  started_at: "timestamptz",
});
const insertStarted = insertInto(webhookAttempt);
const deleteAttempts = deleteFrom(webhookAttempt, { by: "attempt_id" });

/** Writes attempts before any request is sent: they show what a dead worker left behind. */
export function startAttempts(
  tx: Transaction,
  { clientId, webhookId }: LaneKey,
  at: string,
  attempts: readonly StartedAttempt[],
): void {
  if (attempts.length === 0) return;
  const rows = attempts.map(({ attemptId, deliveryId, isProbe }) => ({
    attempt_id: attemptId,
    delivery_id: deliveryId,
    webhook_id: webhookId,
    state: "STARTED",
    is_probe: isProbe,
    started_at: at,
  }));
  insertStarted.send(tx, clientId, rows);
  const keys = rows.map(({ delivery_id, attempt_id }) => ({ delivery_id, attempt_id }));
  const deliveryIds = attempts.map(({ deliveryId }) => deliveryId);
  tenantSend(
    tx,
    clientId,
    sql`update webhook_delivery d set attempt_id = given.attempt_id
      from json_to_recordset(${JSON.stringify(keys)}::json) as given(delivery_id uuid, attempt_id uuid)
      where d.client_id = ${tenant} and d.delivery_id = any(${deliveryIds}::uuid[]) and d.delivery_id = given.delivery_id`,
  );
}

/** Withdraws written attempts that are not sent: the deliveries are due as before. */
export function withdrawAttempts(tx: Transaction, clientId: string, attempts: readonly StartedAttempt[]): void {
  if (attempts.length === 0) return;
  const rows = attempts.map(({ attemptId, deliveryId }) => ({ delivery_id: deliveryId, attempt_id: attemptId }));
  const deliveryIds = attempts.map(({ deliveryId }) => deliveryId);
  tenantSend(
    tx,
    clientId,
    sql`update webhook_delivery d set attempt_id = null
      from json_to_recordset(${JSON.stringify(rows)}::json) as given(delivery_id uuid, attempt_id uuid)
      where d.client_id = ${tenant} and d.delivery_id = any(${deliveryIds}::uuid[]) and d.delivery_id = given.delivery_id
        and d.attempt_id = given.attempt_id`,
  );
  deleteAttempts.send(
    tx,
    clientId,
    attempts.map(({ attemptId }) => attemptId),
  );
}

/** The result of an attempt. */
export interface EndedAttempt {
  readonly attemptId: string;
  /** UNKNOWN: the worker that began it did not see its end. */
  readonly state: "ENDED" | "UNKNOWN";
  readonly startedAt: string | undefined;
  readonly endedAt: string;
  readonly address: string | undefined;
  readonly phases: object | undefined;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly body: Buffer | undefined;
  readonly errorClass: string | undefined;
}

export function endAttempts(tx: Transaction, clientId: string, attempts: readonly EndedAttempt[]): void {
  if (attempts.length === 0) return;
  const rows = attempts.map((attempt) => ({
    attempt_id: attempt.attemptId,
    state: attempt.state,
    started_at: attempt.startedAt,
    ended_at: attempt.endedAt,
    address: attempt.address,
    phases: attempt.phases,
    status: attempt.status,
    headers: attempt.headers,
    body: attempt.body?.toString("base64"),
    error_class: attempt.errorClass,
  }));
  const attemptIds = attempts.map(({ attemptId }) => attemptId);
  tenantSend(
    tx,
    clientId,
    sql`update webhook_attempt y set state = given.state, started_at = coalesce(given.started_at, y.started_at),
        ended_at = given.ended_at, address = given.address, phases = given.phases, status = given.status,
        headers = given.headers, body = decode(given.body, 'base64'), error_class = given.error_class
      from json_to_recordset(${JSON.stringify(rows)}::json) as given(attempt_id uuid, state text, started_at timestamptz,
        ended_at timestamptz, address text, phases jsonb, status smallint, headers jsonb, body text, error_class text)
      where y.client_id = ${tenant} and y.attempt_id = any(${attemptIds}::uuid[]) and y.attempt_id = given.attempt_id`,
  );
}

/** The new state of a delivery. Moments ISO 8601 UTC. */
export interface SettledDelivery {
  readonly deliveryId: string;
  /** Only the result of this attempt is accepted. */
  readonly attemptId: string;
  readonly status: "RETRYING" | "HELD" | "DELIVERED" | "FAILED";
  readonly dueAt: string | undefined;
  readonly settledAt: string | undefined;
  readonly blocksUntil: string | undefined;
  readonly hasUnblocked: boolean;
  /** This attempt reports that the delivery has failed for an hour, if that was not reported before. */
  readonly isAlerted: boolean;
  readonly attempts: number;
  readonly rejections: number;
  readonly lastError: string | undefined;
}

export function settleDeliveries(tx: Transaction, clientId: string, deliveries: readonly SettledDelivery[]): void {
  if (deliveries.length === 0) return;
  const rows = deliveries.map((delivery) => ({
    delivery_id: delivery.deliveryId,
    attempt_id: delivery.attemptId,
    status: delivery.status,
    due_at: delivery.dueAt,
    completed_at: delivery.settledAt,
    blocks_until: delivery.blocksUntil,
    has_unblocked: delivery.hasUnblocked,
    is_alerted: delivery.isAlerted,
    attempts: delivery.attempts,
    rejections: delivery.rejections,
    last_error: delivery.lastError,
  }));
  const deliveryIds = deliveries.map(({ deliveryId }) => deliveryId);
  tenantSend(
    tx,
    clientId,
    sql`update webhook_delivery d set status = given.status, due_at = given.due_at, completed_at = given.completed_at,
        blocks_until = given.blocks_until, has_unblocked = given.has_unblocked, is_alerted = d.is_alerted or given.is_alerted,
        attempts = given.attempts, rejections = given.rejections, last_error = coalesce(given.last_error, d.last_error), attempt_id = null
      from json_to_recordset(${JSON.stringify(rows)}::json) as given(delivery_id uuid, attempt_id uuid, status text,
        due_at timestamptz, completed_at timestamptz, blocks_until timestamptz, has_unblocked boolean, is_alerted boolean,
        attempts smallint, rejections smallint, last_error text)
      where d.client_id = ${tenant} and d.delivery_id = any(${deliveryIds}::uuid[]) and d.delivery_id = given.delivery_id
        and d.attempt_id = given.attempt_id`,
  );
}

export interface LostAttempt extends DueDelivery {
  readonly attempt_id: string;
  readonly is_probe: boolean;
}

/** Attempts that the lane's previous holder began, with their deliveries. */
export function listStarted(tx: Tx, { clientId, webhookId }: LaneKey, limit: number): Promise<LostAttempt[]> {
  return tenantQuery(
    tx,
    clientId,
    sql`select y.attempt_id, y.is_probe, d.delivery_id, d.event_id, d.topic_name, d.object_type, d.object_id, d.sequence, d.attempts,
        d.rejections, d.blocks_until, d.has_unblocked
      from (
        select s.attempt_id, s.is_probe, s.delivery_id from webhook_attempt s
        where s.client_id = ${tenant} and s.webhook_id = ${webhookId}::uuid and s.state = 'STARTED' limit ${limit}
      ) y cross join lateral (
        select o.delivery_id, o.event_id, o.topic_name, o.object_type, o.object_id, o.sequence, o.attempts, o.rejections,
          o.blocks_until, o.has_unblocked
        from webhook_delivery o where o.client_id = ${tenant} and o.delivery_id = y.delivery_id limit 1
      ) d limit ${limit}`,
  );
}
