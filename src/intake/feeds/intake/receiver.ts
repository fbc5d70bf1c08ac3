import { createHash } from "node:crypto";
import { constants, zstdCompressSync } from "node:zlib";
import type { Committer, Examination } from "#/intake/feeds/intake/commit.ts";
import type { FeedClient, Piece } from "#/intake/feeds/intake/definition.ts";
import { createGroupCommit, type Lane } from "#/intake/feeds/intake/group-commit.ts";
import type { Outcome, Submission } from "#/intake/feeds/intake/submission.ts";
import type { Reading, Validator, ValidatorInput } from "#/intake/feeds/intake/validator.ts";
import type { StoredPayload } from "#/intake/feeds/payload.ts";
import type { UnsettledState } from "#/intake/feeds/states.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import { traces } from "#/kernel/telemetry/trace.ts";
import type { Change } from "#/store/db/audit.ts";
import { isUnavailable } from "#/store/db/errors.ts";

/** From this size on, a worker thread reads a document: at worst, with a fault in each element, it is 20 ms of work. */
export const threadBytesMin = 32 * 1024;
/** From this size on, a document is compressed, and stored in a separate transaction. */
export const largeBytesMin = 256 * 1024;

/** All data that is derived from a document before the store is read. Plain data: it may come from a worker thread. */
export interface Intake {
  readonly reading: Reading;
  readonly bodySha256: Uint8Array;
  /** The stored form of the document. Large ones are compressed here, because PostgreSQL takes longer for it. */
  readonly payload: StoredPayload;
}

/** A piece of a document, ahead of the others. */
export interface PostedPiece {
  readonly piece: Piece;
  readonly bodySha256: Uint8Array;
}

/** A list of which the first pieces are read. */
export interface BegunList {
  readonly bodySha256: Uint8Array;
  readonly pieces: AsyncIterable<Piece>;
}

/** @param post receives the pieces of a list ahead of its end, as long as it has no fault */
export function takeIn(validate: Validator, input: ValidatorInput, post?: (posted: PostedPiece) => void): Intake {
  const { bytes } = input;
  const bodySha256 = createHash("sha256").update(bytes).digest();
  if (bytes.byteLength < largeBytesMin) {
    return { reading: validate(input), bodySha256, payload: { encoding: "identity", bytes } };
  }
  // The compression comes last: a transaction may write the pieces meanwhile.
  const reading = validate(input, post && ((piece) => post({ piece, bodySha256 })));
  const level = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
  const payload = { encoding: "zstd", bytes: zstdCompressSync(bytes, level) } as const;
  return { reading, bodySha256, payload };
}

/** A document as a transport passes it on. From here on HTTP, SFTP and the command line use the same code. */
export interface Delivery {
  readonly client: FeedClient;
  readonly type: FeedType;
  readonly channel: Submission["channel"];
  /** Transferred: the memory of a large document moves to the thread that reads it. */
  readonly bytes: Uint8Array;
  /** Media type, and its charset parameter, as sent. */
  readonly contentType: string;
  readonly charset: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** The value that a repeat has in common with its first request, where it is not the bytes. */
  readonly repeatSha256?: Uint8Array | undefined;
  /** While a document with the key is in progress, this one waits for its end. */
  readonly waits?: boolean;
  /**
   * Of a document that came as a file: the file's name, which is settled with it and determines the name of its ACK
   * file.
   */
  readonly fileName?: string | undefined;
  /** The token that the transport has already assigned, so that its log and its answer contain the same one. */
  readonly token: string;
  /** Set where an operator sends it through the console. */
  readonly change?: Change | undefined;
}

/** The stored state of a document that is reprocessed. */
export interface Stored {
  readonly receivedAt: string;
  readonly state: UnsettledState;
}

export type Receipt = Outcome | { readonly kind: "inProgress" };

/** The outcome of a document, as the log names it. */
export function nameOutcome(receipt: Receipt): string {
  if (receipt.kind === "validated") return receipt.isAccepted ? "accepted" : "rejected";
  return receipt.kind;
}

export interface Receiver {
  /**
   * Validates a document, stores it with its effect, its ACK and its events in one transaction, and returns the ACK.
   * Throws StoreUnavailableError when nothing was stored or the outcome is unknown.
   */
  receive(delivery: Delivery): Promise<Receipt>;
  /** Validates a document like `receive`, and stores nothing. */
  validate(delivery: Delivery): Promise<Receipt>;
  /** Validates a document like `validate`, and returns all findings. */
  examine(delivery: Delivery): Promise<Examination>;
  /**
   * Reprocesses a stored document under its own token, by the current rules and data. A document that has left its
   * state meanwhile is answered in its current state, and not changed.
   */
  reprocess(delivery: Delivery, stored: Stored): Promise<Receipt>;
  depth(): number;
  close(): Promise<void>;
}

export interface ReceiverContext {
  readonly clock: Clock;
  readonly committer: Committer;
  /** On this thread for small documents; a promise for large ones, whose memory moves to the thread that reads them. */
  readonly takeIn: (input: ValidatorInput, onBegun?: (list: BegunList) => void) => Intake | Promise<Intake>;
  readonly isStoreDown: () => boolean;
  /** The store has several nodes. */
  readonly isDistributed: boolean;
}

export function createReceiver(context: ReceiverContext): Receiver {
  const { clock, committer } = context;
  const inProgress = new Map<string, Promise<void>>();
  const group = createGroupCommit<Submission, Outcome>({
    async run(submissions, lane) {
      const startedMs = performance.now();
      try {
        const outcomes = await committer.commit(submissions, lane);
        noteCommit(submissions, lane, startedMs);
        return outcomes;
      } catch (error) {
        noteCommit(submissions, lane, startedMs, error);
        throw error;
      }
    },
    isLarge: (submission) => submission.bodyBytes >= largeBytesMin,
    ownerOf: (submission) => submission.client.clientId,
    isStoreDown: context.isStoreDown,
    isDistributed: context.isDistributed,
  });

  /** @param options.mayArrive of a list, the submission is made with its first pieces */
  async function submissionOf(delivery: Delivery, receivedAt: string, { mayArrive = false } = {}): Promise<Submission> {
    const { type, bytes, charset, client } = delivery;
    const bodyBytes = bytes.byteLength;
    const startedMs = performance.now();
    const { promise: begun, resolve: onBegun } = Promise.withResolvers<BegunList>();
    const taken = context.takeIn({ type, bytes, charset, client }, mayArrive ? onBegun : undefined);
    const first = taken instanceof Promise ? await Promise.race([taken, begun]) : taken;
    if ("reading" in first) {
      const submission = newSubmission(delivery, receivedAt, bodyBytes, first);
      recordValidation(submission, startedMs);
      return submission;
    }
    const { bodySha256, pieces } = first;
    const submission = newSubmission(delivery, receivedAt, bodyBytes, {
      reading: unread,
      bodySha256,
      payload: unstored,
    });
    const whole = Promise.resolve(taken).then(({ reading, payload }) => {
      Object.assign(submission, { reading, payload, arriving: undefined });
      recordValidation(submission, startedMs, { waits: false });
    });
    // The transaction awaits it. A document that is answered before its end has no use for it.
    whole.catch(() => {});
    submission.arriving = { pieces, whole };
    return submission;
  }

  async function submit(submission: Submission): Promise<Outcome> {
    const outcome = await group.submit(submission);
    // Freed at once: the garbage collector frees it only some catalogues later, and three of them were 100 MB.
    for (const { transfer } of submission.reading.checked?.pieces ?? [])
      for (const buffer of transfer) buffer.transfer(0);
    return { ...outcome, objectId: submission.reading.objectId, faultCount: faultCountOf(submission) };
  }

  const now = () => new Date(clock.now()).toISOString();

  async function take(delivery: Delivery): Promise<Receipt> {
    const { idempotencyKey } = delivery;
    if (idempotencyKey === undefined) return submit(await submissionOf(delivery, now(), { mayArrive: true }));
    const key = `${delivery.client.clientId}/${delivery.type}/${idempotencyKey}`;
    for (let first = inProgress.get(key); first !== undefined; first = inProgress.get(key)) {
      if (delivery.waits !== true) return { kind: "inProgress" };
      await first;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    inProgress.set(key, promise);
    try {
      return await submit(await submissionOf(delivery, now(), { mayArrive: true }));
    } finally {
      inProgress.delete(key);
      resolve();
    }
  }

  return {
    async receive(delivery) {
      const begunMs = performance.now();
      try {
        const receipt = await take(delivery);
        noteReceipt(delivery, receipt, begunMs);
        return receipt;
      } catch (error) {
        noteUnanswered(delivery, error);
        throw error;
      }
    },
    async validate(delivery) {
      const submission = await submissionOf(delivery, now());
      const { outcome } = await committer.dryRun(submission);
      return { ...outcome, faultCount: faultCountOf(submission) };
    },
    examine: async (delivery) => committer.dryRun(await submissionOf(delivery, now())),
    async reprocess(delivery, { receivedAt, state }) {
      const receipt = await submit({ ...(await submissionOf(delivery, receivedAt)), reprocessed: { from: state } });
      countReprocessed(delivery, receipt);
      return receipt;
    },
    depth: () => group.depth(),
    close: () => group.close(),
  };
}

/** Of a list that is not read to its end: it has no content, so nothing of it could be accepted. */
const unread: Reading = { checked: undefined, faults: [], omitted: 0, objectId: undefined, isWithheld: true };
const unstored: Submission["payload"] = { encoding: "identity", bytes: new Uint8Array() };

function newSubmission(delivery: Delivery, receivedAt: string, bodyBytes: number, intake: Intake): Submission {
  const { bytes: _, charset: __, waits: ___, repeatSha256, ...sent } = delivery;
  const { reading, payload, bodySha256 } = intake;
  return { ...sent, receivedAt, bodyBytes, reading, payload, bodySha256: Buffer.from(repeatSha256 ?? bodySha256) };
}

function faultCountOf({ reading }: Submission): number {
  return reading.faults.length + reading.omitted;
}

// Metrics and traces of documents: their number, their rate, and for each the time that its steps took.

const sources = { HTTP: "http", SFTP: "sftp", CLI: "cli", CONSOLE: "console" } as const;
const outcomes = { replayed: "replayed", keyConflict: "key_conflict", inProgress: "in_progress" } as const;

type Sent = Pick<Submission, "type" | "channel">;
type VerdictReceipt = Extract<Receipt, { kind: "validated" }>;

const outcomeOfVerdict = ({ isAccepted, isParked }: VerdictReceipt) =>
  isAccepted ? "accepted" : isParked ? "parked" : "rejected";

/** Records an answered document. @param begunMs when its last byte arrived, by `performance.now()` */
function noteReceipt({ type, channel }: Sent, receipt: Receipt, begunMs: number): void {
  const source = sources[channel];
  const outcome = receipt.kind === "validated" ? outcomeOfVerdict(receipt) : outcomes[receipt.kind];
  metrics.feedDocuments.inc({ type, source, outcome });
  metrics.feedAcknowledgement.observe({ type, source }, (performance.now() - begunMs) / 1_000);
  if (receipt.kind === "validated") for (const code of receipt.codes) metrics.feedFaults.inc({ type, code });
}

/** Records a document without an answer: nothing of it was stored, or its outcome is unknown. */
function noteUnanswered({ type, channel }: Sent, error: unknown): void {
  metrics.feedDocuments.inc({
    type,
    source: sources[channel],
    outcome: isUnavailable(error) ? "unavailable" : "failed",
  });
}

/** Records a stored document that was reprocessed. */
function countReprocessed({ type }: Sent, receipt: Receipt): void {
  if (receipt.kind === "validated") metrics.feedReprocessed.inc({ type, outcome: outcomeOfVerdict(receipt) });
}

/** Records that a document was parsed, validated and checked. @param options.waits its transaction comes afterwards */
function recordValidation(submission: Submission, startedMs: number, { waits = true } = {}): void {
  if (!traces.isOn) return;
  const endedMs = performance.now();
  if (waits) submission.waitsSinceMs = endedMs;
  const { token, bodyBytes, reading } = submission;
  traces.add({
    token,
    name: "validate",
    kind: "INTERNAL",
    startedMs,
    endedMs,
    attributes: { "crossdock.bytes": bodyBytes, "crossdock.faults": reading.faults.length + reading.omitted },
  });
}

/** Records the end of a transaction of documents. @param error why it failed */
function noteCommit(submissions: readonly Submission[], lane: Lane, startedMs: number, error?: unknown): void {
  const endedMs = performance.now();
  metrics.feedCommitDocuments.observe(submissions.length);
  metrics.feedCommitDuration.observe({ lane }, (endedMs - startedMs) / 1_000);
  if (!traces.isOn) return;
  for (const submission of submissions) {
    const { token, waitsSinceMs } = submission;
    // A document whose batch failed runs again, but its wait is recorded once.
    submission.waitsSinceMs = undefined;
    if (waitsSinceMs !== undefined) {
      traces.add({
        token,
        name: "wait for commit",
        kind: "INTERNAL",
        startedMs: waitsSinceMs,
        endedMs: startedMs,
        attributes: {},
      });
    }
    traces.add({
      token,
      name: "commit",
      kind: "INTERNAL",
      startedMs,
      endedMs,
      attributes: { "crossdock.batch.documents": submissions.length, "crossdock.lane": lane },
      failure: error === undefined ? undefined : (error as Error).name,
    });
  }
}
