export { catalogueFeed } from "#/modules/catalogue/feed.ts";
export { convertQuantities, findKnownSkus, type QuantityLine } from "#/modules/catalogue/quantities.ts";
