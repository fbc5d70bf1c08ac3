import { defineFeed } from "#/intake/feeds/intake/definition.ts";
import { beginItems, checkItemMaster, itemMasterShape } from "#/modules/catalogue/domain.ts";
import { validateItems, writeArrivingItems, writeItems } from "#/modules/catalogue/service.ts";

/** The definition of the CAT feed for the receiver. */
export const catalogueFeed = defineFeed({
  type: "CAT",
  xsd: "CAT.xsd",
  shape: itemMasterShape,
  clientIdOf: (raw) => raw.clientId,
  objectIdOf: (raw) => (raw.item?.length === 1 ? raw.item[0]?.sku : undefined),
  check: checkItemMaster,
  list: { item: "item", begin: beginItems },
  keyOf: () => undefined,
  validate: validateItems,
  write: writeItems,
  writePieces: writeArrivingItems,
});
