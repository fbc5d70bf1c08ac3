/** The states of a work order (lifecycle.md §4), and those in which work is still expected. */
import { codeList } from "#/store/db/sql.ts";

export const statesBeforeWork = ["CREATED", "WAITING_COMPONENTS", "RELEASED"] as const;
export const openWorkOrderStates = [...statesBeforeWork, "IN_PROGRESS"] as const;
export const endedWorkOrderStates = ["COMPLETED", "CLOSED_SHORT", "CANCELLED"] as const;
export const workOrderStates = [...openWorkOrderStates, ...endedWorkOrderStates] as const;

export type WorkOrderState = (typeof workOrderStates)[number];

/** The condition of the index of open work orders. */
export const openWorkOrder = codeList(openWorkOrderStates);
