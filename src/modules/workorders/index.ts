export {
  type Action as WorkOrderAction,
  type Consumption,
  stateAfter,
  type WorkOrder,
} from "#/modules/workorders/domain.ts";
export { workOrderRecord } from "#/modules/workorders/record.ts";
export { listAssemblyWork } from "#/modules/workorders/reports/assembly-work.ts";
export { reportWorkOrder, type WorkOrderReportAnswer } from "#/modules/workorders/reports/report.ts";
export type { WorkOrderReport } from "#/modules/workorders/reports/report-checks.ts";
export { lockWorkOrders, readWorkOrders } from "#/modules/workorders/repository.ts";
export {
  consumptionField,
  type WorkOrderRecord,
  workOrder as workOrderSchema,
} from "#/modules/workorders/rest-contract.ts";
export { addWorkOrderRoutes } from "#/modules/workorders/routes.ts";
export { cancelWorkOrder, createWorkOrder, updateWorkOrder } from "#/modules/workorders/service.ts";
export type { WorkOrderState } from "#/modules/workorders/states.ts";
export { allocateComponents, freeComponentAllocations } from "#/modules/workorders/stock/allocation.ts";
