export { freeAllocations } from "#/modules/warehouse/free-allocations.ts";
export { carrierRoutes, registerWarehouseRoutes, type WarehouseRoutesContext } from "#/modules/warehouse/routes.ts";
export { createTaskConsumer } from "#/modules/warehouse/tasks.ts";
