export { freeAllocations } from "#/modules/warehouse/free-allocations.ts";
export { createReportKinds } from "#/modules/warehouse/reports/report-kinds.ts";
export { createReportRetry, type KeptReport, type RetryReport } from "#/modules/warehouse/reports/report-retry.ts";
export { createReportHandler, type ReportHandler } from "#/modules/warehouse/reports/report-service.ts";
export { carrierRoutes, registerWarehouseRoutes, type WarehouseRoutesContext } from "#/modules/warehouse/routes.ts";
export { findEndOfTasks, readChangedTasks } from "#/modules/warehouse/tasks/change-feeds.ts";
export * from "#/modules/warehouse/tasks/count-tasks.ts";
export { type TaskRecord, task as taskSchema } from "#/modules/warehouse/tasks/list-contract.ts";
export { createTaskWatch, type TaskWatch } from "#/modules/warehouse/tasks/task-watch.ts";
export { createTaskConsumer } from "#/modules/warehouse/tasks/tasks.ts";
export { readTrackingEvents } from "#/modules/warehouse/tracking/tracking-events.ts";
export { reportTrackingEvent } from "#/modules/warehouse/tracking/tracking-routes.ts";
export {
  type UnidentifiedReceipt,
  unidentifiedReceipt,
  unidentifiedStatus,
} from "#/modules/warehouse/unidentified/contract.ts";
export { addUnidentifiedRoutes } from "#/modules/warehouse/unidentified/routes.ts";
export { leaveOutOfFeeds } from "#/modules/warehouse/warehouse.cross-client.ts";
