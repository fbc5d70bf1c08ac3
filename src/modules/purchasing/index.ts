export { purchaseOrderFeed } from "#/modules/purchasing/feed.ts";
export { listClientsWithFinishedPurchaseOrders } from "#/modules/purchasing/purchasing.cross-client.ts";
export { closeFinishedPurchaseOrders } from "#/modules/purchasing/receiving/close-finished.ts";
export type { GoodsReceiptAnswer, GoodsReceiptBody } from "#/modules/purchasing/receiving/receipt-contract.ts";
export { closeDays, purchaseOrderSteps } from "#/modules/purchasing/receiving/receiving-domain.ts";
export { purchaseOrderId } from "#/modules/purchasing/receiving/receiving-events.ts";
export { listReceivingWork } from "#/modules/purchasing/receiving/receiving-work.ts";
export { type ReceivingTerms, reportGoodsReceipt } from "#/modules/purchasing/receiving/report-receipt.ts";
export { findStatuses as findPurchaseOrderStatuses } from "#/modules/purchasing/status-repository.ts";
