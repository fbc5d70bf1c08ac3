import {
  answerFrom,
  createDocumentCache,
  type DocumentQuestion,
  documentOf,
  readDocument,
  type StoredBytes,
} from "#/console-api/feeds/document/read-document.ts";
import { bodyBytesMax } from "#/intake/feeds/http/body.ts";
import { serveThread } from "#/kernel/concurrency/work-thread.ts";

/** A question about a stored document, which the thread may have in its cache, or about a text. */
export type DocumentTask =
  | { readonly token: string; readonly stored: StoredBytes | undefined; readonly question: DocumentQuestion }
  | { readonly text: string; readonly question: DocumentQuestion };

/** Two of the largest documents, or many smaller ones. */
const charactersMax = 40_000_000;

// The thread that shows large documents: it splits them into rows and finds the places of their faults.
const cache = createDocumentCache(charactersMax);

serveThread(async (task: DocumentTask) => {
  if ("text" in task) return answerFrom(documentOf(task.text), task.question);
  const { token, stored, question } = task;
  const known = cache.get(token);
  if (known) return answerFrom(known, question);
  // The document is in the cache no more: the thread is asked again, with the document.
  if (!stored) return undefined;
  const document = readDocument(stored, bodyBytesMax * 2);
  cache.set(token, document);
  return answerFrom(document, question);
});
