/** The lines of an object in an event, where an object has many lines (webhooks.md §2). */
export interface EventLines<Line> {
  readonly lines: readonly Line[];
  /** Present where lines were omitted: the number of the object's lines. */
  readonly linesTotal?: number;
  readonly linesTruncated?: true;
  /** Path of the REST record that contains all lines. */
  readonly href?: string;
}

const linesMax = 200;
/** A body has at most 256 KiB; its other fields need only a small part of the remainder. */
const bytesMax = 192 * 1024;

/**
 * Omits lines after the 200th, and those with which the body is too large.
 *
 * @param options.href path of the REST record of the object, where it has one.
 * @param options.hasLongLines the lines contain lists or free text, so that fewer than 200 may be too large: they are
 *   measured.
 */
export function truncateLines<Line>(
  lines: readonly Line[],
  options: { readonly href?: string | undefined; readonly hasLongLines?: boolean } = {},
): EventLines<Line> {
  const first = lines.slice(0, linesMax);
  const kept = options.hasLongLines === true ? fitting(first) : first;
  if (kept.length === lines.length) return { lines: kept };
  const { href } = options;
  return { lines: kept, linesTotal: lines.length, linesTruncated: true, ...(href === undefined ? {} : { href }) };
}

function fitting<Line>(lines: readonly Line[]): readonly Line[] {
  let bytes = 0;
  const tooMany = lines.findIndex((line) => {
    bytes += Buffer.byteLength(JSON.stringify(line)) + 1;
    return bytes > bytesMax;
  });
  return tooMany === -1 ? lines : lines.slice(0, tooMany);
}
