import { recordAudits } from "#/db/audit.ts";
import type { UnitOfWork } from "#/db/database.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { conflict, invalid, type Refusal, unprocessableFaults } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { faultOfPathSegment } from "#/kernel/values/path-segment.ts";
import { quantityOf } from "#/kernel/values/quantity.ts";
import { findItemRules } from "#/modules/catalogue/index.ts";
import { shareFacilities } from "#/modules/clients/index.ts";
import { openBook } from "#/modules/inventory/index.ts";
import {
  componentsOf,
  faultOfFacility,
  faultsOfItems,
  faultsOfShape,
  skusOf,
} from "#/modules/workorders/check-work-order.ts";
import type { WorkOrder } from "#/modules/workorders/domain.ts";
import { workOrderEvent } from "#/modules/workorders/record.ts";
import * as repository from "#/modules/workorders/repository.ts";
import type { WorkOrderCreate } from "#/modules/workorders/rest-contract.ts";
import { writeStock } from "#/modules/workorders/settle.ts";
import { allocate, readFreeStock } from "#/modules/workorders/stock/allocation.ts";
import { createHoldings } from "#/modules/workorders/stock/holdings.ts";
import { insertWorkOrder } from "#/modules/workorders/write-repository.ts";
import type { CommandResult } from "#/outbox/append.ts";

export type WorkOrderResult = Result<CommandResult<WorkOrder>, Refusal>;

export const priorityDefault = 5;

/**
 * Creates a work order and reserves free stock for it: afterwards it is WAITING_COMPONENTS or RELEASED. Opens the book
 * of its facility. Refused as 400 (recipe), 409 (the workOrderId is taken) or 422 (facility, SKUs, units).
 */
export async function createWorkOrder(tx: UnitOfWork, request: WorkOrderCreate): Promise<WorkOrderResult> {
  const { clientId, change } = tx;
  const { facilityCode, finishedGoodSku, consumption = "BACKFLUSH" } = request;
  const shape = faultsOfShape(request);
  const unreachable = faultOfPathSegment(request.workOrderId);
  if (unreachable !== undefined) shape.push({ pointer: "#/workOrderId", message: unreachable });
  if (shape.length > 0) return refused(invalid(shape));

  const workOrderId = request.workOrderId ?? change.ids.next(Date.parse(change.at));
  const [facilities, taken, rules] = await Promise.all([
    shareFacilities(tx),
    repository.findFacility(tx, workOrderId),
    findItemRules(tx, skusOf(request)),
  ]);
  if (taken !== undefined) {
    return refused(conflict(`Work order ${workOrderId} exists already; choose another workOrderId.`));
  }
  const facilityFault = faultOfFacility(facilityCode, facilities);
  const faults = [...(facilityFault ? [facilityFault] : []), ...faultsOfItems(request, consumption, rules)];
  if (faults.length > 0) return refused(unprocessableFaults(faults));
  // The book is opened only now, because a refusal must not create one. If another transaction takes the workOrderId
  // first, the primary key reports it.
  const book = await openBook(tx, facilityCode, change.at);

  const created: WorkOrder = {
    workOrderId,
    facilityCode,
    status: "CREATED",
    finishedGoodSku,
    uom: rules.get(finishedGoodSku)?.stockUom as string,
    ordered: quantityOf(request.qty),
    completed: 0,
    consumption,
    dueDate: request.dueDate === undefined ? undefined : readDateTime(request.dueDate),
    priority: request.priority ?? priorityDefault,
    notes: request.notes,
    receivedAt: change.at,
    updatedAt: change.at,
    version: 1,
    components: componentsOf(request, rules),
  };
  const holdings = createHoldings(book, []);
  const { allocatable } = await readFreeStock(
    tx.plain,
    book,
    created.components.map(({ sku }) => sku),
  );
  const workOrder = allocate(created, allocatable, holdings);
  insertWorkOrder(tx, workOrder);
  writeStock(tx.plain, change, book, holdings);
  recordAudits(tx, [
    { action: "create", objectType: "workOrder", objectId: workOrderId, detail: { status: workOrder.status } },
  ]);
  return ok({ answer: workOrder, events: [workOrderEvent(clientId, "workOrder:created", workOrder)] });
}
