// The operations of the Inventory service: stock as it is now, and as it was; and the facilities that lists may ask about.
export { type FacilityContext, refusalOfEmptyList } from "#/modules/inventory/rest/asked-facility.ts";
export { addStockHistoryRoutes } from "#/modules/inventory/rest/history-routes.ts";
export { addInventoryRoutes } from "#/modules/inventory/rest/lookup-routes.ts";
