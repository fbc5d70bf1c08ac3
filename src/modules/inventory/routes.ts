// The operations of the Inventory service: stock as it is now, and as it was.
export { addStockHistoryRoutes } from "#/modules/inventory/history-routes.ts";
export { addInventoryRoutes } from "#/modules/inventory/lookup-routes.ts";
