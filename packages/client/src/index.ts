export { type CrossdockClient, createClient } from "./client.ts";
export { type EventLogOptions, events, type LoggedEvent } from "./events.ts";
export {
  type Acknowledgement,
  createFeedClient,
  type FeedClient,
  type FeedClientOptions,
  FeedError,
  type FeedFault,
  type FeedType,
  feedXml,
  readAcknowledgement,
  type SendOptions,
} from "./feeds.ts";
export type { EventBodies } from "./generated/events.ts";
export type { FeedDocuments } from "./generated/feeds.ts";
export type { Services } from "./generated/services.ts";
export { type ItemOf, items, type ListPath, type Page, type PageOf, pages } from "./pages.ts";
export { type Answer, type DataOf, type Problem, ProblemError, unwrap } from "./problem.ts";
export type { InitOf, RestClient, Result } from "./rest.ts";
export type { RetryOptions } from "./retry.ts";
export type { ClientOptions } from "./sender.ts";
export { TokenError } from "./tokens.ts";
export { SignatureError, type VerifyOptions, verifyWebhook, type WebhookEvent } from "./webhooks.ts";
export { readXml, type XmlElement } from "./xml.ts";
