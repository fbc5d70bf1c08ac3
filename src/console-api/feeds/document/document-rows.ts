/**
 * A document cut into rows to be shown: its lines, and lines that are too long for a screen in pieces, so that a catalogue that
 * stands in one line can be read like any other.
 */
export interface DocumentRows {
  /** Where each row begins, as offset into the text. */
  readonly starts: readonly number[];
  /** Where each line begins. */
  readonly lineStarts: readonly number[];
}

/** Lines of more characters are cut, into pieces of so many at the most: between two tags where there is such a place. */
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
    // What ends with a line feed has no empty line behind it.
    start = feed === -1 || feed === text.length - 1 ? text.length + 1 : feed + 1;
  }
  return { starts, lineStarts };
}

function endOfPiece(text: string, from: number, end: number): number {
  const limit = Math.min(end, from + pieceCharactersMax);
  const between = text.lastIndexOf("><", limit - 1);
  if (between > from) return between + 1;
  const tagEnd = text.lastIndexOf(">", limit - 1);
  if (tagEnd > from) return tagEnd + 1;
  // No character is cut in two.
  const isCutInTwo = /[\ud800-\udbff]/.test(text.charAt(limit - 1));
  return isCutInTwo ? limit - 1 : limit;
}

/** The last of these offsets, in rising order, that is not behind the one given: from 0. */
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
  /** All from 1. */
  readonly row: number;
  readonly line: number;
  readonly column: number;
}

export function positionAt({ starts, lineStarts }: DocumentRows, offset: number): Position {
  const line = indexAt(lineStarts, offset);
  return { row: indexAt(starts, offset) + 1, line: line + 1, column: offset - (lineStarts[line] as number) + 1 };
}

/** The offset of a line and column from 1, within the document. */
export function offsetOf({ lineStarts }: DocumentRows, line: number, column: number, length: number): number {
  const start = lineStarts[Math.min(Math.max(line, 1), lineStarts.length) - 1] ?? 0;
  const next = lineStarts[line] ?? length + 1;
  return Math.min(start + Math.max(column, 1) - 1, Math.max(start, next - 2));
}

export interface ShownRow extends Position {
  readonly text: string;
}

/** Rows from one on, so many at the most. @param from from 1 */
export function readRows(text: string, rows: DocumentRows, from: number, count: number): ShownRow[] {
  const shown: ShownRow[] = [];
  const end = Math.min(rows.starts.length, from - 1 + count);
  for (let i = from - 1; i < end; i++) {
    const start = rows.starts[i] as number;
    const piece = text.slice(start, rows.starts[i + 1] ?? text.length).replace(/\r?\n$/, "");
    shown.push({ ...positionAt(rows, start), text: piece });
  }
  return shown;
}
