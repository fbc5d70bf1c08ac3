export { closeFinishedPurchaseOrders } from "#/modules/purchasing/close-finished.ts";
export { listClientsWithFinishedPurchaseOrders } from "#/modules/purchasing/cross-client-queries.ts";
export { purchaseOrderFeed } from "#/modules/purchasing/feed.ts";
export type { GoodsReceiptAnswer, GoodsReceiptBody } from "#/modules/purchasing/receipt-contract.ts";
export { closeDays, purchaseOrderSteps } from "#/modules/purchasing/receiving-domain.ts";
export { purchaseOrderId } from "#/modules/purchasing/receiving-events.ts";
export { listReceivingWork } from "#/modules/purchasing/receiving-work.ts";
export { type ReceivingTerms, reportGoodsReceipt } from "#/modules/purchasing/report-receipt.ts";
export { findStatuses as findPurchaseOrderStatuses } from "#/modules/purchasing/status-repository.ts";
