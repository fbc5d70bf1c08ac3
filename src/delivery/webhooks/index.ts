export type { MessageSource } from "#/delivery/webhooks/messages.ts";
export { startWebhooks, type Webhooks } from "#/delivery/webhooks/webhooks.ts";
