export {
  type NewException,
  raiseException,
  raiseOrRefreshException,
  replaceExceptions,
  resolveException,
} from "#/modules/facilities/exceptions.ts";
export { joinRefusals } from "#/modules/facilities/joined-refusal.ts";
export {
  conflict,
  notFound,
  type Refusal,
  unprocessable,
  unprocessableField,
  unprocessableFields,
} from "#/modules/facilities/refusal.ts";
export { addFacilityRoutes } from "#/modules/facilities/routes.ts";
export * from "#/modules/facilities/service.ts";
export * from "#/modules/facilities/settings.ts";
export type { Work, WorkFinishedGood, WorkLine } from "#/modules/facilities/work.ts";
