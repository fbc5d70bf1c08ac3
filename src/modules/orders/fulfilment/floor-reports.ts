// What the warehouse and carriers report of orders (warehouse.md), each an action of its own.
export { answerCancel, type CancelReport } from "#/modules/orders/fulfilment/cancel-answer.ts";
export {
  type CarrierEventReport,
  type CarrierEventSource,
  clientsOfCarrierEvent,
  reportCarrierEvent,
} from "#/modules/orders/fulfilment/carrier-event.ts";
export { type DespatchReport, reportDespatch } from "#/modules/orders/fulfilment/despatch.ts";
export type { FloorResult, Reported } from "#/modules/orders/fulfilment/floor.ts";
export { type LoadReport, removeFromLoad, reportLoad } from "#/modules/orders/fulfilment/load.ts";
export { createPacking, type Packing, type PackTerms } from "#/modules/orders/fulfilment/packing/pack.ts";
export type { PackReport } from "#/modules/orders/fulfilment/packing/report.ts";
export { reportPick } from "#/modules/orders/fulfilment/pick.ts";
export type { PickReport } from "#/modules/orders/fulfilment/pick-report.ts";
export { voidParcel } from "#/modules/orders/fulfilment/void-parcel.ts";
