// The rare ways of a document through the transaction of commit.ts, which calls each of them only where a document needs
// it: documents that are reprocessed, files, repeats whose ACK is that of another document, documents that an operator
// sends, and lists that are written while they arrive.

import * as files from "#/intake/feeds/file-repository.ts";
import {
  type Batch,
  type Entry,
  type FeedDefinition,
  pieceMsMax,
  RaceError,
  WholeNeededError,
} from "#/intake/feeds/intake/definition.ts";
import { entryOf, type Outcome, type Outcomes, type Submission } from "#/intake/feeds/intake/submission.ts";
import { findOvertaken, lockDocuments, settleDocument } from "#/intake/feeds/park/reprocess-repository.ts";
import { findAcks, type NewDocument } from "#/intake/feeds/repository.ts";
import { isUnsettled } from "#/intake/feeds/states.ts";
import { assert } from "#/kernel/assert.ts";
import { within } from "#/kernel/concurrency/deadline.ts";
import { finding } from "#/kernel/feed-codes.ts";
import { repeatKnownMs } from "#/store/db/answer-once.ts";
import { recordAudit } from "#/store/db/audit.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";

// Reprocessed documents (lifecycle.md §6).

/** Answers reprocessed documents that have left their state meanwhile with their current state. */
export async function answerSettled(tx: ClientTransaction, submissions: readonly Submission[]): Promise<Outcomes> {
  const reprocessing = submissions.filter(({ reprocessed }) => reprocessed !== undefined);
  const tokens = reprocessing.map(({ token }) => token);
  if (new Set(tokens).size < tokens.length) throw new RaceError("a document is processed twice in this transaction");
  const rows = new Map((await lockDocuments(tx, tokens)).map((row) => [row.token, row]));
  return new Map(
    reprocessing.flatMap((submission): [Submission, Outcome][] => {
      const { token, reprocessed } = submission;
      const row = rows.get(token);
      if (!row || row.state === reprocessed?.from) return [];
      const standing = { isAccepted: !isUnsettled(row.state), isParked: row.state === "PARKED", codes: [] };
      const findings = { faults: [], omitted: 0, warnings: [], missingSkus: [] };
      return [[submission, { kind: "validated", token, ...standing, findings, ack: row.ack }]];
    }),
  );
}

/**
 * A reprocessed document must not undo the changes of a later one about its object. The number of a purchase order
 * alone does not identify one of several notices, and a catalogue concerns many items: these types have their own
 * rules.
 */
export async function addOvertaken(
  tx: ClientTx,
  { type, keyOf, parkKeyOf }: FeedDefinition,
  { entries }: Batch<unknown>,
): Promise<void> {
  if (parkKeyOf !== undefined) return;
  const reprocessed = entries.filter(({ isReprocessed }) => isReprocessed === true);
  const documents = reprocessed.flatMap(({ token, message }) => {
    const objectId = keyOf(message);
    return objectId === undefined ? [] : { token, objectId };
  });
  if (documents.length === 0) return;
  const overtaken = await findOvertaken(tx, type, documents);
  for (const entry of reprocessed) {
    const later = overtaken.find(({ token }) => token === entry.token)?.later;
    if (later === undefined) continue;
    const text = `${String(keyOf(entry.message))}: document ${later}, which came after this one, was accepted meanwhile`;
    entry.faults.push(finding("STALE", text));
  }
}

/** Stores the outcome of a reprocessed document, with its file and the line of the operator's audit log. */
export async function settleReprocessed(
  tx: ClientTransaction,
  { channel, type, token, change, reprocessed }: Submission,
  { state, objectId, ack, findings }: NewDocument,
  at: string,
): Promise<void> {
  assert(reprocessed, "the document is reprocessed");
  const { from } = reprocessed;
  if (change) {
    recordAudit(tx.with(change), {
      action: "reprocess",
      objectType: "feed",
      objectId: token,
      detail: { feedType: type, from, state, objectId: objectId ?? null },
    });
  }
  if (channel === "SFTP" && state !== "PARKED") {
    files.settleFile(tx, at, { token, isAccepted: state === "ACCEPTED", ackBytes: ack.length });
  }
  const isSettled = await settleDocument(tx, { token, from, state, ack, findings, at });
  if (!isSettled) throw new RaceError(`document ${token} was settled`);
}

/** Records a document that an operator sends through the console in the audit log (contract operations.md §5). */
export function recordSent(
  tx: ClientTransaction,
  { change, type, token }: Submission,
  { state, objectId }: NewDocument,
): void {
  if (!change) return;
  recordAudit(tx.with(change), {
    action: "send",
    objectType: "feed",
    objectId: token,
    detail: { feedType: type, state, objectId: objectId ?? null },
  });
}

// Repeats of a document whose key is not that of the first.

/** The original ACKs of documents that repeat others, byte for byte. @param repeats by document, the token of its first */
export async function answerReplays(
  tx: ClientTx,
  repeats: readonly (readonly [submission: Submission, originToken: string])[],
): Promise<Outcomes> {
  const acks = await findAcks(
    tx,
    repeats.map(([, originToken]) => originToken),
  );
  return new Map(
    repeats.map(([submission, originToken]) => {
      const original = acks.find(({ token }) => token === originToken);
      assert(original, "a repeated document is stored");
      return [submission, { kind: "replayed", ...original }];
    }),
  );
}

// Files (sftp.md).

/** The known files of the names of a transaction's files, by name: no two of its files have the same name. */
export type KnownNames = ReadonlyMap<string, files.KnownName>;

type FileSubmission = Submission & { readonly fileName: string };

function isFile(submission: Submission): submission is FileSubmission {
  return submission.fileName !== undefined;
}

/**
 * Answers files that repeat the latest file of their name and folder, byte for byte and accepted within seven days,
 * with its ACK. ACK files that the sender has deleted reappear.
 */
export async function answerRepeatedFiles(
  tx: ClientTransaction,
  submissions: readonly Submission[],
  at: string,
): Promise<{ readonly names: KnownNames; readonly outcomes: Outcomes }> {
  const sent = submissions.filter(isFile);
  const names = await findNames(tx, sent);
  const repeated = sent.flatMap((submission) => {
    const known = knownOf(names, submission);
    return isRepeat(submission, known, at) ? [{ submission, known, token: known.token as string }] : [];
  });
  if (repeated.length === 0) return { names, outcomes: new Map() };
  const outcomes = await answerReplays(
    tx,
    repeated.map(({ submission, token }) => [submission, token]),
  );
  const lost = repeated.filter(({ known }) => !known.has_named_ack || !known.has_token_ack);
  files.releasePlainAcks(
    tx,
    lost.filter(({ known }) => known.has_plain_ack).map(({ known }) => known.name),
  );
  files.bringBackAcks(
    tx,
    lost.map(({ known: { name, feed_type, ordinal } }) => ({
      name,
      feedType: feed_type,
      ordinal,
      newOrdinal: ordinal,
    })),
  );
  return { names, outcomes };
}

async function findNames(tx: ClientTx, sent: readonly FileSubmission[]): Promise<KnownNames> {
  const keys = sent.map(({ type, fileName }) => ({ feedType: type, name: fileName }));
  const names = new Map((await files.findKnownNames(tx, keys)).map((row) => [row.name, row]));
  if (names.size < keys.length) {
    throw new RaceError("two files of one name are in this transaction: the second needs the row of the first");
  }
  return names;
}

function knownOf(names: KnownNames, { fileName }: FileSubmission): files.KnownName {
  const known = names.get(fileName);
  assert(known, "every name was looked up");
  return known;
}

function isRepeat({ bodySha256 }: FileSubmission, known: files.KnownName, at: string): boolean {
  return (
    known.is_accepted === true &&
    known.body_sha256?.equals(bodySha256) === true &&
    Date.parse(at) - Date.parse(known.processed_at as string) < repeatKnownMs
  );
}

/** Records the outcome of the files, in the transaction of their documents: the ACK files exist when it commits. */
export async function recordFiles(
  tx: ClientTransaction,
  names: KnownNames,
  outcomes: Outcomes,
  at: string,
): Promise<void> {
  const all = [...outcomes].flatMap(([submission, outcome]) => {
    if (!isFile(submission)) return [];
    assert(outcome.kind !== "keyConflict", "a file has no key");
    return [{ submission, outcome, known: knownOf(names, submission) }];
  });
  if (all.length === 0) return;
  // A document may repeat an earlier one that arrived over another channel, or as a file that is not the latest: that
  // file's entry is moved.
  const replayed = all.flatMap(({ outcome }) => (outcome.kind === "replayed" ? outcome.token : []));
  const earlier = replayed.length === 0 ? [] : await files.listFilesOf(tx, replayed);
  const added: files.NewFile[] = [];
  const moved: files.Repeated[] = [];
  for (const { submission, outcome, known } of all) {
    const key = { name: submission.fileName, feedType: submission.type };
    const fileOfDocument = earlier.find(
      ({ token, name, feed_type }) => token === outcome.token && name === key.name && feed_type === key.feedType,
    );
    if (fileOfDocument) {
      const { ordinal } = fileOfDocument;
      moved.push({ ...key, ordinal, newOrdinal: ordinal === known.ordinal ? ordinal : known.ordinal + 1 });
      continue;
    }
    const isAccepted = outcome.kind === "replayed" || outcome.isAccepted;
    const isTaken = isAccepted ? known.is_in_archive : known.is_in_rejected;
    added.push({
      ...key,
      ordinal: known.ordinal + 1,
      token: outcome.token,
      isAccepted,
      bodySha256: submission.bodySha256,
      bodyBytes: submission.bodyBytes,
      ackBytes: outcome.ack.length,
      archiveName: submission.reading.isWithheld ? undefined : isTaken ? `${key.name}~${outcome.token}` : key.name,
    });
  }
  files.releasePlainAcks(
    tx,
    all.filter(({ known }) => known.has_plain_ack).map(({ known }) => known.name),
  );
  files.bringBackAcks(tx, moved);
  files.insertFiles(tx, at, added);
}

// Lists that still arrive (docs/decisions/0045-catalogues-in-pieces.md).

/**
 * Validates and writes a list while the rest of it is read, where nothing speaks against its acceptance.
 *
 * @returns its entry.
 * @throws WholeNeededError where anything does: the caller decides with the whole document, in another transaction.
 */
export async function writeArriving(
  tx: ClientTransaction,
  definition: FeedDefinition | undefined,
  submission: Submission | undefined,
  at: string,
): Promise<Entry> {
  if (!submission?.arriving || !definition?.writePieces) throw new WholeNeededError();
  const { client, token, arriving } = submission;
  const { pieces, whole } = arriving;
  const end = await definition.writePieces(tx, { client, token, at, pieces });
  await within(whole, pieceMsMax, () => new WholeNeededError("the end of the list is late"));
  const entry = entryOf(submission, definition);
  if (!entry || entry.faults.length > 0) throw new WholeNeededError("the document has faults");
  await end(entry);
  if (entry.faults.length > 0) throw new WholeNeededError("the document does not fit what is stored");
  return entry;
}
