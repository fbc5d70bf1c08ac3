import type { TopicEntry, TopicFamily } from "#/delivery/webhooks/events/topic.ts";
import { feedTopics } from "#/delivery/webhooks/events/topics/feed-topics.ts";
import { orderTopics } from "#/delivery/webhooks/events/topics/order-topics.ts";
import { parcelTopics, trackAndTraceTopics } from "#/delivery/webhooks/events/topics/parcel-topics.ts";
import { goodsReceiptTopics, purchaseOrderTopics } from "#/delivery/webhooks/events/topics/purchase-order-topics.ts";
import { returnTopics } from "#/delivery/webhooks/events/topics/return-topics.ts";
import { adjustedTopics, changedTopics, lowTopics } from "#/delivery/webhooks/events/topics/stock-topics.ts";
import { testTopics } from "#/delivery/webhooks/events/topics/test-topics.ts";
import { completionTopics, workOrderTopics } from "#/delivery/webhooks/events/topics/work-order-topics.ts";

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
  goodsReceiptTopics,
  purchaseOrderTopics,
  returnTopics,
  adjustedTopics,
  changedTopics,
  lowTopics,
  feedTopics,
  testTopics,
];

export interface Topic extends TopicEntry {
  readonly family: TopicFamily;
}

export const topics: readonly Topic[] = topicFamilies.flatMap((family) =>
  family.topics.map((entry) => ({ ...entry, family })),
);

const byName = new Map(topics.map((topic) => [topic.topicName, topic]));

/**
 * The topics that the topicName of a subscription or a filter selects (webhooks.md §1): `*` all, `order:*` all with
 * this prefix, else the topic of that name. Empty: there is none.
 */
export function topicsNamed(topicName: string): readonly Topic[] {
  if (topicName === "*") return topics;
  if (topicName.endsWith(":*")) return topics.filter((topic) => topic.topicName.startsWith(topicName.slice(0, -1)));
  const topic = byName.get(topicName);
  return topic ? [topic] : [];
}
