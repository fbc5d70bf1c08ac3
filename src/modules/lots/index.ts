export { changeLot } from "#/modules/lots/hold-lot.ts";
export { addLotRoutes } from "#/modules/lots/routes.ts";
