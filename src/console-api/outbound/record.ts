import type { Channel, ChannelsRecord, OutboundRecord, StoredDocument } from "#/console-api/outbound/contract.ts";
import type { Push } from "#/console-api/outbound/document-repository.ts";
import type { ChannelsOfType } from "#/console-api/outbound/outbound-service.ts";
import { dayMs } from "#/kernel/values/durations.ts";

/** A document that waits longer to be fetched needs attention (sftp.md). */
export const overdueMs = dayMs;

const noPush = { deliveryId: null, tries: 0, nextTryAt: null, lastError: null } as const;

/** @param pushes of the document, in order of creation: the last one counts. */
export function documentRecord(
  { isHttp, acknowledgedAt, isSftp, readAt, collectedAt, ...document }: StoredDocument,
  pushes: readonly Push[],
  nowMs: number,
): OutboundRecord {
  const stateAt = (at: string | null): Channel["state"] => (at === null ? "WAITING" : "DELIVERED");
  const push = pushes.at(-1);
  const channels: Channel[] = [
    ...(isHttp
      ? [{ channel: "PULL" as const, state: stateAt(acknowledgedAt), readAt: null, at: acknowledgedAt, ...noPush }]
      : []),
    ...(isSftp ? [{ channel: "SFTP" as const, state: stateAt(collectedAt), readAt, at: collectedAt, ...noPush }] : []),
    ...(push ? [push] : []),
  ];
  const isUntaken = channels.some(({ channel, state }) => channel !== "PUSH" && state === "WAITING");
  const isOpen = channels.some(({ state }) => state === "WAITING" || state === "RETRYING" || state === "HELD");
  return {
    ...document,
    state: push?.state === "FAILED" ? "FAILED" : isOpen ? "WAITING" : "DELIVERED",
    isOverdue: isUntaken && Date.parse(document.createdAt) < nowMs - overdueMs,
    channels,
  };
}

export function channelsRecord({ type, isHttp, isSftp, push, signingSecret }: ChannelsOfType): ChannelsRecord {
  const { pending = 0, lastSuccessAt = null, lastFailureAt = null, consecutiveFailures = 0 } = push?.health ?? {};
  return {
    type,
    pull: isHttp,
    sftp: isSftp,
    push: push
      ? {
          webhookId: push.webhookId,
          url: push.url,
          status: push.status,
          pending,
          lastSuccessAt,
          lastFailureAt,
          consecutiveFailures,
          signingSecret: signingSecret ?? null,
        }
      : null,
  };
}
