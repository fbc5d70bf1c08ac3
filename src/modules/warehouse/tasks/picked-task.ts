import type { Transaction } from "#/db/database.ts";
import { quantityOf, quantityToNumber } from "#/kernel/values/quantity.ts";
import {
  lockTasks,
  type TaskContent,
  type TaskLine,
  updateContents,
} from "#/modules/warehouse/tasks/task-repository.ts";

/** What a pick report says of a line, as far as its task is concerned; quantities are JSON numbers. */
export interface PickedLine {
  readonly lineNumber: number;
  readonly qtyPicked: number;
  readonly qtyShort?: number | undefined;
  readonly stockPool?: string | undefined;
  readonly batchRef?: string | undefined;
  readonly expiryDate?: string | undefined;
}

/**
 * Takes what was picked or short off the order's task, in the transaction of the report: the task is what the warehouse
 * believes is left to be done. Units that are found for the short ones, in the same lot even, are more than that, so they
 * make a version that the warehouse is told of.
 */
export async function takeOffTask(
  tx: Transaction,
  clientId: string,
  place: { readonly orderId: string; readonly facilityCode: string },
  picked: readonly PickedLine[],
): Promise<void> {
  const tasks = await lockTasks(tx, clientId, [{ type: "PICK", objectId: place.orderId }]);
  const own = tasks.filter((task) => task.facilityCode === place.facilityCode && task.withdrawnAt === null);
  updateContents(
    tx,
    clientId,
    own.map((task) => ({ ...task, content: contentAfter(task.content, picked) })),
  );
}

/** Of each line the lot that is named goes first; what was picked of another lot was picked instead of the task's. */
export function contentAfter(content: TaskContent, picked: readonly PickedLine[]): TaskContent {
  const left = content.lines.map((line) => ({ line, qty: quantityOf(line.qty) }));
  for (const report of picked) {
    let done = quantityOf(report.qtyPicked) + quantityOf(report.qtyShort ?? 0);
    const ofLine = left.filter(({ line }) => line.lineNumber === report.lineNumber);
    const named = ofLine.filter(({ line }) => isNamed(line, report));
    for (const one of [...named, ...ofLine]) {
      const some = Math.min(done, one.qty);
      one.qty -= some;
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
