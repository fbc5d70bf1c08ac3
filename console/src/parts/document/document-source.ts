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

/** Rows between two remembered places. */
const stride = 400;

/** Names each source: a key with the text itself would be hashed at each drawing. */
let sourceTotal = 0;

/**
 * A document that is available as text, split into the same rows as in the API. Only some places are remembered, so that
 * a document of 20 MiB is shown without a delay.
 */
export function textSource(text: string): DocumentSource {
  const end = text.endsWith("\n") ? text.length - 1 : text.length;
  const places: Place[] = [];
  let rowTotal = 0;
  for (let at: Place | undefined = lineFrom(text, end, 0, 1); at !== undefined; at = placeAfter(text, end, at)) {
    if (rowTotal % stride === 0) places.push(at);
    rowTotal += 1;
  }
  const rowsFrom = (from: number, count: number): DocumentRow[] => {
    const rows: DocumentRow[] = [];
    const before = Math.floor((from - 1) / stride);
    let at = places[before];
    for (let row = before * stride + 1; at !== undefined && row < from + count; row += 1) {
      const { offset, line, lineStart } = at;
      const piece = () => text.slice(offset, endOfRow(text, at as Place)).replace(/\r$/, "");
      if (row >= from) rows.push({ row, line, column: offset - lineStart + 1, text: piece() });
      at = placeAfter(text, end, at);
    }
    return rows;
  };
  sourceTotal += 1;
  return { key: ["text", sourceTotal], rowTotal, load: async (from, count) => rowsFrom(from, count) };
}

/** The begin of a row, and its line. */
interface Place {
  readonly offset: number;
  readonly line: number;
  readonly lineStart: number;
  readonly lineEnd: number;
}

function lineFrom(text: string, end: number, offset: number, line: number): Place {
  const found = text.indexOf("\n", offset);
  return { offset, line, lineStart: offset, lineEnd: found < 0 || found > end ? end : found };
}

function placeAfter(text: string, end: number, at: Place): Place | undefined {
  const offset = endOfRow(text, at);
  if (offset < at.lineEnd) return { ...at, offset };
  return at.lineEnd < end ? lineFrom(text, end, at.lineEnd + 1, at.line + 1) : undefined;
}

function endOfRow(text: string, { offset, lineStart, lineEnd }: Place): number {
  const isWhole = lineEnd - lineStart <= lineCharactersMax;
  if (isWhole || lineEnd - offset <= pieceCharactersMax) return lineEnd;
  const piece = text.slice(offset, offset + pieceCharactersMax);
  const between = `${piece}${text.charAt(offset + pieceCharactersMax)}`.lastIndexOf("><");
  if (between > 0) return offset + between + 1;
  const tagEnd = piece.lastIndexOf(">");
  if (tagEnd > 0) return offset + tagEnd + 1;
  return offset + (/[\ud800-\udbff]$/.test(piece) ? pieceCharactersMax - 1 : pieceCharactersMax);
}
