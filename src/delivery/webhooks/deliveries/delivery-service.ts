import { redeliver } from "#/delivery/webhooks/deliveries/deliveries.ts";
import type { Recovery } from "#/delivery/webhooks/deliveries/delivery-contract.ts";
import {
  findDelivery,
  listRecoverable,
  type StoredDelivery,
} from "#/delivery/webhooks/deliveries/delivery-log-repository.ts";
import { receives, type Subscription } from "#/delivery/webhooks/subscriptions/subscription.ts";
import { lockSubscription } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import { webhookNotFound } from "#/delivery/webhooks/subscriptions/subscription-service.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { assert } from "#/kernel/assert.ts";
import { conflict, invalid, notFound, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { idBoundary, isUuidV7, timeOfId } from "#/kernel/values/ids.ts";
import { recordAudits } from "#/store/db/audit.ts";
import type { UnitOfWork } from "#/store/db/database.ts";

/** An ended delivery can be redelivered for this long (webhooks.md §2). */
const redeliverableMs = 30 * dayMs;
/** The number of deliveries that one request redelivers at most. */
export const recoveredMax = 10_000;

export const deliveryNotFound = notFound("There is no delivery of this deliveryId.");

/**
 * Whether the delivery belongs to a webhook of the Webhook service, and not to an outbound feed: topics of events
 * contain a colon, feed types do not. The delivery alone decides, because the subscription may be deleted.
 */
export function isOfWebhook({ topicName }: Pick<StoredDelivery, "topicName">): boolean {
  return topicName.includes(":");
}

/** Why the webhook receives no requests at present; undefined where it does. */
export function refusalOfStatus({ status, webhookId, kind, topicName }: Subscription): Refusal | undefined {
  if (kind === "OUTBOUND") {
    return receives(status) ? undefined : conflict(`The push of ${topicName} is disabled: set it again first.`);
  }
  if (status === "PAUSED") {
    return conflict(`Webhook ${webhookId} is paused: patch it with isPaused 0 first.`);
  }
  if (status === "DISABLED") {
    return conflict(`Webhook ${webhookId} is disabled: patch it with isPaused 0 to make it active again.`);
  }
  return undefined;
}

/**
 * Redelivers one ended delivery with the same webhook-id: of a webhook, or at support's request of a pushed outbound
 * feed. Refused as 404 or 409.
 */
export async function redeliverOne(
  tx: UnitOfWork,
  deliveryId: string,
  isOfOurs: (delivery: StoredDelivery) => boolean = isOfWebhook,
): Promise<Result<StoredDelivery, Refusal>> {
  const id = deliveryId.toLowerCase();
  const found = isUuidV7(id) ? await findDelivery(tx, id) : undefined;
  if (!found || !isOfOurs(found)) return refused(deliveryNotFound);
  const subscription = await lockSubscription(tx, found.webhookId);
  if (!subscription) return refused(conflict("The webhook of this delivery was deleted."));
  const unsent = refusalOfStatus(subscription);
  if (unsent) return refused(unsent);
  if (found.endedAt === null) {
    return refused(conflict(`The delivery is ${found.status}: it has not ended yet.`));
  }
  if (Date.parse(found.endedAt) < Date.parse(tx.change.at) - redeliverableMs) {
    return refused(conflict("The delivery ended more than 30 days ago."));
  }
  const count = await redeliver(tx, found.webhookId, [id], tx.change.at);
  if (count === 0) return refused(conflict("The delivery is being sent again already."));
  recordAudits(tx, [
    { action: "redeliver", objectType: "webhook", objectId: found.webhookId, detail: { deliveryId: id } },
  ]);
  const after = await findDelivery(tx, id);
  assert(after, "a delivery that was sent again is not there");
  return ok(after);
}

export interface Recovered {
  readonly webhookId: string;
  readonly scheduled: number;
  readonly nextSince: string | null;
}

/** Redelivers what a receiver missed. Refused as 400, 404 or 409. */
export async function recover(
  tx: UnitOfWork,
  webhookId: string,
  { since, until, onlyFailed = true }: Recovery,
): Promise<Result<Recovered, Refusal>> {
  const sinceMs = momentMs(since);
  const untilMs = until === undefined ? Date.parse(tx.change.at) + 1 : momentMs(until);
  if (until !== undefined && untilMs <= sinceMs) {
    return refused(invalid([{ pointer: "#/until", message: "must be after since" }]));
  }
  const id = webhookId.toLowerCase();
  const subscription = isUuidV7(id) ? await lockSubscription(tx, id) : undefined;
  if (subscription?.kind !== "WEBHOOK") return refused(webhookNotFound);
  const unsent = refusalOfStatus(subscription);
  if (unsent) return refused(unsent);
  const found = await listRecoverable(tx, id, {
    first: idBoundary(sinceMs),
    last: idBoundary(Math.max(untilMs, sinceMs)),
    endedSince: new Date(Date.parse(tx.change.at) - redeliverableMs).toISOString(),
    onlyFailed,
    limit: recoveredMax + 1,
  });
  const next = found[recoveredMax];
  const deliveryIds = found.slice(0, recoveredMax).map(({ delivery_id }) => delivery_id);
  const scheduled = await redeliver(tx, id, deliveryIds, tx.change.at);
  recordAudits(tx, [
    { action: "recover", objectType: "webhook", objectId: id, detail: { since, until, onlyFailed, scheduled } },
  ]);
  const nextSince = next === undefined ? null : new Date(timeOfId(next.event_id)).toISOString();
  return ok({ webhookId: id, scheduled, nextSince });
}

/** The schema has validated the text; no event happened before 1970. */
function momentMs(text: string): number {
  const moment = readDateTime(text);
  assert(moment !== undefined, "a moment was not checked");
  return Math.max(0, Date.parse(moment));
}
