import { Worker } from "node:worker_threads";
import { createShare } from "#/kernel/concurrency/share.ts";
import { PictureTooLongError } from "#/modules/documents/papers/picture.ts";
import {
  type PrintAnswer,
  type PrintForm,
  type PrintTask,
  UnreadableLabelError,
} from "#/modules/documents/printing.ts";
import { DeadlineError, StoreUnavailableError } from "#/store/db/errors.ts";

/**
 * Prints papers in a separate thread: each takes milliseconds, for which no other request and no lock has to wait.
 * Senders take turns, paper by paper. A sender that uses up its share is refused, and a paper whose sender has hung up is not printed.
 * The thread gets the stored contents (see `encodePaper`) as they are: to decode them takes longer than to pass them on.
 */
export interface PrintService {
  /** The bytes of the papers, in the given order. */
  print(contents: readonly Uint8Array[]): Promise<Uint8Array[]>;
  /**
   * One PDF with all papers, which are of the form PDF, or labels of carriers as PDF or PNG.
   *
   * @param madeAt its date, ISO 8601
   * @throws {UnreadableLabelError}
   */
  printBook(contents: readonly Uint8Array[], madeAt: string): Promise<Uint8Array>;
  /** A PNG of a paper of the form PDF. @throws {PictureTooLongError} */
  draw(content: Uint8Array): Promise<Uint8Array>;
  /** Ends the thread; pending papers are refused. */
  close(): Promise<void>;
}

interface Waiting {
  resolve(printed: Uint8Array): void;
  reject(error: Error): void;
}

/** Papers leave much short-lived garbage: without a bound the thread takes 120 MB for it, with it 20. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 };

const onLate = () => new DeadlineError();
/** A slip of 1,000 lines holds the thread for 0.7 s, and some 300 KiB until its turn. */
const printShare = { what: "prints", placesMax: 1, runningMax: 1, heldMax: 32, onLate } as const;
/** Other papers are printed between the pages of a picture, so pictures have separate turns. */
const pictureShare = { what: "pictures", placesMax: 1, runningMax: 1, heldMax: 8, onLate } as const;

function errorOf(answer: Exclude<PrintAnswer, { readonly printed: Uint8Array }>): Error {
  if ("pagesOfTooLong" in answer) return new PictureTooLongError(answer.pagesOfTooLong);
  return "unreadable" in answer ? new UnreadableLabelError(answer.unreadable) : new Error(answer.error);
}

/**
 * Creates a print shop. Its thread starts with the first paper, which takes some tenths of a second for the fonts, and
 * stays.
 */
export function createPrintService(): PrintService {
  let thread: Worker | undefined;
  let lastTask = 0;
  const printInTurn = createShare(printShare);
  const drawInTurn = createShare(pictureShare);
  const waiting = new Map<number, Waiting>();

  function started(): Worker {
    if (thread) return thread;
    const starting = new Worker(new URL("./print-thread.ts", import.meta.url), { resourceLimits });
    starting.on("message", (answer: PrintAnswer) => {
      const { resolve, reject } = waiting.get(answer.task) as Waiting;
      waiting.delete(answer.task);
      if (waiting.size === 0) starting.unref();
      if ("printed" in answer) resolve(answer.printed);
      else reject(errorOf(answer));
    });
    let cause: Error | undefined;
    starting.on("error", (error) => {
      cause = error as Error;
    });
    starting.once("exit", () => {
      if (thread === starting) thread = undefined;
      // The next paper starts a new thread.
      for (const { reject } of waiting.values())
        reject(new StoreUnavailableError("the printing thread ended", { cause }));
      waiting.clear();
    });
    thread = starting;
    return starting;
  }

  function printOne(content: Uint8Array | undefined, form: PrintForm): Promise<Uint8Array> {
    const worker = started();
    lastTask++;
    // A copy: a Buffer may be a part of a pool, which would be passed on as a whole.
    const task: PrintTask = { task: lastTask, content: content && new Uint8Array(content), form };
    worker.ref();
    return new Promise((resolve, reject) => {
      waiting.set(task.task, { resolve, reject });
      worker.postMessage(task);
    });
  }

  return {
    async print(contents) {
      const printed: Uint8Array[] = [];
      for (const content of contents) printed.push(await printInTurn(() => printOne(content, { as: "file" })));
      return printed;
    },
    async printBook(contents, madeAt) {
      const book = ++lastTask;
      try {
        for (const [i, content] of contents.entries()) {
          const form: PrintForm = { as: "page", book, ...(i === 0 ? { madeAt } : {}) };
          await printInTurn(() => printOne(content, form));
        }
        return await printInTurn(() => printOne(undefined, { as: "book", book }));
      } catch (error) {
        thread?.postMessage({ task: 0, content: undefined, form: { as: "nothing", book } } satisfies PrintTask);
        throw error;
      }
    },
    draw: (content) => drawInTurn(() => printOne(content, { as: "picture" })),
    async close() {
      await thread?.terminate();
    },
  };
}
