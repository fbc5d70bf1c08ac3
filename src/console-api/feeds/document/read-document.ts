import { type DocumentRows, readRows, rowsOf } from "#/console-api/feeds/document/document-rows.ts";
import { type PlacedFault, placeFaults } from "#/console-api/feeds/validator/fault-places.ts";
import type { FaultText } from "#/intake/feeds/fault-words.ts";
import { bytesOf, type PayloadEncoding } from "#/intake/feeds/payload.ts";
import { toUtf8 } from "#/intake/xml/index.ts";

/** A document for display. */
export interface ReadDocument {
  readonly text: string;
  readonly rows: DocumentRows;
}

/** A document as it is stored. */
export interface StoredBytes {
  readonly payload: Uint8Array;
  readonly encoding: PayloadEncoding;
  readonly charset: string | undefined;
}

/** A request for a part of a document. */
export type DocumentQuestion =
  | { readonly kind: "window"; readonly fromRow: number; readonly rowCount: number }
  | { readonly kind: "faults"; readonly faults: readonly FaultText[]; readonly missingSkus: readonly string[] };

/** Some rows of a document. */
export interface DocumentWindow {
  readonly rowTotal: number;
  readonly lineTotal: number;
  readonly rows: ReturnType<typeof readRows>;
}

export interface AnswerOf {
  readonly window: DocumentWindow;
  readonly faults: PlacedFault[];
}

export async function answerFrom(
  { text, rows }: ReadDocument,
  question: DocumentQuestion,
): Promise<AnswerOf[DocumentQuestion["kind"]]> {
  if (question.kind === "faults") return placeFaults(text, rows, question.faults, question.missingSkus);
  const { fromRow, rowCount } = question;
  return {
    rowTotal: rows.starts.length,
    lineTotal: rows.lineStarts.length,
    rows: readRows(text, rows, fromRow, rowCount),
  };
}

/** @throws a RangeError if it has more bytes than `bytesMax`. */
export function readDocument({ payload, encoding, charset }: StoredBytes, bytesMax: number): ReadDocument {
  const bytes = bytesOf(payload, encoding, bytesMax);
  if (bytes.byteLength > bytesMax) throw new RangeError(`the document has ${bytes.byteLength} bytes`);
  return documentOf(textOf(bytes, charset));
}

export function documentOf(text: string): ReadDocument {
  return { text, rows: rowsOf(text) };
}

/**
 * Decodes the document as the validation does. A document that cannot be decoded is still shown, one character per
 * byte.
 */
function textOf(bytes: Uint8Array, charset: string | undefined): string {
  const read = toUtf8(bytes, charset);
  const { buffer, byteOffset, byteLength } = read.ok ? read.value : bytes;
  const text = Buffer.from(buffer, byteOffset, byteLength);
  return read.ok ? text.toString() : text.toString("latin1").replaceAll("\0", "");
}

/** The documents that were used last. */
export interface DocumentCache {
  get(token: string): ReadDocument | undefined;
  set(token: string, document: ReadDocument): void;
}

/** @param charactersMax the size of the cache; the newest document is kept whatever its size. */
export function createDocumentCache(charactersMax: number): DocumentCache {
  const kept = new Map<string, ReadDocument>();
  let characters = 0;
  const drop = (token: string) => {
    characters -= kept.get(token)?.text.length ?? 0;
    kept.delete(token);
  };
  return {
    get(token) {
      const found = kept.get(token);
      if (!found) return undefined;
      kept.delete(token);
      kept.set(token, found);
      return found;
    },
    set(token, document) {
      drop(token);
      kept.set(token, document);
      characters += document.text.length;
      for (const oldest of kept.keys()) {
        if (characters <= charactersMax || oldest === token) break;
        drop(oldest);
      }
    },
  };
}
