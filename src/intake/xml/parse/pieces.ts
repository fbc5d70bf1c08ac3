/**
 * Cuts a long list into pieces that can be parsed one after the other, so that libxml2 holds a piece at a time and not
 * a tree of the whole document. A piece has the document's beginning, up to its first item, then some of its items, then
 * the end tag of the root.
 *
 * A document is cut only behind end tags of items, and never inside a comment, a CDATA section or a processing
 * instruction. So the document is well formed if its pieces are: content followed by content is content. It fits its XSD
 * if its pieces do, as long as the XSD has a sequence with the items at its end and no rule over all items.
 */

/** A piece has at least this many bytes of items: some thousand items. */
const pieceBytesMin = 512 * 1024;
/** The first item of a document begins within this many bytes; otherwise the document is not cut. */
const headBytesMax = 16 * 1024;

const [lessThan, bang, question] = [0x3c, 0x21, 0x3f];
const afterName = new Set([0x20, 0x09, 0x0a, 0x0d, 0x2f, 0x3e]);

/** Beginnings and ends of the parts of a document in which a tag has no meaning. */
const sections = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
] as const;

/**
 * @param utf8 the whole document
 * @param names of the root element and of the items directly below it
 * @returns at least two pieces, each only usable until the next one; undefined where the document is too short for that,
 * or has a form that is not cut
 */
export function piecesOf(
  utf8: Uint8Array,
  names: { readonly root: string; readonly item: string },
  bytesMin = pieceBytesMin,
): Iterable<Uint8Array> | undefined {
  const bytes = Buffer.from(utf8.buffer, utf8.byteOffset, utf8.length);
  const startTag = Buffer.from(`<${names.item}`, "latin1");
  const endTag = Buffer.from(`</${names.item}>`, "latin1");
  const close = Buffer.from(`</${names.root}>`, "latin1");
  const first = firstItem(bytes, startTag);
  if (first === undefined) return undefined;
  const nextSection = createSectionSearch(bytes);
  /** The end of a piece; undefined for the last one, which goes on to the end of the document. */
  const endOfPiece = (from: number) => {
    if (bytes.length - from < 2 * bytesMin) return undefined;
    const cut = cutAfter(bytes, from, from + bytesMin, endTag, nextSection);
    return cut === undefined || bytes.indexOf(startTag, cut) < 0 ? undefined : cut;
  };
  const second = endOfPiece(first);
  if (second === undefined) return undefined;
  const head = bytes.subarray(0, first);
  return (function* () {
    const joined = createJoiner();
    let from = first;
    for (let to: number | undefined = second; to !== undefined; to = endOfPiece(from)) {
      yield joined(head, bytes.subarray(from, to), close);
      from = to;
    }
    yield joined(head, bytes.subarray(from));
  })();
}

/** Joins parts in the same memory each time, so that the pieces of a document leave no garbage. */
function createJoiner(): (...parts: readonly Buffer[]) => Buffer {
  let room = Buffer.alloc(0);
  return (...parts) => {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (room.length < length) room = Buffer.allocUnsafeSlow(Math.ceil(length * 1.25));
    let at = 0;
    for (const part of parts) at += part.copy(room, at);
    return room.subarray(0, length);
  };
}

/** The place of the first start tag of an item; undefined also where a document type declaration comes before it. */
function firstItem(bytes: Buffer, startTag: Buffer): number | undefined {
  const head = bytes.subarray(0, headBytesMax);
  for (let at = head.indexOf(lessThan); at >= 0; at = head.indexOf(lessThan, at)) {
    if (isSection(head, at)) {
      const end = endOfSection(head, at);
      if (end === undefined) return undefined;
      at = end;
    } else {
      const isItem = head.subarray(at, at + startTag.length).equals(startTag);
      if (isItem && afterName.has(head[at + startTag.length] ?? 0)) return at;
      at++;
    }
  }
  return undefined;
}

const isSection = (bytes: Buffer, at: number) => bytes[at + 1] === bang || bytes[at + 1] === question;

/** Where the section that begins here ends; undefined where it has no end, or is none. */
function endOfSection(bytes: Buffer, at: number): number | undefined {
  for (const [begin, end] of sections) {
    if (bytes.toString("latin1", at, at + begin.length) !== begin) continue;
    const found = bytes.indexOf(end, at + begin.length, "latin1");
    return found < 0 ? undefined : found + end.length;
  }
  return undefined;
}

/** Finds the next section from a place on. The places are asked in ascending order, so no byte is searched twice. */
function createSectionSearch(bytes: Buffer): (from: number) => number {
  const found = { "<!": -1, "<?": -1 };
  const next = (mark: keyof typeof found, from: number) => {
    if (found[mark] < from) {
      const at = bytes.indexOf(mark, from, "latin1");
      found[mark] = at < 0 ? Number.POSITIVE_INFINITY : at;
    }
    return found[mark];
  };
  return (from) => Math.min(next("<!", from), next("<?", from));
}

/** The end of the first end tag of an item that begins at `least` or later. @param from a place outside of sections */
function cutAfter(
  bytes: Buffer,
  from: number,
  least: number,
  endTag: Buffer,
  nextSection: (from: number) => number,
): number | undefined {
  let cut = bytes.indexOf(endTag, least);
  for (let section = nextSection(from); cut >= 0 && section < cut; ) {
    const end = endOfSection(bytes, section);
    if (end === undefined) return undefined;
    if (end > cut) cut = bytes.indexOf(endTag, end);
    section = nextSection(end);
  }
  return cut < 0 ? undefined : cut + endTag.length;
}
