import type { TopicEntry, TopicFamily, TopicOwner } from "#/delivery/webhooks/events/topic.ts";
import { feedTopics } from "#/delivery/webhooks/events/topics/feed-topics.ts";
import { orderTopics } from "#/delivery/webhooks/events/topics/order-topics.ts";
import { parcelTopics, trackAndTraceTopics } from "#/delivery/webhooks/events/topics/parcel-topics.ts";
import { goodsReceiptTopics, purchaseOrderTopics } from "#/delivery/webhooks/events/topics/purchase-order-topics.ts";
import { returnTopics } from "#/delivery/webhooks/events/topics/return-topics.ts";
import { adjustedTopics, changedTopics, lowTopics } from "#/delivery/webhooks/events/topics/stock-topics.ts";
import { taskTopics } from "#/delivery/webhooks/events/topics/task-topics.ts";
import { testTopics } from "#/delivery/webhooks/events/topics/test-topics.ts";
import { transferTopics } from "#/delivery/webhooks/events/topics/transfer-topics.ts";
import { unidentifiedTopics } from "#/delivery/webhooks/events/topics/unidentified-topics.ts";
import { completionTopics, workOrderTopics } from "#/delivery/webhooks/events/topics/work-order-topics.ts";
import { facilityOfTenant } from "#/store/db/facility-tenant.ts";

/**
 * The event catalogue (webhooks.md §3): every topic, its object, when its events are published, and their content. The
 * event log, AsyncAPI, the pages and the tests read it; the tests validate every event they publish against it.
 */
export const topicFamilies: readonly TopicFamily[] = [
  orderTopics,
  parcelTopics,
  trackAndTraceTopics,
  completionTopics,
  workOrderTopics,
  transferTopics,
  goodsReceiptTopics,
  unidentifiedTopics,
  purchaseOrderTopics,
  returnTopics,
  adjustedTopics,
  changedTopics,
  lowTopics,
  feedTopics,
  taskTopics,
  testTopics,
];

/** @param pattern `*`, `order:*` or the name of one topic. */
export function matchesTopic(pattern: string, topicName: string): boolean {
  if (pattern === "*") return true;
  return pattern.endsWith(":*") ? topicName.startsWith(pattern.slice(0, -1)) : topicName === pattern;
}

export interface Topic extends TopicEntry {
  readonly family: TopicFamily;
}

/** Of all owners. */
export const allTopics: readonly Topic[] = topicFamilies.flatMap((family) =>
  family.topics.map((entry) => ({ ...entry, family })),
);

const topicsFor = (owner: TopicOwner) =>
  allTopics.filter(({ family }) => (family.owners ?? ["client"]).includes(owner));

/** To which clients subscribe. */
export const topics: readonly Topic[] = topicsFor("client");

const facilityTopics: readonly Topic[] = topicsFor("facility");

/** The topics to which a tenant may subscribe. */
export const topicsOf = (tenantId: string): readonly Topic[] =>
  facilityOfTenant(tenantId) === undefined ? topics : facilityTopics;

/**
 * The topics that the topicName of a subscription or a filter selects (webhooks.md §1): `*` all, `order:*` all with
 * this prefix, else the topic of that name. Empty: there is none.
 */
export function topicsNamed(topicName: string, among: readonly Topic[] = topics): readonly Topic[] {
  return among.filter((topic) => matchesTopic(topicName, topic.topicName));
}
