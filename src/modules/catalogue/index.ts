export { catalogueFeed } from "#/modules/catalogue/feed.ts";
export { convertQuantities, type QuantityLine } from "#/modules/catalogue/quantities.ts";
