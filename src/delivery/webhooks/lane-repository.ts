import type { Transaction, Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery, tenantSend } from "#/db/tenant.ts";
import type { BreakerState } from "#/delivery/webhooks/breaker.ts";
import type { IncidentState } from "#/delivery/webhooks/incident.ts";

export interface LaneKey {
  readonly clientId: string;
  readonly webhookId: string;
}

/** States as they are stored: without what is undefined. */
export interface LaneRow {
  readonly fence: number;
  readonly breaker: Partial<BreakerState>;
  readonly incident: IncidentState | null;
}

/**
 * Takes the lane when something is due and nobody holds it, or its holder let the lease run out. Undefined: somebody else
 * was first. The fence keeps the holder before from settling anything after all.
 */
export async function claimLane(
  tx: Tx,
  { clientId, webhookId }: LaneKey,
  owner: string,
  at: string,
  leaseUntil: string,
): Promise<number | undefined> {
  const rows = await tenantQuery<{ fence: number }>(
    tx,
    clientId,
    sql`update webhook_lane set owner = ${owner}::uuid, lease_until = ${leaseUntil}::timestamptz, fence = fence + 1
      where client_id = ${tenant} and webhook_id = ${webhookId}::uuid and due_at <= ${at}::timestamptz
        and (lease_until is null or lease_until < ${at}::timestamptz)
      returning fence`,
  );
  return rows[0]?.fence;
}

/** Answers false when the lease was lost. */
export async function renewLane(
  tx: Tx,
  { clientId, webhookId }: LaneKey,
  fence: number,
  leaseUntil: string,
): Promise<boolean> {
  const rows = await tenantQuery(
    tx,
    clientId,
    sql`update webhook_lane set lease_until = ${leaseUntil}::timestamptz
      where client_id = ${tenant} and webhook_id = ${webhookId}::uuid and fence = ${fence}::bigint returning fence`,
  );
  return rows.length === 1;
}

/** As it is, without waiting for whoever changes it. */
export async function readLane(tx: Tx, { clientId, webhookId }: LaneKey): Promise<LaneRow | undefined> {
  const rows = await tenantQuery<LaneRow>(
    tx,
    clientId,
    sql`select fence, breaker, incident from webhook_lane
      where client_id = ${tenant} and webhook_id = ${webhookId}::uuid limit 1`,
  );
  return rows[0];
}

/** Locked until the commit: the last thing that a transaction locks. Undefined when the lease was lost. */
export async function lockLane(tx: Tx, { clientId, webhookId }: LaneKey, fence: number): Promise<LaneRow | undefined> {
  const rows = await tenantQuery<LaneRow>(
    tx,
    clientId,
    sql`select fence, breaker, incident from webhook_lane
      where client_id = ${tenant} and webhook_id = ${webhookId}::uuid and fence = ${fence}::bigint limit 1 for update`,
  );
  return rows[0];
}

/** Of a lane that this transaction has locked. Moments ISO 8601 UTC. */
export function putLane(
  tx: Transaction,
  { clientId, webhookId }: LaneKey,
  lane: {
    readonly breaker: BreakerState;
    readonly incident: IncidentState | undefined;
    readonly incidentDueAt: string | undefined;
    readonly leaseUntil: string;
  },
): void {
  const { breaker, incident, incidentDueAt, leaseUntil } = lane;
  tenantSend(
    tx,
    clientId,
    sql`update webhook_lane set breaker = ${JSON.stringify(breaker)}::jsonb,
        incident = ${incident === undefined ? null : JSON.stringify(incident)}::jsonb,
        incident_due_at = ${incidentDueAt ?? null}::timestamptz, lease_until = ${leaseUntil}::timestamptz
      where client_id = ${tenant} and webhook_id = ${webhookId}::uuid`,
  );
}

/** Gives a locked lane back. @param dueAt ISO 8601 UTC; undefined where nothing waits. */
export function releaseLane(tx: Transaction, { clientId, webhookId }: LaneKey, dueAt: string | undefined): void {
  tenantSend(
    tx,
    clientId,
    sql`update webhook_lane set owner = null, lease_until = null, due_at = ${dueAt ?? null}::timestamptz
      where client_id = ${tenant} and webhook_id = ${webhookId}::uuid`,
  );
}

/** Locks the subscription against those who change it, and answers its status; undefined when it was deleted. */
export async function shareSubscription(tx: Tx, { clientId, webhookId }: LaneKey): Promise<string | undefined> {
  const rows = await tenantQuery<{ status: string }>(
    tx,
    clientId,
    sql`select status from webhook where client_id = ${tenant} and webhook_id = ${webhookId}::uuid limit 1 for share`,
  );
  return rows[0]?.status;
}

export interface NextDue {
  /** When the next delivery is to be tried; those under way are not among them. */
  readonly due_at: string | null;
  /** When the next one has held others back for long enough. */
  readonly holds_until: string | null;
}

export async function findNextDue(tx: Tx, { clientId, webhookId }: LaneKey): Promise<NextDue> {
  const rows = await tenantQuery<NextDue>(
    tx,
    clientId,
    sql`select (
        select d.due_at from webhook_delivery d
        where d.client_id = ${tenant} and d.webhook_id = ${webhookId}::uuid and d.due_at is not null and d.try_id is null
        order by d.due_at limit 1
      ) as due_at, (
        select h.holds_until from webhook_delivery h
        where h.client_id = ${tenant} and h.webhook_id = ${webhookId}::uuid and h.settled_at is null and not h.has_passed
          and h.holds_until is not null and h.status <> 'HELD'
        order by h.holds_until limit 1
      ) as holds_until limit 1`,
  );
  return rows[0] as NextDue;
}
