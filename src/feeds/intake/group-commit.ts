import { isUnavailable, isWorthRepeating, StoreUnavailableError } from "#/db/errors.ts";
import { retryOnConflict } from "#/db/retry-on-conflict.ts";
import { RaceError } from "#/feeds/intake/definition.ts";
import { withoutDeadline } from "#/kernel/concurrency/deadline.ts";
import { createFairQueue } from "#/kernel/concurrency/fair-queue.ts";

/**
 * Self-clocking group commit. While the writers are busy, documents queue; a free writer takes the queue and commits it
 * in one transaction. There is no timer: an idle system answers at once, and a busy one batches by itself (5 ms of
 * collecting gave a third of the rate and idle processors).
 *
 * The queue has two lanes. The fast lane batches small documents. The careful lane runs one document per transaction.
 * It takes the large documents, and every document of a failed batch, so that a faulty document causes no refusal of
 * another. Its owners take turns.
 */
export interface GroupCommit<Item, Outcome> {
  /** Rejects with StoreUnavailableError when nothing was stored, or when the outcome is unknown. */
  submit(item: Item): Promise<Outcome>;
  /** Documents waiting or running, for health and metrics. */
  depth(): number;
  /** Waits for running documents, and refuses new ones. */
  close(): Promise<void>;
}

export interface GroupCommitOptions<Item, Outcome> {
  /** Runs the items in one transaction; returns their outcomes in order. */
  readonly run: (items: readonly Item[], lane: "fast" | "careful") => Promise<readonly Outcome[]>;
  readonly isLarge: (item: Item) => boolean;
  readonly ownerOf: (item: Item) => string;
  /** True while the store is known to be unavailable: waiting documents are answered at once. */
  readonly isStoreDown: () => boolean;
  readonly fastWriters?: number;
  readonly carefulWriters?: number;
  readonly batchMax?: number;
  readonly queueMax?: number;
}

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly since: number;
  readonly deadline: number;
  isAnswered: boolean;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The sender must learn within 5 s that the store is unavailable: 4.5 s here leave room for the network in both
 * directions.
 */
const fastAnswerMsMax = 4_500;
const carefulAnswerMsMax = 120_000;
const sweepMs = 250;
const furtherWriterMin = 12;
/**
 * Of documents that block each other, for example files of one name, one succeeds in each round: this is the maximum
 * number of rounds. Each pause has a random length, so that no document comes too late each time.
 */
const attemptsMax = 20;
const pauseMsMax = 100;

export function createGroupCommit<Item, Outcome>(
  options: GroupCommitOptions<Item, Outcome>,
): GroupCommit<Item, Outcome> {
  type Entry = Waiting<Item, Outcome>;
  const { fastWriters = 2, carefulWriters = 2, batchMax = 64, queueMax = 10_000 } = options;
  const fast: Entry[] = [];
  const careful = createFairQueue<Entry>();
  const running = new Set<Entry>();
  let fastBusy = 0;
  let carefulBusy = 0;
  let isClosed = false;
  let onIdle: (() => void) | undefined;

  function answer(entry: Entry, outcome: Outcome): void {
    if (entry.isAnswered) return;
    entry.isAnswered = true;
    entry.resolve(outcome);
  }

  function fail(entry: Entry, error: Error): void {
    if (entry.isAnswered) return;
    entry.isAnswered = true;
    entry.reject(error);
  }

  function isWorthWriting(others: number): boolean {
    return fast.length >= (others === 0 ? 1 : furtherWriterMin);
  }

  async function writeFast(): Promise<void> {
    fastBusy++;
    while (isWorthWriting(fastBusy - 1)) {
      const batch = fast.splice(0, batchMax);
      for (const entry of batch) running.add(entry);
      try {
        const outcomes = await options.run(
          batch.map((entry) => entry.item),
          "fast",
        );
        // After the next batch has been sent: the process reads the senders' next documents while the store works.
        setImmediate(() => {
          batch.forEach((entry, i) => {
            answer(entry, outcomes[i] as Outcome);
          });
        });
      } catch (error) {
        if (isUnavailable(error)) for (const entry of batch) fail(entry, error as Error);
        else for (const entry of batch) careful.push(options.ownerOf(entry.item), entry);
      }
      for (const entry of batch) running.delete(entry);
      if (careful.length > 0) pulse();
    }
    fastBusy--;
  }

  async function runAlone(entry: Entry): Promise<void> {
    // The sweep may have answered it while it waited or paused.
    if (entry.isAnswered) return;
    const [outcome] = await options.run([entry.item], "careful");
    answer(entry, outcome as Outcome);
  }

  async function writeCareful(): Promise<void> {
    carefulBusy++;
    for (let entry = careful.shift(); entry; entry = careful.shift()) {
      running.add(entry);
      await retryOnConflict(() => runAlone(entry), {
        attemptsMax,
        pauseMs: (attempt) => Math.random() * Math.min(attempt * 20, pauseMsMax),
        isConflict: (error) => error instanceof RaceError || isWorthRepeating(error),
      }).catch((error: Error) => fail(entry, error));
      running.delete(entry);
    }
    carefulBusy--;
  }

  function pulse(): void {
    // A second writer overlaps one's disk wait with the other's work, but it also takes documents that otherwise
    // enlarge the first one's next batch. It starts when a dozen wait (1,850 orders/s against 1,600 when it starts at
    // once).
    // A writer serves the documents of many requests: the deadline of the one that starts it does not apply.
    if (isWorthWriting(fastBusy) && fastBusy < fastWriters) void withoutDeadline(writeFast).finally(settle);
    if (careful.length > 0 && carefulBusy < carefulWriters) void withoutDeadline(writeCareful).finally(settle);
  }

  function settle(): void {
    pulse();
    if (fastBusy + carefulBusy === 0) onIdle?.();
  }

  const sweep = setInterval(() => {
    const now = performance.now();
    const isDown = options.isStoreDown();
    const unavailable = new StoreUnavailableError("the database did not answer in time");
    const isInTime = (entry: Entry) => {
      if (!isDown && now <= entry.deadline) return true;
      fail(entry, unavailable);
      return false;
    };
    // The whole queue: a small document that failed in its batch waits after large ones, which have more time.
    if (careful.length > 0) careful.keep(isInTime);
    if (fast.length > 0) fast.splice(0, fast.length, ...fast.filter(isInTime));
    for (const entry of running) if (isDown || now > entry.deadline) fail(entry, unavailable);
  }, sweepMs);
  sweep.unref();

  return {
    submit(item) {
      if (isClosed) return Promise.reject(new StoreUnavailableError("the server is stopping"));
      if (fast.length + careful.length >= queueMax) {
        return Promise.reject(new StoreUnavailableError("too many documents are waiting"));
      }
      const isLarge = options.isLarge(item);
      const since = performance.now();
      return new Promise<Outcome>((resolve, reject) => {
        const deadline = since + (isLarge ? carefulAnswerMsMax : fastAnswerMsMax);
        const entry = { item, since, deadline, isAnswered: false, resolve, reject };
        if (isLarge) careful.push(options.ownerOf(item), entry);
        else fast.push(entry);
        pulse();
      });
    },
    depth: () => fast.length + careful.length + running.size,
    async close() {
      isClosed = true;
      if (fastBusy + carefulBusy > 0) await new Promise<void>((resolve) => (onIdle = resolve));
      clearInterval(sweep);
    },
  };
}
