import { parentPort } from "node:worker_threads";
import { PictureTooLongError } from "#/modules/documents/papers/picture/picture.ts";
import { drawPaper, type PrintAnswer, type PrintTask, printBook, printPaper } from "#/modules/documents/printing.ts";

async function bytesOf({ papers, form }: PrintTask): Promise<Uint8Array[]> {
  switch (form.as) {
    case "files":
      return papers.map(printPaper);
    case "book":
      return [printBook(papers, form.madeAt)];
    case "pictures": {
      const drawn: Uint8Array[] = [];
      for (const paper of papers) drawn.push(await drawPaper(paper));
      return drawn;
    }
  }
}

async function answerOf(printTask: PrintTask): Promise<PrintAnswer> {
  const { task } = printTask;
  try {
    return { task, printed: await bytesOf(printTask) };
  } catch (error) {
    if (error instanceof PictureTooLongError) return { task, pagesOfTooLong: error.pages };
    return { task, error: (error as Error).stack ?? String(error) };
  }
}

// The thread that prints papers: one task after the other. A picture of ten pages takes 300 ms; other papers are printed
// between its pages, and one picture is drawn at a time, because a page takes 4 MB.
let lastPicture: Promise<void> = Promise.resolve();
parentPort?.on("message", (printTask: PrintTask) => {
  const answer = async () => parentPort?.postMessage(await answerOf(printTask));
  if (printTask.form.as === "pictures") lastPicture = lastPicture.then(answer);
  else void answer();
});
