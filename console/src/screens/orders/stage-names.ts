import type { components } from "#operator";

export type StageName = components["schemas"]["FlowStage"]["stage"];

/** What the stages of an order's way are called, in that order. */
export const stageNames: Readonly<Record<StageName, string>> = {
  RECEIVED: "Received",
  ON_HOLD: "On hold",
  BACKORDERED: "Back-ordered",
  ALLOCATED: "Allocated",
  PICKING: "Picking",
  PACKED: "Packed",
  PARTIALLY_DESPATCHED: "Partly despatched",
  DESPATCHED: "Despatched",
  IN_TRANSIT: "In transit",
  DELIVERED_TODAY: "Delivered today",
};
