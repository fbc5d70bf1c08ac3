import { sentencesOf } from "#/feeds/ack.ts";
import type { FeedClient } from "#/feeds/intake/definition.ts";
import type { FeedResult } from "#/feeds/states.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import type { EventDraft } from "#/outbox/append.ts";

/** The data of a `feed:…` event (webhooks.md §3), except its errors. */
export interface FeedEventData {
  readonly token: string;
  readonly feedType: FeedType;
  readonly objectId: string | null;
}

export function feedEvent(topic: string, data: FeedEventData, errors: readonly string[] = []): EventDraft {
  const { token, feedType, objectId } = data;
  return { topic, objectType: "feed", objectId: token, data: { token, feedType, objectId, errors } };
}

/** The state of a document's object, as an ACK reports it. */
export interface ObjectStatus {
  readonly status: string;
  readonly facilityCode: string;
}

/** An event with the ACK that reports it (outbound.md): the outcome of a document after its first answer. */
export function withAck(
  event: EventDraft,
  result: FeedResult,
  errors: readonly string[],
  object: { readonly [part in keyof ObjectStatus]?: ObjectStatus[part] | undefined } | undefined,
): EventDraft {
  const { token, feedType, objectId } = event.data as FeedEventData;
  const content = { token, feedType, objectId: objectId ?? undefined, result, errors, status: object?.status };
  return {
    ...event,
    facilityCode: object?.facilityCode,
    feedToken: token,
    outbound: { type: "ACK", objectId: objectId ?? token, content },
  };
}

/** The event of a verdict: `feed:accepted`, whose publishing settles the document, or `feed:rejected`. */
export function verdictEvent(verdict: {
  readonly token: string;
  readonly feedType: FeedType;
  readonly objectId: string | undefined;
  readonly isAccepted: boolean;
  /** The document is reprocessed. */
  readonly isReprocessed: boolean;
  readonly client: FeedClient;
  /** Undefined where the document could not be parsed. */
  readonly message: unknown;
  readonly listed: { readonly errors: readonly string[]; readonly errorsOmitted: number };
}): EventDraft {
  const { token, feedType, objectId = null, isAccepted, listed } = verdict;
  const event = feedEvent(isAccepted ? "feed:accepted" : "feed:rejected", { token, feedType, objectId }, listed.errors);
  if (isAccepted) return { ...event, feedToken: token };
  // No sender waits for the answer of a reprocessed document: it goes out as an ACK, here or when it is PROCESSED.
  return verdict.isReprocessed
    ? withAck(event, "REJECTED", sentencesOf(listed), { facilityCode: facilityOf(verdict) })
    : event;
}

/** The facility that a document names, where it is one of the client's. */
function facilityOf(verdict: { readonly client: FeedClient; readonly message: unknown }): string | undefined {
  const message = verdict.message as { readonly distributionCentre?: unknown } | undefined;
  return verdict.client.facilities.find((facilityCode) => facilityCode === message?.distributionCentre);
}
