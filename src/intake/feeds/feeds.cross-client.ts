import type { Tx } from "#/store/db/database.ts";
import { acrossClients as sql } from "#/store/db/sql.ts";

export interface OverdueDocument {
  readonly client_id: string;
  readonly token: string;
  readonly feed_type: string;
  readonly object_id: string | null;
}

/** Accepted documents without an outcome past their client's deadline, not yet reported, of all but these clients. */
export function listOverdue(tx: Tx, at: string, limit: number, except: readonly string[]): Promise<OverdueDocument[]> {
  return tx.query(
    sql`select d.client_id, d.token, d.feed_type, d.object_id
      from feed_document d join client c on c.client_id = d.client_id
      where d.state = 'ACCEPTED' and d.overdue_at is null and d.client_id <> all(${except}::text[])
        and d.received_at < ${at}::timestamptz - coalesce((c.settings ->> 'feedDeadlineMinutes')::numeric, 15) * interval '1 minute'
      order by d.token limit ${limit}`,
  );
}

/** Documents that became overdue after this moment: by a clock that was ahead. */
export function listOverdueAhead(tx: Tx, most: string, limit: number): Promise<{ client_id: string; token: string }[]> {
  return tx.query(
    sql`select client_id, token from feed_document
      where state = 'ACCEPTED' and overdue_at is not null and overdue_at > ${most}::timestamptz
      order by overdue_at limit ${limit}`,
  );
}

/** Clients that have parked documents. */
export async function listClientsWithParked(tx: Tx, limit: number): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select distinct client_id from feed_document where state = 'PARKED' limit ${limit}`,
  );
  return rows.map(({ client_id }) => client_id);
}

/** The client of a document that is known only by its token, for example in a support call. */
export async function findClientOfToken(tx: Tx, token: string): Promise<string | undefined> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select client_id from feed_document where token = ${token}::uuid and received_at < 'infinity' limit 1`,
  );
  return rows[0]?.client_id;
}

/** The longest `feedRetentionDays` of any client, in days; 0 when no client sets it. */
export async function findLongestRetention(tx: Tx): Promise<number> {
  const rows = await tx.query<{ days: number }>(
    sql`select coalesce(max((settings ->> 'feedRetentionDays')::integer), 0) as days from client limit 1`,
  );
  return rows[0]?.days ?? 0;
}
