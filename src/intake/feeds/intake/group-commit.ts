import { RaceError } from "#/intake/feeds/intake/definition.ts";
import { namedWork } from "#/kernel/concurrency/deadline.ts";
import { createFairQueue } from "#/kernel/concurrency/fair-queue.ts";
import { createTicker } from "#/kernel/concurrency/ticker.ts";
import type { TransactionOptions } from "#/store/db/database.ts";
import { clientOf, isTimeOut, isUnavailable, isWorthRepeating, StoreUnavailableError } from "#/store/db/errors.ts";
import { retryOnConflict } from "#/store/db/retry-on-conflict.ts";

/**
 * Self-clocking group commit. While the writers are busy, documents queue; a free writer takes the queue and commits it
 * in one transaction. There is no timer: an idle system answers at once, and a busy one batches by itself (5 ms of
 * collecting gave a third of the rate and idle processors).
 *
 * The queue has two lanes. The fast lane batches small documents. The careful lane runs one document per transaction.
 * It takes the large documents, and every document of a failed batch, so that a faulty document causes no refusal of
 * another. Its owners take turns.
 *
 * The owners of a batch share its transaction, but not a failure: without the owner whose statement failed, the others
 * run again at once. An owner whose statement timed out gets separate batches, on half of the writers, until one
 * succeeds.
 * On Citus every batch has one owner (docs/decisions/0009-one-schema-for-postgresql-and-citus.md).
 */
export interface GroupCommit<Item, Outcome> {
  /** Rejects with StoreUnavailableError when nothing was stored, or when the outcome is unknown. */
  submit(item: Item): Promise<Outcome>;
  /** Documents waiting or running, for health and metrics. */
  depth(): number;
  /** Waits for running documents, and refuses new ones. */
  close(): Promise<void>;
}

/** slow: a batch of an owner whose statement has timed out. */
export type Lane = "fast" | "slow" | "careful";

export interface GroupCommitOptions<Item, Outcome> {
  /** Runs the items in one transaction; returns their outcomes in order. */
  readonly run: (items: readonly Item[], lane: Lane) => Promise<readonly Outcome[]>;
  readonly isLarge: (item: Item) => boolean;
  readonly ownerOf: (item: Item) => string;
  /** True while the store is known to be unavailable: waiting documents are answered at once. */
  readonly isStoreDown: () => boolean;
  /** The rows of two owners may lie on different nodes of the store: a batch has one owner. */
  readonly isDistributed: boolean;
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
const commitName = "commit of feeds";
const furtherWriterMin = 12;
/**
 * On several nodes the documents of an owner share a batch only if they wait together, so most writers wait with them:
 * with a writer for each of eight owners a batch had one document, and an order took 2.3 times the processor time of the
 * store. The other writers are for nodes that do not answer, and for queues of a dozen owners.
 */
const usualWriters = 2;
/**
 * Two owners with a statement that never ends are found one after the other: the third batch still answers its documents
 * in time.
 */
const fastStatementMsMax = 1_500;
/** How long an owner whose statement timed out gets separate batches, if none succeeds earlier in the usual time. */
const aloneMs = 30_000;
const usualMsMax = fastStatementMsMax / 2;
/** Transactions of the group commit at the same time: each needs a connection. */
export const writersOf = (isDistributed: boolean) => ({ fast: isDistributed ? 8 : 2, careful: 2 });
/** On several nodes, the share of one owner: eight owners on nodes that do not answer take all writers, not one owner. */
const writersOfOwnerMax = 2;

const limits: Readonly<Record<Lane, TransactionOptions>> = {
  fast: { statementTimeoutMs: fastStatementMsMax },
  slow: {},
  careful: { lockTimeoutMs: 20_000, statementTimeoutMs: 60_000 },
};

/** The limits of a transaction. In a batch a lock wait has the connection's own limit. */
export const limitsOf = (lane: Lane): TransactionOptions => limits[lane];
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
  interface Batch {
    readonly entries: readonly Entry[];
    /** Of a batch of one owner that must be one. */
    readonly owner: string | undefined;
    readonly sinceMs: number;
  }
  const { isDistributed, batchMax = 64, queueMax = 10_000 } = options;
  const { fastWriters = writersOf(isDistributed).fast, carefulWriters = writersOf(isDistributed).careful } = options;
  const slowWritersMax = Math.max(1, Math.floor(fastWriters / 2));
  const fast: Entry[] = [];
  const careful = createFairQueue<Entry>();
  const running = new Set<Entry>();
  const busy = new Set<Batch>();
  /** Owners whose statement timed out, and until when they run alone. */
  const slowUntilMs = new Map<string, number>();
  /** The owners of a batch that timed out without a name: each runs alone once. */
  const suspects = new Set<string>();
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

  function isSlow(owner: string): boolean {
    const untilMs = slowUntilMs.get(owner);
    if (untilMs === undefined) return false;
    if (untilMs > performance.now()) return true;
    slowUntilMs.delete(owner);
    return false;
  }

  const isAlone = (owner: string) => isDistributed || suspects.has(owner) || isSlow(owner);

  /** Whether a separate writer is worthwhile for N documents, given the writers that could take them later. */
  const isWorthWriting = (waiting: number, others: number) => waiting >= (others === 0 ? 1 : furtherWriterMin);

  /** Takes the documents of a batch out of the queue: those that may run and wait longest. */
  function takeBatch(): Batch | undefined {
    if (fast.length === 0 || busy.size >= fastWriters) return undefined;
    const sinceMs = performance.now();
    const running = [...busy];
    // A batch that has run for a while is not a reason to wait for its writer.
    const recent = running.filter((batch) => batch.sinceMs > sinceMs - sweepMs);
    if (!isDistributed && slowUntilMs.size === 0 && suspects.size === 0) {
      if (!isWorthWriting(fast.length, recent.length)) return undefined;
      return { entries: fast.splice(0, batchMax), owner: undefined, sinceMs };
    }
    const byOwner = Map.groupBy(fast, ({ item }) => {
      const owner = options.ownerOf(item);
      return isAlone(owner) ? owner : undefined;
    });
    if (isDistributed && recent.length >= usualWriters && byOwner.size < furtherWriterMin) return undefined;
    const slowBusy = running.filter(({ owner }) => owner !== undefined && isSlow(owner)).length;
    for (const [owner, waiting] of byOwner) {
      const others = running.filter((batch) => batch.owner === owner).length;
      if (!isWorthWriting(waiting.length, recent.filter((batch) => batch.owner === owner).length)) continue;
      if (owner !== undefined && others >= (isSlow(owner) ? 1 : writersOfOwnerMax)) continue;
      if (owner !== undefined && isSlow(owner) && slowBusy >= slowWritersMax) continue;
      const entries = waiting.slice(0, batchMax);
      const taken = new Set(entries);
      fast.splice(0, fast.length, ...fast.filter((entry) => !taken.has(entry)));
      return { entries, owner, sinceMs };
    }
    return undefined;
  }

  async function writeFast(first: Batch): Promise<void> {
    for (let batch: Batch | undefined = first; batch !== undefined; batch = takeBatch()) {
      const { entries, owner, sinceMs } = batch;
      const isOfSlow = owner !== undefined && isSlow(owner);
      busy.add(batch);
      for (const entry of entries) running.add(entry);
      try {
        const outcomes = await options.run(
          entries.map((entry) => entry.item),
          isOfSlow ? "slow" : "fast",
        );
        if (isOfSlow && performance.now() - sinceMs < usualMsMax) slowUntilMs.delete(owner);
        for (const owner of suspects.size > 0 ? ownersOf(entries) : []) suspects.delete(owner);
        // After the next batch has been sent: the process reads the senders' next documents while the store works.
        setImmediate(() => {
          entries.forEach((entry, i) => {
            answer(entry, outcomes[i] as Outcome);
          });
        });
      } catch (error) {
        settleFailure(entries, error as Error, isOfSlow);
      }
      busy.delete(batch);
      for (const entry of entries) running.delete(entry);
      pulse();
    }
  }

  const ownersOf = (entries: readonly Entry[]) => new Set(entries.map(({ item }) => options.ownerOf(item)));

  function settleFailure(entries: readonly Entry[], error: Error, isOfSlow: boolean): void {
    const owners = ownersOf(entries);
    const named = owners.size === 1 ? [...owners][0] : clientOf(error);
    if (isUnavailable(error) && !(isTimeOut(error) && named !== undefined && owners.has(named))) {
      // The store is away, or a statement of an unknown owner holds the connection.
      if (owners.size > 1) for (const owner of owners) suspects.add(owner);
      for (const entry of entries) fail(entry, error);
      return;
    }
    const isFaulty = ({ item }: Entry) => named === undefined || options.ownerOf(item) === named;
    // Ahead of the queue, because they have waited longest. The sweep may have answered some of them.
    const again = entries.filter((entry) => !entry.isAnswered && !isFaulty(entry));
    const faulty = entries.filter((entry) => !entry.isAnswered && isFaulty(entry));
    if (isTimeOut(error)) {
      slowUntilMs.set(named as string, performance.now() + aloneMs);
      suspects.delete(named as string);
      // Alone, the owner has the connection's own time-out, which is longer.
      if (!isOfSlow) again.push(...faulty);
      else for (const entry of faulty) fail(entry, error);
    } else {
      for (const entry of faulty) careful.push(options.ownerOf(entry.item), entry);
    }
    fast.unshift(...again);
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
    const batch = takeBatch();
    if (batch !== undefined) void namedWork(commitName, () => writeFast(batch).finally(settle));
    if (careful.length > 0 && carefulBusy < carefulWriters) {
      void namedWork(commitName, () => writeCareful().finally(settle));
    }
  }

  function settle(): void {
    pulse();
    if (busy.size + carefulBusy === 0) onIdle?.();
  }

  const depth = () => fast.length + careful.length + running.size;

  const sweep = createTicker(sweepMs, () => {
    const now = performance.now();
    const isDown = options.isStoreDown();
    const isInTime = (entry: Entry) => {
      if (!isDown && now <= entry.deadline) return true;
      fail(entry, new StoreUnavailableError("the database did not answer in time"));
      return false;
    };
    // The whole queue: a small document that failed in its batch waits after large ones, which have more time.
    if (careful.length > 0) careful.keep(isInTime);
    if (fast.length > 0) fast.splice(0, fast.length, ...fast.filter(isInTime));
    for (const entry of running) isInTime(entry);
    pulse();
    return depth() > 0;
  });

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
        sweep.start();
        pulse();
      });
    },
    depth,
    async close() {
      isClosed = true;
      if (busy.size + carefulBusy > 0) await new Promise<void>((resolve) => (onIdle = resolve));
      sweep.stop();
    },
  };
}
