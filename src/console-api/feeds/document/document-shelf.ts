import type { DocumentTask } from "#/console-api/feeds/document/document-thread.ts";
import {
  type AnswerOf,
  answerFrom,
  createDocumentCache,
  type DocumentQuestion,
  documentOf,
  type ReadDocument,
  readDocument,
  type StoredBytes,
} from "#/console-api/feeds/document/read-document.ts";
import { charsetOf } from "#/intake/feeds/http/body.ts";
import type { DocumentWithPayload } from "#/intake/feeds/park/reprocess-repository.ts";
import { createWorkThread, ThreadEndedError } from "#/kernel/concurrency/work-thread.ts";
import { StoreUnavailableError } from "#/store/db/errors.ts";

/**
 * Answers questions about documents. A separate thread reads those from 32 KiB on, so that the largest document of a
 * client delays no other request. The documents that were used last are cached, so that scrolling through one does not
 * read it again for every window: a stored document never changes.
 */
export interface DocumentShelf {
  /**
   * Undefined where the payload is not stored.
   * @param clientId clients take turns at the thread
   * @throws {StoreUnavailableError} where the thread was ended
   */
  ask<Question extends DocumentQuestion>(
    clientId: string,
    token: string,
    find: () => Promise<DocumentWithPayload | undefined>,
    question: Question,
  ): Promise<AnswerOf[Question["kind"]] | undefined>;
  /** Of a document that is not stored. */
  askOf<Question extends DocumentQuestion>(
    clientId: string,
    text: string,
    question: Question,
  ): Promise<AnswerOf[Question["kind"]]>;
  close(): Promise<void>;
}

const smallBytesMax = 32 * 1024;
const smallCharactersMax = 2_000_000;
/** Documents that the thread may have in its cache. */
const inThreadMax = 1_000;
/** The largest document takes 2 s. */
const msMax = 20_000;

export function createDocumentShelf(): DocumentShelf {
  const small = createDocumentCache(smallCharactersMax);
  const thread = createWorkThread<DocumentTask>(new URL("./document-thread.ts", import.meta.url), { msMax });

  const inThread = new Set<string>();

  async function askThread(
    clientId: string,
    task: DocumentTask,
  ): Promise<AnswerOf[DocumentQuestion["kind"]] | undefined> {
    try {
      return await thread.run(clientId, task);
    } catch (error) {
      if (!(error instanceof ThreadEndedError)) throw error;
      throw new StoreUnavailableError("the document could not be read", { cause: error });
    }
  }

  async function askStored(
    clientId: string,
    token: string,
    find: () => Promise<DocumentWithPayload | undefined>,
    question: DocumentQuestion,
  ) {
    const known = small.get(token);
    if (known) return answerFrom(known, question);
    const held = inThread.has(token) ? await askThread(clientId, { token, stored: undefined, question }) : undefined;
    if (held) return held;
    const found = await find();
    const { payload, encoding, content_type: contentType } = found ?? {};
    if (!payload || !encoding || !contentType) return undefined;
    const stored = { payload, encoding, charset: charsetOf(contentType) };
    const document = readSmall(stored);
    if (!document) {
      if (inThread.size === inThreadMax) inThread.clear();
      inThread.add(token);
      return askThread(clientId, { token, stored, question });
    }
    small.set(token, document);
    return answerFrom(document, question);
  }

  return {
    ask: askStored as DocumentShelf["ask"],
    askOf: ((clientId, text, question) =>
      text.length <= smallBytesMax
        ? answerFrom(documentOf(text), question)
        : askThread(clientId, { text, question })) as DocumentShelf["askOf"],
    close: () => thread.close(),
  };
}

/** Undefined for a document that the thread reads. */
function readSmall(stored: StoredBytes): ReadDocument | undefined {
  if (stored.payload.byteLength > smallBytesMax) return undefined;
  try {
    return readDocument(stored, smallBytesMax);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
