import { quantityOf, quantityToNumber } from "#/kernel/values/quantity.ts";
import {
  lockTasks,
  type TaskContent,
  type TaskLine,
  updateProgress,
} from "#/modules/warehouse/tasks/task-repository.ts";
import type { ClientTransaction } from "#/store/db/database.ts";

/** The fields of a picked line that concern its task; quantities are JSON numbers. */
export interface PickedLine {
  readonly lineNumber: number;
  readonly qtyPicked: number;
  readonly qtyShort?: number | undefined;
  readonly stockPool?: string | undefined;
  readonly batchRef?: string | undefined;
  readonly expiryDate?: string | undefined;
}

/**
 * Takes picked and short quantity off the order's task, in the transaction of the report, and marks it accepted: the
 * task is the remaining work as the warehouse knows it. Units that replace the short ones, even from the same lot, are new work, so they make
 * a new version that the warehouse gets.
 */
export async function takeOffTask(
  tx: ClientTransaction,
  at: string,
  place: { readonly orderId: string; readonly facilityCode: string },
  picked: readonly PickedLine[],
): Promise<void> {
  const tasks = await lockTasks(tx, [{ type: "PICK", objectId: place.orderId }]);
  const openTasks = tasks.filter((task) => task.facilityCode === place.facilityCode && task.withdrawnAt === null);
  updateProgress(
    tx,
    openTasks.map((task) => ({
      ...task,
      acceptedAt: task.acceptedAt ?? at,
      content: contentAfter(task.content, picked),
    })),
  );
}

/** For each line, the named lot goes first; a pick from another lot replaces the task's lot. */
export function contentAfter(content: TaskContent, picked: readonly PickedLine[]): TaskContent {
  const left = content.lines.map((line) => ({ line, qty: quantityOf(line.qty ?? 0) }));
  for (const report of picked) {
    let done = quantityOf(report.qtyPicked) + quantityOf(report.qtyShort ?? 0);
    const ofLine = left.filter(({ line }) => line.lineNumber === report.lineNumber);
    const named = ofLine.filter(({ line }) => isNamed(line, report));
    for (const remaining of [...named, ...ofLine]) {
      const some = Math.min(done, remaining.qty);
      remaining.qty -= some;
      done -= some;
    }
  }
  const lines = left.filter(({ qty }) => qty > 0).map(({ line, qty }) => ({ ...line, qty: quantityToNumber(qty) }));
  return { ...content, lines };
}

const isNamed = (line: TaskLine, { stockPool, batchRef, expiryDate }: PickedLine) =>
  (stockPool === undefined || stockPool === line.stockPool) &&
  (batchRef === undefined || batchRef === (line.batchRef ?? "")) &&
  (expiryDate === undefined || expiryDate === line.expiryDate);
