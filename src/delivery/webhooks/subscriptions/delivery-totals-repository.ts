import type { ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";

/** The state of a subscription's deliveries: of the open ones, and of the latest ones. */
export interface DeliveryTotals {
  readonly webhook_id: string;
  /** Open ones, counted up to `openMax`. */
  readonly pending: number;
  /** The earliest created of them. */
  readonly oldest: string | null;
  /** Among the latest ones: delivered, and failed or retried. */
  readonly delivered: number;
  readonly undelivered: number;
}

export const openMax = 10_000;
export const lastLookedAt = 200;

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
