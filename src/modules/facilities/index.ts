export {
  chooseFacilities,
  createFacility,
  type Facility,
  findFacility,
  listFacilities,
  type NewFacility,
  unknownFacility,
} from "#/modules/facilities/service.ts";
