// The results of a report besides stock: links between lots, events, and the answer.
import type { Change } from "#/db/audit.ts";
import type { ClientTransaction, Transaction } from "#/db/database.ts";
import { insertInto } from "#/db/table.ts";
import { formatQuantity, quantityToNumber } from "#/kernel/values/quantity.ts";
import { type Adjustment, type Book, composeDocuments, type Lot } from "#/modules/inventory/index.ts";
import type { WorkOrder } from "#/modules/workorders/domain.ts";
import { type Completion, completionEvent, workOrderEvent } from "#/modules/workorders/record.ts";
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
  insertLotUses(tx.of(book.clientId), change.at, uses);
}

/** A finished or consumed quantity: what its event says, and its adjustment, which its ADJ document says. */
interface Booked {
  readonly completion: Completion;
  readonly adjustment: Adjustment;
}

/** The finished good, then the components. */
export function bookedOf(
  workOrder: WorkOrder,
  { finished, lot, consumed }: { finished: number; lot: Lot | undefined; consumed: readonly Consumed[] },
): Booked[] {
  const { workOrderId: adjustmentId, finishedGoodSku: sku, completed } = workOrder;
  const booked: Booked[] = [];
  if (lot && finished > 0) {
    const batchRef = lot.batchRef === "" ? undefined : lot.batchRef;
    booked.push({
      completion: { role: "FINISHED_GOOD", sku, qty: finished, qtyTotal: completed, batchRef },
      adjustment: {
        adjustmentId,
        reasonCode: "PRODUCTION",
        lines: [{ ...lot, sku, qty: finished, toCondition: "GOOD" }],
      },
    });
  }
  for (const { component, qty, total, taken } of consumed) {
    const { sku } = component;
    const lines = taken.map((part) => ({ ...part.lot, sku, qty: -part.qty, fromCondition: "GOOD" as const }));
    booked.push({
      completion: { role: "COMPONENT", sku, qty, qtyTotal: total, batchRef: batchOf(taken) },
      adjustment: { adjustmentId, reasonCode: "CONSUMPTION", lines },
    });
  }
  return booked;
}

/** A report that only closes completes nothing; it publishes an update. */
export async function draftsOf(
  tx: Transaction,
  change: Change,
  book: Book,
  workOrder: WorkOrder,
  report: { readonly reportedAt: string; readonly booked: readonly Booked[]; readonly publishesAdjustments: boolean },
): Promise<EventDraft[]> {
  const { reportedAt, booked, publishesAdjustments } = report;
  if (booked.length === 0) return [workOrderEvent(book.clientId, "workOrder:updated", workOrder)];
  const adjustments = booked.map(({ adjustment }) => adjustment);
  const documents = publishesAdjustments ? await composeDocuments(tx, change, book, adjustments) : [];
  return booked.map(({ completion }, i) => completionEvent(workOrder, reportedAt, completion, documents[i]));
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
function insertLotUses(tx: ClientTransaction, at: string, uses: readonly LotUse[]): void {
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
  insertLots.send(tx, rows);
}
