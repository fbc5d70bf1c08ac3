import * as repository from "#/delivery/outbound/channels.ts";
import {
  endPush,
  listPushes,
  type PushContext,
  type PushRequest,
  readHealth,
  type Subscription,
  setPush,
  type WebhookHealth,
} from "#/delivery/webhooks/index.ts";
import { assert } from "#/kernel/assert.ts";
import { type OutboundType, outboundTypes } from "#/kernel/feed-types.ts";
import type { RequestFault } from "#/kernel/refusal.ts";
import { ok, type Result } from "#/kernel/result.ts";
import { recordAudit } from "#/store/db/audit.ts";
import type { ClientTx, UnitOfWork } from "#/store/db/database.ts";

export interface ChannelsRequest {
  /** Without duplicates. */
  readonly types: readonly OutboundType[];
  readonly isHttp: boolean;
  readonly isSftp: boolean;
  readonly push: PushRequest | undefined;
}

/** The channels of one type. */
export interface SetChannels {
  readonly type: OutboundType;
  readonly isHttp: boolean;
  readonly isSftp: boolean;
  readonly push: Pick<Subscription, "webhookId" | "url" | "status"> | undefined;
  /** `whsec_…`, where it is new: shown once. */
  readonly signingSecret: string | undefined;
}

/**
 * Sets the channels in which types of a client's outbound feeds reach it from now on (outbound.md, Delivery). The named
 * channels, at least one, replace the previous ones. Documents that wait in a removed channel stay there; only the
 * deliveries of a removed push become FAILED.
 *
 * @returns refused with the faults of the address or its headers; in that case, nothing was written.
 */
export async function setChannels(
  tx: UnitOfWork,
  request: ChannelsRequest,
  pushContext: PushContext,
): Promise<Result<readonly SetChannels[], readonly RequestFault[]>> {
  const { types, isHttp, isSftp } = request;
  assert(isHttp || isSftp || request.push !== undefined, "no channel is left");
  assert(await repository.lockList(tx), `client ${tx.clientId} has no list`);
  const set: SetChannels[] = [];
  for (const type of types) {
    const push = request.push && (await setPush(tx, type, request.push, pushContext));
    if (push?.ok === false) return push;
    const hasEnded = push === undefined && (await endPush(tx, type, tx.change.at));
    await repository.putChannel(tx, tx.change.at, { type, isHttp, isSftp });
    recordAudit(tx, {
      action: "setWays",
      objectType: "outboundFeed",
      objectId: type,
      detail: {
        pull: isHttp,
        sftp: isSftp,
        push: push !== undefined,
        ...(push && { webhookId: push.value.subscription.webhookId }),
        // Never an address, a header's value or a secret (operations.md §5).
        ...(push && push.value.changed.length > 0 ? { changed: push.value.changed } : {}),
        ...(hasEnded ? { pushEnded: true } : {}),
      },
    });
    const { subscription, signingSecret } = push?.value ?? {};
    set.push({ type, isHttp, isSftp, push: subscription, signingSecret });
  }
  return ok(set);
}

/** The channels in which one type reaches a client, and the health of its push. */
export interface ShownChannels {
  readonly type: OutboundType;
  readonly isHttp: boolean;
  readonly isSftp: boolean;
  readonly push: (Pick<Subscription, "webhookId" | "url" | "status"> & { readonly health: WebhookHealth }) | undefined;
}

/** The channels of every type, in the order of the contract. Call it in a transaction that reads one state. */
export async function showChannels(tx: ClientTx): Promise<readonly ShownChannels[]> {
  const [channels, pushes] = await Promise.all([repository.listChannels(tx), listPushes(tx)]);
  const healthOf = await readHealth(
    tx,
    pushes.map(({ webhookId }) => webhookId),
  );
  return outboundTypes.map((type) => {
    const channel = channels.find((candidate) => candidate.type === type);
    const push = pushes.find(({ topicName }) => topicName === type);
    return {
      type,
      isHttp: channel?.isHttp ?? true,
      isSftp: channel?.isSftp ?? false,
      push: push && {
        webhookId: push.webhookId,
        url: push.url,
        status: push.status,
        health: healthOf(push.webhookId),
      },
    };
  });
}
