import { timeOfId } from "#/kernel/values/ids.ts";
import type { ClientTransaction } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { insertInto, table } from "#/store/db/table.ts";

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
  /** The attempt that was begun and has not ended. */
  readonly attempt_id: string | null;
  /** Whether that attempt is a probe. */
  readonly is_probe: boolean;
}

/**
 * The due deliveries of a lane, the longest due first, locked until their attempts are written. Deliveries whose attempts
 * a dead worker began are due as before: they still name their attempt.
 *
 * @param inProgress the deliveries whose attempts the holder of the lane has begun itself.
 */
export function takeDue(
  tx: ClientTransaction,
  webhookId: string,
  at: string,
  limit: number,
  inProgress: readonly string[] = [],
): Promise<DueDelivery[]> {
  return tx.query(sql`select delivery_id, event_id, topic_name, object_type, object_id, sequence, attempts, rejections, blocks_until, has_unblocked,
        attempt_id, is_probe
      from webhook_delivery
      where client_id = ${tenant} and webhook_id = ${webhookId}::uuid and due_at is not null
        and due_at <= ${at}::timestamptz and completed_at is null and delivery_id <> all(${inProgress}::uuid[])
      order by due_at limit ${limit} for update skip locked`);
}

export interface StartedAttempt {
  readonly attemptId: string;
  readonly deliveryId: string;
  readonly isProbe: boolean;
}

/**
 * Names the attempts in their deliveries before any request is sent: they show what a dead worker left behind. An
 * attempt has its own row when it has ended.
 */
export function startAttempts(tx: ClientTransaction, attempts: readonly StartedAttempt[]): void {
  if (attempts.length === 0) return;
  const rows = attempts.map(({ attemptId, deliveryId, isProbe }) => ({
    delivery_id: deliveryId,
    attempt_id: attemptId,
    is_probe: isProbe,
  }));
  const deliveryIds = attempts.map(({ deliveryId }) => deliveryId);
  tx.send(sql`update webhook_delivery d set attempt_id = given.attempt_id, is_probe = given.is_probe
      from json_to_recordset(${JSON.stringify(rows)}::json) as given(delivery_id uuid, attempt_id uuid, is_probe boolean)
      where d.client_id = ${tenant} and d.delivery_id = any(${deliveryIds}::uuid[]) and d.delivery_id = given.delivery_id`);
}

/** Withdraws attempts that are not sent: the deliveries are due as before. */
export function withdrawAttempts(tx: ClientTransaction, attempts: readonly StartedAttempt[]): void {
  if (attempts.length === 0) return;
  const rows = attempts.map(({ attemptId, deliveryId }) => ({ delivery_id: deliveryId, attempt_id: attemptId }));
  const deliveryIds = attempts.map(({ deliveryId }) => deliveryId);
  tx.send(sql`update webhook_delivery d set attempt_id = null
      from json_to_recordset(${JSON.stringify(rows)}::json) as given(delivery_id uuid, attempt_id uuid)
      where d.client_id = ${tenant} and d.delivery_id = any(${deliveryIds}::uuid[]) and d.delivery_id = given.delivery_id
        and d.attempt_id = given.attempt_id`);
}

/** The result of an attempt. */
export interface EndedAttempt extends StartedAttempt {
  /** UNKNOWN: the worker that began it did not see its end. */
  readonly state: "ENDED" | "UNKNOWN";
  /** Undefined: when the attempt was begun. */
  readonly startedAt: string | undefined;
  readonly endedAt: string;
  readonly address: string | undefined;
  readonly phases: object | undefined;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly body: Buffer | undefined;
  readonly errorClass: string | undefined;
}

const webhookAttempt = table("webhook_attempt", ["attempt_id"], {
  attempt_id: "uuid",
  delivery_id: "uuid",
  webhook_id: "uuid",
  state: "text",
  is_probe: "boolean",
  started_at: "timestamptz",
  ended_at: "timestamptz",
  address: "text?",
  phases: "jsonb?",
  status: "smallint?",
  headers: "jsonb?",
  body: "bytea?",
  error_class: "text?",
});
const insertEnded = insertInto(webhookAttempt, {
  columns: [
    "attempt_id",
    "delivery_id",
    "webhook_id",
    "state",
    "is_probe",
    "started_at",
    "ended_at",
    "address",
    "phases",
    "status",
    "headers",
    "error_class",
  ],
  with: { body_base64: "text?" },
  also: { body: sql`decode(given.body_base64, 'base64')` },
});

export function endAttempts(tx: ClientTransaction, webhookId: string, attempts: readonly EndedAttempt[]): void {
  const rows = attempts.map((attempt) => ({
    attempt_id: attempt.attemptId,
    delivery_id: attempt.deliveryId,
    webhook_id: webhookId,
    state: attempt.state,
    is_probe: attempt.isProbe,
    started_at: attempt.startedAt ?? new Date(timeOfId(attempt.attemptId)).toISOString(),
    ended_at: attempt.endedAt,
    address: attempt.address,
    phases: attempt.phases,
    status: attempt.status,
    headers: attempt.headers,
    body_base64: attempt.body?.toString("base64"),
    error_class: attempt.errorClass,
  }));
  insertEnded.send(tx, rows);
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

export function settleDeliveries(tx: ClientTransaction, deliveries: readonly SettledDelivery[]): void {
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
  tx.send(sql`update webhook_delivery d set status = given.status, due_at = given.due_at, completed_at = given.completed_at,
        blocks_until = given.blocks_until, has_unblocked = given.has_unblocked, is_alerted = d.is_alerted or given.is_alerted,
        attempts = given.attempts, rejections = given.rejections, last_error = coalesce(given.last_error, d.last_error), attempt_id = null
      from json_to_recordset(${JSON.stringify(rows)}::json) as given(delivery_id uuid, attempt_id uuid, status text,
        due_at timestamptz, completed_at timestamptz, blocks_until timestamptz, has_unblocked boolean, is_alerted boolean,
        attempts smallint, rejections smallint, last_error text)
      where d.client_id = ${tenant} and d.delivery_id = any(${deliveryIds}::uuid[]) and d.delivery_id = given.delivery_id
        and d.attempt_id = given.attempt_id`);
}
