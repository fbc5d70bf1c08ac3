// The newest rows of a client's logs, up to a bound: the cost does not grow with the logs.
import type { SignatureTrial } from "#/delivery/webhooks/index.ts";
import { idBoundary, timeOfId } from "#/kernel/values/ids.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

export interface SeenDocument {
  readonly token: string;
  readonly feedType: string;
  readonly state: string;
  readonly objectId: string | null;
  readonly receivedAt: string;
  readonly firstError: string | null;
  readonly hasMissingSkus: boolean;
}

interface SeenEvent {
  readonly topic: string;
  readonly objectId: string;
  readonly occurredAt: string;
}

export interface SeenRequest {
  readonly requestId: string;
  readonly at: string;
  readonly path: string;
  readonly status: number | null;
  readonly objectId: string | null;
  readonly outcome: string | null;
}

interface SeenOutbound {
  readonly messageId: string;
  readonly type: string;
  readonly createdAt: string;
  /** When the client acknowledged it over HTTP, or took it by SFTP. */
  readonly takenAt: string | null;
}

/** All lists have the newest first. */
export interface Evidence {
  readonly atMs: number;
  readonly documents: readonly SeenDocument[];
  readonly events: readonly SeenEvent[];
  readonly requests: readonly SeenRequest[];
  readonly outbound: readonly SeenOutbound[];
  readonly receivers: readonly SignatureTrial[];
}

/** Rows of each log. */
const rowsMax = 2_000;

/** @param sinceMs nothing older is read. */
export async function readEvidence(
  tx: ClientTx,
  { sinceMs, atMs }: { readonly sinceMs: number; readonly atMs: number },
): Promise<Omit<Evidence, "receivers">> {
  const from = idBoundary(sinceMs);
  const [documents, events, requests, outbound] = await Promise.all([
    listDocuments(tx, from),
    listEvents(tx, from),
    listRequests(tx, from),
    listOutbound(tx, from),
  ]);
  return {
    atMs,
    documents,
    events,
    requests: requests.map((row) => ({ ...row, at: new Date(timeOfId(row.requestId)).toISOString() })),
    outbound,
  };
}

function listDocuments(tx: ClientTx, from: string): Promise<SeenDocument[]> {
  return tx.query(sql`select d.token, d.feed_type as "feedType", d.state, d.object_id as "objectId",
        d.received_at as "receivedAt", d.findings -> 'errors' ->> 0 as "firstError",
        coalesce(jsonb_array_length(d.findings -> 'missingSkus') > 0, false) as "hasMissingSkus"
      from feed_document d where d.client_id = ${tenant} and d.token >= ${from}::uuid
      order by d.token desc limit ${rowsMax}`);
}

function listEvents(tx: ClientTx, from: string): Promise<SeenEvent[]> {
  return tx.query(sql`select e.topic, e.object_id as "objectId", e.occurred_at as "occurredAt"
      from event e where e.client_id = ${tenant} and e.event_id >= ${from}::uuid
      order by e.event_id desc limit ${rowsMax}`);
}

function listRequests(tx: ClientTx, from: string): Promise<Omit<SeenRequest, "at">[]> {
  return tx.query(sql`select r.request_id as "requestId", r.path, r.status, r.object_id as "objectId", r.outcome
      from request_log r where r.client_id = ${tenant} and r.request_id >= ${from}::uuid
      order by r.request_id desc limit ${rowsMax}`);
}

function listOutbound(tx: ClientTx, from: string): Promise<SeenOutbound[]> {
  return tx.query(sql`select o.message_id as "messageId", o.type, o.created_at as "createdAt",
        coalesce(o.acknowledged_at, o.collected_at) as "takenAt"
      from outbound_document o
      where o.client_id = ${tenant} and o.message_id >= ${from}::uuid and (o.is_http or o.is_sftp)
      order by o.message_id desc limit ${rowsMax}`);
}
