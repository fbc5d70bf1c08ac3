import { matchesTopic } from "#/delivery/webhooks/events/topics.ts";

/**
 * PAUSED: by the client. DISABLED: by the service, after eight days of failures or because the receiver answered 410.
 */
export const subscriptionStatuses = ["ACTIVE", "FAILING", "PAUSED", "DISABLED"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** WEBHOOK: created by REST. OUTBOUND: the address that one type of the client's outbound feeds is pushed to. */
export type SubscriptionKind = "WEBHOOK" | "OUTBOUND";

/** An address, and what is sent to it (webhooks.md §1). */
export interface Subscription {
  readonly clientId: string;
  readonly webhookId: string;
  readonly kind: SubscriptionKind;
  /** A topic, `*` or `order:*`; for OUTBOUND the type of the feed. */
  readonly topicName: string;
  /** Topics beside `topicName`, in the same notation; none of OUTBOUND. */
  readonly additionalTopicNames: readonly string[];
  /** A facility, or `*`. */
  readonly facilityCode: string;
  /** Its purpose, in words of the client; not part of a push. */
  readonly description: string | undefined;
  readonly url: string;
  readonly contentType: string;
  readonly emailList: readonly string[];
  /** Its pushes are also signed by RFC 9421, with the key of the platform. */
  readonly hasHttpSignature: boolean;
  readonly status: SubscriptionStatus;
  /** The subscription receives only events after this position. */
  readonly fromPosition: number;
  readonly sealed: SealedSecrets;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
}

/** As stored: decrypted only by `openTarget` and `openHeaders`. */
export interface SealedSecrets {
  readonly headers: string | undefined;
  readonly secret: string;
  /** The previous secret, which also signs until `previousUntil` (ISO 8601 UTC). */
  readonly previous: string | undefined;
  readonly previousUntil: string | undefined;
}

/** All topics and groups of topics that it receives, its first one first. */
export const topicNamesOf = ({
  topicName,
  additionalTopicNames,
}: Pick<Subscription, "topicName" | "additionalTopicNames">): readonly string[] => [topicName, ...additionalTopicNames];

/** The fields of an event that decide whether it is delivered. */
export type WantedEvent = {
  readonly topic: string;
  readonly facility_code: string | null;
  readonly position: number;
};

/**
 * Whether the subscription wants an event, whatever its status: by any of its topics, by facility (an event without a
 * facility goes to every facility's subscription), and since its creation (webhooks.md §1, §2).
 */
export function wants(
  {
    kind,
    topicName,
    additionalTopicNames,
    facilityCode,
    fromPosition,
  }: Pick<Subscription, "kind" | "topicName" | "additionalTopicNames" | "facilityCode" | "fromPosition">,
  event: WantedEvent,
): boolean {
  if (kind !== "WEBHOOK" || event.position <= fromPosition) return false;
  const isOfFacility = facilityCode === "*" || event.facility_code === null || event.facility_code === facilityCode;
  if (!isOfFacility) return false;
  return matchesTopic(topicName, event.topic) || additionalTopicNames.some((name) => matchesTopic(name, event.topic));
}

/** Whether a present event is sent to the subscription; else its delivery is SKIPPED. */
export function receives(status: SubscriptionStatus): boolean {
  return status === "ACTIVE" || status === "FAILING";
}
