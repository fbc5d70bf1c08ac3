export {
  chooseFacilities,
  createFacility,
  type Facility,
  findFacility,
  listFacilities,
  type NewFacility,
} from "#/modules/facilities/service.ts";
export type { Work, WorkLine } from "#/modules/facilities/work.ts";
