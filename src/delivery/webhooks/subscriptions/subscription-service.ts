import { endSubscription } from "#/delivery/webhooks/deliveries/deliveries.ts";
import {
  endTaskCursor,
  holdDeliveries,
  insertCursor,
  insertFacilityTenant,
  lockCursor,
  moveCursor,
  probeAtOnce,
  resumeDeliveries,
  startTaskCursor,
} from "#/delivery/webhooks/deliveries/delivery-repository.ts";
import * as events from "#/delivery/webhooks/events/event-list.ts";
import {
  findHeaders,
  newSigningSecret,
  overlapMs,
  sealHeaders,
  sealSecret,
} from "#/delivery/webhooks/subscriptions/secrets.ts";
import {
  receives,
  type Subscription,
  type SubscriptionStatus,
} from "#/delivery/webhooks/subscriptions/subscription.ts";
import {
  faultsOfShape,
  faultsOfWorld,
  mergeHeaders,
  type SubscriptionWorld,
} from "#/delivery/webhooks/subscriptions/subscription-checks.ts";
import type { WebhookCreate, WebhookPatch } from "#/delivery/webhooks/subscriptions/subscription-contract.ts";
import * as repository from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import { refusalOfVersion } from "#/http/requests/if-match.ts";
import { conflict, invalid, notFound, type Refusal, type RequestFault, unprocessableFaults } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";
import { recordAudit } from "#/store/db/audit.ts";
import type { ClientTransaction, ClientTx, UnitOfWork } from "#/store/db/database.ts";
import { facilityOfTenant } from "#/store/db/facility-tenant.ts";

/** Fan-out checks each event against each of a client's subscriptions. */
export const webhooksMax = 200;

export interface SubscriptionAnswer {
  readonly subscription: Subscription;
  /** `whsec_…`, where it is new: shown once. */
  readonly signingSecret: string;
}

export interface WebhookKey {
  readonly webhookId: string;
  /** The version that the caller has seen, as in `If-Match`. */
  readonly ifMatch?: string | undefined;
}

export const webhookNotFound = notFound("There is no webhook of this webhookId.");

/**
 * Creates a subscription: it receives events from now on. Refused as 400, 409 (the client has the maximum number) or
 * 422 (topic, facility, address).
 *
 * @param endOfTasks of a facility's webhook: the end of its task feed before this transaction.
 */
export async function createWebhook(
  tx: UnitOfWork,
  request: WebhookCreate,
  {
    secretBox,
    world,
    endOfTasks,
  }: { readonly secretBox: SecretBox; readonly world: SubscriptionWorld; readonly endOfTasks?: number | undefined },
): Promise<Result<SubscriptionAnswer, Refusal>> {
  const merged = mergeHeaders({}, request.customHeaders ?? {});
  const shape = [...faultsOfShape(request), ...merged.faults];
  if (shape.length > 0) return refused(invalid(unique(shape)));
  const cursor = await lockCursor(tx);
  const [count, last] = await Promise.all([repository.countSubscriptions(tx), events.findLastPosition(tx)]);
  if (count >= webhooksMax) {
    return refused(conflict(`There are ${count} webhooks already; the maximum is ${webhooksMax}.`));
  }
  const faults = faultsOfWorld(request, world);
  if (faults.length > 0) return refused(unprocessableFaults(faults));

  if (cursor === undefined && endOfTasks !== undefined) await insertFacilityTenant(tx);
  if (cursor === undefined) await insertCursor(tx, last);
  else if (count === 0) moveCursor(tx, last);
  if (endOfTasks !== undefined && count === 0) startTaskCursor(tx, endOfTasks);
  const webhookId = tx.change.ids.next(Date.parse(tx.change.at));
  const signingSecret = newSigningSecret();
  const subscription: Subscription = {
    clientId: tx.clientId,
    webhookId,
    kind: "WEBHOOK",
    topicName: request.topicName,
    additionalTopicNames: additionalOf(request.topicName, request.additionalTopicNames ?? []),
    facilityCode: request.facilityCode ?? "*",
    description: request.description,
    url: request.url,
    contentType: request.contentType ?? "application/json",
    emailList: request.emailList ?? [],
    hasHttpSignature: request.httpSignature ?? false,
    status: request.isPaused === 1 ? "PAUSED" : "ACTIVE",
    // Read again: the insert may have waited for another first subscription, which started at a later position.
    fromPosition: cursor === undefined ? await events.findLastPosition(tx) : last,
    sealed: {
      headers: sealHeaders(secretBox, tx.clientId, webhookId, merged.headers),
      secret: sealSecret(secretBox, tx.clientId, webhookId, signingSecret),
      previous: undefined,
      previousUntil: undefined,
    },
    createdAt: tx.change.at,
    updatedAt: tx.change.at,
    version: 1,
  };
  repository.insertSubscription(tx, subscription);
  audit(tx, subscription, "create", {
    topicName: subscription.topicName,
    ...(subscription.additionalTopicNames.length === 0
      ? {}
      : { additionalTopicNames: subscription.additionalTopicNames }),
    facilityCode: subscription.facilityCode,
    status: subscription.status,
  });
  return ok({ subscription, signingSecret });
}

/** A patch that changes nothing writes nothing. Refused as 400, 404, 412 or 422. */
export async function patchWebhook(
  tx: UnitOfWork,
  key: WebhookKey,
  patch: WebhookPatch,
  { secretBox, world }: { readonly secretBox: SecretBox; readonly world: SubscriptionWorld },
): Promise<Result<Subscription, Refusal>> {
  const shape = faultsOfShape(patch);
  if (shape.length > 0) return refused(invalid(shape));
  const opened = await openWebhook(tx, key);
  if (!opened.ok) return opened;
  const before = opened.value;
  const headersBefore = findHeaders(secretBox, before);
  const { headers, faults: headerFaults } = mergeHeaders(headersBefore ?? {}, headersPatchOf(patch));
  if (headerFaults.length > 0) return refused(invalid(headerFaults));
  const faults = faultsOfWorld(patch, world);
  if (faults.length > 0) return refused(unprocessableFaults(faults));

  // Headers that cannot be decrypted stay unchanged until the client sets them again.
  const areHeadersSame =
    JSON.stringify(headers) === JSON.stringify(headersBefore ?? (patch.customHeaders === undefined ? {} : undefined));
  const topicName = patch.topicName ?? before.topicName;
  const additional =
    patch.additionalTopicNames === undefined ? before.additionalTopicNames : patch.additionalTopicNames;
  const after: Subscription = {
    ...before,
    topicName,
    additionalTopicNames: additionalOf(topicName, additional ?? []),
    facilityCode: patch.facilityCode ?? before.facilityCode,
    description: patch.description === undefined ? before.description : (patch.description ?? undefined),
    url: patch.url ?? before.url,
    contentType: patch.contentType ?? before.contentType,
    emailList: patch.emailList === undefined ? before.emailList : (patch.emailList ?? []),
    hasHttpSignature: patch.httpSignature === undefined ? before.hasHttpSignature : (patch.httpSignature ?? false),
    status: statusAfter(before.status, patch.isPaused),
    sealed: areHeadersSame
      ? before.sealed
      : { ...before.sealed, headers: sealHeaders(secretBox, tx.clientId, before.webhookId, headers) },
  };
  const changed = changedFields(before, after);
  if (changed.length === 0) return ok(before);
  const written = { ...after, updatedAt: tx.change.at, version: before.version + 1 };
  repository.updateSubscription(tx, written);
  followStatus(tx, before, after.status);
  if (!areHeadersSame || after.url !== before.url) probeAtOnce(tx, before.webhookId, tx.change.at);
  audit(tx, written, "update", {
    changed,
    ...(before.status === after.status ? {} : { from: before.status, to: after.status }),
  });
  return ok(written);
}

/** A topic that is named twice counts once. */
const additionalOf = (topicName: string, names: readonly string[]) =>
  [...new Set(names)].filter((name) => name !== topicName);

const headersPatchOf = ({ customHeaders }: WebhookPatch) => (customHeaders === undefined ? {} : customHeaders);

/** Null is the default: not paused. */
function statusAfter(before: SubscriptionStatus, isPaused: number | null | undefined): SubscriptionStatus {
  if (isPaused === undefined) return before;
  if (isPaused === 1) return "PAUSED";
  return receives(before) ? before : "ACTIVE";
}

/** Names of the changed fields, without values. */
function changedFields(before: Subscription, after: Subscription): string[] {
  const names = [
    "topicName",
    "additionalTopicNames",
    "facilityCode",
    "description",
    "url",
    "contentType",
    "emailList",
    "status",
  ] as const;
  const changed: string[] = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (before.hasHttpSignature !== after.hasHttpSignature) changed.push("httpSignature");
  return before.sealed === after.sealed ? changed : [...changed, "customHeaders"];
}

/** Deliveries are held while the subscription is paused, and sent after it resumes (webhooks.md §1). */
function followStatus(tx: UnitOfWork, { webhookId, status: from }: Subscription, to: SubscriptionStatus): void {
  if (from === to) return;
  if (to === "PAUSED") holdDeliveries(tx, webhookId);
  else if (to === "ACTIVE") resumeDeliveries(tx, webhookId, tx.change.at);
}

/** Ends open deliveries, and deletes the subscription. Refused as 404 or 412. */
export async function deleteWebhook(tx: UnitOfWork, key: WebhookKey): Promise<Result<Subscription, Refusal>> {
  const opened = await openWebhook(tx, key);
  if (!opened.ok) return opened;
  const { webhookId } = opened.value;
  const isOfFacility = facilityOfTenant(tx.clientId) !== undefined;
  const isLast = isOfFacility && (await repository.countSubscriptions(tx)) === 1;
  repository.deleteSubscription(tx, webhookId);
  endSubscription(tx, webhookId, tx.change.at);
  if (isLast) endTaskCursor(tx);
  audit(tx, opened.value, "delete", {});
  return opened;
}

/** Creates a new signing secret; the previous one also signs for a day. Refused as 404 or 412. */
export async function rotateSecret(
  tx: UnitOfWork,
  key: WebhookKey,
  secretBox: SecretBox,
): Promise<Result<SubscriptionAnswer, Refusal>> {
  const opened = await openWebhook(tx, key);
  if (!opened.ok) return opened;
  const before = opened.value;
  const signingSecret = newSigningSecret();
  const subscription: Subscription = {
    ...before,
    sealed: {
      headers: before.sealed.headers,
      secret: sealSecret(secretBox, tx.clientId, before.webhookId, signingSecret),
      previous: before.sealed.secret,
      previousUntil: new Date(Date.parse(tx.change.at) + overlapMs).toISOString(),
    },
    updatedAt: tx.change.at,
    version: before.version + 1,
  };
  repository.updateSubscription(tx, subscription);
  probeAtOnce(tx, subscription.webhookId, tx.change.at);
  audit(tx, subscription, "rotateSecret", {});
  return ok({ subscription, signingSecret });
}

/** Finds a client's webhook by the id in a path; outbound feeds are excluded. */
export async function findWebhook(tx: ClientTx, webhookId: string): Promise<Subscription | undefined> {
  const id = webhookId.toLowerCase();
  const found = isUuidV7(id) ? await repository.findSubscription(tx, id) : undefined;
  return found?.kind === "WEBHOOK" ? found : undefined;
}

/** Locks the webhook and the cursor, so that no event is fanned out meanwhile. */
async function openWebhook(
  tx: ClientTransaction,
  { webhookId, ifMatch }: WebhookKey,
): Promise<Result<Subscription, Refusal>> {
  const id = webhookId.toLowerCase();
  if (!isUuidV7(id)) return refused(webhookNotFound);
  const [, found] = await Promise.all([lockCursor(tx), repository.lockSubscription(tx, id)]);
  if (found?.kind !== "WEBHOOK") return refused(webhookNotFound);
  const stale = refusalOfVersion(ifMatch, found.version);
  return stale ? refused(stale) : ok(found);
}

/** Never an address, a header's value or a secret (operations.md §5). */
function audit(
  tx: UnitOfWork,
  { webhookId }: Pick<Subscription, "webhookId">,
  action: string,
  detail: Readonly<Record<string, unknown>>,
): void {
  recordAudit(tx, { action, objectType: "webhook", objectId: webhookId, detail });
}

/** The rules of texts and those of merging can find the same fault. */
function unique(faults: readonly RequestFault[]): RequestFault[] {
  return [...new Map(faults.map((fault) => [`${fault.pointer} ${fault.message}`, fault])).values()];
}
