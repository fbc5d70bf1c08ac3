export { type Adjustment, composeDocuments } from "#/modules/inventory/adjustments/adjusted-event.ts";
export { reportAdjustment, reportHold, shortPick } from "#/modules/inventory/adjustments/adjustment.ts";
export { type CountAnswer, type CountTerms, reportCount } from "#/modules/inventory/adjustments/count.ts";
export { listShortPicked } from "#/modules/inventory/adjustments/count-repository.ts";
export { freeExpired } from "#/modules/inventory/adjustments/expiry.ts";
export {
  importOpeningStock,
  type OpeningAnswer,
  type OpeningRefusal,
} from "#/modules/inventory/adjustments/import-opening.ts";
export { type OpeningFault, openingColumns } from "#/modules/inventory/adjustments/opening-file.ts";
export { adjustStock, operatorReasons } from "#/modules/inventory/adjustments/operator-adjustment.ts";
export * from "#/modules/inventory/adjustments/reports.ts";
export * from "#/modules/inventory/counts/abc.ts";
export * from "#/modules/inventory/counts/decide.ts";
export * from "#/modules/inventory/counts/domain.ts";
export {
  type CountRow,
  findCount,
  listOpenCounts,
} from "#/modules/inventory/counts/repository.ts";
export * from "#/modules/inventory/counts/request.ts";
export * from "#/modules/inventory/inventory.cross-client.ts";
export * from "#/modules/inventory/ledger/book.ts";
export * from "#/modules/inventory/ledger/check.ts";
export * from "#/modules/inventory/ledger/free-stock.ts";
export * from "#/modules/inventory/ledger/holdings.ts";
export { type Movement, type MovementType, postMovements } from "#/modules/inventory/ledger/ledger.ts";
export { type Balance, listBalances } from "#/modules/inventory/ledger/repository.ts";
export * from "#/modules/inventory/ledger/reservation-repository.ts";
export * from "#/modules/inventory/ledger/serial-lots.ts";
export * from "#/modules/inventory/ledger/serial-repository.ts";
export * from "#/modules/inventory/lot.ts";
export * from "#/modules/inventory/lot-rules.ts";
export { type UnsellableReason, unsellablePartsOf } from "#/modules/inventory/lot-rules.ts";
export {
  clearAllocationWants,
  listFacilitiesToAllocate,
  listWantedSkus,
  publishChanges,
  wantExpected,
  wantOfPurchaseOrders,
  wantOverdue,
} from "#/modules/inventory/notifications/publish-changes.ts";
export * from "#/modules/inventory/quantities.ts";
export {
  type FacilityContext,
  faultOfFacility,
  pageOfFacility,
  refusalOfEmptyList,
} from "#/modules/inventory/rest/asked-facility.ts";
export { type ComparedSku, compareDays } from "#/modules/inventory/rest/compared-days.ts";
export { addStockHistoryRoutes } from "#/modules/inventory/rest/history-routes.ts";
export { detailedInventory, detailedItem, unsellableStock } from "#/modules/inventory/rest/lookup-contract.ts";
export { addInventoryRoutes, createDetailsReader } from "#/modules/inventory/rest/lookup-routes.ts";
export { type DayEnd, findDayEnd, readSkusOfDay } from "#/modules/inventory/rest/past-day.ts";
export * from "#/modules/inventory/snapshots/midnight.ts";
export * from "#/modules/inventory/snapshots/snapshot.ts";
export * from "#/modules/inventory/snapshots/statement-repository.ts";
