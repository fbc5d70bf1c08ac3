import type { ClientTransaction, ClientTx } from "#/db/database.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { Work } from "#/modules/facilities/index.ts";
import { listOrderWork } from "#/modules/orders/index.ts";
import { listReceivingWork } from "#/modules/purchasing/index.ts";
import { listReturnWork } from "#/modules/returns/index.ts";
import { changesOfTasks } from "#/modules/warehouse/tasks/task-changes.ts";
import * as repository from "#/modules/warehouse/tasks/task-repository.ts";
import { listAssemblyWork } from "#/modules/workorders/index.ts";
import type { Consumer } from "#/outbox/relay.ts";
import type { OutboxRow } from "#/outbox/repository.ts";

/** Maps events to the objects whose work must be listed. */
interface ObjectKind {
  /** The keys for the object's module, which lists its work. */
  keysOf(rows: readonly OutboxRow[]): readonly string[];
  listWork(tx: ClientTx, keys: readonly string[]): Promise<readonly Work[]>;
}

const fieldOf = (row: OutboxRow, name: string) => (row.data as Readonly<Record<string, unknown>> | undefined)?.[name];

const ofType = (type: string) => (rows: readonly OutboxRow[]) =>
  rows.filter((row) => row.object_type === type).map((row) => row.object_id);

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
        if (row.object_type === "purchaseOrder") return String(fieldOf(row, "poNumber") ?? row.object_id);
        const isDocument = row.topic === "feed:accepted" && fieldOf(row, "feedType") === "PO";
        return isDocument ? String(fieldOf(row, "objectId")) : [];
      }),
    listWork: listReceivingWork,
  },
  { keysOf: ofType("return"), listWork: listReturnWork },
  { keysOf: ofType("workOrder"), listWork: listAssemblyWork },
];

/**
 * Updates the warehouses' tasks: after any event on an order, a purchase order, a return or a work order, its tasks
 * reflect the current work. Set-wise, in the transaction that publishes the events.
 */
export function createTaskConsumer(ids: Ids, onChange: (facilityCodes: Iterable<string>) => void = () => {}): Consumer {
  /** Facilities with changed tasks, by client, until their events are published. */
  const changedOf = new Map<string, Set<string>>();
  return {
    span: { name: "keep tasks", concerns: (row) => objectKinds.some(({ keysOf }) => keysOf([row]).length > 0) },
    topics: [
      "feed:accepted",
      "carrier:trackAndTrace",
      "goodsReceipt:received",
      "purchaseOrder:updated",
      "purchaseOrder:received",
      "purchaseOrder:closed",
      "purchaseOrder:cancelled",
    ],
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
