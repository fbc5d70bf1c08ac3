import type { FeedDefinition } from "#/intake/feeds/intake/definition.ts";
import type { CarrierSets } from "#/modules/carriers/index.ts";
import { catalogueFeed } from "#/modules/catalogue/index.ts";
import { createOrderFeed } from "#/modules/orders/index.ts";
import { purchaseOrderFeed } from "#/modules/purchasing/index.ts";
import { returnFeed } from "#/modules/returns/index.ts";

/** The four feeds of the specification. */
export function createFeedDefinitions(sets: CarrierSets): readonly FeedDefinition[] {
  return [catalogueFeed, purchaseOrderFeed, returnFeed, createOrderFeed(sets)];
}
