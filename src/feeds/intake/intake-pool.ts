import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { StoreUnavailableError } from "#/db/errors.ts";
import type { Intake } from "#/feeds/intake/intake.ts";
import type { JudgeInput } from "#/feeds/intake/judge.ts";
import { createFairGate } from "#/kernel/concurrency/gate.ts";
import { finding } from "#/kernel/feed-codes.ts";

/**
 * All but small documents are read by threads of their own, so that 50 000 items, or ten thousand faults, stall nobody else's
 * order: one thread for the largest, one for the others. Clients take turns at each. A thread is started when needed.
 */
export interface IntakePool {
  /** The document's memory moves to the thread; the caller's bytes are empty afterwards. */
  takeIn(input: JudgeInput): Promise<Intake>;
  close(): Promise<void>;
}

export interface IntakeAnswer {
  readonly intake?: Intake;
  readonly error?: string;
  /** Size of libxml2's memory afterwards. */
  readonly heapBytes: number;
}

/** A document is judged within 3 s per MiB, and at least 3 s (feeds.md §1). */
export const secondsPerMiB = 3;
/** From here on a document is for the thread of the largest. */
const largestBytesMin = 2 * 1024 * 1024;
/** libxml2's memory grows to seven times the document and never shrinks, so this thread is let go when it rests. */
const idleMs = 5_000;
/** A thread that holds more than this is let go at once: the store's part of the work need not wait beside it. */
const heapBytesMax = 48 * 1024 * 1024;
/** So long a document waits for a thread to start. It goes on starting after that: on a slow machine it is there for the next one. */
export const startMsMax = 15_000;

interface Thread {
  readonly worker: Worker;
  /** Its first message says that it reads. */
  readonly ready: Promise<unknown>;
}

export function createIntakePool(workerFile: URL, { startsMs = startMsMax } = {}): IntakePool {
  const others = createReader(workerFile, startsMs, undefined);
  const largest = createReader(workerFile, startsMs, idleMs);
  return {
    takeIn: (input) => (input.bytes.byteLength < largestBytesMin ? others : largest).takeIn(input),
    async close() {
      await Promise.all([others.close(), largest.close()]);
    },
  };
}

/** One thread, a document at a time. @param idleMs after which it is let go; undefined: never */
function createReader(workerFile: URL, startsMs: number, idleMs: number | undefined): IntakePool {
  const gate = createFairGate(1);
  const underWay = new Set<Promise<unknown>>();
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
    // A thread that dies while it has nothing to do is missed by nobody: the next document starts another.
    worker.on("error", () => {});
    worker.once("exit", () => {
      if (thread?.worker === worker) thread = undefined;
    });
    const ready = answerOf(worker);
    ready.catch(() => {});
    return { worker, ready };
  }

  /** Lets the thread go when it has had nothing to do for a while. */
  function rest(): void {
    clearTimeout(idle);
    if (idleMs !== undefined) idle = setTimeout(() => void end(), idleMs).unref();
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

  async function run(input: JudgeInput): Promise<Intake> {
    clearTimeout(idle);
    const worker = await started();
    const seconds = Math.ceil(Math.max(secondsPerMiB, (secondsPerMiB * input.bytes.byteLength) / 1024 / 1024));
    try {
      worker.postMessage(input, isWhole(input.bytes) ? [input.bytes.buffer as ArrayBuffer] : []);
      const answer = await answerOf(worker, seconds * 1000);
      if (answer === undefined) {
        await end();
        return tooSlow(seconds);
      }
      if (answer.heapBytes > heapBytesMax) void end();
      if (answer.intake) return answer.intake;
      throw new Error(answer.error);
    } catch (error) {
      await end();
      throw error;
    } finally {
      rest();
    }
  }

  return {
    takeIn(input) {
      const taken = gate(input.client.clientId, () => run(input)).finally(() => underWay.delete(taken));
      underWay.add(taken);
      return taken;
    },
    async close() {
      clearTimeout(idle);
      await Promise.allSettled(underWay);
      await end();
    },
  };
}

/**
 * The thread's next message; undefined when none comes within `msMax`, where that is given. Each listener is taken off by
 * itself: `removeAllListeners` would take off Node's own too, and no message would arrive any more.
 */
function answerOf(thread: Worker, msMax?: number): Promise<IntakeAnswer | undefined> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      thread.off("message", onMessage).off("error", onError).off("exit", onExit);
      settle();
    };
    const onMessage = (message: IntakeAnswer) => end(() => resolve(message));
    const onError = (error: Error) => end(() => reject(error));
    const onExit = () => end(() => reject(new Error("the reading thread ended")));
    const timer = msMax === undefined ? undefined : setTimeout(() => end(() => resolve(undefined)), msMax);
    thread.on("message", onMessage).on("error", onError).on("exit", onExit);
  });
}

/** Bytes that are all of their memory can be moved; a slice of a pool cannot. */
function isWhole({ buffer, byteLength }: Uint8Array): boolean {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
}

/** The thread was ended with the document in it: nothing of it is left to be kept. */
function tooSlow(seconds: number): Intake {
  const text = `The document could not be read within ${seconds} s; send it in smaller parts`;
  const faults = [finding("XML", text)];
  return {
    reading: { checked: undefined, faults, omitted: 0, objectId: undefined, isWithheld: true },
    bodySha256: new Uint8Array(32),
    payload: { encoding: "identity", bytes: new Uint8Array() },
  };
}
