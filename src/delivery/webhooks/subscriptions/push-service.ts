import { endSubscription } from "#/delivery/webhooks/deliveries/deliveries.ts";
import { resumeDeliveries } from "#/delivery/webhooks/deliveries/delivery-repository.ts";
import {
  findHeaders,
  newSigningSecret,
  overlapMs,
  sealHeaders,
  sealSecret,
} from "#/delivery/webhooks/subscriptions/secrets.ts";
import type { Subscription } from "#/delivery/webhooks/subscriptions/subscription.ts";
import {
  faultsOfShape,
  faultsOfWorld,
  mergeHeaders,
  type SubscriptionWorld,
} from "#/delivery/webhooks/subscriptions/subscription-checks.ts";
import * as repository from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import type { RequestFault } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import type { ClientTransaction, UnitOfWork } from "#/store/db/database.ts";

export interface PushRequest {
  readonly url: string;
  /**
   * Merged into the headers that the address already has, where null removes one (RFC 7396); another address starts
   * without any.
   */
  readonly headers: Readonly<Record<string, string | null>>;
  /** Creates a new signing secret; the previous one also signs for a day. */
  readonly isSecretNew: boolean;
}

export interface PushAnswer {
  readonly subscription: Subscription;
  /** `whsec_…`, where it is new: shown once. */
  readonly signingSecret: string | undefined;
  /** Names of the changed fields, for the audit log; empty for a new push. */
  readonly changed: readonly string[];
}

export interface PushContext {
  readonly secretBox: SecretBox;
  readonly world: Pick<SubscriptionWorld, "allowsPlainHttp" | "refusalOfUrl">;
}

const contentType = "application/xml; charset=utf-8";

/**
 * Pushes a type of the client's outbound feeds to an address, from now on. Setting a failing or disabled push again
 * makes it ACTIVE: what is due is attempted at once. The caller holds the lock of the client's list.
 *
 * @returns refused with the faults; pointers as those of the Webhook service, `#/url` and `#/customHeaders/NAME`.
 */
export async function setPush(
  tx: UnitOfWork,
  feedType: string,
  request: PushRequest,
  { secretBox, world }: PushContext,
): Promise<Result<PushAnswer, readonly RequestFault[]>> {
  const { url, headers: patch } = request;
  const shape = faultsOfShape({ url, customHeaders: patch });
  if (shape.length > 0) return refused(shape);
  const faults = faultsOfWorld({ url }, { ...world, facilities: [] });
  if (faults.length > 0) return refused(faults);
  const before = await repository.lockPush(tx, feedType);
  // One receiver's credentials must not reach another receiver.
  const headersBefore = before?.url === url ? (findHeaders(secretBox, before) ?? {}) : {};
  const { headers, faults: headerFaults } = mergeHeaders(headersBefore, patch);
  if (headerFaults.length > 0) return refused(headerFaults);
  if (!before) return ok(createPush(tx, feedType, { url, headers }, secretBox));

  const { webhookId } = before;
  const areHeadersSame = JSON.stringify(headers) === JSON.stringify(findHeaders(secretBox, before));
  const signingSecret = request.isSecretNew ? newSigningSecret() : undefined;
  const changed = [
    ...(before.url === url ? [] : ["url"]),
    ...(areHeadersSame ? [] : ["headers"]),
    ...(signingSecret === undefined ? [] : ["signingSecret"]),
    ...(before.status === "ACTIVE" ? [] : ["status"]),
  ];
  if (changed.length === 0) return ok({ subscription: before, signingSecret, changed });
  const after: Subscription = {
    ...before,
    url,
    status: "ACTIVE",
    updatedAt: tx.change.at,
    version: before.version + 1,
    sealed: {
      ...before.sealed,
      headers: areHeadersSame ? before.sealed.headers : sealHeaders(secretBox, tx.clientId, webhookId, headers),
      ...(signingSecret === undefined
        ? {}
        : {
            secret: sealSecret(secretBox, tx.clientId, webhookId, signingSecret),
            previous: before.sealed.secret,
            previousUntil: new Date(Date.parse(tx.change.at) + overlapMs).toISOString(),
          }),
    },
  };
  repository.updateSubscription(tx, after);
  if (before.status !== "ACTIVE") resumeDeliveries(tx, webhookId, tx.change.at);
  return ok({ subscription: after, signingSecret, changed });
}

function createPush(
  tx: UnitOfWork,
  feedType: string,
  { url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  secretBox: SecretBox,
): PushAnswer {
  const webhookId = tx.change.ids.next(Date.parse(tx.change.at));
  const signingSecret = newSigningSecret();
  const subscription: Subscription = {
    clientId: tx.clientId,
    webhookId,
    kind: "OUTBOUND",
    topicName: feedType,
    additionalTopicNames: [],
    facilityCode: "*",
    description: undefined,
    url,
    contentType,
    // Alerts go to the client's setting at that time, not to a separate list.
    emailList: [],
    hasHttpSignature: false,
    status: "ACTIVE",
    fromPosition: 0,
    sealed: {
      headers: sealHeaders(secretBox, tx.clientId, webhookId, headers),
      secret: sealSecret(secretBox, tx.clientId, webhookId, signingSecret),
      previous: undefined,
      previousUntil: undefined,
    },
    createdAt: tx.change.at,
    updatedAt: tx.change.at,
    version: 1,
  };
  repository.insertSubscription(tx, subscription);
  return { subscription, signingSecret, changed: [] };
}

/**
 * Ends the push of a type: what waits becomes FAILED. Returns whether there was a push. The caller holds the lock of
 * the client's list.
 */
export async function endPush(tx: ClientTransaction, feedType: string, at: string): Promise<boolean> {
  const before = await repository.lockPush(tx, feedType);
  if (!before) return false;
  repository.deleteSubscription(tx, before.webhookId);
  endSubscription(tx, before.webhookId, at, "the feed is pushed no longer");
  return true;
}
