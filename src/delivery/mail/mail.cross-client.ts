import type { Tx } from "#/store/db/database.ts";
import { acrossClients as sql } from "#/store/db/sql.ts";

const clientsMax = 10_000;

/**
 * Clients with due mails, in no order. Moments ISO 8601 UTC. Usually they are the clients of a few mails. With more than
 * `mailsMax` due mails, which may all be of one client, each client is asked.
 * @param dueMost the latest due time of a mail postponed now: a later due time comes from a clock that was ahead.
 */
export async function listClientsWithDueMails(
  tx: Tx,
  at: string,
  dueMost: string,
  mailsMax: number,
): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(sql`select client_id from alert_mail
    where status = 'PENDING' and (due_at <= ${at}::timestamptz or due_at > ${dueMost}::timestamptz) order by due_at limit ${mailsMax}`);
  if (rows.length < mailsMax) return [...new Set(rows.map(({ client_id }) => client_id))];
  const clients = await tx.query<{ client_id: string }>(sql`select t.client_id from tenant t cross join lateral (
      select 1 as due from alert_mail m
      where m.client_id = t.client_id and m.status = 'PENDING'
        and (m.due_at <= ${at}::timestamptz or m.due_at > ${dueMost}::timestamptz) limit 1) m
    order by t.client_id limit ${clientsMax}`);
  return clients.map(({ client_id }) => client_id);
}
