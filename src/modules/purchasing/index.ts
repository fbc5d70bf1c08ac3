export { purchaseOrderFeed } from "#/modules/purchasing/feed.ts";
