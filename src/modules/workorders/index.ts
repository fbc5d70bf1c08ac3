export { allocateComponents, freeComponentAllocations } from "#/modules/workorders/allocation.ts";
export { listAssemblyWork } from "#/modules/workorders/assembly-work.ts";
export { createWorkOrder } from "#/modules/workorders/create-service.ts";
export type { Consumption, WorkOrder, WorkOrderState } from "#/modules/workorders/domain.ts";
export { reportWorkOrder } from "#/modules/workorders/report.ts";
export type { WorkOrderReport } from "#/modules/workorders/report-checks.ts";
export type { WorkOrderReportAnswer } from "#/modules/workorders/report-result.ts";
export { registerWorkOrderRoutes, type WorkOrderRoutesContext } from "#/modules/workorders/routes.ts";
export { cancelWorkOrder, updateWorkOrder } from "#/modules/workorders/service.ts";
