export { settleReceipts, type TransferReceipt } from "#/modules/transfers/receipts.ts";
export { readTransfers } from "#/modules/transfers/repository.ts";
export { type TransferRecord, transfer as transferSchema, transferStatus } from "#/modules/transfers/rest-contract.ts";
export { addTransferRoutes } from "#/modules/transfers/routes.ts";
export { createTransfer, freeTransferAllocations } from "#/modules/transfers/service.ts";
export { type Expectation, listShippingWork, shipTransfer } from "#/modules/transfers/ship.ts";
export { transferRecord } from "#/modules/transfers/transfer.ts";
