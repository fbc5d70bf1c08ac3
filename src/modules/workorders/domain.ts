import { defaultStockUnit } from "#/kernel/telemetry/measure.ts";
import { quantityMaxThousandths } from "#/kernel/values/quantity.ts";

/** Work orders as lifecycle.md §4 has them. All quantities are integer thousandths of the stock unit. */
export type WorkOrderState =
  | "CREATED"
  | "WAITING_COMPONENTS"
  | "RELEASED"
  | "IN_PROGRESS"
  | "COMPLETED"
  | "CLOSED_SHORT"
  | "CANCELLED";

/** `BACKFLUSH`: a finished good consumes its components by qtyPer. `REPORTED`: the warehouse reports what was consumed. */
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
  /** By line number; no SKU twice. */
  readonly components: readonly Component[];
}

export interface Component {
  readonly lineNumber: number;
  readonly sku: string;
  readonly uom: string;
  /** For one finished good. */
  readonly qtyPer: number;
  /** For all that is ordered. */
  readonly required: number;
  readonly allocated: number;
  /** All of it, what was scrapped too. */
  readonly consumed: number;
  /** Of what was consumed: it went into no finished good, so as much is required besides. */
  readonly scrapped: number;
}

/** What happens to a work order. */
export type Action =
  /** Components were reserved, or reservations were taken away. */
  | { readonly type: "allocation"; readonly isComplete: boolean }
  | { readonly type: "update" }
  | { readonly type: "cancel" }
  /** @member isFinished as much as was ordered is completed. @member isClosed the warehouse makes no more. */
  | { readonly type: "report"; readonly isFinished: boolean; readonly isClosed: boolean };

const beforeWork: readonly WorkOrderState[] = ["CREATED", "WAITING_COMPONENTS", "RELEASED"];
const ended: readonly WorkOrderState[] = ["COMPLETED", "CLOSED_SHORT", "CANCELLED"];

export function hasEnded(state: WorkOrderState): boolean {
  return ended.includes(state);
}

/** The state that the action leads to; undefined where the state forbids it (lifecycle.md §4). */
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
 * How much of a component so many finished goods take, rounded up to what the component can be counted in: a whole piece
 * of EA, a thousandth of other units. As a sum over all that was completed it never drifts, however it is reported in parts.
 *
 * @returns undefined beyond the limit of a quantity.
 */
export function quantityTaken(finished: number, component: Pick<Component, "qtyPer" | "uom">): number | undefined {
  // A product of thousandths counts in millionths.
  const product = BigInt(finished) * BigInt(component.qtyPer);
  const step = component.uom === defaultStockUnit ? 1000n : 1n;
  const steps = (product + 1000n * step - 1n) / (1000n * step);
  const taken = Number(steps * step);
  return taken <= quantityMaxThousandths ? taken : undefined;
}

/** How much is still to be reserved, so that what is left to be made can be made. */
export function outstanding({ required, scrapped, consumed, allocated }: Component): number {
  return Math.max(0, required + scrapped - consumed - allocated);
}

/** How much is reserved that nothing is left to be made of: after more was consumed than was required, say. */
export function surplus({ required, scrapped, consumed, allocated }: Component): number {
  return Math.max(0, allocated - Math.max(0, required + scrapped - consumed));
}

export function isFullyAllocated({ components }: Pick<WorkOrder, "components">): boolean {
  return components.every((component) => outstanding(component) === 0);
}

/** The work order with some components changed. @param change answers the component as it is to be. */
export function withComponents(workOrder: WorkOrder, change: (component: Component) => Component): WorkOrder {
  return { ...workOrder, components: workOrder.components.map(change) };
}
