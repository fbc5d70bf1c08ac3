import { quantityToNumber } from "#/kernel/values/quantity.ts";
import type { Work } from "#/modules/facilities/index.ts";
import { canonical } from "#/modules/warehouse/reports/canonical-json.ts";
import type { Task, TaskContent, TaskKey, TaskLine } from "#/modules/warehouse/tasks/task-repository.ts";

/** The writes that bring the tasks up to date with the work. */
export interface TaskChanges {
  readonly released: readonly Task[];
  /** New versions, including withdrawals. */
  readonly changed: readonly Task[];
  /** Only a change of the content: the warehouse's own progress. */
  readonly progressed: readonly Task[];
}

/**
 * Compares work with its tasks. A task keeps its version until something changes that the warehouse does not know. If
 * an object has moved to another facility, its task is withdrawn.
 *
 * @param works of distinct objects. @param tasks all existing tasks of these objects.
 */
export function changesOfTasks(
  works: readonly Work[],
  tasks: readonly Task[],
  at: string,
  nextId: () => string,
): TaskChanges {
  const released: Task[] = [];
  const changed: Task[] = [];
  const progressed: Task[] = [];
  const byObject = Map.groupBy(tasks, nameOf);
  for (const work of works) {
    const objectTasks = byObject.get(nameOf(work)) ?? [];
    for (const task of objectTasks) {
      const isHere = work.isWanted && task.facilityCode === work.facilityCode;
      if (!isHere && task.withdrawnAt === null) changed.push({ ...task, version: task.version + 1, withdrawnAt: at });
    }
    if (!work.isWanted) continue;
    const task = objectTasks.find(({ facilityCode }) => facilityCode === work.facilityCode);
    const next = {
      type: work.type,
      objectId: work.objectId,
      facilityCode: work.facilityCode,
      priority: work.priority,
      dueAt: work.dueAt ?? null,
      content: contentOf(work),
    };
    if (!task) {
      const first = { version: 1, releasedAt: at, acceptedAt: null, withdrawnAt: null };
      released.push({ ...next, ...first, taskId: nextId() });
    } else if (task.withdrawnAt !== null) {
      const reopened = { version: task.version + 1, releasedAt: at, acceptedAt: null, withdrawnAt: null };
      changed.push({ ...task, ...next, ...reopened });
    } else {
      const news = newsOf(task, next);
      if (news === "VERSION") changed.push({ ...task, ...next, version: task.version + 1 });
      else if (news === "PROGRESS") progressed.push({ ...task, content: next.content });
    }
  }
  return { released, changed, progressed };
}

const nameOf = ({ type, objectId }: Pick<TaskKey, "type" | "objectId">) => JSON.stringify([type, objectId]);

function contentOf(work: Work): TaskContent {
  const { finishedGood, shipTo, carrierCode, orderReference, orderId, notes } = work;
  return {
    lines: work.lines.map(({ lineNumber, sku, qty, uom, stockPool, batchRef, expiryDate, ...details }) => ({
      lineNumber,
      sku,
      ...(qty === undefined ? {} : { qty: quantityToNumber(qty) }),
      uom,
      stockPool,
      ...(batchRef === undefined || batchRef === "" ? {} : { batchRef }),
      ...(expiryDate === undefined || expiryDate === "infinity" ? {} : { expiryDate }),
      ...filled({
        condition: details.condition,
        extendedAttributes: filledOrNone(details.extendedAttributes),
        returnReasonCode: details.returnReasonCode,
        attributeOne: details.attributeOne,
        attributeThree: details.attributeThree,
      }),
    })),
    ...(finishedGood ? { finishedGood: { ...finishedGood, qty: quantityToNumber(finishedGood.qty) } } : {}),
    ...filled({
      shipTo,
      carrierCode,
      order: filledOrNone(filled(work.order ?? {})),
      orderReference,
      orderId,
      purchaseOrder: work.purchaseOrder && filled(work.purchaseOrder),
      notes,
      extendedAttributes: filledOrNone(work.extendedAttributes),
    }),
  };
}

/** The fields that have a value: the stored content of a task has no others. */
function filled<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
}

function filledOrNone<Fields extends object>(fields: Fields | undefined): Fields | undefined {
  return fields === undefined || Object.keys(fields).length === 0 ? undefined : fields;
}

type VisibleFields = Pick<Task, "priority" | "dueAt" | "content">;

/**
 * An accepted pick shrinks with its progress, or when its cancellation is agreed in a separate task: that is no news to
 * the warehouse. Additional quantity is news.
 */
function newsOf(task: Task, next: VisibleFields): "VERSION" | "PROGRESS" | undefined {
  if (canonical(visibleFieldsOf(task)) === canonical(visibleFieldsOf(next))) return undefined;
  const isTaken = task.type === "PICK" && task.acceptedAt !== null;
  if (!isTaken) return "VERSION";
  const withoutLines = (of: VisibleFields) =>
    canonical({ ...visibleFieldsOf(of), content: { ...of.content, lines: [] } });
  if (withoutLines(task) !== withoutLines(next)) return "VERSION";
  const known = quantities(task.content.lines);
  const hasMore = [...quantities(next.content.lines)].some(([name, qty]) => qty > (known.get(name) ?? 0));
  return hasMore ? "VERSION" : "PROGRESS";
}

const visibleFieldsOf = ({ priority, dueAt, content }: VisibleFields) => ({ priority, dueAt, content });

function quantities(lines: readonly TaskLine[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { qty = 0, ...line } of lines) {
    const name = canonical(line);
    sums.set(name, (sums.get(name) ?? 0) + qty);
  }
  return sums;
}
