export {
  type NewException,
  raiseException,
  raiseOrRefreshException,
  replaceExceptions,
  resolveException,
} from "#/modules/facilities/exceptions.ts";
export { addFacilityRoutes } from "#/modules/facilities/routes.ts";
export * from "#/modules/facilities/service.ts";
export * from "#/modules/facilities/settings.ts";
export {
  type OrderDetails,
  type Work,
  type WorkFinishedGood,
  type WorkLine,
  type WorkType,
  workTypes,
} from "#/modules/facilities/work.ts";
