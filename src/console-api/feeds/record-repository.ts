import Type, { type Static } from "typebox";
import { feedSources } from "#/console-api/feeds/conditions-repository.ts";
import { feedRecord } from "#/console-api/feeds/contract.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { Findings } from "#/intake/feeds/repository.ts";
import type { feedFile } from "#/intake/feeds/tables.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import type { Answered } from "#/store/db/table.ts";

const feedHead = Type.Omit(feedRecord, ["fileName", "faults", "missingSkus", "outbound", "actions"]);

/** A document with all data except its payload; times ISO 8601 UTC. */
export interface StoredFeed extends Static<typeof feedHead> {
  /** When its deadline passed, whether it has an outcome by now or not. */
  readonly overdueAt: string | null;
  readonly findings: Findings | null;
  readonly ack: Buffer;
}

const columns = columnsOf(feedHead, "d", {
  ...feedSources,
  healedAt: sql`d.unparked_at`,
  isPayloadKept: sql`p.content_type is not null`,
  contentType: "p",
  sha256: sql`encode(d.body_sha256, 'hex')`,
});

export async function findFeed(tx: ClientTx, token: string): Promise<StoredFeed | undefined> {
  const rows = await tx.query<StoredFeed>(sql`select ${columns}, d.overdue_at as "overdueAt", d.findings, d.ack
      from feed_document d left join feed_payload p on p.client_id = ${tenant} and p.token = ${token}::uuid
      where d.client_id = ${tenant} and d.token = ${token}::uuid limit 1`);
  return rows[0];
}

export type FeedFile = Answered<
  Pick<typeof feedFile.columns, "name" | "is_accepted" | "processed_at" | "archive_name">
>;

/** The files in which a document arrived. */
export function listFeedFiles(tx: ClientTx, token: string, limit: number): Promise<FeedFile[]> {
  return tx.query(sql`select name, is_accepted, processed_at, archive_name from feed_file
      where client_id = ${tenant} and is_accepted = any('{true,false}'::boolean[]) and token = ${token}::uuid and ordinal > 0
      order by processed_at limit ${limit}`);
}

export interface FeedOutbound {
  readonly messageId: string;
  readonly type: string;
  readonly createdAt: string;
  readonly acknowledgedAt: string | null;
  readonly readAt: string | null;
  readonly collectedAt: string | null;
}

/** Outbound documents that report a document's outcome. */
export function listFeedOutbound(tx: ClientTx, token: string, limit: number): Promise<FeedOutbound[]> {
  return tx.query(sql`select message_id as "messageId", type, created_at as "createdAt",
        acknowledged_at as "acknowledgedAt", read_at as "readAt", collected_at as "collectedAt"
      from outbound_document
      where client_id = ${tenant} and feed_token = ${token}::uuid order by message_id limit ${limit}`);
}
