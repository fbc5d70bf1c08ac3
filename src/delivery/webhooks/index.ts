export { type BrokenEvents, checkEvents, eventRules } from "#/delivery/webhooks/events/events-check.ts";
export type { MessageSource } from "#/delivery/webhooks/sending/messages.ts";
export { startWebhooks, type Webhooks } from "#/delivery/webhooks/webhooks.ts";
