// The results of a report besides stock: links between lots, events, and the answer.
import type { Change } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import { insertInto } from "#/db/table.ts";
import { formatQuantity, quantityToNumber } from "#/kernel/values/quantity.ts";
import type { Book, Lot } from "#/modules/inventory/index.ts";
import type { WorkOrder } from "#/modules/workorders/domain.ts";
import { completionEvent, workOrderEvent } from "#/modules/workorders/record.ts";
import { batchOf, type Consumed, scrap } from "#/modules/workorders/stock/consumption.ts";
import { workOrderLot } from "#/modules/workorders/tables.ts";
import type { EventDraft } from "#/outbox/append.ts";

export interface WorkOrderReportAnswer {
  readonly workOrderId: string;
  readonly status: string;
  readonly qtyOrdered: number;
  readonly qtyCompleted: number;
  readonly components: readonly {
    readonly sku: string;
    readonly qtyConsumed: number;
    readonly qtyAllocated: number;
  }[];
}

/** Scrap has no finished lot. */
export function writeLotUses(
  tx: Transaction,
  change: Change,
  book: Book,
  { workOrderId, finishedGoodSku }: WorkOrder,
  finished: Lot,
  consumed: readonly Consumed[],
): void {
  const uses = consumed
    .filter(({ reason }) => reason !== scrap)
    .flatMap(({ component, taken }) =>
      taken.map(({ lot, qty }) => ({
        workOrderId,
        entryId: change.ids.next(Date.parse(change.at)),
        finishedSku: finishedGoodSku,
        finishedBatchRef: finished.batchRef,
        finishedExpiryDate: finished.expiryDate,
        componentSku: component.sku,
        componentBatchRef: lot.batchRef,
        componentExpiryDate: lot.expiryDate,
        qty,
      })),
    );
  insertLotUses(tx, book.clientId, change.at, uses);
}

/** A report that only closes completes nothing; it publishes an update. */
export function draftsOf(
  clientId: string,
  workOrder: WorkOrder,
  reportedAt: string,
  report: { readonly finished: number; readonly batchRef: string | undefined; readonly consumed: readonly Consumed[] },
): EventDraft[] {
  const { finished, batchRef = "", consumed } = report;
  const drafts: EventDraft[] = [];
  if (finished > 0) {
    const total = { sku: workOrder.finishedGoodSku, qty: finished, qtyTotal: workOrder.completed };
    const completion = { role: "FINISHED_GOOD" as const, ...total, batchRef: batchRef === "" ? undefined : batchRef };
    drafts.push(completionEvent(workOrder, reportedAt, completion));
  }
  for (const { component, qty, total, taken } of consumed) {
    const completion = {
      role: "COMPONENT" as const,
      sku: component.sku,
      qty,
      qtyTotal: total,
      batchRef: batchOf(taken),
    };
    drafts.push(completionEvent(workOrder, reportedAt, completion));
  }
  return drafts.length > 0 ? drafts : [workOrderEvent(clientId, "workOrder:updated", workOrder)];
}

export function answerOf(workOrder: WorkOrder): WorkOrderReportAnswer {
  return {
    workOrderId: workOrder.workOrderId,
    status: workOrder.status,
    qtyOrdered: quantityToNumber(workOrder.ordered),
    qtyCompleted: quantityToNumber(workOrder.completed),
    components: workOrder.components.map(({ sku, consumed, allocated }) => ({
      sku,
      qtyConsumed: quantityToNumber(consumed),
      qtyAllocated: quantityToNumber(allocated),
    })),
  };
}

/** A component lot that went into a finished lot. */
interface LotUse {
  readonly workOrderId: string;
  readonly entryId: string;
  readonly finishedSku: string;
  readonly finishedBatchRef: string;
  readonly finishedExpiryDate: string;
  readonly componentSku: string;
  readonly componentBatchRef: string;
  readonly componentExpiryDate: string;
  readonly qty: number;
}

const insertLots = insertInto(workOrderLot);

/** Stores the component lots of finished lots (lifecycle.md §4). */
function insertLotUses(tx: Transaction, clientId: string, at: string, uses: readonly LotUse[]): void {
  const rows = uses.map((use) => ({
    work_order_id: use.workOrderId,
    entry_id: use.entryId,
    finished_sku: use.finishedSku,
    finished_batch_ref: use.finishedBatchRef,
    finished_expiry_date: use.finishedExpiryDate,
    component_sku: use.componentSku,
    component_batch_ref: use.componentBatchRef,
    component_expiry_date: use.componentExpiryDate,
    qty: formatQuantity(use.qty),
    booked_at: at,
  }));
  insertLots.send(tx, clientId, rows);
}
