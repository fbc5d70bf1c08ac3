import { Worker } from "node:worker_threads";
import { StoreUnavailableError } from "#/db/errors.ts";
import { PictureTooLongError } from "#/modules/documents/papers/picture/picture.ts";
import type { PaperOrder, PrintAnswer, PrintForm, PrintTask } from "#/modules/documents/printing.ts";

/** Prints papers in a separate thread: each takes milliseconds, for which no other request and no lock has to wait. */
export interface PrintService {
  /** The bytes of the papers, in the given order. */
  print(papers: readonly PaperOrder[]): Promise<Uint8Array[]>;
  /** One PDF with all papers, which are of the form PDF. @param madeAt its date, ISO 8601 */
  printBook(papers: readonly PaperOrder[], madeAt: string): Promise<Uint8Array>;
  /** A PNG of a paper of the form PDF. @throws {PictureTooLongError} */
  draw(paper: PaperOrder): Promise<Uint8Array>;
  /** Ends the thread; pending papers are refused. */
  close(): Promise<void>;
}

interface Waiting {
  resolve(printed: Uint8Array[]): void;
  reject(error: Error): void;
}

/** Papers leave much short-lived garbage: without a bound the thread takes 120 MB for it, with it 20. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 };

/** The papers of one task: a larger task would delay the tasks after it. */
const papersAtOnce = 8;

/**
 * Creates a print shop. Its thread starts with the first paper, which takes some tenths of a second for the fonts, and
 * stays.
 */
export function createPrintService(): PrintService {
  let thread: Worker | undefined;
  let lastTask = 0;
  const waiting = new Map<number, Waiting>();

  function started(): Worker {
    if (thread) return thread;
    const starting = new Worker(new URL("./print-thread.ts", import.meta.url), { resourceLimits });
    starting.on("message", (answer: PrintAnswer) => {
      const { resolve, reject } = waiting.get(answer.task) as Waiting;
      waiting.delete(answer.task);
      if (waiting.size === 0) starting.unref();
      if ("printed" in answer) resolve([...answer.printed]);
      else reject("error" in answer ? new Error(answer.error) : new PictureTooLongError(answer.pagesOfTooLong));
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

  function printSome(papers: readonly PaperOrder[], form: PrintForm): Promise<Uint8Array[]> {
    const worker = started();
    lastTask++;
    const task: PrintTask = { task: lastTask, papers, form };
    worker.ref();
    return new Promise((resolve, reject) => {
      waiting.set(task.task, { resolve, reject });
      worker.postMessage(task);
    });
  }

  return {
    async print(papers) {
      const printed: Uint8Array[] = [];
      for (let from = 0; from < papers.length; from += papersAtOnce) {
        printed.push(...(await printSome(papers.slice(from, from + papersAtOnce), { as: "files" })));
      }
      return printed;
    },
    async printBook(papers, madeAt) {
      const [bytes] = await printSome(papers, { as: "book", madeAt });
      return bytes as Uint8Array;
    },
    async draw(paper) {
      const [bytes] = await printSome([paper], { as: "pictures" });
      return bytes as Uint8Array;
    },
    async close() {
      await thread?.terminate();
    },
  };
}
