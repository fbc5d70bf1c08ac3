import type { Tx } from "#/store/db/database.ts";
import { acrossClients as sql } from "#/store/db/sql.ts";

const clientsMax = 100_000;

/** Clients with orders of which some quantity has been backordered since before `before`, ISO 8601. */
export async function listClientsWithBackorders(tx: Tx, before: string): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select distinct client_id from sales_order
      where backordered_since is not null and backordered_since < ${before}::timestamptz limit ${clientsMax}`,
  );
  return rows.map(({ client_id }) => client_id);
}

/** Clients with unanswered cancel requests from before `before`, ISO 8601. */
export async function listClientsWithCancelRequests(tx: Tx, before: string): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select distinct client_id from sales_order
      where cancel_requested_at is not null and cancel_requested_at < ${before}::timestamptz limit ${clientsMax}`,
  );
  return rows.map(({ client_id }) => client_id);
}

/** Clients with orders whose `order:atRisk` event is due at `now`, ISO 8601. */
export async function listClientsWithOrdersAtRisk(tx: Tx, now: string): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select distinct client_id from sales_order
      where at_risk_at is not null and at_risk_at <= ${now}::timestamptz limit ${clientsMax}`,
  );
  return rows.map(({ client_id }) => client_id);
}

export async function listClientsWithOrdersToRelease(tx: Tx, now: string): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select distinct client_id from sales_order
      where release_at is not null and release_at <= ${now}::timestamptz limit ${clientsMax}`,
  );
  return rows.map(({ client_id }) => client_id);
}

/** Clients with items whose AvailableFrom has moved. */
export async function listClientsWithMovedItems(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select distinct client_id from item where available_moved_at is not null limit ${clientsMax}`,
  );
  return rows.map(({ client_id }) => client_id);
}

/** Clients whose orders move by themselves, with orders that have lacked stock since before `before`, ISO 8601. */
export async function listClientsWithOrdersToReroute(tx: Tx, before: string): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select distinct o.client_id from client c join sales_order o on o.client_id = c.client_id
      where c.settings ? 'rerouteHours' and o.backordered_since is not null
        and o.backordered_since < ${before}::timestamptz limit ${clientsMax}`,
  );
  return rows.map(({ client_id }) => client_id);
}
