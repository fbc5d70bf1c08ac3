import {
  type DocumentFilter,
  inOrder,
  type ListRow,
  listColumns,
  ofSource,
  ofStretch,
  remaining,
  type Source,
  type Stretch,
} from "#/console-api/feeds/conditions-repository.ts";
import type { Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery } from "#/db/tenant.ts";

/** Documents of one client: an index finds its part of the list, whatever other clients send. */
export function listDocumentsOf(
  tx: Tx,
  clientId: string,
  filter: DocumentFilter,
  source: Source,
  stretch: Stretch,
  limit: number,
): Promise<ListRow[]> {
  return tenantQuery(
    tx,
    clientId,
    sql`select ${listColumns} from feed_document d
      where d.client_id = ${tenant} and ${ofSource(source)} and ${ofStretch(filter, stretch)} and ${remaining(filter, source)}
      order by ${inOrder(stretch.isNewestFirst)} limit ${limit}`,
  );
}

/** The last of the first `looked` documents in the order of the list; undefined where there are fewer. */
export async function findReachOf(
  tx: Tx,
  clientId: string,
  filter: DocumentFilter,
  source: Source,
  stretch: Stretch,
  looked: number,
): Promise<string | undefined> {
  const rows = await tenantQuery<{ token: string }>(
    tx,
    clientId,
    sql`select d.token from feed_document d
      where d.client_id = ${tenant} and ${ofSource(source)} and ${ofStretch(filter, stretch)}
      order by ${inOrder(stretch.isNewestFirst)} limit 1 offset ${looked - 1}`,
  );
  return rows[0]?.token;
}
