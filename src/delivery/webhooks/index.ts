export {
  addDeliveries,
  openCursor,
  type WantedDelivery,
} from "#/delivery/webhooks/deliveries/deliveries.ts";
export * from "#/delivery/webhooks/deliveries/delivery-log-repository.ts";
export { passLeftOut, purgeFeedSequences, setHeadsDue } from "#/delivery/webhooks/deliveries/delivery-repository.ts";
export { addDeliveryRoutes, type DeliveryRoutesContext } from "#/delivery/webhooks/deliveries/delivery-routes.ts";
export * from "#/delivery/webhooks/deliveries/states.ts";
export { registerAsyncApi } from "#/delivery/webhooks/events/asyncapi.ts";
export {
  bodySchema,
  type EventBody,
  eventBody,
  type JsonSchema,
  jsonSchemaOf,
  type LoggedEvent,
  sampleBody,
} from "#/delivery/webhooks/events/event-body.ts";
export type { MessageSource } from "#/delivery/webhooks/events/event-list.ts";
export { type BrokenEvents, checkEvents, eventRules } from "#/delivery/webhooks/events/events-check.ts";
export type { TopicFamily, WebhookOwner } from "#/delivery/webhooks/events/topic.ts";
export { allTopics, type Topic, topicFamilies, topics } from "#/delivery/webhooks/events/topics.ts";
export { type FanOutBacklog, listFanOutBacklogs, oldestBacklog } from "#/delivery/webhooks/fan-out/backlog.ts";
export { createIncidentTicks } from "#/delivery/webhooks/lanes/incident-ticks.ts";
export { retryDelaysSeconds } from "#/delivery/webhooks/lanes/retry-plan.ts";
export { addEventRoutes, addTopicRoutes } from "#/delivery/webhooks/routes.ts";
export {
  endPush,
  type PushContext,
  type PushRequest,
  setPush,
} from "#/delivery/webhooks/subscriptions/push-service.ts";
export { sealedWebhooks } from "#/delivery/webhooks/subscriptions/sealed-webhooks.ts";
export {
  type Subscription,
  type SubscriptionStatus,
  wants,
} from "#/delivery/webhooks/subscriptions/subscription.ts";
export {
  listDeliveryTotals,
  readHealth,
  type WebhookHealth,
} from "#/delivery/webhooks/subscriptions/subscription-record.ts";
export * from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
export { addSubscriptionRoutes } from "#/delivery/webhooks/subscriptions/subscription-routes.ts";
export { createWebhook } from "#/delivery/webhooks/subscriptions/subscription-service.ts";
export { type SignatureTrial, type TestContext, trySignature } from "#/delivery/webhooks/subscriptions/test-push.ts";
export { startWebhooks, type Webhooks } from "#/delivery/webhooks/webhooks.ts";
