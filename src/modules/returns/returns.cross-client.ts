import { unclosedReturn } from "#/modules/returns/states.ts";
import type { Tx } from "#/store/db/database.ts";
import { acrossClients as sql } from "#/store/db/sql.ts";

/** Clients with unused return authorisations that are due, and the moment before which those were authorised. */
export async function listClientsWithUnusedReturns(
  tx: Tx,
  at: string,
  limit: number,
): Promise<{ clientId: string; before: string }[]> {
  const rows = await tx.query<{ client_id: string; before: string }>(
    sql`select distinct c.client_id,
        ${at}::timestamptz - coalesce((c.settings ->> 'rmaDays')::integer, 90) * interval '1 day' as before
      from client c join return_authorisation r on r.client_id = c.client_id
      where r.status = 'AUTHORISED'
        and r.received_at < ${at}::timestamptz - coalesce((c.settings ->> 'rmaDays')::integer, 90) * interval '1 day'
      order by c.client_id limit ${limit}`,
  );
  return rows.map(({ client_id, before }) => ({ clientId: client_id, before }));
}

/** Clients with returns in receipt that nothing has changed for long, and the moment before which for those that lack goods. */
export async function listClientsWithQuietReturns(
  tx: Tx,
  at: string,
  completeBefore: string,
  limit: number,
): Promise<{ clientId: string; shortBefore: string }[]> {
  const rows = await tx.query<{ client_id: string; short_before: string }>(
    sql`select distinct c.client_id,
        ${at}::timestamptz - coalesce((c.settings ->> 'rmaDays')::integer, 90) * interval '1 day' as short_before
      from client c join return_authorisation r on r.client_id = c.client_id
      where r.status in ${unclosedReturn}
        and r.updated_at < case r.status when 'RECEIVED' then ${completeBefore}::timestamptz
          else ${at}::timestamptz - coalesce((c.settings ->> 'rmaDays')::integer, 90) * interval '1 day' end
      order by c.client_id limit ${limit}`,
  );
  return rows.map(({ client_id, short_before }) => ({ clientId: client_id, shortBefore: short_before }));
}
