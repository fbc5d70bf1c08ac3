import type { components } from "#operator";
import { enumerations } from "./enumerations.ts";

export type HoldType = components["schemas"]["HoldSetting"]["type"];

/** States before the complete order has left. */
export const beforeLeaving = [
  "RECEIVED",
  "ON_HOLD",
  "BACKORDERED",
  "PARTIALLY_ALLOCATED",
  "ALLOCATED",
  "PICKING",
  "PACKED",
  "PARTIALLY_DESPATCHED",
] as const;

export const holdTypes = [
  "OTHER",
  "ADDRESS_INVALID",
  "HAZMAT_REVIEW",
  "CLIENT_RULE",
  "CARRIER_UNAVAILABLE",
  "CLIENT_REQUEST",
  "DO_NOT_SHIP",
  "SHIP_AFTER",
  "PRE_ORDER",
  "ADDRESS_CHECK",
] as const satisfies readonly HoldType[];

/** Every state of an order, in the order of its life. */
export const orderStates: readonly string[] = enumerations.OrderStatus;

/** States that are often chosen together, as the filter writes them in the URL. */
export const orderGroups = {
  open: beforeLeaving.join(","),
  floor: "ALLOCATED,PICKING,PACKED",
  short: "BACKORDERED,PARTIALLY_ALLOCATED",
} as const;

/** Values of the filter for holds that are not a type of a hold. */
export const anyHold = "ANY";
export const noHold = "NONE";
