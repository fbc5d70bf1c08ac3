/** The feed log over all clients, for operators: read-only, by receipt, a page at a time. */

import {
  byName,
  type DocumentFilter,
  inOrder,
  type ListedFeed,
  listColumns,
  named,
  ofSourceOfAll,
  ofStretch,
  remaining,
  type Source,
  type Stretch,
} from "#/console-api/feeds/conditions-repository.ts";
import type { Tx } from "#/store/db/database.ts";
import { type Statement, acrossClients as sql } from "#/store/db/sql.ts";

const ofClients = (clientIds: readonly string[] | null): Statement =>
  clientIds === null ? sql`true` : sql`d.client_id = any(${clientIds}::text[])`;

/** @param clientIds null: all. */
export function listDocumentsOfAll(
  tx: Tx,
  clientIds: readonly string[] | null,
  filter: DocumentFilter,
  source: Source,
  stretch: Stretch,
  limit: number,
): Promise<ListedFeed[]> {
  return tx.query(
    sql`select ${listColumns} from feed_document d
      where ${ofSourceOfAll(source)} and ${ofStretch(filter, stretch)} and ${ofClients(clientIds)} and ${remaining(filter, source)}
      order by ${inOrder(stretch.isNewestFirst)} limit ${limit}`,
  );
}

/** The number of documents of a source, up to a limit. */
export async function countDocumentsOfAll(
  tx: Tx,
  clientIds: readonly string[] | null,
  filter: DocumentFilter,
  source: Source,
  most: number,
): Promise<number> {
  const stretch = { isNewestFirst: true, after: undefined, reach: undefined };
  const rows = await tx.query<{ documents: number }>(
    sql`select count(*)::integer as documents from (
        select d.token from feed_document d
        where ${ofSourceOfAll(source)} and ${ofStretch(filter, stretch)} and ${ofClients(clientIds)} and ${remaining(filter, source)}
        limit ${most}
      ) x limit 1`,
  );
  return rows[0]?.documents ?? 0;
}

/** The last of the first `looked` documents in the order of the list; undefined where there are fewer. */
export async function findReachOfAll(
  tx: Tx,
  filter: DocumentFilter,
  source: Source,
  stretch: Stretch,
  looked: number,
): Promise<string | undefined> {
  const rows = await tx.query<{ token: string }>(
    sql`select d.token from feed_document d where ${ofSourceOfAll(source)} and ${ofStretch(filter, stretch)}
      order by ${inOrder(stretch.isNewestFirst)} limit 1 offset ${looked - 1}`,
  );
  return rows[0]?.token;
}

/** Documents whose object names have this prefix, the first by name. */
export async function listTokensAbout(
  tx: Tx,
  clientIds: readonly string[] | null,
  prefix: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ token: string }>(
    sql`select d.token from feed_document d where ${named(prefix)} and ${ofClients(clientIds)}
      order by ${byName} limit ${limit}`,
  );
  return rows.map(({ token }) => token);
}

/** The file names of these documents; one of the names where a document came as several files. */
export function listFileNames(
  tx: Tx,
  documents: readonly Pick<ListedFeed, "clientId" | "token">[],
): Promise<{ readonly token: string; readonly name: string }[]> {
  const rows = documents.map(({ clientId, token }) => ({ client_id: clientId, token }));
  return tx.query(
    sql`select g.token, min(g.name) as name
      from (
          select client_id, token from json_to_recordset(${JSON.stringify(rows)}::json) as asked(client_id text, token uuid)
          limit ${rows.length}
        ) given
        join feed_file g on g.client_id = given.client_id and g.token = given.token
      where g.is_accepted = any('{true,false}'::boolean[]) and g.ordinal > 0
      group by g.client_id, g.token limit 1000`,
  );
}

/** Clients for which any of these facilities works. */
export async function listClientsOf(tx: Tx, facilityCodes: readonly string[], limit: number): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select distinct client_id from client_facility where facility_code = any(${facilityCodes}::text[])
      order by client_id limit ${limit}`,
  );
  return rows.map(({ client_id }) => client_id);
}
