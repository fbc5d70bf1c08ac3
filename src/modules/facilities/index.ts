export {
  chooseFacilities,
  createFacility,
  type Facility,
  findFacility,
  listFacilities,
  type NewFacility,
} from "#/modules/facilities/service.ts";
