import type { BreakerState } from "#/delivery/webhooks/lanes/breaker.ts";
import type { Subscription, SubscriptionStatus } from "#/delivery/webhooks/subscriptions/subscription.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { allOf, type Statement, sql, tenant } from "#/store/db/sql.ts";

/** A client's webhooks and pushed outbound feeds: more than are permitted. */
const subscriptionsMax = 1_000;

type StoredSubscription = Omit<Subscription, "clientId" | "description" | "sealed"> &
  Record<"description" | "headers" | "previous" | "previousUntil", string | null> & { readonly secret: string };

const columns = sql`webhook_id as "webhookId", kind, topic_name as "topicName",
  additional_topic_names as "additionalTopicNames", facility_code as "facilityCode", description, url,
  content_type as "contentType", email_list as "emailList", has_http_signature as "hasHttpSignature", status, from_position as "fromPosition",
  custom_headers_sealed as headers, signing_secret_sealed as secret, previous_secret_sealed as previous,
  previous_secret_until as "previousUntil", created_at as "createdAt", updated_at as "updatedAt", version`;

function subscriptionOf(clientId: string, row: StoredSubscription): Subscription {
  const { description, headers, secret, previous, previousUntil, ...subscription } = row;
  return {
    ...subscription,
    clientId,
    description: description ?? undefined,
    sealed: {
      headers: headers ?? undefined,
      secret,
      previous: previous ?? undefined,
      previousUntil: previousUntil ?? undefined,
    },
  };
}

/** All subscriptions of a client, of both kinds, in the order of their creation. */
export async function listSubscriptions(tx: ClientTx): Promise<Subscription[]> {
  const rows = await tx.query<StoredSubscription>(
    sql`select ${columns} from webhook where client_id = ${tenant} order by webhook_id limit ${subscriptionsMax}`,
  );
  return rows.map((row) => subscriptionOf(tx.clientId, row));
}

export interface WebhookPageRequest {
  readonly isNewestFirst: boolean;
  /** The page starts after this webhook. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** A page of the client's webhooks: ids contain the moment of their creation. */
export async function pageWebhooks(
  tx: ClientTx,
  { isNewestFirst, after, limit }: WebhookPageRequest,
): Promise<Subscription[]> {
  const afterCursor = isNewestFirst ? sql`webhook_id < ${after}::uuid` : sql`webhook_id > ${after}::uuid`;
  const conditions = allOf([sql`kind = 'WEBHOOK'`, after === undefined ? undefined : afterCursor]);
  const order = isNewestFirst ? sql`webhook_id desc` : sql`webhook_id`;
  const rows = await tx.query<StoredSubscription>(
    sql`select ${columns} from webhook where client_id = ${tenant} and ${conditions} order by ${order} limit ${limit}`,
  );
  return rows.map((row) => subscriptionOf(tx.clientId, row));
}

/** The pushes of the client's outbound feeds: at most one of each type. */
export async function listPushes(tx: ClientTx): Promise<Subscription[]> {
  const rows =
    await tx.query<StoredSubscription>(sql`select ${columns} from webhook where client_id = ${tenant} and kind = 'OUTBOUND'
      order by topic_name limit ${subscriptionsMax}`);
  return rows.map((row) => subscriptionOf(tx.clientId, row));
}

/** The push of one type of the client's outbound feeds, locked until the transaction ends. */
export async function lockPush(tx: ClientTransaction, feedType: string): Promise<Subscription | undefined> {
  const rows =
    await tx.query<StoredSubscription>(sql`select ${columns} from webhook where client_id = ${tenant} and kind = 'OUTBOUND' and topic_name = ${feedType} limit 1
      for no key update`);
  return rows[0] && subscriptionOf(tx.clientId, rows[0]);
}

/** A subscription of either kind. */
export const findSubscription = (tx: ClientTx, webhookId: string) => readSubscription(tx, webhookId, sql``);

/** A subscription of either kind, locked until the transaction ends. */
export const lockSubscription = (tx: ClientTransaction, webhookId: string) =>
  readSubscription(tx, webhookId, sql`for no key update`);

/** A subscription of either kind, protected from change until the transaction ends. */
export const shareSubscription = (tx: ClientTransaction, webhookId: string) =>
  readSubscription(tx, webhookId, sql`for share`);

async function readSubscription(tx: ClientTx, webhookId: string, lock: Statement): Promise<Subscription | undefined> {
  const rows = await tx.query<StoredSubscription>(
    sql`select ${columns} from webhook where client_id = ${tenant} and webhook_id = ${webhookId}::uuid limit 1 ${lock}`,
  );
  return rows[0] && subscriptionOf(tx.clientId, rows[0]);
}

/** Statuses of subscriptions, protected from change until the transaction ends; deleted subscriptions are missing. */
export async function shareStatuses(
  tx: ClientTransaction,
  webhookIds: readonly string[],
): Promise<ReadonlyMap<string, SubscriptionStatus>> {
  const rows = await tx.query<{
    webhook_id: string;
    status: SubscriptionStatus;
  }>(sql`select webhook_id, status from webhook
      where client_id = ${tenant} and webhook_id = any(${[...new Set(webhookIds)]}::uuid[])
      order by webhook_id limit ${subscriptionsMax} for share`);
  return new Map(rows.map(({ webhook_id, status }) => [webhook_id, status]));
}

/** The number of the client's REST subscriptions, which has a limit. */
export async function countSubscriptions(tx: ClientTx): Promise<number> {
  const rows = await tx.query<{ subscriptions: number }>(sql`select count(*)::integer as subscriptions
      from (
        select w.webhook_id from webhook w where w.client_id = ${tenant} and w.kind = 'WEBHOOK' limit ${subscriptionsMax}
      ) x limit 1`);
  return rows[0]?.subscriptions ?? 0;
}

/** Inserts the subscription and its lane. */
export function insertSubscription(tx: ClientTransaction, subscription: Subscription): void {
  const { sealed } = subscription;
  tx.send(sql`insert into webhook (client_id, webhook_id, kind, topic_name, additional_topic_names, facility_code, description, url, content_type,
        email_list, has_http_signature, custom_headers_sealed, status, signing_secret_sealed, from_position, created_at, updated_at, version)
      values (${tenant}, ${subscription.webhookId}::uuid, ${subscription.kind}, ${subscription.topicName}, ${subscription.additionalTopicNames}::text[], ${subscription.facilityCode}, ${subscription.description ?? null}, ${subscription.url}, ${subscription.contentType},
        ${subscription.emailList}::text[], ${subscription.hasHttpSignature}, ${sealed.headers ?? null}, ${subscription.status}, ${sealed.secret}, ${subscription.fromPosition}::bigint,
        ${subscription.createdAt}::timestamptz, ${subscription.updatedAt}::timestamptz, ${subscription.version})`);
  tx.send(sql`insert into webhook_lane (client_id, webhook_id) values (${tenant}, ${subscription.webhookId}::uuid)`);
}

/** Writes all columns that can change. */
export function updateSubscription(tx: ClientTransaction, subscription: Subscription): void {
  const { sealed } = subscription;
  tx.send(sql`update webhook set topic_name = ${subscription.topicName}, additional_topic_names = ${subscription.additionalTopicNames}::text[], facility_code = ${subscription.facilityCode},
        description = ${subscription.description ?? null}, url = ${subscription.url}, content_type = ${subscription.contentType}, email_list = ${subscription.emailList}::text[], has_http_signature = ${subscription.hasHttpSignature},
        custom_headers_sealed = ${sealed.headers ?? null}, status = ${subscription.status}, signing_secret_sealed = ${sealed.secret},
        previous_secret_sealed = ${sealed.previous ?? null},
        previous_secret_until = ${sealed.previousUntil ?? null}::timestamptz,
        updated_at = ${subscription.updatedAt}::timestamptz, version = ${subscription.version}
      where client_id = ${tenant} and webhook_id = ${subscription.webhookId}::uuid`);
}

/** Deletes the subscription with the counters of its objects. */
export function deleteSubscription(tx: ClientTransaction, webhookId: string): void {
  tx.send(sql`delete from webhook_sequence where client_id = ${tenant} and webhook_id = ${webhookId}::uuid`);
  tx.send(sql`delete from webhook where client_id = ${tenant} and webhook_id = ${webhookId}::uuid`);
}

/**
 * Changes the status as a result of sending, only from one of these statuses. True where the status matched. The version
 * stays, because a client's patch cannot conflict with this change: a breaker that opens must not refuse the patch that
 * fixes the address.
 */
export async function updateStatus(
  tx: ClientTransaction,
  webhookId: string,
  { from, to }: { readonly from: readonly SubscriptionStatus[]; readonly to: SubscriptionStatus },
): Promise<boolean> {
  const rows = await tx.query(sql`update webhook set status = ${to}
      where client_id = ${tenant} and webhook_id = ${webhookId}::uuid and status = any(${from}::text[])
      returning webhook_id`);
  return rows.length === 1;
}

export interface LaneHealth {
  readonly webhook_id: string;
  /** Unix milliseconds. */
  readonly last_success_ms: number | null;
  readonly last_failure_ms: number | null;
  /** Failed attempts since the last success. */
  readonly failures: number;
}

/** A number of the breaker. A value of another form, written by hand, counts as none. */
const numberIn = (name: keyof BreakerState) => {
  const path = `$.${name} ? (@ >= 0 && @ < 8000000000000)`;
  return sql`trunc(jsonb_path_query_first(breaker, ${path}::jsonpath)::numeric)::bigint`;
};

/** The health of these subscriptions' lanes. */
export function listLaneHealth(tx: ClientTx, webhookIds: readonly string[]): Promise<LaneHealth[]> {
  return tx.query(sql`select webhook_id, ${numberIn("lastSuccessAtMs")} as last_success_ms,
        ${numberIn("lastFailureAtMs")} as last_failure_ms, coalesce(${numberIn("failures")}, 0) as failures
      from webhook_lane where client_id = ${tenant} and webhook_id = any(${webhookIds}::uuid[]) limit ${subscriptionsMax}`);
}
