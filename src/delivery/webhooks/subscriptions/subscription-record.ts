import { countOpen } from "#/delivery/webhooks/deliveries/delivery-log-repository.ts";
import { findHeaders, maskedValue } from "#/delivery/webhooks/subscriptions/secrets.ts";
import type { Subscription } from "#/delivery/webhooks/subscriptions/subscription.ts";
import type { WebhookRecord } from "#/delivery/webhooks/subscriptions/subscription-contract.ts";
import { listLaneHealth } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { facilityOfTenant } from "#/store/db/facility-tenant.ts";
import { sql, tenant } from "#/store/db/sql.ts";

/** The count stops here: a receiver with such a backlog is in trouble anyway. */
const pendingMax = 100_000;

export type WebhookHealth = WebhookRecord["health"];

/** The health of each of these subscriptions. */
export async function readHealth(
  tx: ClientTx,
  webhookIds: readonly string[],
): Promise<(webhookId: string) => WebhookHealth> {
  const [lanes, pending] = await Promise.all([listLaneHealth(tx, webhookIds), countOpen(tx, webhookIds, pendingMax)]);
  const laneOf = new Map(lanes.map((lane) => [lane.webhook_id, lane]));
  return (webhookId) => {
    const lane = laneOf.get(webhookId);
    return {
      lastSuccessAt: momentOf(lane?.last_success_ms ?? null),
      lastFailureAt: momentOf(lane?.last_failure_ms ?? null),
      consecutiveFailures: lane?.failures ?? 0,
      pending: pending.get(webhookId) ?? 0,
    };
  };
}

const momentOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** The records as REST shows them, including their health. */
export async function webhookRecords(
  tx: ClientTx,
  subscriptions: readonly Subscription[],
  secretBox: SecretBox,
): Promise<WebhookRecord[]> {
  if (subscriptions.length === 0) return [];
  const ids = subscriptions.map(({ webhookId }) => webhookId);
  const healthOf = await readHealth(tx, ids);
  return subscriptions.map((subscription) => ({
    webhookId: subscription.webhookId,
    topicName: subscription.topicName,
    additionalTopicNames: [...subscription.additionalTopicNames],
    clientId: facilityOfTenant(tx.clientId) === undefined ? tx.clientId : "*",
    facilityCode: subscription.facilityCode,
    description: subscription.description ?? null,
    url: subscription.url,
    contentType: subscription.contentType,
    emailList: [...subscription.emailList],
    httpSignature: subscription.hasHttpSignature,
    customHeaders: Object.fromEntries(
      Object.keys(findHeaders(secretBox, subscription) ?? {}).map((name) => [name, maskedValue]),
    ),
    isPaused: subscription.status === "PAUSED" ? 1 : 0,
    status: subscription.status,
    health: healthOf(subscription.webhookId),
    createdAt: subscription.createdAt,
    updatedAt: subscription.updatedAt,
    version: subscription.version,
  }));
}

/** The state of a subscription's deliveries: of the open ones, and of the latest ones. */
interface DeliveryTotals {
  readonly webhook_id: string;
  /** Open ones, counted up to `openMax`. */
  readonly pending: number;
  /** The earliest created of them. */
  readonly oldest: string | null;
  /** Among the latest ones: delivered, and failed or retried. */
  readonly delivered: number;
  readonly undelivered: number;
}

const openMax = 10_000;
const lastLookedAt = 200;

/** The state of the deliveries of each of these subscriptions. */
export function listDeliveryTotals(tx: ClientTx, webhookIds: readonly string[]): Promise<DeliveryTotals[]> {
  return tx.query(sql`select given.webhook_id, o.pending, o.oldest, l.delivered, l.undelivered
      from unnest(${webhookIds}::uuid[]) as given(webhook_id)
      cross join lateral (
        select count(*)::integer as pending, min(p.delivery_id::text) as oldest from (
          select d.delivery_id from webhook_delivery d
          where d.client_id = ${tenant} and d.webhook_id = given.webhook_id and d.completed_at is null limit ${openMax}
        ) p
      ) o
      cross join lateral (
        select count(*) filter (where q.status = 'DELIVERED')::integer as delivered,
          count(*) filter (where q.status in ('FAILED', 'RETRYING'))::integer as undelivered
        from (
          select e.status from webhook_delivery e
          where e.client_id = ${tenant} and e.webhook_id = given.webhook_id and e.attempts >= 0
          order by e.delivery_id desc limit ${lastLookedAt}
        ) q
      ) l limit ${webhookIds.length}`);
}
