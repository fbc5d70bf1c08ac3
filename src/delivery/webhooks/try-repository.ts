import type { Transaction, Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery, tenantSend } from "#/db/tenant.ts";
import type { LaneKey } from "#/delivery/webhooks/lane-repository.ts";

// Where rows are joined by key, their keys are named beside as an array: else a plan that was made while the table was empty
// reads all rows of the client into a hash, once for each window, until statistics say otherwise.

/** A delivery that is to be tried, or was begun to be. Moments ISO 8601 UTC. */
export interface DueDelivery {
  readonly delivery_id: string;
  readonly event_id: string;
  readonly topic_name: string;
  readonly object_type: string;
  readonly object_id: string;
  readonly sequence: number | null;
  readonly tries: number;
  readonly refusals: number;
  readonly holds_until: string | null;
  readonly has_passed: boolean;
}

/** The deliveries of a lane that are due, the longest due first, locked until their tries are written. */
export function takeDue(
  tx: Transaction,
  { clientId, webhookId }: LaneKey,
  at: string,
  limit: number,
): Promise<DueDelivery[]> {
  return tenantQuery(
    tx,
    clientId,
    sql`select delivery_id, event_id, topic_name, object_type, object_id, sequence, tries, refusals, holds_until, has_passed
      from webhook_delivery
      where client_id = ${tenant} and webhook_id = ${webhookId}::uuid and due_at is not null
        and due_at <= ${at}::timestamptz and try_id is null and settled_at is null
      order by due_at limit ${limit} for update skip locked`,
  );
}

export interface StartedTry {
  readonly tryId: string;
  readonly deliveryId: string;
  readonly isProbe: boolean;
}

/** Writes tries before anything is sent: what a dead worker left behind is found by them. */
export function startTries(
  tx: Transaction,
  { clientId, webhookId }: LaneKey,
  at: string,
  tries: readonly StartedTry[],
): void {
  if (tries.length === 0) return;
  const rows = JSON.stringify(tries.map(({ tryId, deliveryId, isProbe }) => ({ t: tryId, d: deliveryId, p: isProbe })));
  const deliveryIds = tries.map(({ deliveryId }) => deliveryId);
  tenantSend(
    tx,
    clientId,
    sql`insert into webhook_try as y (client_id, try_id, delivery_id, webhook_id, state, is_probe, started_at)
      select t.client_id, x.t, x.d, ${webhookId}::uuid, 'STARTED', x.p, ${at}::timestamptz
      from tenant t cross join json_to_recordset(${rows}::json) as x(t uuid, d uuid, p boolean)
      where t.client_id = ${tenant}`,
  );
  tenantSend(
    tx,
    clientId,
    sql`update webhook_delivery d set try_id = x.t from json_to_recordset(${rows}::json) as x(t uuid, d uuid)
      where d.client_id = ${tenant} and d.delivery_id = any(${deliveryIds}::uuid[]) and d.delivery_id = x.d`,
  );
}

/** What was written and is not to be sent after all: the deliveries are due as before. */
export function withdrawTries(tx: Transaction, clientId: string, tries: readonly StartedTry[]): void {
  if (tries.length === 0) return;
  const rows = JSON.stringify(tries.map(({ tryId, deliveryId }) => ({ t: tryId, d: deliveryId })));
  const deliveryIds = tries.map(({ deliveryId }) => deliveryId);
  tenantSend(
    tx,
    clientId,
    sql`update webhook_delivery d set try_id = null from json_to_recordset(${rows}::json) as x(t uuid, d uuid)
      where d.client_id = ${tenant} and d.delivery_id = any(${deliveryIds}::uuid[]) and d.delivery_id = x.d
        and d.try_id = x.t`,
  );
  tenantSend(
    tx,
    clientId,
    sql`delete from webhook_try
      where client_id = ${tenant} and try_id = any(${tries.map(({ tryId }) => tryId)}::uuid[])`,
  );
}

/** How a try ended. */
export interface EndedTry {
  readonly tryId: string;
  /** UNKNOWN: whoever began it was not there to see. */
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

export function endTries(tx: Transaction, clientId: string, tries: readonly EndedTry[]): void {
  if (tries.length === 0) return;
  const rows = tries.map((it) => ({
    t: it.tryId,
    s: it.state,
    b: it.startedAt,
    e: it.endedAt,
    a: it.address,
    p: it.phases,
    c: it.status,
    h: it.headers,
    y: it.body?.toString("base64"),
    k: it.errorClass,
  }));
  const tryIds = tries.map(({ tryId }) => tryId);
  tenantSend(
    tx,
    clientId,
    sql`update webhook_try y set state = x.s, started_at = coalesce(x.b, y.started_at), ended_at = x.e, address = x.a,
        phases = x.p, status = x.c, headers = x.h, body = decode(x.y, 'base64'), error_class = x.k
      from json_to_recordset(${JSON.stringify(rows)}::json) as x(t uuid, s text, b timestamptz, e timestamptz, a text,
        p jsonb, c smallint, h jsonb, y text, k text)
      where y.client_id = ${tenant} and y.try_id = any(${tryIds}::uuid[]) and y.try_id = x.t`,
  );
}

/** What becomes of a delivery. Moments ISO 8601 UTC. */
export interface SettledDelivery {
  readonly deliveryId: string;
  /** Only the end of this try is believed. */
  readonly tryId: string;
  readonly status: "RETRYING" | "HELD" | "DELIVERED" | "FAILED";
  readonly dueAt: string | undefined;
  readonly settledAt: string | undefined;
  readonly holdsUntil: string | undefined;
  readonly hasPassed: boolean;
  /** That it has failed for an hour is told with this try, if it was not before. */
  readonly isTold: boolean;
  readonly tries: number;
  readonly refusals: number;
  readonly lastError: string | undefined;
}

export function settleDeliveries(tx: Transaction, clientId: string, deliveries: readonly SettledDelivery[]): void {
  if (deliveries.length === 0) return;
  const rows = deliveries.map((it) => ({
    d: it.deliveryId,
    t: it.tryId,
    s: it.status,
    a: it.dueAt,
    e: it.settledAt,
    h: it.holdsUntil,
    p: it.hasPassed,
    o: it.isTold,
    n: it.tries,
    r: it.refusals,
    l: it.lastError,
  }));
  const deliveryIds = deliveries.map(({ deliveryId }) => deliveryId);
  tenantSend(
    tx,
    clientId,
    sql`update webhook_delivery d set status = x.s, due_at = x.a, settled_at = x.e, holds_until = x.h, has_passed = x.p,
        is_told = d.is_told or x.o, tries = x.n, refusals = x.r, last_error = coalesce(x.l, d.last_error), try_id = null
      from json_to_recordset(${JSON.stringify(rows)}::json) as x(d uuid, t uuid, s text, a timestamptz, e timestamptz,
        h timestamptz, p boolean, o boolean, n smallint, r smallint, l text)
      where d.client_id = ${tenant} and d.delivery_id = any(${deliveryIds}::uuid[]) and d.delivery_id = x.d
        and d.try_id = x.t`,
  );
}

export interface LostTry extends DueDelivery {
  readonly try_id: string;
  readonly is_probe: boolean;
}

/** Tries that were begun by whoever held the lane before, with their deliveries. */
export function listStarted(tx: Tx, { clientId, webhookId }: LaneKey, limit: number): Promise<LostTry[]> {
  return tenantQuery(
    tx,
    clientId,
    sql`select y.try_id, y.is_probe, d.delivery_id, d.event_id, d.topic_name, d.object_type, d.object_id, d.sequence, d.tries,
        d.refusals, d.holds_until, d.has_passed
      from (
        select s.try_id, s.is_probe, s.delivery_id from webhook_try s
        where s.client_id = ${tenant} and s.webhook_id = ${webhookId}::uuid and s.state = 'STARTED' limit ${limit}
      ) y cross join lateral (
        select o.delivery_id, o.event_id, o.topic_name, o.object_type, o.object_id, o.sequence, o.tries, o.refusals,
          o.holds_until, o.has_passed
        from webhook_delivery o where o.client_id = ${tenant} and o.delivery_id = y.delivery_id limit 1
      ) d limit ${limit}`,
  );
}
