export { addressKeyOf, judge, sinceOfAnswers } from "#/modules/orders/addresses/address-check.ts";
export {
  claimChecks,
  type DueCheck,
  findAnswers,
  postponeCheck,
  type StoredCheck,
} from "#/modules/orders/addresses/repository.ts";
export { settleCheck } from "#/modules/orders/addresses/settle-check.ts";
export { allocateOrders } from "#/modules/orders/allocation/allocation.ts";
export { publishOrdersAtRisk } from "#/modules/orders/allocation/at-risk.ts";
export * from "#/modules/orders/allocation/backorder.ts";
export { createAllocationConsumer } from "#/modules/orders/allocation/consumer.ts";
export { freeOrderAllocations } from "#/modules/orders/allocation/deallocation.ts";
export type { OrderJob } from "#/modules/orders/allocation/order-job.ts";
export { releaseDatedOrders } from "#/modules/orders/allocation/ship-after.ts";
export { cancelOrder, cancelOrderLine } from "#/modules/orders/commands/cancel-order.ts";
export { updateOrderLine } from "#/modules/orders/commands/change-order.ts";
export { listHeaders } from "#/modules/orders/commands/change-repository.ts";
export { holdOrder, releaseOrder } from "#/modules/orders/commands/hold-order.ts";
export { readContents } from "#/modules/orders/content.ts";
// Reports of the warehouse and of carriers on orders (warehouse.md); each report is a separate action.
export { answerCancel, type CancelReport } from "#/modules/orders/fulfilment/cancel-answer.ts";
export {
  type CarrierEventReport,
  type CarrierEventSource,
  clientsOfCarrierEvent,
  reportCarrierEvent,
} from "#/modules/orders/fulfilment/carrier-event.ts";
export { type DespatchReport, reportDespatch } from "#/modules/orders/fulfilment/despatch.ts";
export type { FulfilmentResult } from "#/modules/orders/fulfilment/fulfilment-rules.ts";
export { labelPacked, type ParcelLabel } from "#/modules/orders/fulfilment/label.ts";
export { type LoadReport, removeFromLoad, reportLoad } from "#/modules/orders/fulfilment/load.ts";
export { weightsOf } from "#/modules/orders/fulfilment/packing/label-values.ts";
export {
  countUnnumbered,
  type PackOrder,
  type PackTerms,
  reportPack,
} from "#/modules/orders/fulfilment/packing/pack.ts";
export { estimateParcel } from "#/modules/orders/fulfilment/packing/parcel-estimate.ts";
export type { PackReport } from "#/modules/orders/fulfilment/packing/report.ts";
export { shipmentOfOrder } from "#/modules/orders/fulfilment/packing/shipment-of-order.ts";
export { type PickReport, reportPick } from "#/modules/orders/fulfilment/pick.ts";
export {
  lockReturnable,
  type ReturnableOrder,
  raiseReturned,
  returnParcel,
} from "#/modules/orders/fulfilment/returned-quantity.ts";
export { voidParcel } from "#/modules/orders/fulfilment/void-parcel.ts";
export { createOrderFeed } from "#/modules/orders/intake/accept-orders.ts";
export { listDespatched, matchReferences } from "#/modules/orders/intake/repository.ts";
export { keptReason } from "#/modules/orders/kept-reason.ts";
export type { HoldType, Order, OrderLine, RoutingReason } from "#/modules/orders/order.ts";
export { atRiskBeforeMs, holdMeanings, holdTypes, orderStateRules, stateCodes } from "#/modules/orders/order.ts";
export {
  findFacilities as findFacilitiesOf,
  findStatuses as findOrderStatuses,
  lockOrders,
} from "#/modules/orders/order-repository.ts";
export { listOrderWork, takeOrders } from "#/modules/orders/order-work.ts";
export { movePromisedDays } from "#/modules/orders/promise/promised-days.ts";
export {
  address as addressSchema,
  addressOf,
  type OrderRecord,
  order as orderSchema,
  orderLine as orderLineSchema,
} from "#/modules/orders/rest/contract.ts";
export { readOrder } from "#/modules/orders/rest/reading.ts";
export { addOrderRoutes } from "#/modules/orders/rest/routes.ts";
export { createRerouting } from "#/modules/orders/routing/reroute.ts";
export { orderStates } from "#/modules/orders/states.ts";
export { orderMilestone, salesOrder, salesOrderLine } from "#/modules/orders/tables.ts";
