import type { components } from "#operator";

export type StageName = components["schemas"]["FlowStage"]["stage"];

/** Names of an order's stages, in order. */
export const stageNames: Readonly<Record<StageName, string>> = {
  RECEIVED: "Received",
  ON_HOLD: "On hold",
  BACKORDERED: "Back-ordered",
  ALLOCATED: "Allocated",
  PICKING: "Picking",
  PACKED: "Packed",
  PARTIALLY_DESPATCHED: "Partially despatched",
  DESPATCHED: "Despatched",
  IN_TRANSIT: "In transit",
  DELIVERED_TODAY: "Delivered today",
};
