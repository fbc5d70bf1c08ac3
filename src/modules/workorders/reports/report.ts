import type { Change } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { assert } from "#/kernel/assert.ts";
import { notFound, type Refusal, unprocessable } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import { findItemRules } from "#/modules/catalogue/index.ts";
import { type Book, listReservations, lotOf, writeSerials } from "#/modules/inventory/index.ts";
import { hasEnded, type WorkOrder, withComponents } from "#/modules/workorders/domain.ts";
import { checkReport, faultsOfLots, usesOf, type WorkOrderReport } from "#/modules/workorders/reports/report-checks.ts";
import {
  answerOf,
  bookedOf,
  draftsOf,
  type WorkOrderReportAnswer,
  writeLotUses,
} from "#/modules/workorders/reports/report-result.ts";
import { refusalOfNewSerials, serialPlaces } from "#/modules/workorders/reports/report-serials.ts";
import * as repository from "#/modules/workorders/repository.ts";
import { withoutHoldings, withoutSurplus } from "#/modules/workorders/service.ts";
import { settleWorkOrders } from "#/modules/workorders/settle.ts";
import { allocate, readFreeStock } from "#/modules/workorders/stock/allocation.ts";
import { consume } from "#/modules/workorders/stock/consumption.ts";
import { createHoldings } from "#/modules/workorders/stock/holdings.ts";
import type { CommandResult } from "#/outbox/append.ts";

/** What a report needs beside its body. */
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
  tx: Transaction,
  change: Change,
  book: Book,
  body: WorkOrderReport,
  { publishesAdjustments }: WorkOrderTerms,
): Promise<Result<CommandResult<WorkOrderReportAnswer>, Refusal>> {
  const { clientId } = book;
  const view = tx.of(clientId);
  const { workOrderId, finishedGood } = body;
  const [[before], reservations] = await Promise.all([
    repository.lockWorkOrders(view, [workOrderId]),
    listReservations(view, "WORK_ORDER", [workOrderId]),
  ]);
  if (before?.facilityCode !== book.facilityCode) {
    return refused(notFound(`There is no work order ${workOrderId} of client ${clientId} in this facility.`));
  }
  const checked = checkReport(before, body);
  if (!checked.ok) return checked;
  const { finished, status } = checked.value;

  const skus = before.components.map(({ sku }) => sku);
  const [rules, free] = await Promise.all([
    findItemRules(view, [before.finishedGoodSku, ...skus]),
    readFreeStock(tx, book, skus),
  ]);
  const lotFaults = faultsOfLots(before, body, rules);
  if (lotFaults.length > 0) {
    const messages = lotFaults.map(({ message }) => message).join("; ");
    return refused(unprocessable(`Work order ${workOrderId}: ${messages}.`, lotFaults));
  }
  const inStock =
    finishedGood && (await refusalOfNewSerials(tx, book, before.finishedGoodSku, finishedGood.serials ?? []));
  if (inStock) return refused(inStock);
  const uses = await usesOf(tx, book, before, body, finished, rules);
  if (!uses.ok) return uses;

  const holdings = createHoldings(book, reservations);
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
    writeSerials(view, change.at, serialPlaces(book, before.finishedGoodSku, lot, serials, "IN_STOCK"));
  }
  const gone = consumed.flatMap((use) =>
    use.serialLots.flatMap((serialLot) =>
      serialPlaces(book, use.component.sku, serialLot.lot, serialLot.serials, "GONE", workOrderId),
    ),
  );
  writeSerials(view, change.at, gone);
  writeLotUses(tx, change, book, before, lot ?? lotOf({}), consumed);
  const detail = { completed: quantityToNumber(finished), consumed: consumed.length, isClosed: body.close === true };
  const [workOrder] = settleWorkOrders(tx, change, book, holdings, [
    { workOrder: after, from: before.status, action: "report", detail },
  ]);
  assert(workOrder, "a work order was settled and does not exist");
  const events = await draftsOf(tx, change, book, workOrder, {
    reportedAt: occurredAt ?? change.at,
    booked: bookedOf(workOrder, { finished, lot, consumed }),
    publishesAdjustments,
  });
  return ok({ answer: answerOf(workOrder), events });
}
