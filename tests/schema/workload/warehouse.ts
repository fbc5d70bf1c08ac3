// The warehouse port's tasks, lists and reports, for the workload of plans.test.ts.

import { createIds } from "#/kernel/values/ids.ts";
import { raiseException, raiseOrRefreshException, resolveException } from "#/modules/facilities/index.ts";
import { findReports, insertByValues, insertReports } from "#/modules/warehouse/reports/report-repository.ts";
import { findEndOfTasks, readItemFeed, readTaskFeed } from "#/modules/warehouse/tasks/change-feeds.ts";
import * as tasks from "#/modules/warehouse/tasks/task-repository.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Database } from "#/store/db/database.ts";

const at = "2026-11-20T10:00:00.000Z";
const ids = createIds();
const change: Change = { actor: "test", origin: "test", at, ids };

/** Sends every statement of the port that names a client. */
export async function runWarehouse(database: Database, clientId: string): Promise<void> {
  const task: tasks.Task = {
    type: "PICK",
    objectId: "WEB-100045",
    facilityCode: "DC1",
    taskId: ids.next(Date.parse(at)),
    version: 1,
    priority: 5,
    dueAt: null,
    releasedAt: at,
    acceptedAt: null,
    withdrawnAt: null,
    content: { lines: [] },
  };
  await database.transaction(async (tx) => {
    tasks.insertTasks(tx.of(clientId), [task]);
    await tasks.lockTasks(tx.of(clientId), [task]);
    tasks.updateTasks(tx.of(clientId), [task]);
    tasks.updateProgress(tx.of(clientId), [task]);
    tasks.markAccepted(tx.of(clientId), at, [task]);
  });
  const page = { type: undefined, after: 0, limit: 50 };
  await readTaskFeed({ database, nowMs: Date.now() }, "DC1", page);
  await findEndOfTasks({ database, nowMs: Date.now() }, "DC1");
  await readItemFeed({ database, nowMs: Date.now() }, "DC1", page);
  const place = { clientId, facilityCode: "DC1", kind: "pick" };
  const report = { bodySha256: Buffer.alloc(32), answer: {}, at };
  await database.transaction(async (tx) => {
    insertReports(tx, place, ["report R-1"], report);
    await findReports(tx, place, ["report R-1"]);
  });
  await database.transaction(async (tx) => insertByValues(tx, place, { key: "report R-2", ...report }));
  const exception = { kind: "REPORT_REFUSED", objectType: "order", objectId: "WEB-100045", summary: "refused" };
  await database.transaction(async (tx) => raiseException(tx.of(clientId, change), exception));
  for (const _ of ["raised", "refreshed"])
    await database.transaction((tx) => raiseOrRefreshException(tx.of(clientId, change), exception, "pick"));
  await database.transaction(async (tx) => resolveException(tx.of(clientId, change), exception, "pick"));
}
