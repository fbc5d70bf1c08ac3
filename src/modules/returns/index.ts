export { returnFeed } from "#/modules/returns/feed.ts";
