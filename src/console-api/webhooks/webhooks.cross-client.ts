import {
  type StoredReceiver,
  type StoredSubscription,
  type StoredUndelivered,
  storedReceiver,
  storedSubscription,
  storedUndelivered,
} from "#/console-api/webhooks/contract.ts";
import { undelivered } from "#/delivery/webhooks/deliveries/states.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { Tx } from "#/store/db/database.ts";
import { allOf, acrossClients as sql } from "#/store/db/sql.ts";

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

const subscriptionColumns = columnsOf(storedSubscription, "w");

/** A page of subscriptions, client by client, in order of creation. */
export function listSubscriptionsOfAll(tx: Tx, page: SubscriptionPageRequest): Promise<StoredSubscription[]> {
  const { clientIds, facilityCodes, status, kind, after, limit } = page;
  const conditions = allOf([
    clientIds === null ? undefined : sql`w.client_id = any(${clientIds}::text[])`,
    facilityCodes === null ? undefined : sql`w.facility_code = any(${facilityCodes}::text[])`,
    status === undefined ? undefined : sql`w.status = ${status}`,
    kind === undefined ? undefined : sql`w.kind = ${kind}`,
  ]);
  return tx.query(
    sql`select ${subscriptionColumns}
      from webhook w
      where w.client_id >= ${after.clientId} and (w.client_id, w.webhook_id) > (${after.clientId}, ${after.webhookId}::uuid)
        and ${conditions}
      order by w.client_id, w.webhook_id limit ${limit}`,
  );
}

export interface UndeliveredPageRequest {
  /** Null: all. */
  readonly clientIds: readonly string[] | null;
  /** `*`: subscriptions to all facilities. */
  readonly facilityCodes: readonly string[] | null;
  readonly status: string | undefined;
  readonly kind: string | undefined;
  readonly webhookId: string | undefined;
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

const undeliveredColumns = columnsOf(storedUndelivered, "d", {
  kind: sql`case when strpos(d.topic_name, ':') > 0 then 'WEBHOOK' else 'OUTBOUND' end`,
  // Looked up for the rows of the page, not for each waiting delivery.
  url: sql`(select w.url from webhook w where ${ofItsWebhook})`,
  tries: sql`d.attempts`,
  nextTryAt: sql`d.due_at`,
  endedAt: sql`d.completed_at`,
});

type DeliveryScope = Pick<UndeliveredPageRequest, "clientIds" | "facilityCodes">;

const scopeOf = ({ clientIds, facilityCodes }: DeliveryScope) => [
  clientIds === null ? undefined : sql`d.client_id = any(${clientIds}::text[])`,
  facilityCodes === null
    ? undefined
    : sql`exists (select from webhook w where ${ofItsWebhook} and w.facility_code = any(${facilityCodes}::text[]))`,
];

/** Failed or waiting deliveries, the newest first. Those of a deleted webhook belong to no facility. */
export function listUndeliveredOfAll(tx: Tx, page: UndeliveredPageRequest): Promise<StoredUndelivered[]> {
  const { status, kind, webhookId, endedSince, topicName, objectId, before, limit } = page;
  const isWaiting = status === "WAITING";
  const conditions = allOf([
    ...scopeOf(page),
    // As text: otherwise the planner looks for the webhook by this id alone, in all rows of its table.
    webhookId === undefined ? undefined : sql`d.webhook_id::text = ${webhookId.toLowerCase()}`,
    status === undefined || isWaiting ? undefined : sql`d.status = ${status}`,
    endedSince === undefined ? undefined : sql`d.completed_at >= ${endedSince}::timestamptz`,
    kind === undefined ? undefined : sql`(strpos(d.topic_name, ':') > 0) = ${kind === "WEBHOOK"}::boolean`,
    topicName === undefined ? undefined : sql`d.topic_name = ${topicName}`,
    objectId === undefined ? undefined : sql`d.object_id = ${objectId}`,
  ]);
  return tx.query(
    sql`select ${undeliveredColumns}
      from webhook_delivery d
      where d.delivery_id < ${before}::uuid and ${isWaiting ? hasNotEnded : isUndelivered} and ${conditions}
      order by d.delivery_id desc limit ${limit}`,
  );
}

const receiverColumns = columnsOf(storedReceiver, "d", {
  retrying: sql`(count(*) filter (where d.status = 'RETRYING'))::integer`,
  failed: sql`(count(*) filter (where d.status = 'FAILED'))::integer`,
  skipped: sql`(count(*) filter (where d.status = 'SKIPPED'))::integer`,
  oldestId: sql`min(d.delivery_id::text)`,
  lastError: sql`(array_agg(d.last_error order by d.delivery_id desc) filter (where d.last_error is not null))[1]`,
});

/** The newest undelivered deliveries by subscription. @param looked of how many; a dead receiver may have a million */
export function listReceiversOfAll(tx: Tx, scope: DeliveryScope, looked: number): Promise<StoredReceiver[]> {
  return tx.query(
    sql`select ${receiverColumns}
      from (
        select d.client_id, d.webhook_id, d.delivery_id, d.status, d.last_error from webhook_delivery d
        where ${isUndelivered} and ${allOf(scopeOf(scope))} order by d.delivery_id desc limit ${looked}
      ) d
      group by d.client_id, d.webhook_id limit ${looked}`,
  );
}

/** Addresses and states of subscriptions that still exist. */
export function listAddressesOfAll(
  tx: Tx,
  clientIds: readonly string[],
  webhookIds: readonly string[],
): Promise<Pick<StoredSubscription, "webhookId" | "url" | "status">[]> {
  return tx.query(
    sql`select w.webhook_id as "webhookId", w.url, w.status from webhook w
      where w.client_id = any(${clientIds}::text[]) and w.webhook_id = any(${webhookIds}::uuid[]) limit ${webhookIds.length}`,
  );
}
