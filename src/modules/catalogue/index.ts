export { faultsOfLot, findItemRules, type ItemRules, type LotFault } from "#/modules/catalogue/item-rules.ts";
export {
  convertQuantities,
  findAvailableDays,
  findKnownSkus,
  type KitContent,
  type QuantityLine,
  readKits,
} from "#/modules/catalogue/quantities.ts";
export { findHazmatSkus, lockMovedItems, settleMovedItems } from "#/modules/catalogue/repository.ts";
export {
  customsDestination,
  dangerousGoods,
  lackFields,
  productIdentifiers,
} from "#/modules/catalogue/rest-contract.ts";
export { findItems, type StoredItem } from "#/modules/catalogue/rest-repository.ts";
export { addItemRoutes } from "#/modules/catalogue/routes.ts";
export { catalogueFeed } from "#/modules/catalogue/service.ts";
