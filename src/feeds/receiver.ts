import { createHash } from "node:crypto";
import type { Committer, Outcome, Submission } from "#/feeds/commit.ts";
import type { FeedClient, FeedType } from "#/feeds/definition.ts";
import { createGroupCommit } from "#/feeds/group-commit.ts";
import type { JudgeInput, Reading } from "#/feeds/judge.ts";
import type { Clock } from "#/kernel/clock.ts";

/** A document as a transport hands it over. From here HTTP, SFTP and the command line are the same code. */
export interface Delivery {
  readonly client: FeedClient;
  readonly type: FeedType;
  readonly channel: Submission["channel"];
  readonly bytes: Uint8Array;
  /** Media type, and its charset parameter, as sent. */
  readonly contentType: string;
  readonly charset: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** The token that the transport has already given, so that its log and its answer carry the same one. */
  readonly token: string;
}

export type Receipt = Outcome | { readonly kind: "inProgress" };

export interface Receiver {
  /**
   * Judges a document, stores it with its effect, its ACK and its events in one transaction, and answers the ACK.
   * Throws StoreUnavailableError when nothing was kept or the outcome is unknown.
   */
  receive(delivery: Delivery): Promise<Receipt>;
  /** The same judgement, nothing kept. */
  validate(delivery: Delivery): Promise<Receipt>;
  /** Judges a parked document again under its own token. */
  heal(delivery: Delivery, receivedAt: string): Promise<Receipt>;
  depth(): number;
  close(): Promise<void>;
}

/** From here on (about 6 ms of XML work) a document is read by a worker thread, and stored in a transaction of its own. */
export const largeBytesMin = 256 * 1024;

export interface ReceiverContext {
  readonly clock: Clock;
  readonly committer: Committer;
  /** On this thread for small documents; a promise for large ones. */
  readonly judge: (input: JudgeInput) => Reading | Promise<Reading>;
  readonly isStoreDown: () => boolean;
}

/** How many transactions the receiver runs at a time; each needs a connection and an outbox writer. */
export const receiverWriters = { fast: 2, careful: 2 } as const;

export function createReceiver(context: ReceiverContext): Receiver {
  const { clock, committer } = context;
  const keysInProgress = new Set<string>();
  const group = createGroupCommit<Submission, Outcome>({
    run: (submissions, lane) => committer.commit(submissions, lane),
    isLarge: (submission) => submission.bytes.byteLength >= largeBytesMin,
    isStoreDown: context.isStoreDown,
    fastWriters: receiverWriters.fast,
    carefulWriters: receiverWriters.careful,
  });

  async function submissionOf(delivery: Delivery, receivedAt: string): Promise<Submission> {
    const { client, type, channel, bytes, contentType, charset, idempotencyKey, token } = delivery;
    const bodySha256 = createHash("sha256").update(bytes).digest();
    const judged = context.judge({ type, bytes, charset, client });
    const reading = judged instanceof Promise ? await judged : judged;
    return { client, type, token, receivedAt, channel, contentType, bytes, bodySha256, idempotencyKey, reading };
  }

  const now = () => new Date(clock.now()).toISOString();

  return {
    async receive(delivery) {
      const { idempotencyKey } = delivery;
      if (idempotencyKey === undefined) return group.submit(await submissionOf(delivery, now()));
      const key = `${delivery.client.clientId}/${delivery.type}/${idempotencyKey}`;
      if (keysInProgress.has(key)) return { kind: "inProgress" };
      keysInProgress.add(key);
      try {
        return await group.submit(await submissionOf(delivery, now()));
      } finally {
        keysInProgress.delete(key);
      }
    },
    validate: async (delivery) => committer.dryRun(await submissionOf(delivery, now())),
    async heal(delivery, receivedAt) {
      return group.submit({ ...(await submissionOf(delivery, receivedAt)), isHealing: true });
    },
    depth: () => group.depth(),
    close: () => group.close(),
  };
}
