import { setTimeout as sleep } from "node:timers/promises";
import { listTasksOf } from "#/app/retention/erasure/object-repository.ts";
import * as published from "#/app/retention/erasure/published-repository.ts";
import { listParcelsOf, listReturnsOf } from "#/app/retention/erasure/subject-repository.ts";
import { blankRequests } from "#/http/request-log/repository.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import { findFacilitiesOf } from "#/modules/orders/index.ts";
import type { Database } from "#/store/db/database.ts";
import { facilityTenant } from "#/store/db/facility-tenant.ts";
import { listTenants } from "#/store/db/tenants.cross-client.ts";

/** The remainder of the task in an event: neither address nor lines nor free text. */
const kept = ["taskId", "type", "clientId", "objectId", "version", "priority", "dueAt", "releasedAt", "withdrawnAt"];

function blanked(data: unknown): object {
  const task = (data ?? {}) as Readonly<Record<string, unknown>>;
  return { ...Object.fromEntries(kept.map((name) => [name, task[name]])), lines: [], shipTo: null, carrierCode: null };
}

/** Events are kept 90 days, plus the rest of their month. */
const eventsKeptMs = 122 * dayMs;
/** An event that is written is published within a moment. */
const publishedMsMax = 5_000;
const lookMs = 100;

const isBlank = (data: unknown) => JSON.stringify(blanked(data)) === JSON.stringify(data);

/**
 * Blanks what the logs of facilities have of these orders: the events of their tasks (decision 0044) with the responses
 * of receivers, and the texts of failed requests of the warehouse (decision 0049). The logs of a facility have their own
 * transaction, as those of a client have. It is idempotent.
 *
 * @returns the number of events.
 */
export async function eraseAtFacilities(
  database: Database,
  clientId: string,
  orderIds: readonly string[],
  nowMs: number,
): Promise<number> {
  const view = database.of(clientId);
  const tenants = new Set(await listTenants(database));
  const returns = await listReturnsOf(view, orderIds);
  const rmaNumbers = returns.map(({ rma_number }) => rma_number);
  const tasks = await listTasksOf(view, { orderIds, rmaNumbers });
  const olpnIds = await listParcelsOf(view, orderIds);
  const tasksOf = Map.groupBy(tasks, ({ facility_code }) => facility_code);
  const facilityCodes = new Set([...tasksOf.keys(), ...(await findFacilitiesOf(view, orderIds))]);
  const first = idBoundary(nowMs - eventsKeptMs);
  let count = 0;
  for (const facilityCode of facilityCodes) {
    const tenantId = facilityTenant(facilityCode);
    const taskIds = (tasksOf.get(facilityCode) ?? []).map(({ task_id }) => task_id);
    const requested = [...taskIds, ...orderIds, ...rmaNumbers, ...olpnIds];
    await database.transaction(async (tx) => blankRequests(tx.of(tenantId), requested));
    // Only a facility with webhooks has events.
    if (!tenants.has(tenantId) || taskIds.length === 0) continue;
    for (let waitedMs = 0; waitedMs < publishedMsMax; waitedMs += lookMs) {
      if (!(await published.hasPending(database.of(tenantId), taskIds))) break;
      await sleep(lookMs);
    }
    count += await database.transaction(async (tx) => {
      const view = tx.of(tenantId);
      const events = await published.listTaskEvents(view, taskIds, first);
      const changed = events.filter(({ data }) => !isBlank(data));
      published.replaceEvents(
        view,
        changed.map(({ event_id, data }) => ({ event_id, data: blanked(data) })),
      );
      await published.blankAttempts(view, taskIds);
      return changed.length;
    });
  }
  return count;
}
