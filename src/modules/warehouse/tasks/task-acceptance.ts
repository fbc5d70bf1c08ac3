import type { Change } from "#/db/audit.ts";
import type { Database, Transaction } from "#/db/database.ts";
import { takeOrders } from "#/modules/orders/index.ts";
import { markAccepted } from "#/modules/warehouse/tasks/task-repository.ts";
import { findTasks, type NamedTask } from "#/modules/warehouse/warehouse.cross-client.ts";
import type { OutboxWriter } from "#/outbox/append.ts";

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
    const taken = await database.ofClient(clientId).transaction((tx) => take(tx, writer, change, clientId, open));
    for (const { taskId } of taken) accepted.add(taskId);
  }
  const known = new Set(found.map(({ taskId }) => taskId));
  return taskIds.map((taskId) => {
    if (accepted.has(taskId)) return { taskId, status: "ACCEPTED" };
    return { taskId, status: known.has(taskId) ? "WITHDRAWN" : "UNKNOWN" };
  });
}

async function take(
  tx: Transaction,
  writer: OutboxWriter,
  change: Change,
  clientId: string,
  tasks: readonly NamedTask[],
): Promise<NamedTask[]> {
  const picks = tasks.filter(({ type }) => type === "PICK").map(({ objectId }) => objectId);
  const taken = picks.length === 0 ? { taken: [], drafts: [] } : await takeOrders(tx, change, clientId, picks);
  const orders = new Set(taken.taken);
  const accepted = tasks.filter(({ type, objectId }) => type !== "PICK" || orders.has(objectId));
  markAccepted(
    tx,
    clientId,
    change.at,
    accepted.map(({ type, objectId, facilityCode }) => ({ type, objectId, facilityCode })),
  );
  writer.append(tx, clientId, change.at, taken.drafts);
  return accepted;
}
