// Figures by day and their reports, for the workload of plans.test.ts.
import { readLanes } from "#/console-api/carriers/lanes/lanes.ts";
import { countUncomputed, sumByGroup, sumFigures } from "#/console-api/reports/reports.cross-client.ts";
import { systemClock } from "#/kernel/clock.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createActivityRounds, noteDays, purgeActivity, restateAll } from "#/modules/activity/index.ts";
import { hasDueDays, listBilled } from "#/modules/activity/report-repository.ts";
import { createDirectory } from "#/modules/clients/index.ts";
import type { Database } from "#/store/db/database.ts";

export async function runActivity(database: Database, clientId: string): Promise<void> {
  const { findClient } = createDirectory({ database, clock: systemClock, environment: "sandbox" });
  const today = new Date().toISOString().slice(0, 10);
  const days = [{ day: today, facilityCode: "DC1" }];
  const rounds = () => createActivityRounds({ database, clock: systemClock, findClient }).run();
  await database.transaction(async (tx) => restateAll(tx.of(clientId)));
  await rounds();
  // As if the client's events were new.
  await database.query({
    text: `update activity_cursor set position = 0 where client_id = '${clientId}'`,
    name: "",
    values: [],
    isTenant: false,
  });
  await rounds();
  // The outcomes of a day that is final.
  days.push({ day: new Date(Date.now() - 80 * dayMs).toISOString().slice(0, 10), facilityCode: "DC1" });
  await database.transaction(async (tx) => noteDays(tx.of(clientId), days));
  await rounds();
  const span = { from: today, to: today };
  for (const facilityCode of [undefined, "DC1"])
    await listBilled(database.of(clientId), { ...span, facilityCode, isByDay: true });
  await hasDueDays(database.of(clientId), span);
  for (const scope of [
    { clientIds: null, facilityCodes: null },
    { clientIds: [clientId], facilityCodes: ["DC1"] },
  ]) {
    await sumFigures(database, scope, { ...span, by: "week", measures: ["PARCELS"] });
    for (const group of ["client", "period"] as const)
      await sumByGroup(database, scope, { ...span, by: "week", measures: ["PARCELS"], at: today }, group);
    await readLanes(database, scope, { ...span, destination: "COUNTRY" }, Date.now());
    await countUncomputed(database, scope, span, Date.now());
  }
  await purgeActivity(database.of(clientId), "2000-01-01", 2_000);
}
