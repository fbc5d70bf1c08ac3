import {
  type DocumentFilter,
  inOrder,
  type ListedFeed,
  listColumns,
  ofSource,
  ofStretch,
  remaining,
  type Source,
  type Stretch,
} from "#/console-api/feeds/conditions-repository.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

/** Documents of one client: an index finds its part of the list, whatever other clients send. */
export function listDocumentsOf(
  tx: ClientTx,
  filter: DocumentFilter,
  source: Source,
  stretch: Stretch,
  limit: number,
): Promise<ListedFeed[]> {
  return tx.query(sql`select ${listColumns} from feed_document d
      where d.client_id = ${tenant} and ${ofSource(source)} and ${ofStretch(filter, stretch)} and ${remaining(filter, source)}
      order by ${inOrder(stretch.isNewestFirst)} limit ${limit}`);
}

/** The last of the first `looked` documents in the order of the list; undefined where there are fewer. */
export async function findReachOf(
  tx: ClientTx,
  filter: DocumentFilter,
  source: Source,
  stretch: Stretch,
  looked: number,
): Promise<string | undefined> {
  const rows = await tx.query<{ token: string }>(sql`select d.token from feed_document d
      where d.client_id = ${tenant} and ${ofSource(source)} and ${ofStretch(filter, stretch)}
      order by ${inOrder(stretch.isNewestFirst)} limit 1 offset ${looked - 1}`);
  return rows[0]?.token;
}
