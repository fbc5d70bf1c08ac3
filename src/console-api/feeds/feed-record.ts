import type { FeedRecord } from "#/console-api/feeds/contract.ts";
import type { DocumentShelf } from "#/console-api/feeds/document/document-shelf.ts";
import type { AnswerOf, DocumentQuestion, DocumentWindow } from "#/console-api/feeds/document/read-document.ts";
import { findFeed, listFeedFiles, listFeedOutbound, type StoredFeed } from "#/console-api/feeds/record-repository.ts";
import { type FaultText, readSentence } from "#/intake/feeds/fault-words.ts";
import { findDocumentWithPayload } from "#/intake/feeds/park/reprocess-repository.ts";
import { sentence } from "#/kernel/feed-codes.ts";
import type { ClientTx, Database } from "#/store/db/database.ts";

const outboundMax = 50;

export interface FeedReader {
  /**
   * A document with all its findings; undefined where the client has none of this token.
   * @param tx inside the transaction that may have changed it, or outside any
   */
  readRecord(token: string, tx: ClientTx): Promise<FeedRecord | undefined>;
  /** Some rows of the document; undefined where its bytes are not stored. */
  readWindow(clientId: string, token: string, fromRow: number, rowCount: number): Promise<DocumentWindow | undefined>;
}

/** @param shelf cache of the documents that were shown last */
export function createFeedReader(database: Database, shelf: DocumentShelf): FeedReader {
  const ask: <Question extends DocumentQuestion>(
    clientId: string,
    token: string,
    question: Question,
  ) => Promise<AnswerOf[Question["kind"]] | undefined> = (clientId, token, question) =>
    shelf.ask(clientId, token, () => findDocumentWithPayload(database.of(clientId), token), question);
  return {
    readWindow: (clientId, token, fromRow, rowCount) => ask(clientId, token, { kind: "window", fromRow, rowCount }),
    async readRecord(token, tx) {
      const [feed, files, outbound] = await Promise.all([
        findFeed(tx, token),
        listFeedFiles(tx, token, 1),
        listFeedOutbound(tx, token, outboundMax),
      ]);
      if (!feed) return undefined;
      const { findings } = feed;
      const faults = readFaults(feed);
      const missingSkus = [...(findings?.missingSkus ?? [])];
      const placed = faults.length === 0 ? [] : await ask(tx.clientId, token, { kind: "faults", faults, missingSkus });
      return {
        ...feed,
        fileName: files[0]?.name ?? null,
        // Without its document a fault has no row.
        faults: placed ?? faults.map((fault) => ({ ...fault, row: null })),
        missingSkus,
        outbound,
        actions: actionsOf(feed),
      };
    },
  };
}

function readFaults({ findings, type: feedType }: StoredFeed): FaultText[] {
  const omitted = findings?.errorsOmitted ?? 0;
  const left = omitted === 1 ? "1 further error was left out" : `${omitted} further errors were left out`;
  return [
    ...(findings?.errors ?? []).map((error) => readSentence(error, "error", feedType)),
    ...(omitted === 0 ? [] : [readSentence(left, "error", feedType)]),
    ...(findings?.warnings ?? []).map((warning) => readSentence(sentence(warning), "warning", feedType)),
  ];
}

/**
 * The actions that the services of the feeds do not refuse at once (src/intake/feeds/park/reprocess.ts).
 */
function actionsOf({ state, isPayloadKept, findings }: StoredFeed): FeedRecord["actions"] {
  if (state === "FAILED") return ["retry"];
  if (!isPayloadKept || (state !== "REJECTED" && state !== "PARKED")) return [];
  const isForSkus = findings?.errors?.every((error) => error.startsWith("[UNKNOWN_SKU] ")) === true;
  return state === "REJECTED" && isForSkus ? ["reprocess", "park"] : ["reprocess"];
}
