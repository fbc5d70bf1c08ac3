export { cartonsOf, findCartonOrders, listCartons } from "#/modules/purchasing/carton-repository.ts";
export { expectedDateOf } from "#/modules/purchasing/list-repository.ts";
export {
  listClientsWithFinishedPurchaseOrders,
  listClientsWithUnfinishedPurchaseOrders,
} from "#/modules/purchasing/purchasing.cross-client.ts";
export {
  closeFinishedPurchaseOrders,
  closePurchaseOrder,
  closeUnfinishedPurchaseOrders,
} from "#/modules/purchasing/receiving/close-orders.ts";
export { expectTransfer } from "#/modules/purchasing/receiving/expect-transfer.ts";
export {
  numbersOf,
  readPurchaseOrder,
  warehousePurchaseOrder,
} from "#/modules/purchasing/receiving/purchase-order-record.ts";
export type { GoodsReceiptAnswer, GoodsReceiptBody } from "#/modules/purchasing/receiving/receipt-contract.ts";
export { listReceipts, receipts } from "#/modules/purchasing/receiving/receipts.ts";
export { closeDays, discrepancies, purchaseOrderSteps } from "#/modules/purchasing/receiving/receiving-domain.ts";
export { purchaseOrderId } from "#/modules/purchasing/receiving/receiving-events.ts";
export {
  type ExpectedReceipt,
  expectedGoods,
  listExpectedReceipts,
} from "#/modules/purchasing/receiving/receiving-repository.ts";
export { listReceivingWork } from "#/modules/purchasing/receiving/receiving-work.ts";
export { type ReceivingTerms, reportGoodsReceipt } from "#/modules/purchasing/receiving/report-receipt.ts";
export { findStatuses as findPurchaseOrderStatuses } from "#/modules/purchasing/repository.ts";
export { cartons, expectedCartons } from "#/modules/purchasing/rest-contract.ts";
export { addPurchaseOrderRoutes } from "#/modules/purchasing/routes.ts";
export { purchaseOrderFeed } from "#/modules/purchasing/service.ts";
