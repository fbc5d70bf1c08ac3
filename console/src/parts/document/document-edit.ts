/** Offset of a place in a text. @param line from 1 @param column from 1; null: the first non-blank character */
export function offsetOf(text: string, line: number, column: number | null): number {
  let start = 0;
  for (let i = 1; i < line; i++) {
    const end = text.indexOf("\n", start);
    if (end < 0) break;
    start = end + 1;
  }
  const end = endOfLine(text, start);
  if (column !== null) return Math.min(start + column - 1, end);
  return start + (/^\s*/.exec(text.slice(start, end))?.[0].length ?? 0);
}

export function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** The lines of offsets, from 1. */
export function linesAt(text: string, offsets: readonly (number | null)[]): readonly (number | null)[] {
  const lines = new Map<number, number>();
  let line = 1;
  let next = text.indexOf("\n");
  for (const offset of offsets.filter((at) => at !== null).sort((left, right) => left - right)) {
    while (next >= 0 && next < offset) {
      line += 1;
      next = text.indexOf("\n", next + 1);
    }
    lines.set(offset, line);
  }
  return offsets.map((offset) => (offset === null ? null : (lines.get(offset) ?? null)));
}

export function lineTotalOf(text: string): number {
  return linesAt(text, [text.length])[0] ?? 1;
}

/** The offsets of the same places after an edit. A place within the replaced text moves to its begin. */
export function movedOffsets(
  offsets: readonly (number | null)[],
  before: string,
  after: string,
): readonly (number | null)[] {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before.charCodeAt(same) === after.charCodeAt(same)) same += 1;
  let sameAtEnd = 0;
  const most = shorter - same;
  while (
    sameAtEnd < most &&
    before.charCodeAt(before.length - 1 - sameAtEnd) === after.charCodeAt(after.length - 1 - sameAtEnd)
  )
    sameAtEnd += 1;
  const replacedTo = before.length - sameAtEnd;
  return offsets.map((offset) => {
    if (offset === null) return null;
    return offset >= replacedTo ? offset + after.length - before.length : Math.min(offset, same);
  });
}
