// What the warehouse and carriers report of orders (warehouse.md), each an action of its own.
export { answerCancel, type CancelReport } from "#/modules/orders/cancel-answer.ts";
export {
  type CarrierEventReport,
  type CarrierEventSource,
  clientsOfCarrierEvent,
  reportCarrierEvent,
} from "#/modules/orders/carrier-event.ts";
export { type DespatchReport, reportDespatch } from "#/modules/orders/despatch.ts";
export type { FloorResult, Reported } from "#/modules/orders/floor.ts";
export { type LoadReport, removeFromLoad, reportLoad } from "#/modules/orders/load.ts";
export { createPacking, type Packing, type PackTerms } from "#/modules/orders/pack.ts";
export type { PackReport } from "#/modules/orders/pack-report.ts";
export { reportPick } from "#/modules/orders/pick.ts";
export type { PickReport } from "#/modules/orders/pick-report.ts";
export { voidParcel } from "#/modules/orders/void-parcel.ts";
