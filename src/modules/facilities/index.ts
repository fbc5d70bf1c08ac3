export {
  type NewException,
  raiseException,
  raiseOrRefreshException,
  resolveException,
} from "#/modules/facilities/exceptions.ts";
export { joinRefusals } from "#/modules/facilities/joined-refusal.ts";
export { conflict, notFound, type Refusal, unprocessable } from "#/modules/facilities/refusal.ts";
export {
  chooseFacilities,
  createFacility,
  type Facility,
  findFacility,
  listFacilities,
  type NewFacility,
} from "#/modules/facilities/service.ts";
export type { Work, WorkFinishedGood, WorkLine } from "#/modules/facilities/work.ts";
