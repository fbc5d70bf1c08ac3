/**
 * A document split into rows for display: its lines, and pieces of lines that are too long for a screen, so that a
 * catalogue on a single line is as readable as any other.
 */
export interface DocumentRows {
  /** Start of each row, as offset into the text. */
  readonly starts: readonly number[];
  /** Start of each line. */
  readonly lineStarts: readonly number[];
}

/** Lines of more characters are split into pieces of at most `pieceCharactersMax`: between two tags where possible. */
const lineCharactersMax = 400;
const pieceCharactersMax = 140;

export function rowsOf(text: string): DocumentRows {
  const starts: number[] = [];
  const lineStarts: number[] = [];
  for (let start = 0; start <= text.length; ) {
    const feed = text.indexOf("\n", start);
    const end = feed === -1 ? text.length : feed;
    lineStarts.push(start);
    starts.push(start);
    const isWhole = end - start <= lineCharactersMax;
    for (let from = start; !isWhole && end - from > pieceCharactersMax; ) {
      from = endOfPiece(text, from, end);
      if (from < end) starts.push(from);
    }
    // A text that ends with a line feed has no empty line after it.
    start = feed === -1 || feed === text.length - 1 ? text.length + 1 : feed + 1;
  }
  return { starts, lineStarts };
}

function endOfPiece(text: string, from: number, end: number): number {
  const limit = Math.min(end, from + pieceCharactersMax);
  // Only the piece is searched: a search of the whole text looks back to its beginning for each piece.
  const piece = text.slice(from, limit + 1);
  const between = piece.lastIndexOf("><", limit - from - 1);
  if (between > 0) return from + between + 1;
  const tagEnd = piece.lastIndexOf(">", limit - from - 1);
  if (tagEnd > 0) return from + tagEnd + 1;
  // A surrogate pair is never split.
  const isCutInTwo = /[\ud800-\udbff]/.test(text.charAt(limit - 1));
  return isCutInTwo ? limit - 1 : limit;
}

/** The index of the last of these offsets, in ascending order, that is at most the given one: from 0. */
export function indexAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

export interface Position {
  /** All numbers start at 1. */
  readonly row: number;
  readonly line: number;
  readonly column: number;
}

export function positionAt({ starts, lineStarts }: DocumentRows, offset: number): Position {
  const line = indexAt(lineStarts, offset);
  return { row: indexAt(starts, offset) + 1, line: line + 1, column: offset - (lineStarts[line] as number) + 1 };
}

/** The offset of a line and a column, both from 1, within the document. */
export function offsetOf({ lineStarts }: DocumentRows, line: number, column: number, length: number): number {
  const start = lineStarts[Math.min(Math.max(line, 1), lineStarts.length) - 1] ?? 0;
  const next = lineStarts[line] ?? length + 1;
  return Math.min(start + Math.max(column, 1) - 1, Math.max(start, next - 2));
}

/** Rows from the given one on, at most `count`. @param from from 1 */
export function readRows(text: string, rows: DocumentRows, from: number, count: number) {
  const shown: (Position & { readonly text: string })[] = [];
  const end = Math.min(rows.starts.length, from - 1 + count);
  for (let i = from - 1; i < end; i++) {
    const start = rows.starts[i] as number;
    const piece = text.slice(start, rows.starts[i + 1] ?? text.length).replace(/\r?\n$/, "");
    shown.push({ ...positionAt(rows, start), text: piece });
  }
  return shown;
}
