export { allocateComponents, freeComponentAllocations } from "#/modules/workorders/allocation.ts";
export { listAssemblyWork } from "#/modules/workorders/assembly-work.ts";
export { createWorkOrder } from "#/modules/workorders/create-service.ts";
export {
  type Action as WorkOrderAction,
  type Consumption,
  stateAfter,
  type WorkOrder,
  type WorkOrderState,
} from "#/modules/workorders/domain.ts";
export { reportWorkOrder } from "#/modules/workorders/report.ts";
export type { WorkOrderReport } from "#/modules/workorders/report-checks.ts";
export type { WorkOrderReportAnswer } from "#/modules/workorders/report-result.ts";
export { lockWorkOrders } from "#/modules/workorders/repository.ts";
export { type WorkOrderRecord, workOrder as workOrderSchema } from "#/modules/workorders/rest-contract.ts";
export { addWorkOrderRoutes, type WorkOrderContext } from "#/modules/workorders/routes.ts";
export { cancelWorkOrder, updateWorkOrder } from "#/modules/workorders/service.ts";
