import type { Tx } from "#/store/db/database.ts";
import { acrossClients as sql } from "#/store/db/sql.ts";

const tenantsMax = 20_000;

/** All clients, and the facilities that have or had webhooks (`facilityTenant`): the owners of event logs. */
export async function listTenants(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select client_id from tenant order by client_id limit ${tenantsMax}`,
  );
  return rows.map(({ client_id }) => client_id);
}
