import { type Ack, listErrors, writeAck } from "#/feeds/ack.ts";
import type { Entry } from "#/feeds/definition.ts";
import type { Findings, NewDocument } from "#/feeds/repository.ts";
import type { Outcome, Submission } from "#/feeds/submission.ts";
import { verdictEvent } from "#/feeds/verdict-event.ts";
import type { Finding } from "#/kernel/feed-codes.ts";
import type { EventDraft } from "#/outbox/append.ts";

function faultsOf({ reading }: Submission, entry: Entry | undefined): readonly Finding[] {
  return entry ? entry.faults : reading.faults;
}

/** @param entry undefined where nothing could be read of the document */
export function outcomeOf(submission: Submission, entry: Entry | undefined): Outcome & { kind: "judged" } {
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
  return { kind: "judged", token, isAccepted, ack: writeAck(ack) };
}

export function documentOf(
  submission: Submission,
  entry: Entry | undefined,
  outcome: Outcome & { kind: "judged" },
): NewDocument {
  const { token, type, channel, receivedAt, reading, bodySha256, bodyBytes, client } = submission;
  const faults = faultsOf(submission, entry);
  const findings = findingsOf(faults, reading.omitted, entry);
  const isParked =
    client.settings.parkUnknownSkus &&
    entry !== undefined &&
    !outcome.isAccepted &&
    faults.every(({ code }) => code === "UNKNOWN_SKU");
  return {
    token,
    feedType: type,
    channel,
    state: outcome.isAccepted ? "ACCEPTED" : isParked ? "PARKED" : "REJECTED",
    objectId: reading.objectId,
    receivedAt,
    bodySha256,
    bodyBytes,
    ack: outcome.ack,
    findings: isParked ? { ...findings, parkKey: entry.parkKey } : findings,
  };
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

/** A catalogue with a wrong check digit in every item must not store fifty thousand sentences. */
const warningsMax = 1_000;

export function eventOf(
  submission: Submission,
  entry: Entry | undefined,
  outcome: Outcome & { kind: "judged" },
): EventDraft {
  const { token, type, client, reading, isHealing = false } = submission;
  return verdictEvent({
    ...{ token, feedType: type, objectId: reading.objectId, isAccepted: outcome.isAccepted, isHealing, client },
    message: reading.checked?.message,
    listed: listErrors(faultsOf(submission, entry), reading.omitted),
  });
}
