import type { Database } from "#/db/database.ts";
import type { RequestFault } from "#/http/problem.ts";
import { nearestName } from "#/kernel/nearest-name.ts";
import { findBook } from "#/modules/inventory/book-repository.ts";

export interface FacilityContext {
  readonly database: Database;
  /** The facilities that the client may use. */
  facilitiesOf(clientId: string): Promise<readonly string[]>;
}

/** What a client may ask about: where it may work, and where it has a ledger from the time when it could. */
export async function faultOfFacility(
  { database, facilitiesOf }: FacilityContext,
  clientId: string,
  facilityCode: string,
  pointer: string,
): Promise<RequestFault | undefined> {
  const facilities = await facilitiesOf(clientId);
  if (facilities.includes(facilityCode)) return undefined;
  if (await findBook(database, clientId, facilityCode)) return undefined;
  const nearest = nearestName(facilityCode, facilities);
  const meant = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  return { pointer, message: `'${facilityCode}' is no facility of the client${meant}` };
}
