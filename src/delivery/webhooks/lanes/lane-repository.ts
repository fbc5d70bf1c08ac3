import { headsOf, type ObjectOfWebhook } from "#/delivery/webhooks/deliveries/delivery-repository.ts";
import type { BreakerState } from "#/delivery/webhooks/lanes/breaker.ts";
import type { IncidentState } from "#/delivery/webhooks/lanes/incident.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

export interface LaneKey {
  readonly clientId: string;
  readonly webhookId: string;
}

/** States as stored, without undefined members. Moments ISO 8601 UTC. */
export interface StoredLane {
  /** Counts the holders: a holder cannot settle what it began once another one has taken the lane. */
  readonly fence: number;
  readonly dueAt: string | null;
  readonly leaseUntil: string | null;
  readonly breaker: Partial<BreakerState>;
  readonly incident: IncidentState | null;
}

const laneColumns = sql`fence, due_at as "dueAt", lease_until as "leaseUntil", breaker, incident`;

/** Returns false where the lease was lost. */
export async function renewLane(tx: ClientTx, webhookId: string, fence: number, leaseUntil: string): Promise<boolean> {
  const rows = await tx.query(sql`update webhook_lane set lease_until = ${leaseUntil}::timestamptz
      where client_id = ${tenant} and webhook_id = ${webhookId}::uuid and fence = ${fence}::bigint returning fence`);
  return rows.length === 1;
}

/** Reads the lane without waiting for a transaction that changes it. */
export async function readLane(tx: ClientTx, webhookId: string): Promise<StoredLane | undefined> {
  const rows = await tx.query<StoredLane>(sql`select ${laneColumns} from webhook_lane
      where client_id = ${tenant} and webhook_id = ${webhookId}::uuid limit 1`);
  return rows[0];
}

/** Locks the lane until the commit, as the last row of a transaction. Undefined where the fence has changed. */
export async function lockLane(tx: ClientTx, webhookId: string, fence: number): Promise<StoredLane | undefined> {
  const rows = await tx.query<StoredLane>(sql`select ${laneColumns} from webhook_lane
      where client_id = ${tenant} and webhook_id = ${webhookId}::uuid and fence = ${fence}::bigint limit 1 for update`);
  return rows[0];
}

/** The holder of a lane from now on. Moments ISO 8601 UTC. */
export type LaneLease =
  | { readonly owner: string; readonly fence: number; readonly leaseUntil: string }
  /** The lane is released, and due again at this moment; undefined: no delivery waits. */
  | { readonly owner: undefined; readonly fence: number; readonly dueAt: string | undefined };

/** Updates a lane that this transaction has locked. Moments ISO 8601 UTC. */
export function putLane(
  tx: ClientTransaction,
  webhookId: string,
  lane: {
    readonly lease: LaneLease;
    readonly breaker: BreakerState;
    readonly incident: IncidentState | undefined;
    readonly incidentDueAt: string | undefined;
  },
): void {
  const { lease, breaker, incident, incidentDueAt } = lane;
  const isHeld = lease.owner !== undefined;
  tx.send(sql`update webhook_lane set owner = ${lease.owner ?? null}::uuid, fence = ${lease.fence}::bigint,
        lease_until = ${isHeld ? lease.leaseUntil : null}::timestamptz,
        due_at = case when ${isHeld} then due_at else ${isHeld ? null : (lease.dueAt ?? null)}::timestamptz end,
        breaker = ${JSON.stringify(breaker)}::jsonb,
        incident = ${incident === undefined ? null : JSON.stringify(incident)}::jsonb,
        incident_due_at = ${incidentDueAt ?? null}::timestamptz
      where client_id = ${tenant} and webhook_id = ${webhookId}::uuid`);
}

/** The next work of a lane, and its time. Moments ISO 8601 UTC. */
export interface NextDue {
  /** When the next delivery is due. */
  readonly dueAt: string | null;
  /** When the next delivery has blocked others for long enough. */
  readonly blocksUntil: string | null;
  /** When the next non-blocking delivery has failed for an hour. */
  readonly aloneUntil: string | null;
}

/** For a holder without outstanding attempts. */
export async function findNextDue(tx: ClientTx, webhookId: string): Promise<NextDue> {
  const rows = await tx.query<NextDue>(sql`select (
        select d.due_at from webhook_delivery d
        where d.client_id = ${tenant} and d.webhook_id = ${webhookId}::uuid and d.due_at is not null
        order by d.due_at limit 1
      ) as "dueAt", (
        select h.blocks_until from webhook_delivery h
        where h.client_id = ${tenant} and h.webhook_id = ${webhookId}::uuid and h.completed_at is null and not h.has_unblocked
          and h.blocks_until is not null and h.status <> 'HELD'
        order by h.blocks_until limit 1
      ) as "blocksUntil", (
        select a.blocks_until from webhook_delivery a
        where a.client_id = ${tenant} and a.webhook_id = ${webhookId}::uuid and a.completed_at is null and a.has_unblocked
          and not a.is_alerted and a.status <> 'HELD'
        order by a.blocks_until limit 1
      ) as "aloneUntil" limit 1`);
  return rows[0] as NextDue;
}

/** Deliveries that have blocked the later ones of their object for long enough. */
export function listBlockingTooLong(
  tx: ClientTx,
  webhookId: string,
  at: string,
  limit: number,
): Promise<ObjectOfWebhook[]> {
  return tx.query(sql`select webhook_id as "webhookId", object_type as "objectType", object_id as "objectId"
      from webhook_delivery
      where client_id = ${tenant} and webhook_id = ${webhookId}::uuid and completed_at is null and not has_unblocked
        and blocks_until is not null and status <> 'HELD' and blocks_until <= ${at}::timestamptz
      order by blocks_until limit ${limit}`);
}

/** Per call; the next call corrects more. */
const aheadMax = 1_000;

/**
 * Corrects due times that were set before the clock was set back. Deliveries without an attempt that are not due yet,
 * and retries due later than any retry can be, are due now. No delivery blocks others for longer than the maximum.
 * Moments ISO 8601 UTC.
 */
export function bringBack(
  tx: ClientTransaction,
  webhookId: string,
  { at, untriedMost, retryMost, holdMost }: Ahead,
): void {
  tx.send(sql`update webhook_delivery d set due_at = ${at}::timestamptz
      where d.client_id = ${tenant} and d.delivery_id = any(array(
        select a.delivery_id from webhook_delivery a
        where a.client_id = ${tenant} and a.webhook_id = ${webhookId}::uuid and a.due_at is not null
          and a.due_at > ${untriedMost}::timestamptz and (a.status = 'PENDING' or a.due_at > ${retryMost}::timestamptz)
        order by a.due_at limit ${aheadMax}))`);
  tx.send(sql`update webhook_delivery d set blocks_until = ${holdMost}::timestamptz
      where d.client_id = ${tenant} and d.delivery_id = any(array(
        select a.delivery_id from webhook_delivery a
        where a.client_id = ${tenant} and a.webhook_id = ${webhookId}::uuid and a.completed_at is null and not a.has_unblocked
          and a.blocks_until is not null and a.blocks_until > ${holdMost}::timestamptz
        order by a.blocks_until limit ${aheadMax}))`);
}

export interface Ahead {
  readonly at: string;
  readonly untriedMost: string;
  readonly retryMost: string;
  readonly holdMost: string;
}

/** Blocking deliveries block others for longer by this time. */
export function postponeUnblocking(tx: ClientTransaction, webhookId: string, byMs: number): void {
  tx.send(sql`update webhook_delivery d set
        blocks_until = (d.blocks_until at time zone 'UTC' + ${Math.round(byMs)}::bigint * interval '1 millisecond') at time zone 'UTC'
      where d.client_id = ${tenant} and d.webhook_id = ${webhookId}::uuid and d.completed_at is null and not d.has_unblocked
        and d.blocks_until is not null`);
}

/**
 * These deliveries stop blocking the later ones of their objects. The caller holds the objects' locks and reports that
 * the deliveries have failed for an hour.
 */
export function unblockObjects(tx: ClientTransaction, at: string, objects: readonly ObjectOfWebhook[]): void {
  tx.send(sql`update webhook_delivery d set has_unblocked = true, is_alerted = true
      where d.client_id = ${tenant} and d.blocks_until <= ${at}::timestamptz and d.delivery_id = any(array(
        select h.delivery_id from ${headsOf(objects)}))`);
}

/**
 * Marks non-blocking deliveries that have failed for an hour by now as reported; the caller reports them. A repeated
 * call continues with the rest where there are very many.
 *
 * @returns the number of deliveries.
 */
export async function markReported(
  tx: ClientTransaction,
  webhookId: string,
  at: string,
  limit: number,
): Promise<number> {
  const rows = await tx.query(sql`update webhook_delivery d set is_alerted = true
      where d.client_id = ${tenant} and d.delivery_id = any(array(
        select a.delivery_id from webhook_delivery a
        where a.client_id = ${tenant} and a.webhook_id = ${webhookId}::uuid and a.completed_at is null and a.has_unblocked
          and not a.is_alerted and a.status <> 'HELD' and a.blocks_until <= ${at}::timestamptz
        order by a.blocks_until limit ${limit}))
      returning d.delivery_id`);
  return rows.length;
}

interface LaneIncident extends Pick<StoredLane, "breaker" | "incident"> {
  readonly incident_due_at: string | null;
}

/** Locks the incident of a lane. Undefined where another transaction has locked the lane. */
export async function lockIncident(tx: ClientTransaction, webhookId: string): Promise<LaneIncident | undefined> {
  const [row] = await tx.query<LaneIncident>(
    sql`select breaker, incident, incident_due_at from webhook_lane
      where client_id = ${tenant} and webhook_id = ${webhookId}::uuid limit 1 for no key update skip locked`,
  );
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
