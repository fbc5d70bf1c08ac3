import { type Ack, listErrors, sentencesOf, writeAck } from "#/intake/feeds/ack.ts";
import type { Batch, Entry } from "#/intake/feeds/intake/definition.ts";
import * as rare from "#/intake/feeds/intake/rare-ways.ts";
import type { Outcome, Outcomes, Submission } from "#/intake/feeds/intake/submission.ts";
import * as repository from "#/intake/feeds/repository.ts";
import type { FeedResult } from "#/intake/feeds/states.ts";
import type { Finding } from "#/kernel/feed-codes.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import { repeatKnownMs } from "#/store/db/answer-once.ts";
import type { ClientTransaction } from "#/store/db/database.ts";
import type { EventDraft, OutboxWriter } from "#/store/outbox/append.ts";

/** The documents of one client in a transaction. */
export interface Group extends Pick<Batch<unknown>, "client" | "at" | "ids"> {
  readonly view: ClientTransaction;
  readonly submissions: readonly Submission[];
}

export interface DocumentInWork {
  readonly submission: Submission;
  /** Undefined when nothing of the document could be parsed. */
  readonly entry: Entry | undefined;
}

/** Validated documents, and the events of what was written of them. */
export interface Work {
  readonly documents: readonly DocumentInWork[];
  readonly events: readonly EventDraft[];
}

function faultsOf({ reading }: Submission, entry: Entry | undefined): readonly Finding[] {
  return entry ? entry.faults : reading.faults;
}

/** @param entry undefined where nothing of the document could be parsed */
export function outcomeOf(submission: Submission, entry: Entry | undefined): Outcome & { kind: "validated" } {
  const { token, type, reading } = submission;
  const faults = faultsOf(submission, entry);
  const isAccepted = entry !== undefined && faults.length === 0;
  const { warnings = [], missingSkus = [] } = entry ?? {};
  const ack: Ack = {
    token,
    success: isAccepted,
    feedType: type,
    ...listErrors(faults, reading.omitted),
    missingSkus,
    objectId: reading.objectId,
  };
  const isParked = !isAccepted && isParkable(submission, entry) && mayPark(submission);
  const codes = [...new Set(faults.map(({ code }) => code))];
  const findings = { faults, omitted: reading.omitted, warnings, missingSkus };
  return { kind: "validated", token, isAccepted, isParked, codes, findings, ack: writeAck(ack) };
}

/** Its only faults are SKUs that no catalogue has provided. */
function isParkable(submission: Submission, entry: Entry | undefined): entry is Entry {
  return entry !== undefined && faultsOf(submission, entry).every(({ code }) => code === "UNKNOWN_SKU");
}

export function documentOf(
  submission: Submission,
  entry: Entry | undefined,
  outcome: Outcome & { kind: "validated" },
): repository.NewDocument {
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

function findingsOf(
  faults: readonly Finding[],
  omitted: number,
  entry: Entry | undefined,
): repository.Findings | undefined {
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

interface StoredDocument extends DocumentInWork {
  readonly outcome: Outcome & { kind: "validated" };
  readonly document: repository.NewDocument;
}

/** Stores the documents with their ACKs and events. @returns their outcomes */
export async function store(
  group: Group,
  writer: OutboxWriter,
  { documents, events }: Work,
  names: rare.KnownNames | undefined,
): Promise<Outcomes> {
  const { view, at } = group;
  const replays = documents.flatMap(({ submission, entry }) =>
    entry?.replayOf === undefined ? [] : [[submission, entry.replayOf] as const],
  );
  const replayed: Outcomes = replays.length === 0 ? new Map() : await rare.answerReplays(view, replays);
  const stored = documents
    .filter(({ submission }) => !replayed.has(submission))
    .map(({ submission, entry }): StoredDocument => {
      const outcome = outcomeOf(submission, entry);
      return { submission, entry, outcome, document: documentOf(submission, entry, outcome) };
    });
  if (stored.length > 0) await writeDocuments(group, writer, stored, events);
  const outcomes = new Map([...replayed, ...stored.map(({ submission, outcome }) => [submission, outcome] as const)]);
  if (names) await rare.recordFiles(view, names, outcomes, at);
  return outcomes;
}

async function writeDocuments(
  { view, client, at }: Group,
  writer: OutboxWriter,
  stored: readonly StoredDocument[],
  events: readonly EventDraft[],
): Promise<void> {
  const settling = stored.flatMap(({ submission, document }) =>
    submission.reprocessed ? rare.settleReprocessed(view, submission, document, at) : [],
  );
  const added = stored.filter(({ submission }) => submission.reprocessed === undefined);
  for (const { submission, document } of added) {
    if (submission.change) rare.recordSent(view, submission, document);
  }
  repository.insertPayloads(
    view,
    added.flatMap(({ submission: { token, contentType, payload, reading } }) =>
      reading.isWithheld ? [] : { token, contentType, ...payload },
    ),
  );
  repository.replaceParked(view, at, client.settings.parkUnknownSkus ? added.flatMap(replacedBy) : []);
  writer.append(view, at, [
    ...events,
    // A reprocessed document whose state is unchanged has nothing new to report.
    ...stored.flatMap(({ submission, entry, outcome, document }) =>
      document.state === submission.reprocessed?.from ? [] : eventOf(submission, entry, outcome),
    ),
  ]);
  await Promise.all(settling);
  const expiresAt = new Date(Date.parse(at) + repeatKnownMs).toISOString();
  repository.bindIdempotencyKeys(
    view,
    at,
    expiresAt,
    added.flatMap(({ submission: { type, idempotencyKey, token, bodySha256 }, outcome }) =>
      outcome.isAccepted && idempotencyKey !== undefined
        ? { feedType: type, key: idempotencyKey, token, bodySha256 }
        : [],
    ),
  );
  if (added.length > 0) {
    repository.insertDocuments(
      view,
      added.map(({ document }) => document),
    );
  }
}

/** The parked documents that a document replaces: those about its object. */
function replacedBy({ submission, entry, outcome }: StoredDocument) {
  const { type, token, reading } = submission;
  const { objectId } = reading;
  if (objectId === undefined || entry?.parkKey === undefined || !isSuccessor(entry, outcome)) return [];
  return [{ feedType: type, objectId, parkKey: entry.parkKey, token }];
}

/**
 * Whether a document replaces a parked one about its object. A refused document has no effect on the parked one. The
 * exception is a withdrawal: an object that its sender has withdrawn must not be created afterwards, although there was
 * nothing to withdraw yet.
 */
function isSuccessor(entry: Entry, outcome: StoredDocument["outcome"]): boolean {
  if (outcome.isAccepted || outcome.isParked) return true;
  return entry.isWithdrawal === true && entry.faults.every(({ code }) => code === "NOT_FOUND");
}
