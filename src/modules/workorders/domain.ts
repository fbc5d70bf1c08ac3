import { defaultStockUnit } from "#/kernel/telemetry/measure.ts";
import { quantityMaxThousandths } from "#/kernel/values/quantity.ts";
import { endedWorkOrderStates, statesBeforeWork, type WorkOrderState } from "#/modules/workorders/states.ts";

/** Work orders by lifecycle.md §4. All quantities are integer thousandths of the stock unit. */
/**
 * `BACKFLUSH`: a finished good consumes its components by qtyPer. `REPORTED`: the warehouse reports the consumption.
 */
export type Consumption = "BACKFLUSH" | "REPORTED";

export interface WorkOrder {
  readonly workOrderId: string;
  readonly facilityCode: string;
  readonly status: WorkOrderState;
  readonly finishedGoodSku: string;
  readonly uom: string;
  readonly ordered: number;
  readonly completed: number;
  readonly consumption: Consumption;
  /** ISO 8601 UTC. */
  readonly dueDate: string | undefined;
  /** 1 highest … 9. */
  readonly priority: number;
  readonly notes: string | undefined;
  readonly receivedAt: string;
  readonly updatedAt: string;
  readonly version: number;
  /** By line number; each SKU occurs once. */
  readonly components: readonly Component[];
}

export interface Component {
  readonly lineNumber: number;
  readonly sku: string;
  readonly uom: string;
  /** For one finished good. */
  readonly qtyPer: number;
  /** For the whole ordered quantity. */
  readonly required: number;
  readonly allocated: number;
  /** All consumed quantity, including scrap. */
  readonly consumed: number;
  /** The part of the consumed quantity that went into no finished good; the same quantity is required again. */
  readonly scrapped: number;
}

/** An action on a work order. */
export type Action =
  /** Components were reserved, or reservations were released. */
  | { readonly type: "allocation"; readonly isComplete: boolean }
  | { readonly type: "update" }
  | { readonly type: "cancel" }
  /** @member isFinished the ordered quantity is completed. @member isClosed the warehouse makes no more. */
  | { readonly type: "report"; readonly isFinished: boolean; readonly isClosed: boolean };

const beforeWork: readonly WorkOrderState[] = statesBeforeWork;
const ended: readonly WorkOrderState[] = endedWorkOrderStates;

export function hasEnded(state: WorkOrderState): boolean {
  return ended.includes(state);
}

/** The state after the action; undefined if the state forbids the action (lifecycle.md §4). */
export function stateAfter(state: WorkOrderState, action: Action): WorkOrderState | undefined {
  if (hasEnded(state)) return undefined;
  const isBefore = beforeWork.includes(state);
  switch (action.type) {
    case "allocation":
      if (!isBefore) return state;
      return action.isComplete ? "RELEASED" : "WAITING_COMPONENTS";
    case "update":
      return isBefore ? state : undefined;
    case "cancel":
      return isBefore ? "CANCELLED" : undefined;
    case "report":
      if (state !== "RELEASED" && state !== "IN_PROGRESS") return undefined;
      if (action.isFinished) return "COMPLETED";
      return action.isClosed ? "CLOSED_SHORT" : "IN_PROGRESS";
  }
}

/**
 * The quantity of a component for this number of finished goods, rounded up to its smallest unit: a whole piece of EA,
 * a thousandth of other units. Computed over the sum of completed goods, it never drifts, whatever the partial reports.
 *
 * @returns undefined beyond the limit of a quantity.
 */
export function quantityTaken(finished: number, component: Pick<Component, "qtyPer" | "uom">): number | undefined {
  // A product of thousandths is in millionths.
  const product = BigInt(finished) * BigInt(component.qtyPer);
  const step = component.uom === defaultStockUnit ? 1000n : 1n;
  const steps = (product + 1000n * step - 1n) / (1000n * step);
  const taken = Number(steps * step);
  return taken <= quantityMaxThousandths ? taken : undefined;
}

/** The quantity to reserve so that the rest can be made. */
export function outstanding({ required, scrapped, consumed, allocated }: Component): number {
  return Math.max(0, required + scrapped - consumed - allocated);
}

/** The reserved quantity that the rest does not need, for example after a higher consumption than required. */
export function surplus({ required, scrapped, consumed, allocated }: Component): number {
  return Math.max(0, allocated - Math.max(0, required + scrapped - consumed));
}

export function isFullyAllocated({ components }: Pick<WorkOrder, "components">): boolean {
  return components.every((component) => outstanding(component) === 0);
}

/** The work order with some components changed. @param change returns the changed component. */
export function withComponents(workOrder: WorkOrder, change: (component: Component) => Component): WorkOrder {
  return { ...workOrder, components: workOrder.components.map(change) };
}
