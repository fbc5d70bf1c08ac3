import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { type Piece, pieceMsMax, WholeNeededError } from "#/intake/feeds/intake/definition.ts";
import type { BegunList, Intake, PostedPiece } from "#/intake/feeds/intake/receiver.ts";
import type { ValidatorInput } from "#/intake/feeds/intake/validator.ts";
import { within } from "#/kernel/concurrency/deadline.ts";
import { createFairGate } from "#/kernel/concurrency/gate.ts";
import { finding } from "#/kernel/feed-codes.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import { StoreUnavailableError } from "#/store/db/errors.ts";

/**
 * Separate threads read all documents except small ones, so that 50 000 items, or ten thousand faults, delay no other
 * client's order: one thread for the largest, one for the others. Clients take turns at each. A thread is started on
 * demand.
 */
export interface IntakePool {
  /**
   * The document's memory moves to the thread; the caller's bytes are empty afterwards.
   *
   * @param onBegun called with the first piece of a list, ahead of its end
   */
  takeIn(input: ValidatorInput, onBegun?: (list: BegunList) => void): Promise<Intake>;
  close(): Promise<void>;
}

export interface IntakeAnswer {
  readonly intake?: Intake;
  readonly error?: string;
  /** Size of libxml2's memory afterwards. */
  readonly heapBytes: number;
}

/** The time limit of a document is 3 s per MiB, and at least 3 s (feeds.md §1). */
export const secondsPerMiB = 3;
/** From this size on, the thread for the largest documents reads a document. */
const largestBytesMin = 2 * 1024 * 1024;
/** libxml2's memory grows to seven times the document and never shrinks, so this thread is ended soon. */
const largestIdleMs = 5_000;
/** A thread holds some 60 MiB; the next one takes a second to start. */
const idleMsMax = minuteMs;
/**
 * A thread that holds more than this is ended at once: its memory must not remain occupied during the store's part of
 * the work.
 */
const heapBytesMax = 48 * 1024 * 1024;
/**
 * How long a document waits for a thread to start. The start continues after that: on a slow machine the thread is
 * ready for the next document.
 */
export const startMsMax = 15_000;

interface Thread {
  readonly worker: Worker;
  /** The first message signals that the thread is ready to read. */
  readonly ready: Promise<unknown>;
}

export function createIntakePool(workerFile: URL, { startsMs = startMsMax, idleMs = idleMsMax } = {}): IntakePool {
  const others = createReader(workerFile, startsMs, idleMs);
  const largest = createReader(workerFile, startsMs, largestIdleMs);
  return {
    takeIn: (input, onBegun) => (input.bytes.byteLength < largestBytesMin ? others : largest).takeIn(input, onBegun),
    async close() {
      await Promise.all([others.close(), largest.close()]);
    },
  };
}

/** One thread, a document at a time. @param restMs the idle time after which it is ended */
function createReader(workerFile: URL, startsMs: number, restMs: number): IntakePool {
  const gate = createFairGate(1);
  const inProgress = new Set<Promise<unknown>>();
  let thread: Thread | undefined;
  let idle: NodeJS.Timeout | undefined;

  async function end(): Promise<void> {
    const ending = thread;
    thread = undefined;
    await ending?.worker.terminate();
  }

  function begin(): Thread {
    const worker = new Worker(workerFile, { resourceLimits: { maxYoungGenerationSizeMb: 16 } });
    worker.unref();
    // An idle thread that dies needs no handling: the next document starts another.
    worker.on("error", () => {});
    worker.once("exit", () => {
      if (thread?.worker === worker) thread = undefined;
    });
    const ready = answerOf(worker);
    ready.catch(() => {});
    return { worker, ready };
  }

  /** Ends the thread when it has been idle for a while. */
  function rest(): void {
    clearTimeout(idle);
    idle = setTimeout(() => void end(), restMs).unref();
  }

  async function started(): Promise<Worker> {
    thread ??= begin();
    const { worker, ready } = thread;
    const waited = new AbortController();
    const late = sleep(startsMs, "late", { signal: waited.signal }).catch(() => {});
    try {
      if ((await Promise.race([ready, late])) === "late") {
        ready.then(rest, () => {});
        throw new StoreUnavailableError("the reading thread is still starting");
      }
    } finally {
      waited.abort();
    }
    clearTimeout(idle);
    return worker;
  }

  async function run(input: ValidatorInput, onBegun: ((list: BegunList) => void) | undefined): Promise<Intake> {
    clearTimeout(idle);
    const pieces = createPieceStream();
    const worker = await started();
    const seconds = Math.ceil(Math.max(secondsPerMiB, (secondsPerMiB * input.bytes.byteLength) / 1024 / 1024));
    try {
      worker.postMessage(input, isWhole(input.bytes) ? [input.bytes.buffer as ArrayBuffer] : []);
      const answer = await answerOf(worker, seconds * 1000, ({ piece, bodySha256 }) => {
        pieces.add(piece);
        if (pieces.arrived.length === 1) onBegun?.({ bodySha256, pieces });
      });
      if (answer === undefined) {
        await end();
        return tooSlow(seconds);
      }
      if (answer.heapBytes > heapBytesMax) void end();
      if (answer.intake) return joinPieces(answer.intake, pieces);
      throw new Error(answer.error);
    } catch (error) {
      await end();
      throw error;
    } finally {
      // For a document that was not read to its end.
      pieces.end(false);
      rest();
    }
  }

  return {
    takeIn(input, onBegun) {
      const taken = gate(input.client.clientId, () => run(input, onBegun)).finally(() => inProgress.delete(taken));
      inProgress.add(taken);
      return taken;
    },
    async close() {
      clearTimeout(idle);
      await Promise.allSettled(inProgress);
      await end();
    },
  };
}

/**
 * The thread's next answer; undefined when none arrives within `msMax`, where that is given. Each listener is removed
 * individually: `removeAllListeners` also removes Node's own, and no message arrives any more.
 */
function answerOf(
  thread: Worker,
  msMax?: number,
  onPiece?: (posted: PostedPiece) => void,
): Promise<IntakeAnswer | undefined> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      thread.off("message", onMessage).off("error", onError).off("exit", onExit);
      settle();
    };
    const onMessage = (message: IntakeAnswer | PostedPiece) => {
      if (typeof message === "object" && "piece" in message) onPiece?.(message);
      else end(() => resolve(message));
    };
    const onError = (error: Error) => end(() => reject(error));
    const onExit = () => end(() => reject(new Error("the reading thread ended")));
    const timer = msMax === undefined ? undefined : setTimeout(() => end(() => resolve(undefined)), msMax);
    thread.on("message", onMessage).on("error", onError).on("exit", onExit);
  });
}

/** A byte array that covers its whole buffer can be moved; a slice of a pool cannot. */
function isWhole({ buffer, byteLength }: Uint8Array): boolean {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
}

/** The thread was ended while it read the document: nothing of the document is left to store. */
function tooSlow(seconds: number): Intake {
  const text = `The document could not be read within ${seconds} s; send it in smaller parts`;
  const faults = [finding("XML", text)];
  return {
    reading: { checked: undefined, faults, omitted: 0, objectId: undefined, isWithheld: true },
    bodySha256: new Uint8Array(32),
    payload: { encoding: "identity", bytes: new Uint8Array() },
  };
}

/** The pieces of a list that a thread is still reading. Any number of readers get them all, from the first on. */
export interface PieceStream extends AsyncIterable<Piece> {
  /** The pieces so far. */
  readonly arrived: readonly Piece[];
  add(piece: Piece): void;
  /** No piece follows. Counts once. @param isWhole false where the document has a fault, or its end is not known */
  end(isWhole: boolean): void;
}

export function createPieceStream(msMax = pieceMsMax): PieceStream {
  const arrived: Piece[] = [];
  let state: "OPEN" | "WHOLE" | "VOID" = "OPEN";
  let change = Promise.withResolvers<void>();
  const note = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  return {
    arrived,
    add(piece) {
      arrived.push(piece);
      note();
    },
    end(isWhole) {
      if (state !== "OPEN") return;
      state = isWhole ? "WHOLE" : "VOID";
      note();
    },
    async *[Symbol.asyncIterator]() {
      for (let place = 0; ; ) {
        if (state === "VOID") throw new WholeNeededError("the document has a fault, or its end is not known");
        const piece = arrived[place];
        if (piece !== undefined) {
          place++;
          yield piece;
        } else if (state === "WHOLE") return;
        else await within(change.promise, msMax, () => new WholeNeededError("the next piece is late"));
      }
    },
  };
}

/** Ends the stream, and puts the pieces that came ahead into their document. */
export function joinPieces(intake: Intake, pieces: PieceStream): Intake {
  if (pieces.arrived.length === 0) return intake;
  const { reading } = intake;
  const { checked, isPosted = false } = reading;
  const isUsable = isPosted && checked !== undefined;
  pieces.end(isUsable && reading.faults.length === 0);
  if (!isUsable) return intake;
  const all = [...pieces.arrived, ...(checked.pieces ?? [])];
  return { ...intake, reading: { ...reading, checked: { ...checked, pieces: all } } };
}
