import { readDateTime } from "#/http/requests/date-time.ts";
import { assert } from "#/kernel/assert.ts";
import { notFound, type Refusal, unprocessable } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { formatQuantity, quantityToNumber } from "#/kernel/values/quantity.ts";
import { findItemRules } from "#/modules/catalogue/index.ts";
import {
  type Adjustment,
  type Book,
  composeDocuments,
  createHoldings,
  type Lot,
  listReservations,
  lotOf,
  readFreeStock,
  serialPlaces,
  writeSerials,
} from "#/modules/inventory/index.ts";
import { hasEnded, type WorkOrder, withComponents } from "#/modules/workorders/domain.ts";
import { type Completion, completionEvent, workOrderEvent } from "#/modules/workorders/record.ts";
import {
  checkReport,
  faultsOfLots,
  refusalOfNewSerials,
  usesOf,
  type WorkOrderReport,
} from "#/modules/workorders/reports/report-checks.ts";
import * as repository from "#/modules/workorders/repository.ts";
import { withoutHoldings, withoutSurplus } from "#/modules/workorders/service.ts";
import { settleWorkOrders } from "#/modules/workorders/settle.ts";
import { allocate, workOrderHolder } from "#/modules/workorders/stock/allocation.ts";
import { batchOf, type Consumed, consume, scrap } from "#/modules/workorders/stock/consumption.ts";
import { workOrderLot } from "#/modules/workorders/tables.ts";
import type { ClientTransaction, UnitOfWork } from "#/store/db/database.ts";
import { insertInto } from "#/store/db/table.ts";
import type { CommandResult, EventDraft } from "#/store/outbox/append.ts";

/** The input of a report beside its body. */
interface WorkOrderTerms {
  /** Client setting workOrderAdjustments. */
  readonly publishesAdjustments: boolean;
}

/**
 * Books what a facility made and consumed: the finished good into GOOD; the components from their reserved lots (the
 * named lot, else first expired first), and any excess from free stock. A finished or closed work order releases its
 * remaining reservations. Refused as 404, 409 (state, kind of consumption, stock, serials) or 422 (SKUs, lots).
 *
 * @param book of the reporting facility, opened before.
 * @returns one `workOrder:completion` for the finished good and one for each reported or consumed component, each with its
 * ADJ document.
 */
export async function reportWorkOrder(
  tx: UnitOfWork,
  book: Book,
  body: WorkOrderReport,
  { publishesAdjustments }: WorkOrderTerms,
): Promise<Result<CommandResult<WorkOrderReportAnswer>, Refusal>> {
  const { clientId } = book;
  const { workOrderId, finishedGood } = body;
  const [[before], reservations] = await Promise.all([
    repository.lockWorkOrders(tx, [workOrderId]),
    listReservations(tx, "WORK_ORDER", [workOrderId]),
  ]);
  if (before?.facilityCode !== book.facilityCode) {
    return refused(notFound(`There is no work order ${workOrderId} of client ${clientId} in this facility.`));
  }
  const checked = checkReport(before, body);
  if (!checked.ok) return checked;
  const { finished, status } = checked.value;

  const skus = before.components.map(({ sku }) => sku);
  const [rules, free] = await Promise.all([
    findItemRules(tx, [before.finishedGoodSku, ...skus]),
    readFreeStock(tx, book, skus),
  ]);
  const lotFaults = faultsOfLots(before, body, rules);
  if (lotFaults.length > 0) {
    const messages = lotFaults.map(({ message }) => message).join("; ");
    return refused(unprocessable(`Work order ${workOrderId}: ${messages}.`, lotFaults));
  }
  const inStock = finishedGood && (await refusalOfNewSerials(tx, before.finishedGoodSku, finishedGood.serials ?? []));
  if (inStock) return refused(inStock);
  const uses = await usesOf(tx, book, before, body, finished, rules);
  if (!uses.ok) return uses;

  const holdings = createHoldings(workOrderHolder, book, reservations);
  const occurredAt = body.occurredAt === undefined ? undefined : readDateTime(body.occurredAt);
  const outcome = consume(before, uses.value, free, holdings, occurredAt);
  if (!outcome.ok) return outcome;
  const { consumed } = outcome.value;
  const made: WorkOrder = { ...outcome.value.workOrder, status, completed: before.completed + finished };
  const after = hasEnded(status)
    ? withComponents(made, (component) => withoutHoldings(workOrderId, component, holdings))
    : allocate(
        withComponents(made, (component) => withoutSurplus(workOrderId, component, holdings)),
        free.allocatable,
        holdings,
      );
  const lot = finishedGood && lotOf(finishedGood);
  if (lot) {
    const serials = finishedGood.serials ?? [];
    holdings.produce(workOrderId, before.finishedGoodSku, lot, finished, { serials, occurredAt });
    writeSerials(tx, tx.change.at, serialPlaces(book, before.finishedGoodSku, lot, serials, "IN_STOCK"));
  }
  const gone = consumed.flatMap((use) =>
    use.serialLots.flatMap((serialLot) =>
      serialPlaces(book, use.component.sku, serialLot.lot, serialLot.serials, "GONE", {
        ownerType: workOrderHolder.ownerType,
        ownerId: workOrderId,
      }),
    ),
  );
  writeSerials(tx, tx.change.at, gone);
  writeLotUses(tx, before, lot ?? lotOf({}), consumed);
  const detail = { completed: quantityToNumber(finished), consumed: consumed.length, isClosed: body.close === true };
  const [workOrder] = settleWorkOrders(tx, book, holdings, [
    { workOrder: after, from: before.status, action: "report", detail },
  ]);
  assert(workOrder, "a work order was settled and does not exist");
  const events = await draftsOf(tx, book, workOrder, {
    reportedAt: occurredAt ?? tx.change.at,
    booked: bookedOf(workOrder, { finished, lot, consumed }),
    publishesAdjustments,
  });
  return ok({ answer: answerOf(workOrder), events });
}

// The results of a report besides stock: links between lots, events, and the answer.

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
function writeLotUses(
  tx: UnitOfWork,
  { workOrderId, finishedGoodSku }: WorkOrder,
  finished: Lot,
  consumed: readonly Consumed[],
): void {
  const uses = consumed
    .filter(({ reason }) => reason !== scrap)
    .flatMap(({ component, taken }) =>
      taken.map(({ lot, qty }) => ({
        workOrderId,
        entryId: tx.change.ids.next(Date.parse(tx.change.at)),
        finishedSku: finishedGoodSku,
        finishedBatchRef: finished.batchRef,
        finishedExpiryDate: finished.expiryDate,
        componentSku: component.sku,
        componentBatchRef: lot.batchRef,
        componentExpiryDate: lot.expiryDate,
        qty,
      })),
    );
  insertLotUses(tx, tx.change.at, uses);
}

/** A finished or consumed quantity: what its event says, and its adjustment, which its ADJ document says. */
interface Booked {
  readonly completion: Completion;
  readonly adjustment: Adjustment;
}

/** The finished good, then the components. */
function bookedOf(
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
async function draftsOf(
  tx: UnitOfWork,
  book: Book,
  workOrder: WorkOrder,
  report: { readonly reportedAt: string; readonly booked: readonly Booked[]; readonly publishesAdjustments: boolean },
): Promise<EventDraft[]> {
  const { reportedAt, booked, publishesAdjustments } = report;
  if (booked.length === 0) return [workOrderEvent(book.clientId, "workOrder:updated", workOrder)];
  const adjustments = booked.map(({ adjustment }) => adjustment);
  const documents = publishesAdjustments ? await composeDocuments(tx, book, adjustments) : [];
  return booked.map(({ completion }, i) => completionEvent(workOrder, reportedAt, completion, documents[i]));
}

function answerOf(workOrder: WorkOrder): WorkOrderReportAnswer {
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
