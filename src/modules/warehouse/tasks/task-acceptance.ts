import { takeOrders } from "#/modules/orders/index.ts";
import { markAccepted } from "#/modules/warehouse/tasks/task-repository.ts";
import { findTasks, type NamedTask } from "#/modules/warehouse/warehouse.cross-client.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Database, UnitOfWork } from "#/store/db/database.ts";
import type { OutboxWriter } from "#/store/outbox/append.ts";

export const acceptances = ["ACCEPTED", "WITHDRAWN", "UNKNOWN"] as const;

export interface Acceptance {
  readonly taskId: string;
  readonly status: (typeof acceptances)[number];
}

/**
 * The warehouse has taken these tasks: from now on their orders change only with its consent. A task that was cancelled
 * or held meanwhile is answered as withdrawn. Each client's tasks are accepted in a separate transaction.
 */
export async function acceptTasks(
  database: Database,
  writer: OutboxWriter,
  change: Change,
  facilityCode: string,
  taskIds: readonly string[],
): Promise<Acceptance[]> {
  const found = await findTasks(database, facilityCode, taskIds);
  const accepted = new Set<string>();
  for (const [clientId, tasks] of Map.groupBy(found, (task) => task.clientId)) {
    const open = tasks.filter(({ isWithdrawn }) => !isWithdrawn);
    const taken = await database.ofClient(clientId).transaction((tx) => take(tx.of(clientId, change), writer, open));
    for (const { taskId } of taken) accepted.add(taskId);
  }
  const known = new Set(found.map(({ taskId }) => taskId));
  return taskIds.map((taskId) => {
    if (accepted.has(taskId)) return { taskId, status: "ACCEPTED" };
    return { taskId, status: known.has(taskId) ? "WITHDRAWN" : "UNKNOWN" };
  });
}

async function take(tx: UnitOfWork, writer: OutboxWriter, tasks: readonly NamedTask[]): Promise<NamedTask[]> {
  const picks = tasks.filter(({ type }) => type === "PICK").map(({ objectId }) => objectId);
  const taken = picks.length === 0 ? { taken: [], drafts: [] } : await takeOrders(tx, picks);
  const orders = new Set(taken.taken);
  const accepted = tasks.filter(({ type, objectId }) => type !== "PICK" || orders.has(objectId));
  markAccepted(
    tx,
    tx.change.at,
    accepted.map(({ type, objectId, facilityCode }) => ({ type, objectId, facilityCode })),
  );
  writer.append(tx, tx.change.at, taken.drafts);
  return accepted;
}
