export { orderFeed } from "#/modules/orders/feed.ts";
export { listDespatched, matchReferences } from "#/modules/orders/repository.ts";
export { registerOrderRoutes } from "#/modules/orders/routes.ts";
