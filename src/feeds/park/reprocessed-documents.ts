import type { Transaction } from "#/db/database.ts";
import { settleFile } from "#/feeds/file-repository.ts";
import { type Batch, type FeedClient, type FeedDefinition, RaceError } from "#/feeds/intake/definition.ts";
import type { Outcome, Submission, UnsettledState } from "#/feeds/intake/submission.ts";
import { recordReprocessed } from "#/feeds/park/console-audit.ts";
import { findOvertaken, lockDocuments, settleDocument } from "#/feeds/park/reprocess-repository.ts";
import type { NewDocument } from "#/feeds/repository.ts";
import type { FeedState } from "#/feeds/states.ts";
import { finding } from "#/kernel/feed-codes.ts";

export function isUnsettled(state: FeedState): state is UnsettledState {
  return state === "REJECTED" || state === "PARKED";
}

/** Answers reprocessed documents that have left their state meanwhile with their current state; returns the others. */
export async function answerSettled(
  tx: Transaction,
  { clientId }: FeedClient,
  submissions: readonly Submission[],
  outcomes: Map<Submission, Outcome>,
): Promise<readonly Submission[]> {
  const reprocessing = submissions.filter(({ reprocessed }) => reprocessed !== undefined);
  if (reprocessing.length === 0) return submissions;
  const tokens = reprocessing.map(({ token }) => token);
  if (new Set(tokens).size < tokens.length) throw new RaceError("a document is processed twice in this transaction");
  const rows = new Map((await lockDocuments(tx.of(clientId), tokens)).map((row) => [row.token, row]));
  for (const submission of reprocessing) {
    const { token, reprocessed } = submission;
    const row = rows.get(token);
    if (!row || row.state === reprocessed?.from) continue;
    const standing = { isAccepted: !isUnsettled(row.state), isParked: row.state === "PARKED", codes: [] };
    outcomes.set(submission, { kind: "validated", token, ...standing, ack: row.ack });
  }
  return submissions.filter((submission) => !outcomes.has(submission));
}

/**
 * A reprocessed document must not undo the changes of a later one about its object. The number of a purchase order
 * alone does not identify one of several notices, and a catalogue concerns many items: these types have their own
 * rules.
 */
export async function addOvertaken<Message>(
  tx: Transaction,
  { type, keyOf, parkKeyOf }: FeedDefinition,
  { client, entries }: Batch<Message>,
): Promise<void> {
  const reprocessed = entries.filter(({ isReprocessed }) => isReprocessed === true);
  if (reprocessed.length === 0 || parkKeyOf !== undefined) return;
  const documents = reprocessed.flatMap(({ token, message }) => {
    const objectId = keyOf(message);
    return objectId === undefined ? [] : { token, objectId };
  });
  if (documents.length === 0) return;
  const overtaken = await findOvertaken(tx.of(client.clientId), type, documents);
  for (const entry of reprocessed) {
    const later = overtaken.find(({ token }) => token === entry.token)?.later;
    if (later === undefined) continue;
    const text = `${String(keyOf(entry.message))}: document ${later}, which came after this one, was accepted meanwhile`;
    entry.faults.push(finding("STALE", text));
  }
}

/** Records the outcome of a reprocessed document, with its file and its line in the audit log. */
export async function settleReprocessed(
  tx: Transaction,
  submission: Submission,
  document: NewDocument,
  at: string,
): Promise<void> {
  const { client, channel, reprocessed } = submission;
  const view = tx.of(client.clientId);
  const { token, state, ack, findings } = document;
  if (!reprocessed) return;
  recordReprocessed(tx, submission, document);
  if (channel === "SFTP" && state !== "PARKED") {
    settleFile(view, at, { token, isAccepted: state === "ACCEPTED", ackBytes: ack.length });
  }
  const settled = { token, from: reprocessed.from, state, ack, findings, at };
  if (!(await settleDocument(view, settled))) throw new RaceError(`document ${token} was settled`);
}
