import {
  findTaskPosition,
  lockTaskCursor,
  moveTaskCursor,
} from "#/delivery/webhooks/deliveries/delivery-repository.ts";
import { listTaskReaders } from "#/delivery/webhooks/fan-out/fan-out.cross-client.ts";
import type { Clock } from "#/kernel/clock.ts";
import { type Batch, type FairTurns, startFairTurns } from "#/kernel/concurrency/fair-turns.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { CarrierSets } from "#/modules/carriers/index.ts";
import { readChangedTasks, type TaskRecord } from "#/modules/warehouse/index.ts";
import type { Database } from "#/store/db/database.ts";
import { isContention, isStoreAway, logLevelOf, scopeOf } from "#/store/db/errors.ts";
import { facilityOfTenant, facilityTenant } from "#/store/db/facility-tenant.ts";
import { createOutboxWriter, type EventDraft, truncateLines } from "#/store/outbox/append.ts";

export interface TaskEventsContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** The compiled carrier data: a task states the service level of its shipment. */
  readonly sets: CarrierSets;
  /** After a restore no tasks are listed until they are released. */
  readonly isHeld: () => boolean;
  /** Events of tasks were written. */
  readonly onCommit: (tenantId: string) => void;
}

const pollMs = 1_000;
const paceMs = 50;
const facilitiesAtOnceMax = 2;
/** Tasks in a batch; their content is read and written whole. */
const sizes = { sizeMin: 20, sizeMax: 200 };

const nothing: Batch = { weight: 0, hasMore: false };

/**
 * Writes the changes of the task feed of each facility that has webhooks as events of the facility (decision 0044).
 * Their publication, their deliveries and their lanes are those of a client's events. The cursor moves in the
 * transaction that writes the events: exactly once. A wake-up names the facility, where that is known.
 */
export function startTaskEvents(context: TaskEventsContext): FairTurns {
  const { database, clock, ids, log, sets } = context;
  const writer = createOutboxWriter(ids, context);

  async function writeEvents(tenantId: string, after: number, limit: number): Promise<Batch> {
    const facilityCode = facilityOfTenant(tenantId);
    if (facilityCode === undefined || context.isHeld()) return nothing;
    const store = { database, nowMs: clock.now() };
    const { rows, nextPosition } = await readChangedTasks(store, sets, facilityCode, { after, limit });
    if (nextPosition <= after) return nothing;
    await database.ofClient(tenantId).transaction(async (tx) => {
      const view = tx.of(tenantId);
      const cursor = await lockTaskCursor(view);
      // Another worker was first, or the facility has no webhook any more.
      if (cursor?.task_position !== after) return;
      writer.append(
        view,
        new Date(clock.now()).toISOString(),
        rows.map((task) => taskEvent(facilityCode, task)),
      );
      moveTaskCursor(view, nextPosition);
    });
    return { weight: rows.length, hasMore: rows.length === limit };
  }

  const turns = startFairTurns({
    name: "task events",
    ...sizes,
    find: async () => new Map((await listTaskReaders(database.lookUps)).map((reader) => [reader.tenantId, reader])),
    async findNamed(tenantId) {
      const position = await findTaskPosition(database.ofClient(tenantId).reads.of(tenantId));
      return new Map(position === undefined ? [] : [[tenantId, { tenantId, position }]]);
    },
    work: (tenantId, { position }, size) => writeEvents(tenantId, position, Math.max(1, Math.floor(size))),
    scopeOf,
    onError(error, tenantId) {
      if (tenantId === undefined || isStoreAway(error))
        log[logLevelOf(error)]({ err: error }, "writing events of tasks was interrupted");
      else if (!isContention(error))
        log[logLevelOf(error)]({ err: error, clientId: tenantId }, "events of tasks could not be written");
    },
    placesMax: facilitiesAtOnceMax,
    paceMs,
    pollMs,
  });
  return {
    wake: (facilityCode) => turns.wake(facilityCode && facilityTenant(facilityCode)),
    stop: turns.stop,
  };
}

/** The event of a task's latest version: versions that follow each other within a moment have one event. */
function taskEvent(facilityCode: string, task: TaskRecord): EventDraft {
  const { taskId, version, withdrawnAt } = task;
  const href = `/v1/warehouseService/task/get/${taskId}`;
  return {
    topic: withdrawnAt !== null ? "task:withdrawn" : version === 1 ? "task:released" : "task:changed",
    objectType: "task",
    objectId: taskId,
    facilityCode,
    data: { ...task, ...truncateLines(task.lines, { href, hasLongLines: true }) },
  };
}
