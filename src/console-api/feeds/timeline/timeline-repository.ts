import { outboundObjectTypes } from "#/delivery/outbound/index.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

export interface CausedEvent {
  readonly topic: string;
  readonly object_id: string;
  readonly occurred_at: string;
}

/** The events of an order within a span of event ids (`idBoundary`), in the order of the ids. */
export function listCausedEvents(
  tx: ClientTx,
  orderId: string,
  span: { readonly from: string; readonly to: string },
  limit: number,
): Promise<CausedEvent[]> {
  return tx.query(sql`select topic, object_id, occurred_at from event
      where client_id = ${tenant} and object_type = 'order' and topic <> 'carrier:trackAndTrace' and object_id = ${orderId}
        and event_id >= ${span.from}::uuid and event_id < ${span.to}::uuid
      order by event_id limit ${limit}`);
}

export interface FeedDelivery {
  readonly delivery_id: string;
  readonly webhook_id: string;
  readonly topic_name: string;
  readonly status: string;
  readonly attempts: number;
  readonly completed_at: string | null;
  readonly last_error: string | null;
}

/** The webhook deliveries about a document. */
export function listFeedDeliveries(tx: ClientTx, token: string, limit: number): Promise<FeedDelivery[]> {
  return tx.query(sql`select delivery_id, webhook_id, topic_name, status, attempts, completed_at, last_error from webhook_delivery
      where client_id = ${tenant} and object_id = ${token} and object_id > '' and object_type = 'feed'
      order by delivery_id limit ${limit}`);
}

/**
 * The pushes of the outbound documents. @param span delivery ids that contain them: no delivery is older than its
 * document.
 */
export function listFeedPushes(
  tx: ClientTx,
  messageIds: readonly string[],
  span: { readonly from: string; readonly to: string },
  limit: number,
): Promise<FeedDelivery[]> {
  return tx.query(sql`select delivery_id, webhook_id, topic_name, status, attempts, completed_at, last_error from webhook_delivery
      where client_id = ${tenant} and event_id = any(${messageIds}::uuid[])
        and delivery_id >= ${span.from}::uuid and delivery_id < ${span.to}::uuid
        and object_type in ${outboundObjectTypes}
      order by delivery_id limit ${limit}`);
}

export interface FeedAudit {
  readonly audit_id: string;
  readonly actor: string;
  readonly action: string;
  readonly detail: { readonly state?: string; readonly from?: string };
}

/** The actions of operators on a document. */
export function listFeedAudits(tx: ClientTx, token: string, limit: number): Promise<FeedAudit[]> {
  return tx.query(sql`select audit_id, actor, action, detail from audit_log
      where client_id = ${tenant} and object_id = ${token} and object_id > '' and object_type = 'feed'
      order by audit_id limit ${limit}`);
}
