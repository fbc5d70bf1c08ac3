import { type DocumentRows, rowsOf } from "#/console-api/feeds/document/document-rows.ts";
import { type PlacedFault, placeFaults } from "#/console-api/feeds/validator/fault-places.ts";
import type { FaultText } from "#/console-api/feeds/validator/fault-words.ts";
import { charsetOf } from "#/feeds/http/charset.ts";
import { bytesOf } from "#/feeds/park/reprocess.ts";
import type { DocumentWithPayload } from "#/feeds/park/reprocess-repository.ts";
import { toUtf8 } from "#/xml/index.ts";

/** A document for display. */
export interface ReadDocument {
  readonly text: string;
  readonly rows: DocumentRows;
}

/**
 * A cache of the documents that were shown last, so that scrolling through a large one does not read it again for every
 * window. Documents are stored as received, and never change.
 */
export interface DocumentShelf {
  /** Undefined where the payload is not stored. */
  read(token: string, find: () => Promise<DocumentWithPayload | undefined>): Promise<ReadDocument | undefined>;
}

/** Size of the cache in characters: two of the largest documents, or many small ones. */
const charactersMax = 40_000_000;

export function createDocumentShelf(): DocumentShelf {
  const shelf = new Map<string, ReadDocument>();
  let characters = 0;
  return {
    async read(token, find) {
      const held = shelf.get(token);
      if (held) {
        // The most recently used document is evicted last.
        shelf.delete(token);
        shelf.set(token, held);
        return held;
      }
      const found = await find();
      const { payload, encoding, content_type: contentType } = found ?? {};
      if (!payload || !encoding || !contentType) return undefined;
      const text = textOf(bytesOf(payload, encoding), charsetOf(contentType));
      const document = { text, rows: rowsOf(text) };
      if (shelf.has(token)) return document;
      shelf.set(token, document);
      characters += text.length;
      for (const [oldest, { text: old }] of shelf) {
        if (characters <= charactersMax || oldest === token) break;
        shelf.delete(oldest);
        characters -= old.length;
      }
      return document;
    },
  };
}

/**
 * Decodes the document as the validation does. A document that cannot be decoded is still shown, one character per
 * byte.
 */
function textOf(bytes: Buffer, charset: string | undefined): string {
  const read = toUtf8(bytes, charset);
  if (!read.ok) return bytes.toString("latin1").replaceAll("\0", "");
  const { buffer, byteOffset, byteLength } = read.value;
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}

/** The findings with their positions, where the document is available. */
export async function placedFaults(
  document: ReadDocument | undefined,
  faults: readonly FaultText[],
  missingSkus: readonly string[],
): Promise<readonly PlacedFault[]> {
  if (!document) return faults.map((fault) => ({ ...fault, row: null }));
  return placeFaults(document.text, document.rows, faults, missingSkus);
}
