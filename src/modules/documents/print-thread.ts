import { parentPort } from "node:worker_threads";
import { type PrintAnswer, type PrintTask, printBook, printPaper } from "#/modules/documents/printing.ts";

// The thread that prints papers: one task after the other, answered in order.
parentPort?.on("message", ({ task, papers, bookMadeAt }: PrintTask) => {
  let answer: PrintAnswer;
  try {
    answer = { task, printed: bookMadeAt === undefined ? papers.map(printPaper) : [printBook(papers, bookMadeAt)] };
  } catch (error) {
    answer = { task, error: (error as Error).stack ?? String(error) };
  }
  parentPort?.postMessage(answer);
});
