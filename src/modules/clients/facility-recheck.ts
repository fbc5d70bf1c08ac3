import { checkFacility } from "#/intake/feeds/intake/checks.ts";
import type { Entry } from "#/intake/feeds/intake/definition.ts";
import { shareFacilities } from "#/modules/clients/repository.ts";
import type { ClientTx } from "#/store/db/database.ts";

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
