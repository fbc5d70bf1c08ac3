export { addLotRoutes } from "#/modules/lots/routes.ts";
