import type { ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { checkFacility } from "#/feeds/intake/checks.ts";
import type { Entry } from "#/feeds/intake/definition.ts";

/**
 * Keeps the client's facilities and the stock units of its items as they are until the end of the transaction. Writers of
 * documents share the lock of the tenant's row, so they wait only for a change of these: locks of the items would make
 * them wait for every catalogue.
 */
export async function shareTenant(tx: ClientTx): Promise<void> {
  await tx.query(sql`select client_id from tenant where client_id = ${tenant} limit 1 for share`);
}

/** Waits for the documents that share the tenant's row, and makes further ones wait for the change. */
export async function lockTenant(tx: ClientTx): Promise<void> {
  await tx.query(sql`select client_id from tenant where client_id = ${tenant} limit 1 for no key update`);
}

/** The facilities open to the client, in routing order, kept until the end of the transaction. */
export async function shareFacilities(tx: ClientTx): Promise<readonly string[]> {
  // The query follows the lock on the same connection: it sees the change that the lock waited for.
  const [, rows] = await Promise.all([
    shareTenant(tx),
    tx.plain.query<{ facility_code: string }>(
      sql`select facility_code from client_facility where client_id = ${tx.clientId} order by position limit 1000`,
    ),
  ]);
  return rows.map(({ facility_code }) => facility_code);
}

/**
 * Refuses documents for a facility that was taken from the client after they were checked, and keeps the others open until
 * they are written.
 */
export async function recheckFacilities<Message>(
  tx: ClientTx,
  entries: readonly Entry<Message>[],
  facilityOf: (message: Message) => string | undefined,
): Promise<readonly string[]> {
  const facilities = await shareFacilities(tx);
  for (const { message, faults } of entries) {
    if (faults.some(({ code }) => code === "FACILITY")) continue;
    faults.push(...checkFacility(facilityOf(message), facilities, tx.clientId));
  }
  return facilities;
}
