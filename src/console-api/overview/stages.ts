import { assert } from "#/kernel/assert.ts";
import type { OrderState } from "#/modules/orders/states.ts";

/**
 * The stages of an order on its way through the warehouse to its customer (contract lifecycle.md §1), in that order.
 */
export const stageNames = [
  "RECEIVED",
  "ON_HOLD",
  "BACKORDERED",
  "ALLOCATED",
  "PICKING",
  "PACKED",
  "PARTIALLY_DESPATCHED",
  "DESPATCHED",
  "IN_TRANSIT",
  "DELIVERED_TODAY",
] as const;

export type StageName = (typeof stageNames)[number];

/** The order states of a stage. The reports of the carrier, not the state, distinguish orders that have left. */
export const statesOf: Readonly<Record<StageName, readonly OrderState[]>> = {
  RECEIVED: ["RECEIVED"],
  ON_HOLD: ["ON_HOLD"],
  // An order with only a part of its goods waits for the rest, like an order with none of them.
  BACKORDERED: ["BACKORDERED", "PARTIALLY_ALLOCATED"],
  ALLOCATED: ["ALLOCATED"],
  PICKING: ["PICKING"],
  PACKED: ["PACKED"],
  PARTIALLY_DESPATCHED: ["PARTIALLY_DESPATCHED"],
  DESPATCHED: ["DESPATCHED"],
  IN_TRANSIT: ["DESPATCHED"],
  DELIVERED_TODAY: ["DELIVERED"],
};

/** Stages of orders that have not completely left. */
export const insideStages = [
  "RECEIVED",
  "ON_HOLD",
  "BACKORDERED",
  "ALLOCATED",
  "PICKING",
  "PACKED",
  "PARTIALLY_DESPATCHED",
] as const satisfies readonly StageName[];

/** The stage of an order that has not completely left. */
export function stageOfState(state: string): StageName {
  const stage = insideStages.find((name) => (statesOf[name] as readonly string[]).includes(state));
  assert(stage, `${state} is no state before an order has left`);
  return stage;
}
