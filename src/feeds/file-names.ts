import { repeatKnownMs } from "#/db/answer-once.ts";
import type { Transaction } from "#/db/database.ts";
import * as files from "#/feeds/file-repository.ts";
import { type FeedClient, RaceError } from "#/feeds/intake/definition.ts";
import type { Outcome, Submission } from "#/feeds/intake/submission.ts";
import { findAcks } from "#/feeds/repository.ts";
import { assert } from "#/kernel/assert.ts";
import type { FeedType } from "#/kernel/feed-types.ts";

/** The known files of the names of a transaction's files, by name: no two of its files have the same name. */
export type KnownNames = ReadonlyMap<string, files.KnownName>;

type FileSubmission = Submission & { readonly fileName: string };

function isFile(submission: Submission): submission is FileSubmission {
  return submission.fileName !== undefined;
}

/** Reads nothing, and returns undefined, where no document came as a file. */
export async function findNames(
  tx: Transaction,
  client: FeedClient,
  submissions: readonly Submission[],
): Promise<KnownNames | undefined> {
  const keys = submissions.filter(isFile).map(({ type, fileName }) => ({ feedType: type, name: fileName }));
  if (keys.length === 0) return undefined;
  const known = await files.findKnownNames(tx.of(client.clientId), keys);
  const names = new Map(known.map((row) => [row.name, row]));
  if (names.size < keys.length) {
    throw new RaceError("two files of one name are in this transaction: the second needs the row of the first");
  }
  return names;
}

/**
 * Answers files that repeat the latest file of their name and folder, byte for byte and accepted within seven days,
 * with its ACK; returns the others. ACK files that the sender has deleted reappear.
 */
export async function answerRepeatedFiles(
  tx: Transaction,
  client: FeedClient,
  names: KnownNames,
  submissions: readonly Submission[],
  at: string,
  outcomes: Map<Submission, Outcome>,
): Promise<readonly Submission[]> {
  const view = tx.of(client.clientId);
  const repeated = submissions.filter(isFile).flatMap((submission) => {
    const known = knownOf(names, submission);
    return isRepeat(submission, known, at) ? [{ submission, known, token: known.token as string }] : [];
  });
  if (repeated.length === 0) return submissions;
  const acks = await findAcks(
    view,
    repeated.map(({ token }) => token),
  );
  const lost = repeated.filter(({ known }) => !known.has_named_ack || !known.has_token_ack);
  files.releasePlainAcks(
    view,
    lost.filter(({ known }) => known.has_plain_ack).map(({ known }) => known.name),
  );
  files.bringBackAcks(
    view,
    lost.map(({ known: { name, feed_type, ordinal } }) => ({
      name,
      feedType: feed_type,
      ordinal,
      newOrdinal: ordinal,
    })),
  );
  for (const { submission, token } of repeated) {
    const original = acks.find((ack) => ack.token === token);
    assert(original, "the document of a repeated file is stored");
    outcomes.set(submission, { kind: "replayed", ...original });
  }
  return submissions.filter((submission) => !outcomes.has(submission));
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
  tx: Transaction,
  client: FeedClient,
  names: KnownNames,
  validated: readonly Submission[],
  at: string,
  outcomes: ReadonlyMap<Submission, Outcome>,
): Promise<void> {
  const { clientId } = client;
  const view = tx.of(clientId);
  const all = validated.filter(isFile).map((submission) => {
    const outcome = outcomes.get(submission);
    assert(outcome && outcome.kind !== "keyConflict", "a file has no key");
    return { submission, outcome, known: knownOf(names, submission) };
  });
  if (all.length === 0) return;
  // A document may repeat an earlier one that arrived over another channel, or as a file that is not the latest: that
  // file's entry is moved.
  const replayed = all.filter(({ outcome }) => outcome.kind === "replayed");
  const earlier =
    replayed.length === 0
      ? []
      : await files.listFilesOf(
          view,
          replayed.map(({ outcome }) => outcome.token),
        );
  const added: files.NewFile[] = [];
  const moved: files.Repeated[] = [];
  for (const { submission, outcome, known } of all) {
    const key = { name: submission.fileName, feedType: submission.type };
    const fileOfDocument = earlier.find((file) => file.token === outcome.token && isOf(file, key));
    if (fileOfDocument) {
      const isLatest = fileOfDocument.ordinal === known.ordinal;
      moved.push({
        ...key,
        ordinal: fileOfDocument.ordinal,
        newOrdinal: isLatest ? fileOfDocument.ordinal : known.ordinal + 1,
      });
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
    view,
    all.filter(({ known }) => known.has_plain_ack).map(({ known }) => known.name),
  );
  files.bringBackAcks(view, moved);
  files.insertFiles(view, at, added);
}

function isOf(file: files.FileOfDocument, key: { readonly name: string; readonly feedType: FeedType }): boolean {
  return file.name === key.name && file.feed_type === key.feedType;
}
