export { registerAsyncApi } from "#/modules/webhooks/asyncapi-route.ts";
export { type EventBody, eventBody, type LoggedEvent, sampleBody } from "#/modules/webhooks/event-body.ts";
export { bodySchema, type JsonSchema, jsonSchemaOf } from "#/modules/webhooks/event-schema.ts";
export { addEventRoutes } from "#/modules/webhooks/routes.ts";
export type { TopicFamily } from "#/modules/webhooks/topic.ts";
export { type Topic, topicFamilies, topics } from "#/modules/webhooks/topics.ts";
