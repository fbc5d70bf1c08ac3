import { readDateTime } from "#/http/requests/date-time.ts";
import { refusalOfVersion } from "#/http/requests/if-match.ts";
import { assert } from "#/kernel/assert.ts";
import { conflict, invalid, notFound, type Refusal, type RequestFault, unprocessableFaults } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { faultOfPathSegment } from "#/kernel/values/path-segment.ts";
import { quantityOf, quantityToNumber } from "#/kernel/values/quantity.ts";
import { findItemRules } from "#/modules/catalogue/index.ts";
import { shareFacilities } from "#/modules/clients/index.ts";
import {
  type Book,
  createHoldings,
  freeHeld,
  type Holdings,
  listReservations,
  openBook,
  readFreeStock,
} from "#/modules/inventory/index.ts";
import {
  componentsOf,
  faultOfFacility,
  faultsOfItems,
  faultsOfShape,
  type Recipe,
  skusOf,
} from "#/modules/workorders/check-work-order.ts";
import {
  type Component,
  hasEnded,
  stateAfter,
  surplus,
  type WorkOrder,
  withComponents,
} from "#/modules/workorders/domain.ts";
import { workOrderEvent } from "#/modules/workorders/record.ts";
import * as repository from "#/modules/workorders/repository.ts";
import { deleteComponents, insertWorkOrder } from "#/modules/workorders/repository.ts";
import type { WorkOrderCreate, WorkOrderPatch } from "#/modules/workorders/rest-contract.ts";
import { settleWorkOrders, writeStock } from "#/modules/workorders/settle.ts";
import { allocate, keyOf, workOrderHolder } from "#/modules/workorders/stock/allocation.ts";
import { recordAudits } from "#/store/db/audit.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { CommandResult } from "#/store/outbox/append.ts";

interface WorkOrderKey {
  readonly workOrderId: string;
  /** The version that the caller has read, in the format of `If-Match`. */
  readonly ifMatch?: string | undefined;
}

interface Opened {
  readonly book: Book;
  readonly before: WorkOrder;
  readonly holdings: Holdings;
}

/** Opens the book of the work order's facility, locks the work order, and checks its version. */
async function openWorkOrder(tx: UnitOfWork, { workOrderId, ifMatch }: WorkOrderKey): Promise<Result<Opened, Refusal>> {
  const unknown = notFound("The client has no work order of this workOrderId.");
  const facilityCode = await repository.findFacility(tx, workOrderId);
  if (facilityCode === undefined) return refused(unknown);
  const book = await openBook(tx, facilityCode, tx.change.at);
  const [[before], reservations] = await Promise.all([
    repository.lockWorkOrders(tx, [workOrderId]),
    listReservations(tx, "WORK_ORDER", [workOrderId]),
  ]);
  if (!before) return refused(unknown);
  const stale = refusalOfVersion(ifMatch, before.version);
  return stale ? refused(stale) : ok({ book, before, holdings: createHoldings(workOrderHolder, book, reservations) });
}

/**
 * Changes a work order before its work begins: it releases surplus reservations and reserves additional components.
 * Refused as 400, 404, 412, 409 (state) or 422 (SKUs, units). A patch that changes nothing writes nothing.
 */
export async function updateWorkOrder(
  tx: UnitOfWork,
  key: WorkOrderKey,
  patch: WorkOrderPatch,
): Promise<WorkOrderResult> {
  const shape = faultsOfShape(patch as Partial<Recipe>);
  if (shape.length > 0) return refused(invalid(shape));
  const opened = await openWorkOrder(tx, key);
  if (!opened.ok) return opened;
  const { book, before, holdings } = opened.value;
  const { workOrderId } = before;
  const recipe = patchedRecipe(before, patch);
  const itself = faultsOfShape(recipe);
  if (itself.length > 0) return refused(invalid(itself));
  if (stateAfter(before.status, { type: "update" }) === undefined) {
    return refused(tooLate(before, "it can be changed until the warehouse starts on it"));
  }
  const rules = await findItemRules(tx, skusOf(recipe));
  const faults = faultsOfPatch(patch, faultsOfItems(recipe, before.consumption, rules));
  if (faults.length > 0) return refused(unprocessableFaults(faults));

  const components = componentsOf(recipe, rules, before.components);
  const ordered = quantityOf(recipe.qty);
  const patched: WorkOrder = { ...before, ...patchedFields(before, patch), ordered, components };
  // Both have the same fields in the same order, so equal work orders are equal texts.
  if (JSON.stringify(patched) === JSON.stringify(before)) return ok({ answer: before, events: [] });

  const gone = before.components.filter(({ sku }) => !components.some((component) => component.sku === sku));
  for (const component of gone) freeHeld(holdings, keyOf(workOrderId, component), component.allocated);
  const trimmed = withComponents(patched, (component) => withoutSurplus(workOrderId, component, holdings));
  const { allocatable } = await readFreeStock(
    tx,
    book,
    components.map(({ sku }) => sku),
  );
  const after = allocate(trimmed, allocatable, holdings);
  const lineNumbers = gone.map(({ lineNumber }) => lineNumber);
  if (gone.length > 0) deleteComponents(tx, workOrderId, lineNumbers);
  const detail = { fields: Object.keys(patch).filter((name) => name !== "clientId") };
  const [workOrder] = settleWorkOrders(tx, book, holdings, [
    { workOrder: after, from: before.status, action: "update", detail },
  ]);
  assert(workOrder, "a work order was settled and does not exist");
  return ok({ answer: workOrder, events: [workOrderEvent(tx.clientId, "workOrder:updated", workOrder)] });
}

/** @param remedy the alternative while the work is in progress; an ended work order can no longer be changed. */
function tooLate({ workOrderId, status }: WorkOrder, remedy: string): Refusal {
  const why = hasEnded(status) ? "it can no longer be changed" : remedy;
  return conflict(`Work order ${workOrderId} is ${status}: ${why}.`);
}

/**
 * The item faults that concern the patch. The stored recipe was checked on its creation; later changes of its items must
 * not refuse a change of the priority. A new quantity may exceed the limit of a stored component.
 */
function faultsOfPatch(patch: WorkOrderPatch, faults: readonly RequestFault[]): RequestFault[] {
  if (patch.components !== undefined) return [...faults];
  if (patch.qty === undefined) return [];
  return faults.flatMap((fault) => {
    if (fault.pointer === "#/qty") return fault;
    return fault.pointer.endsWith("/qtyPer") ? { ...fault, pointer: "#/qty" } : [];
  });
}

function patchedRecipe(before: WorkOrder, patch: WorkOrderPatch): Recipe {
  const stored = before.components.map(({ sku, qtyPer }) => ({ sku, qtyPer: quantityToNumber(qtyPer) }));
  return {
    finishedGoodSku: before.finishedGoodSku,
    qty: patch.qty ?? quantityToNumber(before.ordered),
    components: patch.components ?? stored,
  };
}

/** JSON merge patch (RFC 7396): an absent field stays, null resets a field to its default. */
function patchedFields(before: WorkOrder, { dueDate, priority, notes }: WorkOrderPatch) {
  return {
    dueDate: dueDate === undefined ? before.dueDate : dueDate === null ? undefined : readDateTime(dueDate),
    priority: priority === undefined ? before.priority : (priority ?? priorityDefault),
    notes: notes === undefined ? before.notes : (notes ?? undefined),
  };
}

/** The component without the reservations that the rest does not need. */
export function withoutSurplus(workOrderId: string, component: Component, holdings: Holdings): Component {
  const freed = freeHeld(holdings, keyOf(workOrderId, component), surplus(component));
  return freed === 0 ? component : { ...component, allocated: component.allocated - freed };
}

/** The component without any reservations. */
export function withoutHoldings(workOrderId: string, component: Component, holdings: Holdings): Component {
  if (component.allocated === 0) return component;
  const freed = freeHeld(holdings, keyOf(workOrderId, component), component.allocated);
  assert(
    freed === component.allocated,
    `${workOrderId} holds ${freed} of ${component.sku}, not ${component.allocated}`,
  );
  return { ...component, allocated: 0 };
}

/** Cancels a work order before its work begins, and releases its reservations. Refused as 404, 412 or 409 (state). */
export async function cancelWorkOrder(tx: UnitOfWork, key: WorkOrderKey, reason?: string): Promise<WorkOrderResult> {
  const opened = await openWorkOrder(tx, key);
  if (!opened.ok) return opened;
  const { book, before, holdings } = opened.value;
  const status = stateAfter(before.status, { type: "cancel" });
  if (status === undefined) {
    const remedy = "it can be cancelled until the warehouse starts on it; the warehouse may close it short";
    return refused(tooLate(before, remedy));
  }
  const freed = withComponents(before, (component) => withoutHoldings(before.workOrderId, component, holdings));
  const detail = reason === undefined ? {} : { reason };
  const [workOrder] = settleWorkOrders(tx, book, holdings, [
    { workOrder: { ...freed, status }, from: before.status, action: "cancel", detail },
  ]);
  assert(workOrder, "a work order was settled and does not exist");
  return ok({ answer: workOrder, events: [workOrderEvent(tx.clientId, "workOrder:cancelled", workOrder)] });
}

export type WorkOrderResult = Result<CommandResult<WorkOrder>, Refusal>;

const priorityDefault = 5;

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
  const holdings = createHoldings(workOrderHolder, book, []);
  const { allocatable } = await readFreeStock(
    tx,
    book,
    created.components.map(({ sku }) => sku),
  );
  const workOrder = allocate(created, allocatable, holdings);
  insertWorkOrder(tx, workOrder);
  writeStock(tx, book, holdings);
  recordAudits(tx, [
    { action: "create", objectType: "workOrder", objectId: workOrderId, detail: { status: workOrder.status } },
  ]);
  return ok({ answer: workOrder, events: [workOrderEvent(clientId, "workOrder:created", workOrder)] });
}
