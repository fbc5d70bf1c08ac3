/** A displayed row of a document: a line, or a part of a line that is too long for the screen. */
export interface DocumentRow {
  /** All numbers count from 1. */
  readonly row: number;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** A finding about a document, with its place. */
export interface DocumentFault {
  readonly kind: "error" | "warning";
  readonly code: string;
  readonly text: string;
  readonly remedy: string | null;
  readonly line: number | null;
  readonly column: number | null;
  /** null: it concerns no specific place. */
  readonly row: number | null;
}

/** Source of a document's rows. */
export interface DocumentSource {
  /** Cache key of the document. */
  readonly key: readonly unknown[];
  readonly rowTotal: number;
  /** @param from from 1 */
  load(from: number, count: number, signal: AbortSignal): Promise<readonly DocumentRow[]>;
}

const lineCharactersMax = 400;
const pieceCharactersMax = 140;

/** A document that is available as text, split into the same rows as in the API. */
export function textSource(key: readonly unknown[], text: string): DocumentSource {
  const rows: DocumentRow[] = [];
  const lines = text.endsWith("\n") ? text.slice(0, -1).split("\n") : text.split("\n");
  lines.forEach((line, i) => {
    const isWhole = line.length <= lineCharactersMax;
    for (let from = 0, isFirst = true; isFirst || from < line.length; isFirst = false) {
      const end = isWhole ? line.length : endOfPiece(line, from);
      const piece = line.slice(from, end).replace(/\r$/, "");
      rows.push({ row: rows.length + 1, line: i + 1, column: from + 1, text: piece });
      from = Math.max(end, from + 1);
    }
  });
  return { key, rowTotal: rows.length, load: async (from, count) => rows.slice(from - 1, from - 1 + count) };
}

function endOfPiece(line: string, from: number): number {
  if (line.length - from <= pieceCharactersMax) return line.length;
  const limit = from + pieceCharactersMax;
  const between = line.lastIndexOf("><", limit - 1);
  if (between > from) return between + 1;
  const tagEnd = line.lastIndexOf(">", limit - 1);
  if (tagEnd > from) return tagEnd + 1;
  return /[\ud800-\udbff]/.test(line.charAt(limit - 1)) ? limit - 1 : limit;
}
