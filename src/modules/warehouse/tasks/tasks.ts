import type { Ids } from "#/kernel/values/ids.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import type { Work } from "#/modules/facilities/index.ts";
import { listOrderWork } from "#/modules/orders/index.ts";
import { listReceivingWork } from "#/modules/purchasing/index.ts";
import { listReturnWork } from "#/modules/returns/index.ts";
import { listShippingWork } from "#/modules/transfers/index.ts";
import { canonical } from "#/modules/warehouse/reports/report-repository.ts";
import type { Task, TaskContent, TaskKey, TaskLine } from "#/modules/warehouse/tasks/task-repository.ts";
import * as repository from "#/modules/warehouse/tasks/task-repository.ts";
import { listAssemblyWork } from "#/modules/workorders/index.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import type { Consumer } from "#/store/outbox/relay.ts";
import type { OutboxRow } from "#/store/outbox/repository.ts";

/** Maps events to the objects whose work must be listed. */
interface ObjectKind {
  /** The keys for the object's module, which lists its work. */
  keysOf(rows: readonly OutboxRow[]): readonly string[];
  listWork(tx: ClientTx, keys: readonly string[]): Promise<readonly Work[]>;
}

const fieldOf = (row: OutboxRow, name: string) => (row.data as Readonly<Record<string, unknown>> | undefined)?.[name];

const ofType = (type: string) => (rows: readonly OutboxRow[]) =>
  rows.filter((row) => row.objectType === type).map((row) => row.objectId);

/** A carrier's codes report where parcels are; they do not concern the floor. */
const isOfCarrier = (row: OutboxRow) =>
  row.topic === "carrier:trackAndTrace" && Number(fieldOf(row, "eventCode")) > platformCodesMax;

const platformCodesMax = 100;

function ordersOf(rows: readonly OutboxRow[]): string[] {
  return ofType("order")(rows.filter((row) => !isOfCarrier(row)));
}

const objectKinds: readonly ObjectKind[] = [
  { keysOf: ordersOf, listWork: listOrderWork },
  {
    // The document names its purchase order; events have the number next to the vendor's.
    keysOf: (rows) =>
      rows.flatMap((row) => {
        if (row.objectType === "purchaseOrder") return String(fieldOf(row, "poNumber") ?? row.objectId);
        if (row.topic === "transfer:shipped") return row.objectId;
        const isDocument = row.topic === "feed:accepted" && fieldOf(row, "feedType") === "PO";
        return isDocument ? String(fieldOf(row, "objectId")) : [];
      }),
    listWork: listReceivingWork,
  },
  { keysOf: ofType("return"), listWork: listReturnWork },
  { keysOf: ofType("workOrder"), listWork: listAssemblyWork },
  { keysOf: ofType("transfer"), listWork: listShippingWork },
];

/**
 * Updates the warehouses' tasks: after any event on an order, a purchase order, a return, a work order or a transfer, its
 * tasks reflect the current work. Set-wise, in the transaction that publishes the events.
 */
export function createTaskConsumer(ids: Ids, onChange: (facilityCodes: Iterable<string>) => void = () => {}): Consumer {
  /** Facilities with changed tasks, by client, until their events are published. */
  const changedOf = new Map<string, Set<string>>();
  return {
    span: { name: "keep tasks", concerns: (row) => objectKinds.some(({ keysOf }) => keysOf([row]).length > 0) },
    async consume(tx, at, rows) {
      const orderIds = [...new Set(ordersOf(rows))];
      const picks = orderIds.map((objectId) => ({ type: "PICK" as const, objectId }));
      // A pick report takes its picked quantity off the task. Without the lock, the order could be read from before the
      // report and the task from after it, and the picked quantity would look like new work.
      if (picks.length > 0) await repository.lockTasks(tx, picks);
      const listings = objectKinds.flatMap(({ keysOf, listWork }) => {
        const keys = [...new Set(keysOf(rows))];
        return keys.length === 0 ? [] : [listWork(tx, keys)];
      });
      const works = (await Promise.all(listings)).flat();
      const facilityCodes = await keepTasks(tx, at, works, ids);
      if (facilityCodes.length > 0) {
        changedOf.set(tx.clientId, new Set([...(changedOf.get(tx.clientId) ?? []), ...facilityCodes]));
      }
      return [];
    },
    afterwards(clientId) {
      const facilityCodes = changedOf.get(clientId);
      if (!facilityCodes) return;
      changedOf.delete(clientId);
      onChange(facilityCodes);
    },
  };
}

/** Returns the facilities whose task list has changed. */
export async function keepTasks(
  tx: ClientTransaction,
  at: string,
  works: readonly Work[],
  ids: Ids,
): Promise<readonly string[]> {
  if (works.length === 0) return [];
  const tasks = await repository.lockTasks(tx, works);
  const nextId = () => ids.next(Date.parse(at));
  const { released, changed, progressed } = changesOfTasks(works, tasks, at, nextId);
  repository.insertTasks(tx, released);
  repository.updateTasks(tx, changed);
  repository.updateProgress(tx, progressed);
  return [...released, ...changed].map(({ facilityCode }) => facilityCode);
}

/** The writes that bring the tasks up to date with the work. */
interface TaskChanges {
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
 * @param works of distinct objects and facilities. @param tasks all existing tasks of these objects.
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
  for (const [name, ofObject] of Map.groupBy(works, nameOf)) {
    const wanted = new Set(ofObject.flatMap(({ isWanted, facilityCode }) => (isWanted ? facilityCode : [])));
    for (const task of byObject.get(name) ?? []) {
      if (wanted.has(task.facilityCode) || task.withdrawnAt !== null) continue;
      changed.push({ ...task, version: task.version + 1, withdrawnAt: at });
    }
  }
  for (const work of works) {
    const objectTasks = byObject.get(nameOf(work)) ?? [];
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
  const { finishedGood, shipTo, carrierCode, orderReference, orderId, notes, toFacility } = work;
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
        kit: details.kit,
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
      toFacility,
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
 * An accepted pick shrinks with its progress, or when its cancellation is agreed in a separate task: that is not news to
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
