import { type Ack, listErrors, sentencesOf, writeAck } from "#/feeds/ack.ts";
import type { Entry } from "#/feeds/intake/definition.ts";
import type { Outcome, Submission } from "#/feeds/intake/submission.ts";
import type { Findings, NewDocument } from "#/feeds/repository.ts";
import type { FeedResult } from "#/feeds/states.ts";
import type { Finding } from "#/kernel/feed-codes.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import type { EventDraft } from "#/outbox/append.ts";

function faultsOf({ reading }: Submission, entry: Entry | undefined): readonly Finding[] {
  return entry ? entry.faults : reading.faults;
}

/** @param entry undefined where nothing of the document could be parsed */
export function outcomeOf(submission: Submission, entry: Entry | undefined): Outcome & { kind: "validated" } {
  const { token, type, reading } = submission;
  const faults = faultsOf(submission, entry);
  const isAccepted = entry !== undefined && faults.length === 0;
  const ack: Ack = {
    token,
    success: isAccepted,
    feedType: type,
    ...listErrors(faults, reading.omitted),
    missingSkus: entry?.missingSkus ?? [],
    objectId: reading.objectId,
  };
  const isParked = !isAccepted && isParkable(submission, entry) && mayPark(submission);
  const codes = [...new Set(faults.map(({ code }) => code))];
  return { kind: "validated", token, isAccepted, isParked, codes, ack: writeAck(ack) };
}

/** Its only faults are SKUs that no catalogue has provided. */
function isParkable(submission: Submission, entry: Entry | undefined): entry is Entry {
  return entry !== undefined && faultsOf(submission, entry).every(({ code }) => code === "UNKNOWN_SKU");
}

export function documentOf(
  submission: Submission,
  entry: Entry | undefined,
  outcome: Outcome & { kind: "validated" },
): NewDocument {
  const { token, type, channel, receivedAt, reading, bodySha256, bodyBytes } = submission;
  const faults = faultsOf(submission, entry);
  const findings = findingsOf(faults, reading.omitted, entry);
  return {
    token,
    feedType: type,
    channel,
    state: outcome.isAccepted ? "ACCEPTED" : outcome.isParked ? "PARKED" : "REJECTED",
    objectId: reading.objectId,
    receivedAt,
    bodySha256,
    bodyBytes,
    ack: outcome.ack,
    // A rejected document also keeps its park key: an operator may park it later.
    findings: !outcome.isAccepted && isParkable(submission, entry) ? { ...findings, parkKey: entry.parkKey } : findings,
  };
}

/** A parked document stays parked, no matter who parked it. Only an operator parks a rejected document. */
function mayPark({ reprocessed, client }: Submission): boolean {
  return reprocessed ? reprocessed.from === "PARKED" : client.settings.parkUnknownSkus;
}

function findingsOf(faults: readonly Finding[], omitted: number, entry: Entry | undefined): Findings | undefined {
  const warnings = entry?.warnings ?? [];
  const missingSkus = entry?.missingSkus ?? [];
  if (faults.length + warnings.length + missingSkus.length === 0) return undefined;
  return {
    ...(faults.length > 0 ? listErrors(faults, omitted) : {}),
    ...(warnings.length > 0 ? { warnings: warnings.slice(0, warningsMax) } : {}),
    ...(missingSkus.length > 0 ? { missingSkus } : {}),
  };
}

/** Limits the stored sentences: a catalogue may have a wrong check digit in every one of fifty thousand items. */
const warningsMax = 1_000;

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
export function eventOf(
  submission: Submission,
  entry: Entry | undefined,
  { isAccepted }: Outcome & { kind: "validated" },
): EventDraft {
  const { token, type: feedType, reading, reprocessed } = submission;
  const listed = listErrors(faultsOf(submission, entry), reading.omitted);
  const data = { token, feedType, objectId: reading.objectId ?? null };
  const event = feedEvent(isAccepted ? "feed:accepted" : "feed:rejected", data, listed.errors);
  if (isAccepted) return { ...event, feedToken: token };
  // No sender waits for the answer of a reprocessed document: it goes out as an ACK, here or when it is PROCESSED.
  return reprocessed
    ? withAck(event, "REJECTED", sentencesOf(listed), { facilityCode: facilityOf(submission) })
    : event;
}

/** The facility that a document names, where it is one of the client's. */
function facilityOf({ client, reading }: Submission): string | undefined {
  const message = reading.checked?.message as { readonly distributionCentre?: unknown } | undefined;
  return client.facilities.find((facilityCode) => facilityCode === message?.distributionCentre);
}
