export {
  type CarrierCode,
  carrierCodeLeads,
  contentRecord,
  deliveredByLine,
  despatched,
  type ParcelContent,
  type ParcelFacts,
  type ParcelStatus,
  parcelEnds,
  parcelStatuses,
  parcelSteps,
  statusAfter,
} from "#/modules/parcels/domain.ts";
export { parcelEvent } from "#/modules/parcels/events.ts";
export * from "#/modules/parcels/milestone-repository.ts";
export * from "#/modules/parcels/parcels.cross-client.ts";
export * from "#/modules/parcels/repository.ts";
export { type OlpnRecord, olpn as olpnSchema } from "#/modules/parcels/rest-contract.ts";
export { olpnRecord } from "#/modules/parcels/rest-record.ts";
export { addParcelRoutes } from "#/modules/parcels/routes.ts";
export { recordSteps } from "#/modules/parcels/settle-parcels.ts";
export { createSsccMint, leaveOutNumbers, type SsccMint } from "#/modules/parcels/sscc.ts";
export { parcel } from "#/modules/parcels/tables.ts";
