import { assert } from "#/kernel/assert.ts";
import type { orderStates } from "#/modules/orders/index.ts";

type OrderState = (typeof orderStates)[number];

/** Where an order is on its way through the house and to its customer (contract lifecycle.md §1), in that order. */
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

/** The states of the orders of a stage. What has left is told apart by what its carrier has said, not by its state. */
export const statesOf: Readonly<Record<StageName, readonly OrderState[]>> = {
  RECEIVED: ["RECEIVED"],
  ON_HOLD: ["ON_HOLD"],
  // What has only a part of its goods waits for the rest, as what has none of them does.
  BACKORDERED: ["BACKORDERED", "PARTIALLY_ALLOCATED"],
  ALLOCATED: ["ALLOCATED"],
  PICKING: ["PICKING"],
  PACKED: ["PACKED"],
  PARTIALLY_DESPATCHED: ["PARTIALLY_DESPATCHED"],
  DESPATCHED: ["DESPATCHED"],
  IN_TRANSIT: ["DESPATCHED"],
  DELIVERED_TODAY: ["DELIVERED"],
};

/** Stages of orders that have not wholly left. */
export const insideStages = [
  "RECEIVED",
  "ON_HOLD",
  "BACKORDERED",
  "ALLOCATED",
  "PICKING",
  "PACKED",
  "PARTIALLY_DESPATCHED",
] as const satisfies readonly StageName[];

/** The stage of an order that has not wholly left. */
export function stageOfState(state: string): StageName {
  const stage = insideStages.find((name) => (statesOf[name] as readonly string[]).includes(state));
  assert(stage, `${state} is no state before an order has left`);
  return stage;
}
