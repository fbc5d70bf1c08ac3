import type { ChannelsRecord, OutboundRecord } from "#/console-api/outbound/contract.ts";
import type { PushRow } from "#/console-api/outbound/document-repository.ts";
import type { ChannelsOfType } from "#/console-api/outbound/outbound-service.ts";
import type { DocumentRow, MailRow } from "#/console-api/outbound/rows.ts";
import type { AttemptRow } from "#/delivery/webhooks/index.ts";
import { dayMs } from "#/kernel/values/durations.ts";

/** A document that waits longer to be fetched needs attention (sftp.md). */
export const overdueMs = dayMs;

type Channel = OutboundRecord["channels"][number];

const noPush = { deliveryId: null, tries: 0, nextTryAt: null, lastError: null } as const;

/** @param pushes of the document, in order of creation: the last one counts. */
export function documentRecord(row: DocumentRow, pushes: readonly PushRow[], nowMs: number): OutboundRecord {
  const channels: Channel[] = [];
  if (row.is_http) {
    const at = row.acknowledged_at;
    channels.push({ channel: "PULL", state: at === null ? "WAITING" : "DELIVERED", readAt: null, at, ...noPush });
  }
  if (row.is_sftp) {
    const at = row.collected_at;
    channels.push({
      channel: "SFTP",
      state: at === null ? "WAITING" : "DELIVERED",
      readAt: row.read_at,
      at,
      ...noPush,
    });
  }
  const push = pushes.at(-1);
  if (push) channels.push(pushChannel(push));
  const isUntaken = channels.some(({ channel, state }) => channel !== "PUSH" && state === "WAITING");
  const isOpen = channels.some(({ state }) => state === "WAITING" || state === "RETRYING" || state === "HELD");
  const hasFailed = push?.status === "FAILED";
  return {
    clientId: row.client_id,
    documentId: row.message_id,
    type: row.type,
    objectId: row.object_id,
    distributionCentre: row.facility_code,
    feedToken: row.feed_token,
    part: row.part,
    parts: row.parts,
    createdAt: row.created_at,
    size: row.size,
    state: hasFailed ? "FAILED" : isOpen ? "WAITING" : "DELIVERED",
    isOverdue: isUntaken && Date.parse(row.created_at) < nowMs - overdueMs,
    channels,
  };
}

function pushChannel({ delivery_id, status, due_at, attempts, last_error, completed_at }: PushRow): Channel {
  return {
    channel: "PUSH",
    state: status === "PENDING" ? "WAITING" : status,
    readAt: null,
    at: completed_at,
    deliveryId: delivery_id,
    tries: attempts,
    nextTryAt: due_at,
    lastError: last_error,
  };
}

export function exchangeRecord(deliveryId: string, row: AttemptRow) {
  const { started_at: startedAt, ended_at: endedAt, address, status, body, error_class: errorClass } = row;
  const durationMs = endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt);
  return { deliveryId, startedAt, durationMs, address, status, body: body?.toString("utf8") ?? "", errorClass };
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

export function mailRecord(row: MailRow) {
  return {
    clientId: row.client_id,
    mailId: row.mail_id,
    address: row.address,
    subject: row.subject,
    status: row.status,
    tries: row.attempts,
    lastError: row.last_error,
    createdAt: row.created_at,
    nextTryAt: row.status === "PENDING" ? row.due_at : null,
    sentAt: row.sent_at,
  };
}
