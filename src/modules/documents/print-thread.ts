import { parentPort } from "node:worker_threads";
import { assert } from "#/kernel/assert.ts";
import { PictureTooLongError } from "#/modules/documents/papers/picture.ts";
import {
  decodePaper,
  drawPaper,
  openPrintBook,
  type PrintAnswer,
  type PrintTask,
  printPaper,
  UnreadableLabelError,
} from "#/modules/documents/printing.ts";

/** Books in progress: papers of other senders are printed between theirs. */
const books = new Map<number, ReturnType<typeof openPrintBook>>();

/** A thread that ended in the middle of a book took its first papers with it. */
function bookOf(id: number): ReturnType<typeof openPrintBook> {
  const book = books.get(id);
  assert(book, "the book was begun in another thread");
  return book;
}

async function bytesOf({ content, form }: PrintTask): Promise<Uint8Array> {
  const paper = () => decodePaper(content as Uint8Array);
  switch (form.as) {
    case "file":
      return printPaper(paper());
    case "picture":
      return drawPaper(paper());
    case "page": {
      if (form.madeAt !== undefined) books.set(form.book, openPrintBook(form.madeAt));
      await bookOf(form.book).add(paper());
      return new Uint8Array();
    }
    case "book": {
      const book = bookOf(form.book);
      books.delete(form.book);
      return book.finish();
    }
    case "nothing":
      books.delete(form.book);
      return new Uint8Array();
  }
}

async function answerOf(printTask: PrintTask): Promise<PrintAnswer> {
  const { task } = printTask;
  try {
    return { task, printed: await bytesOf(printTask) };
  } catch (error) {
    if (error instanceof PictureTooLongError) return { task, pagesOfTooLong: error.pages };
    if (error instanceof UnreadableLabelError) {
      const { olpnId, reason } = error;
      return { task, unreadable: { olpnId, reason } };
    }
    return { task, error: (error as Error).stack ?? String(error) };
  }
}

// The thread that prints papers: one task after the other. A picture of ten pages takes 300 ms; other papers are printed
// between its pages, and one picture is drawn at a time, because a page takes 4 MB.
let lastPicture: Promise<void> = Promise.resolve();
parentPort?.on("message", (printTask: PrintTask) => {
  const answer = async () => parentPort?.postMessage(await answerOf(printTask));
  if (printTask.form.as === "picture") lastPicture = lastPicture.then(answer);
  else if (printTask.form.as === "nothing") books.delete(printTask.form.book);
  else void answer();
});
