import { Worker } from "node:worker_threads";
import { StoreUnavailableError } from "#/db/errors.ts";
import type { JudgeInput, Reading } from "#/feeds/judge.ts";
import { finding } from "#/kernel/feed-codes.ts";

/**
 * Large documents are read by a thread of its own, so that 50 000 items stall nobody else's order. The thread is started
 * when needed and ended when idle: libxml2's memory grows to seven times the document and never shrinks.
 */
export interface JudgePool {
  judge(input: JudgeInput): Promise<Reading>;
  close(): Promise<void>;
}

export interface JudgeAnswer {
  readonly reading?: Reading;
  readonly error?: string;
  /** Size of libxml2's memory afterwards. */
  readonly heapBytes: number;
}

/** A document is judged within 3 s per MiB, and at least 3 s (feeds.md §1). */
const secondsPerMiB = 3;
const idleMs = 5_000;
const heapBytesMax = 300 * 1024 * 1024;
/** Documents that wait are held in memory: more than this is refused for now. */
const waitingBytesMax = 64 * 1024 * 1024;
const startMsMax = 15_000;

export function createJudgePool(workerFile: URL): JudgePool {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let tail: Promise<unknown> = Promise.resolve();
  let waitingBytes = 0;

  async function end(): Promise<void> {
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  }

  async function started(): Promise<Worker> {
    if (worker) return worker;
    const starting = new Worker(workerFile);
    starting.unref();
    // A thread that dies while it has nothing to do is missed by nobody: the next document starts another.
    starting.on("error", () => {});
    starting.once("exit", () => {
      if (worker === starting) worker = undefined;
    });
    // Its first message says that it is ready.
    if ((await answerOf(starting, startMsMax)) === undefined) {
      await starting.terminate();
      throw new StoreUnavailableError("the reading thread does not start");
    }
    worker = starting;
    return starting;
  }

  async function run(input: JudgeInput): Promise<Reading> {
    clearTimeout(idle);
    const thread = await started();
    const seconds = Math.ceil(Math.max(secondsPerMiB, (secondsPerMiB * input.bytes.byteLength) / 1024 / 1024));
    try {
      thread.postMessage(input);
      const answer = await answerOf(thread, seconds * 1000);
      if (answer === undefined) {
        await end();
        return tooSlow(seconds);
      }
      if (answer.heapBytes > heapBytesMax) await end();
      if (answer.reading) return answer.reading;
      throw new Error(answer.error);
    } catch (error) {
      await end();
      throw error;
    } finally {
      idle = setTimeout(() => void end(), idleMs);
      idle.unref();
    }
  }

  return {
    judge(input) {
      if (waitingBytes + input.bytes.byteLength > waitingBytesMax) {
        return Promise.reject(new StoreUnavailableError("too many large documents are waiting"));
      }
      waitingBytes += input.bytes.byteLength;
      const reading = tail.then(() => run(input));
      tail = reading.then(
        () => {},
        () => {},
      );
      return reading.finally(() => {
        waitingBytes -= input.bytes.byteLength;
      });
    },
    async close() {
      clearTimeout(idle);
      await tail;
      await end();
    },
  };
}

/**
 * The thread's next message; undefined when none comes in time. Each listener is taken off by itself: `removeAllListeners`
 * would take off Node's own too, and no message would arrive any more.
 */
function answerOf(thread: Worker, msMax: number): Promise<JudgeAnswer | undefined> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      thread.off("message", onMessage).off("error", onError).off("exit", onExit);
      settle();
    };
    const onMessage = (message: JudgeAnswer) => end(() => resolve(message));
    const onError = (error: Error) => end(() => reject(error));
    const onExit = () => end(() => reject(new Error("the reading thread ended")));
    const timer = setTimeout(() => end(() => resolve(undefined)), msMax);
    thread.on("message", onMessage).on("error", onError).on("exit", onExit);
  });
}

function tooSlow(seconds: number): Reading {
  const text = `The document could not be read within ${seconds} s; send it in smaller parts`;
  return { checked: undefined, faults: [finding("XML", text)], omitted: 0, objectId: undefined, isWithheld: true };
}
