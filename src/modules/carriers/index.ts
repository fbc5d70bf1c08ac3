export { checkCarrierData } from "#/modules/carriers/checks/check-carrier-data.ts";
export {
  activeCarrierData,
  findUnknownSources,
  operatorsDefault,
  saveCarrierData,
} from "#/modules/carriers/data/carrier-data.ts";
export {
  type CarrierSets,
  createCarrierSets,
  findKnownServices,
  type KnownService,
  type KnownServices,
} from "#/modules/carriers/data/carrier-sets.ts";
export { isAboveAmount } from "#/modules/carriers/data/converted-value.ts";
export type { CarrierData } from "#/modules/carriers/data/data-contract.ts";
export { serviceLevel } from "#/modules/carriers/data/data-parts.ts";
export { type CompiledCarrierData, serviceLevelOf } from "#/modules/carriers/decision/compile.ts";
export { heaviestParcel, rankedPrice, zonesOf } from "#/modules/carriers/decision/facilities-compared.ts";
export { type LiveRate, ratedWeightOf } from "#/modules/carriers/decision/live-rates.ts";
export { type CarrierRequest, packDecision, unpackDecision } from "#/modules/carriers/determination/decision-record.ts";
export { findLatestDecision, type LatestDecision } from "#/modules/carriers/determination/decision-repository.ts";
export * from "#/modules/carriers/determination/determination.ts";
export {
  carrierDecision,
  determinationRequest,
  flatDutyFields,
} from "#/modules/carriers/determination/determination-contract.ts";
export { addDeterminationRoutes } from "#/modules/carriers/determination/determination-routes.ts";
export { findCarrierConflicts, findUnknownMethods } from "#/modules/carriers/determination/order-wishes.ts";
export { listRates, purgeRates, saveRates } from "#/modules/carriers/determination/rate-repository.ts";
export {
  eventCodeOf,
  listMappedCodes,
  type MappedCode,
  mapCode,
  noteUnknownCode,
} from "#/modules/carriers/event-codes.ts";
export { addCarrierRoutes } from "#/modules/carriers/routes.ts";
export { runDraft } from "#/modules/carriers/simulation/draft-run.ts";
export { createDraftChecks } from "#/modules/carriers/simulation/drafts.ts";
export { simulate } from "#/modules/carriers/simulation/simulation.ts";
export type { SimulationResult } from "#/modules/carriers/simulation/simulation-tally.ts";
