import type { Database } from "#/db/database.ts";
import { type FacilityObject, facilityObjects } from "#/http/operator.ts";
import { findFacilityOf } from "#/modules/operator/access/facility-repository.ts";
import * as refusals from "#/modules/operator/access/refusal-repository.ts";
import { listFacilitiesOf } from "#/modules/operator/sandbox/repository.ts";

/** What is looked up for the users of the console who are limited to facilities. */
export async function runConsoleAccess(database: Database, clientId: string): Promise<void> {
  const id = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11";
  for (const object of Object.keys(facilityObjects) as FacilityObject[]) {
    await findFacilityOf(database, clientId, object, id);
  }
  await listFacilitiesOf(database, clientId, id);
  const at = "2026-11-20T12:00:00Z";
  for (const userName of ["anna", undefined]) {
    await refusals.countRefusal(database, { userName, reason: "NAME_OR_PASSWORD", at, origin: "192.0.2.17" });
    for (const before of [undefined, { day: "2026-11-20", userName: "anna", reason: "SUSPENDED" }]) {
      await refusals.listRefusals(database, { of: userName, before, limit: 50 });
    }
  }
  await refusals.purgeRefusals(database, at, 100);
}
