import type { FeedColumns } from "#/console-api/feeds/conditions-repository.ts";
import type { ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import type { Findings } from "#/feeds/repository.ts";

/** A document with all data except its payload; times ISO 8601 UTC. */
export interface FeedRow extends FeedColumns {
  readonly body_sha256: Buffer;
  readonly findings: Findings | null;
  readonly ack: Buffer;
  /** Null where the payload is not stored. */
  readonly content_type: string | null;
}

export async function findFeed(tx: ClientTx, token: string): Promise<FeedRow | undefined> {
  const rows =
    await tx.query<FeedRow>(sql`select d.client_id, d.token, d.feed_type, d.channel, d.state, d.object_id, d.received_at, d.completed_at, d.overdue_at,
        d.unparked_at, d.body_bytes, d.body_sha256, d.findings, d.ack, p.content_type
      from feed_document d left join feed_payload p on p.client_id = ${tenant} and p.token = ${token}::uuid
      where d.client_id = ${tenant} and d.token = ${token}::uuid limit 1`);
  return rows[0];
}

export interface FeedFileRow {
  readonly name: string;
  readonly is_accepted: boolean;
  readonly processed_at: string;
  readonly archive_name: string | null;
}

/** The files in which a document arrived. */
export function listFeedFiles(tx: ClientTx, token: string, limit: number): Promise<FeedFileRow[]> {
  return tx.query(sql`select name, is_accepted, processed_at, archive_name from feed_file
      where client_id = ${tenant} and is_accepted = any('{true,false}'::boolean[]) and token = ${token}::uuid and ordinal > 0
      order by processed_at limit ${limit}`);
}

export interface FeedOutboundRow {
  readonly message_id: string;
  readonly type: string;
  readonly created_at: string;
  readonly acknowledged_at: string | null;
  readonly read_at: string | null;
  readonly collected_at: string | null;
}

/** Outbound documents that report a document's outcome. */
export function listFeedOutbound(tx: ClientTx, token: string, limit: number): Promise<FeedOutboundRow[]> {
  return tx.query(sql`select message_id, type, created_at, acknowledged_at, read_at, collected_at from outbound_document
      where client_id = ${tenant} and feed_token = ${token}::uuid order by message_id limit ${limit}`);
}
