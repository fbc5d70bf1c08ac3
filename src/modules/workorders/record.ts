import { quantityToNumber } from "#/kernel/values/quantity.ts";
import type { WorkOrder } from "#/modules/workorders/domain.ts";
import type { WorkOrderRecord } from "#/modules/workorders/rest-contract.ts";
import type { EventDraft, OutboundDraft } from "#/store/outbox/append.ts";

/** The work order for REST and events (rest.md §4). */
export function workOrderRecord(clientId: string, workOrder: WorkOrder): WorkOrderRecord {
  return {
    workOrderId: workOrder.workOrderId,
    clientId,
    facilityCode: workOrder.facilityCode,
    status: workOrder.status,
    finishedGoodSku: workOrder.finishedGoodSku,
    uom: workOrder.uom,
    qtyOrdered: quantityToNumber(workOrder.ordered),
    qtyCompleted: quantityToNumber(workOrder.completed),
    consumption: workOrder.consumption,
    components: workOrder.components.map((component) => ({
      lineNumber: component.lineNumber,
      sku: component.sku,
      uom: component.uom,
      qtyPer: quantityToNumber(component.qtyPer),
      qtyRequired: quantityToNumber(component.required),
      qtyAllocated: quantityToNumber(component.allocated),
      qtyConsumed: quantityToNumber(component.consumed),
    })),
    dueDate: workOrder.dueDate ?? null,
    priority: workOrder.priority,
    notes: workOrder.notes ?? null,
    receivedAt: workOrder.receivedAt,
    updatedAt: workOrder.updatedAt,
    version: workOrder.version,
  };
}

/** `workOrder:created` and so on, with the current work order. */
export function workOrderEvent(
  clientId: string,
  topic: "workOrder:created" | "workOrder:updated" | "workOrder:cancelled",
  workOrder: WorkOrder,
): EventDraft {
  return { topic, ...objectOf(workOrder), data: workOrderRecord(clientId, workOrder) };
}

/** The data of one `workOrder:completion` (webhooks.md §3). Quantities are integer thousandths. */
export interface Completion {
  readonly role: "FINISHED_GOOD" | "COMPONENT";
  readonly sku: string;
  readonly qty: number;
  /** The total of all reports. */
  readonly qtyTotal: number;
  /** Undefined if there is none, or if the quantity came from several batches. */
  readonly batchRef: string | undefined;
}

/** @param outbound the ADJ document; undefined where the client does without. */
export function completionEvent(
  workOrder: WorkOrder,
  reportedAt: string,
  completion: Completion,
  outbound: OutboundDraft | undefined,
): EventDraft {
  return {
    topic: "workOrder:completion",
    ...objectOf(workOrder),
    data: {
      workOrderId: workOrder.workOrderId,
      role: completion.role,
      sku: completion.sku,
      qty: quantityToNumber(completion.qty),
      qtyTotal: quantityToNumber(completion.qtyTotal),
      batchRef: completion.batchRef ?? null,
      reportedAt,
      status: workOrder.status,
    },
    outbound,
  };
}

function objectOf({ workOrderId, facilityCode }: WorkOrder) {
  return { objectType: "workOrder", objectId: workOrderId, facilityCode };
}
