import type { Change } from "#/db/audit.ts";
import { createClientTurns, namesOf } from "#/db/client-turns.ts";
import type { Database } from "#/db/database.ts";
import { facilityOfTenant } from "#/db/facility-tenant.ts";
import { type Job, nightHourUtc } from "#/db/jobs/jobs.ts";
import { listTenants } from "#/db/tenants.cross-client.ts";
import { type BrokenEvents, checkEvents, eventRules } from "#/delivery/webhooks/index.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { replaceExceptions } from "#/modules/facilities/index.ts";

export interface EventJobsContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
}

/** Two days, so that a run that is delayed by a day leaves no event unchecked. */
const checkedMs = 2 * dayMs;
/** Maximum number of exceptions per client. The log has every finding. */
const shownMax = 100;

/**
 * Verifies every night that no event was lost or numbered twice (webhooks.md §2). A finding is an exception until it is
 * fixed.
 */
export function eventJobs({ database, clock, ids, log }: EventJobsContext): readonly Job[] {
  const turns = createClientTurns();

  async function checkAll(): Promise<void> {
    const clientIds = await listTenants(database.lookUps);
    await turns.run(namesOf(clientIds), async (clientId) => {
      const nowMs = clock.now();
      const facilityCode = facilityOfTenant(clientId);
      const broken = await checkEvents({
        database,
        ids,
        nowMs,
        clientId,
        sinceMs: nowMs - checkedMs,
        isRepairing: false,
      });
      for (const brokenEvents of broken)
        log.error({ clientId, rule: brokenEvents.rule }, `events check: ${describe(brokenEvents)}`);
      const change: Change = { actor: "worker", origin: "events-check", at: new Date(nowMs).toISOString(), ids };
      const found = broken.slice(0, shownMax).map((brokenEvents) => ({
        key: `${brokenEvents.rule} ${brokenEvents.object}`,
        exception: {
          facilityCode,
          objectType: facilityCode === undefined ? "client" : "facility",
          objectId: facilityCode ?? clientId,
          summary: describe(brokenEvents),
          detail: { rule: brokenEvents.rule },
        },
      }));
      await database.transaction((tx) => replaceExceptions(tx.of(clientId, change), "EVENT_CHECK", found));
      return false;
    });
  }
  return [{ name: "events-check", everyMs: dayMs, hourUtc: nightHourUtc, run: checkAll }];
}

const describe = ({ rule, object, found, expected }: BrokenEvents) =>
  `${object}: ${eventRules[rule]} (${found}, expected ${expected}).`;
