/** Paused by the client; disabled by us, after eight days of failures or because the receiver answered 410. */
export const subscriptionStatuses = ["ACTIVE", "FAILING", "PAUSED", "DISABLED"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** WEBHOOK: asked for by REST. OUTBOUND: the address that one type of the client's outbound feeds is pushed to. */
export type SubscriptionKind = "WEBHOOK" | "OUTBOUND";

/** Somewhere to send to, and what (webhooks.md §1). */
export interface Subscription {
  readonly clientId: string;
  readonly webhookId: string;
  readonly kind: SubscriptionKind;
  /** A topic, `*` or `order:*`; of OUTBOUND the type of the feed. */
  readonly topicName: string;
  /** A facility, or `*`. */
  readonly facilityCode: string;
  readonly url: string;
  readonly contentType: string;
  readonly emailList: readonly string[];
  readonly status: SubscriptionStatus;
  /** Events up to and with this position are none of its. */
  readonly fromPosition: number;
  readonly sealed: SealedSecrets;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
}

/** As they are stored: opened by `openTarget` and `openHeaders` only. */
export interface SealedSecrets {
  readonly headers: string | undefined;
  readonly secret: string;
  /** The secret before, which signs as well until `previousUntil` (ISO 8601 UTC). */
  readonly previous: string | undefined;
  readonly previousUntil: string | undefined;
}

/** What a delivery of an event is decided by. */
export type WantedEvent = {
  readonly topic: string;
  readonly facility_code: string | null;
  readonly position: number;
};

/**
 * Whether an event is one of those that the subscription asked for, whatever its status is: by topic, by facility (an event
 * without a facility goes to every facility's subscription), and since it was made (webhooks.md §1, §2).
 */
export function wants(
  {
    kind,
    topicName,
    facilityCode,
    fromPosition,
  }: Pick<Subscription, "kind" | "topicName" | "facilityCode" | "fromPosition">,
  event: WantedEvent,
): boolean {
  if (kind !== "WEBHOOK" || event.position <= fromPosition) return false;
  const isOfFacility = facilityCode === "*" || event.facility_code === null || event.facility_code === facilityCode;
  return isOfFacility && matchesTopic(topicName, event.topic);
}

/** @param pattern `*`, `order:*` or the name of one topic. */
export function matchesTopic(pattern: string, topicName: string): boolean {
  if (pattern === "*") return true;
  return pattern.endsWith(":*") ? topicName.startsWith(pattern.slice(0, -1)) : topicName === pattern;
}

/** Whether an event of now would be sent to it; else its delivery is SKIPPED. */
export function receives(status: SubscriptionStatus): boolean {
  return status === "ACTIVE" || status === "FAILING";
}
