import type { FeedDefinition } from "#/feeds/definition.ts";
import { catalogueFeed } from "#/modules/catalogue/index.ts";
import { orderFeed } from "#/modules/orders/index.ts";
import { purchaseOrderFeed } from "#/modules/purchasing/index.ts";
import { returnFeed } from "#/modules/returns/index.ts";

/** The four feeds of the specification. */
export const feedDefinitions: readonly FeedDefinition[] = [catalogueFeed, purchaseOrderFeed, returnFeed, orderFeed];
