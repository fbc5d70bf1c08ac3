export { activeCarrierData, operatorsDefault, saveCarrierData } from "#/modules/carriers/carrier-data.ts";
export { eventCodeOf } from "#/modules/carriers/event-words.ts";
export { addCarrierRoutes } from "#/modules/carriers/routes.ts";
