import type { Tx } from "#/db/database.ts";
import { allOf, acrossClients as sql } from "#/db/sql.ts";
import { undelivered, type undeliveredStatuses } from "#/delivery/webhooks/deliveries/states.ts";
import type { SubscriptionStatus } from "#/delivery/webhooks/index.ts";

/** A webhook or a pushed feed of any client. Moments ISO 8601 UTC. */
export interface SubscriptionRow {
  readonly client_id: string;
  readonly webhook_id: string;
  readonly kind: "WEBHOOK" | "OUTBOUND";
  readonly topic_name: string;
  readonly additional_topic_names: string[];
  readonly facility_code: string;
  readonly description: string | null;
  readonly url: string;
  readonly status: SubscriptionStatus;
  readonly created_at: string;
}

export interface SubscriptionPageRequest {
  /** Null: all. */
  readonly clientIds: readonly string[] | null;
  /** `*`: subscriptions to all facilities. */
  readonly facilityCodes: readonly string[] | null;
  readonly status: string | undefined;
  readonly kind: string | undefined;
  /** The page starts after this one. */
  readonly after: { readonly clientId: string; readonly webhookId: string };
  readonly limit: number;
}

/** A page of subscriptions, client by client, in order of creation. */
export function listSubscriptionsOfAll(tx: Tx, page: SubscriptionPageRequest): Promise<SubscriptionRow[]> {
  const { clientIds, facilityCodes, status, kind, after, limit } = page;
  const conditions = allOf([
    clientIds === null ? undefined : sql`w.client_id = any(${clientIds}::text[])`,
    facilityCodes === null ? undefined : sql`w.facility_code = any(${facilityCodes}::text[])`,
    status === undefined ? undefined : sql`w.status = ${status}`,
    kind === undefined ? undefined : sql`w.kind = ${kind}`,
  ]);
  return tx.query(
    sql`select w.client_id, w.webhook_id, w.kind, w.topic_name, w.additional_topic_names, w.facility_code, w.description, w.url,
        w.status, w.created_at
      from webhook w
      where w.client_id >= ${after.clientId} and (w.client_id, w.webhook_id) > (${after.clientId}, ${after.webhookId}::uuid)
        and ${conditions}
      order by w.client_id, w.webhook_id limit ${limit}`,
  );
}

export interface UndeliveredRow {
  readonly client_id: string;
  readonly delivery_id: string;
  readonly webhook_id: string;
  readonly url: string | null;
  readonly event_id: string;
  readonly topic_name: string;
  readonly object_type: string;
  readonly object_id: string;
  readonly status: "PENDING" | (typeof undeliveredStatuses)[number];
  readonly due_at: string | null;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly completed_at: string | null;
}

export interface UndeliveredPageRequest {
  /** Null: all. */
  readonly clientIds: readonly string[] | null;
  /** `*`: subscriptions to all facilities. */
  readonly facilityCodes: readonly string[] | null;
  readonly status: string | undefined;
  readonly kind: string | undefined;
  readonly endedSince: string | undefined;
  readonly topicName: string | undefined;
  readonly objectId: string | undefined;
  /** Ids below `before`. */
  readonly before: string;
  readonly limit: number;
}

const ofItsWebhook = sql`w.client_id = d.client_id and w.webhook_id = d.webhook_id`;
/** Each condition is that of an index. A delivery that is held for a paused webhook does not wait for its receiver. */
const isUndelivered = sql`d.status in ${undelivered}`;
const hasNotEnded = sql`d.completed_at is null and d.status <> 'HELD'`;

/** Failed or waiting deliveries, the newest first. Those of a deleted webhook belong to no facility. */
export function listUndeliveredOfAll(tx: Tx, page: UndeliveredPageRequest): Promise<UndeliveredRow[]> {
  const { clientIds, facilityCodes, status, kind, endedSince, topicName, objectId, before, limit } = page;
  const isWaiting = status === "WAITING";
  const conditions = allOf([
    clientIds === null ? undefined : sql`d.client_id = any(${clientIds}::text[])`,
    facilityCodes === null
      ? undefined
      : sql`exists (select from webhook w where ${ofItsWebhook} and w.facility_code = any(${facilityCodes}::text[]))`,
    status === undefined || isWaiting ? undefined : sql`d.status = ${status}`,
    endedSince === undefined ? undefined : sql`d.completed_at >= ${endedSince}::timestamptz`,
    kind === undefined ? undefined : sql`(strpos(d.topic_name, ':') > 0) = ${kind === "WEBHOOK"}::boolean`,
    topicName === undefined ? undefined : sql`d.topic_name = ${topicName}`,
    objectId === undefined ? undefined : sql`d.object_id = ${objectId}`,
  ]);
  // The URL is looked up for the rows of the page, not for each waiting delivery.
  return tx.query(
    sql`select d.client_id, d.delivery_id, d.webhook_id, (select w.url from webhook w where ${ofItsWebhook}) as url, d.event_id,
        d.topic_name, d.object_type, d.object_id, d.status, d.due_at, d.attempts, d.last_error, d.completed_at
      from webhook_delivery d
      where d.delivery_id < ${before}::uuid and ${isWaiting ? hasNotEnded : isUndelivered} and ${conditions}
      order by d.delivery_id desc limit ${limit}`,
  );
}
