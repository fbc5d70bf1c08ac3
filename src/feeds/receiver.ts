import type { Committer } from "#/feeds/commit.ts";
import type { FeedClient, FeedType } from "#/feeds/definition.ts";
import { createGroupCommit } from "#/feeds/group-commit.ts";
import { type Intake, largeBytesMin } from "#/feeds/intake.ts";
import type { JudgeInput } from "#/feeds/judge.ts";
import type { Outcome, Submission } from "#/feeds/submission.ts";
import type { Clock } from "#/kernel/clock.ts";

/** A document as a transport hands it over. From here HTTP, SFTP and the command line are the same code. */
export interface Delivery {
  readonly client: FeedClient;
  readonly type: FeedType;
  readonly channel: Submission["channel"];
  /** Handed over: the memory of a large document moves to the thread that reads it. */
  readonly bytes: Uint8Array;
  /** Media type, and its charset parameter, as sent. */
  readonly contentType: string;
  readonly charset: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Of a document that came as a file: the file's name, which is judged with it and gets it its ACK file. */
  readonly fileName?: string | undefined;
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

export interface ReceiverContext {
  readonly clock: Clock;
  readonly committer: Committer;
  /** On this thread for small documents; a promise for large ones, whose memory goes to the thread that reads them. */
  readonly takeIn: (input: JudgeInput) => Intake | Promise<Intake>;
  readonly isStoreDown: () => boolean;
}

/** How many transactions the receiver runs at a time; each needs a connection and an outbox writer. */
export const receiverWriters = { fast: 2, careful: 2 } as const;

export function createReceiver(context: ReceiverContext): Receiver {
  const { clock, committer } = context;
  const keysInProgress = new Set<string>();
  const group = createGroupCommit<Submission, Outcome>({
    run: (submissions, lane) => committer.commit(submissions, lane),
    isLarge: (submission) => submission.bodyBytes >= largeBytesMin,
    isStoreDown: context.isStoreDown,
    fastWriters: receiverWriters.fast,
    carefulWriters: receiverWriters.careful,
  });

  async function submissionOf(delivery: Delivery, receivedAt: string): Promise<Submission> {
    const { client, type, channel, bytes, contentType, charset, idempotencyKey, fileName, token } = delivery;
    const bodyBytes = bytes.byteLength;
    const taken = context.takeIn({ type, bytes, charset, client });
    const { reading, bodySha256, payload } = taken instanceof Promise ? await taken : taken;
    return {
      ...{ client, type, token, receivedAt, channel, contentType, idempotencyKey, fileName },
      ...{ reading, bodyBytes, payload },
      bodySha256: Buffer.from(bodySha256),
    };
  }

  async function submit(submission: Submission): Promise<Outcome> {
    const outcome = await group.submit(submission);
    // Given back at once: the collector would find it some catalogues later, and three of them were 100 MB.
    for (const buffer of submission.reading.checked?.transfer ?? []) buffer.transfer(0);
    return outcome;
  }

  const now = () => new Date(clock.now()).toISOString();

  return {
    async receive(delivery) {
      const { idempotencyKey } = delivery;
      if (idempotencyKey === undefined) return submit(await submissionOf(delivery, now()));
      const key = `${delivery.client.clientId}/${delivery.type}/${idempotencyKey}`;
      if (keysInProgress.has(key)) return { kind: "inProgress" };
      keysInProgress.add(key);
      try {
        return await submit(await submissionOf(delivery, now()));
      } finally {
        keysInProgress.delete(key);
      }
    },
    validate: async (delivery) => committer.dryRun(await submissionOf(delivery, now())),
    async heal(delivery, receivedAt) {
      return submit({ ...(await submissionOf(delivery, receivedAt)), isHealing: true });
    },
    depth: () => group.depth(),
    close: () => group.close(),
  };
}
