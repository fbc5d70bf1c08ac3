export { startWebhooks, type Webhooks } from "#/delivery/webhooks/webhooks.ts";
