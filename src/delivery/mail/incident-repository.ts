import type { ClientTransaction, ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import type { BreakerState } from "#/delivery/webhooks/lanes/breaker.ts";
import type { IncidentState } from "#/delivery/webhooks/lanes/incident.ts";
import type { Subscription } from "#/delivery/webhooks/subscriptions/subscription.ts";

export interface LaneIncident {
  /** Empty where no request has been sent yet. */
  readonly breaker: Partial<BreakerState>;
  readonly incident: IncidentState | null;
  readonly incident_due_at: string | null;
  readonly due_at: string | null;
  readonly kind: Subscription["kind"];
  readonly topic_name: string;
  readonly additional_topic_names: readonly string[];
  readonly url: string;
  readonly email_list: readonly string[];
  readonly status: string;
}

/**
 * Locks the incident of a lane, and reads the facts for a mail about it. Undefined where the subscription was deleted,
 * or another transaction has locked the lane.
 */
export async function lockIncident(tx: ClientTransaction, webhookId: string): Promise<LaneIncident | undefined> {
  const [row] =
    await tx.query<LaneIncident>(sql`select l.breaker, l.incident, l.incident_due_at, l.due_at, w.kind, w.topic_name, w.additional_topic_names,
        w.url, w.email_list, w.status
      from webhook_lane l join webhook w on w.client_id = ${tenant} and w.webhook_id = l.webhook_id
      where l.client_id = ${tenant} and l.webhook_id = ${webhookId} limit 1 for no key update of l skip locked`);
  return row;
}

export function updateIncident(
  tx: ClientTransaction,
  webhookId: string,
  incident: IncidentState | undefined,
  dueAt: string | undefined,
): void {
  tx.send(sql`update webhook_lane l set incident = ${incident === undefined ? null : JSON.stringify(incident)}::jsonb,
        incident_due_at = ${dueAt ?? null}::timestamptz
      where l.client_id = ${tenant} and l.webhook_id = ${webhookId}`);
}

const waitingMax = 100_000;

/** Counts deliveries of a subscription that have not ended, up to a limit. */
export async function countWaiting(tx: ClientTx, webhookId: string): Promise<number> {
  const [row] = await tx.query<{ waiting: number }>(sql`select count(*) as waiting from (
        select 1 from webhook_delivery d
        where d.client_id = ${tenant} and d.webhook_id = ${webhookId} and d.completed_at is null limit ${waitingMax}
      ) open limit 1`);
  return row?.waiting ?? 0;
}

export interface FailingDelivery {
  /** A text that begins with the class of the error. */
  readonly last_error: string;
  /** ISO 8601 UTC. */
  readonly due_at: string;
}

/** Of the deliveries with a failed attempt, the one that is retried next. While a delivery is failing, there is one. */
export async function findFailing(tx: ClientTx, webhookId: string): Promise<FailingDelivery | undefined> {
  const [row] = await tx.query<FailingDelivery>(sql`select d.last_error, d.due_at from (
        select w.last_error, w.due_at from webhook_delivery w
        where w.client_id = ${tenant} and w.webhook_id = ${webhookId} and w.due_at is not null
        order by w.due_at limit 100
      ) d
      where d.last_error is not null limit 1`);
  return row;
}
