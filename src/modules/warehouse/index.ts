export { freeAllocations } from "#/modules/warehouse/free-allocations.ts";
export { createReportKinds } from "#/modules/warehouse/reports/report-kinds.ts";
export { createReportRetry, type KeptReport, type RetryReport } from "#/modules/warehouse/reports/report-retry.ts";
export { createReportHandler } from "#/modules/warehouse/reports/report-service.ts";
export { carrierRoutes, registerWarehouseRoutes, type WarehouseRoutesContext } from "#/modules/warehouse/routes.ts";
export * from "#/modules/warehouse/tasks/count-tasks.ts";
export { createTaskWatch, type TaskWatch } from "#/modules/warehouse/tasks/task-watch.ts";
export { createTaskConsumer } from "#/modules/warehouse/tasks/tasks.ts";
export { leaveOutOfFeeds } from "#/modules/warehouse/warehouse.cross-client.ts";
