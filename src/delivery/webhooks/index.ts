export { type BrokenEvents, checkEvents, eventRules } from "#/delivery/webhooks/events-check.ts";
export type { MessageSource } from "#/delivery/webhooks/messages.ts";
export { startWebhooks, type Webhooks } from "#/delivery/webhooks/webhooks.ts";
