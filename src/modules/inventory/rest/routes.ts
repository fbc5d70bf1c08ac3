// The operations of the Inventory service: current and past stock, and the check of the facility of a list.
export { type FacilityContext, pageOfFacility, refusalOfEmptyList } from "#/modules/inventory/rest/asked-facility.ts";
export { addStockHistoryRoutes } from "#/modules/inventory/rest/history-routes.ts";
export { detailedInventory, detailedItem } from "#/modules/inventory/rest/lookup-contract.ts";
export { addInventoryRoutes, createDetailsReader } from "#/modules/inventory/rest/lookup-routes.ts";
