import { assert } from "#/kernel/assert.ts";

/**
 * The tables of a TrueType font that its glyphs need in a PDF.
 * @see OpenType 1.9, "glyf", "loca", "hmtx"
 */
export interface GlyphTables {
  /** The tables that every subset contains as they are: `cvt `, `fpgm`, `prep`. */
  readonly unchanged: readonly Table[];
  /** The tables that a subset changes in one field. */
  readonly head: Buffer;
  readonly hhea: Buffer;
  readonly maxp: Buffer;
  glyph(id: number): GlyphData;
}

/** Where the tables state what a subset changes. */
const offsetFormatAt = 50;
const metricsAt = 34;
const glyphsAt = 4;

interface Table {
  readonly tag: string;
  readonly bytes: Buffer;
}

interface GlyphData {
  readonly outline: Buffer;
  readonly advance: number;
  readonly leftBearing: number;
  /** Of a composite glyph: where its outline names another glyph. */
  readonly components: readonly { readonly at: number; readonly id: number }[];
}

/** The glyphs of one PDF, renumbered from 0. The PDF library fills it letter by letter and embeds its bytes. */
export interface Subset {
  /** @returns the number of the glyph in the subset */
  includeGlyph(id: number): number;
  /** A TrueType font that has only these glyphs. */
  encode(): Uint8Array;
}

/** @param bytes a TrueType font file */
export function readGlyphTables(bytes: Buffer): GlyphTables {
  const directory = readDirectory(bytes);
  const table = (tag: string) => {
    const found = directory.get(tag);
    assert(found, `the font has no table "${tag}"`);
    return found;
  };
  const [head, hhea, maxp] = [table("head"), table("hhea"), table("maxp")];
  const [loca, glyf, hmtx] = [table("loca"), table("glyf"), table("hmtx")];
  const metrics = hhea.readUInt16BE(metricsAt);
  const hasLongOffsets = head.readInt16BE(offsetFormatAt) === 1;
  const offset = (id: number) => (hasLongOffsets ? loca.readUInt32BE(id * 4) : loca.readUInt16BE(id * 2) * 2);
  const glyphs = new Map<number, GlyphData>();
  const readGlyph = (id: number): GlyphData => {
    const outline = glyf.subarray(offset(id), offset(id + 1));
    const advance = hmtx.readUInt16BE(Math.min(id, metrics - 1) * 4);
    const leftBearing = hmtx.readInt16BE(id < metrics ? id * 4 + 2 : metrics * 4 + (id - metrics) * 2);
    return { outline, advance, leftBearing, components: componentsOf(outline) };
  };
  return {
    unchanged: ["cvt ", "fpgm", "prep"].flatMap((tag) => {
      const found = directory.get(tag);
      return found ? { tag, bytes: found } : [];
    }),
    head,
    hhea,
    maxp,
    glyph(id) {
      let known = glyphs.get(id);
      if (!known) {
        known = readGlyph(id);
        glyphs.set(id, known);
      }
      return known;
    },
  };
}

function readDirectory(bytes: Buffer): Map<string, Buffer> {
  const tables = new Map<string, Buffer>();
  for (let i = 0; i < bytes.readUInt16BE(4); i++) {
    const at = 12 + i * 16;
    const start = bytes.readUInt32BE(at + 8);
    tables.set(bytes.toString("latin1", at, at + 4), bytes.subarray(start, start + bytes.readUInt32BE(at + 12)));
  }
  return tables;
}

/** Flags of a component in the outline of a composite glyph. */
const composite = { hasWords: 0x1, hasScale: 0x8, hasMore: 0x20, hasXAndYScale: 0x40, hasMatrix: 0x80 } as const;

function componentsOf(outline: Buffer): { at: number; id: number }[] {
  const components: { at: number; id: number }[] = [];
  if (outline.length === 0 || outline.readInt16BE(0) >= 0) return components;
  let flags: number = composite.hasMore;
  for (let at = 10; flags & composite.hasMore; ) {
    flags = outline.readUInt16BE(at);
    components.push({ at: at + 2, id: outline.readUInt16BE(at + 2) });
    at += flags & composite.hasWords ? 8 : 6;
    if (flags & composite.hasScale) at += 2;
    else if (flags & composite.hasXAndYScale) at += 4;
    else if (flags & composite.hasMatrix) at += 8;
  }
  return components;
}

/**
 * Starts an empty subset. The subsets of fontkit decode and encode each table field by field, which is a third of the
 * time of a slip; copying the outlines is 2 % of it.
 */
export function createSubset(font: GlyphTables): Subset {
  const ids = [0];
  const numbers = new Map([[0, 0]]);
  const includeGlyph = (id: number) => {
    let number = numbers.get(id);
    if (number === undefined) {
      number = ids.length;
      numbers.set(id, number);
      ids.push(id);
    }
    return number;
  };
  return {
    includeGlyph,
    encode() {
      const outlines: Buffer[] = [];
      const metrics: number[] = [];
      const offsets = [0];
      let length = 0;
      // The list grows by the components of composite glyphs.
      for (const id of ids) {
        const { outline, advance, leftBearing, components } = font.glyph(id);
        metrics.push(advance, leftBearing & 0xffff);
        outlines.push(renumbered(outline, components, includeGlyph));
        length += outline.length;
        offsets.push(length);
      }
      return encodeTables([
        ...font.unchanged,
        { tag: "glyf", bytes: Buffer.concat(outlines) },
        { tag: "head", bytes: changed(font.head, offsetFormatAt, 1) },
        { tag: "hhea", bytes: changed(font.hhea, metricsAt, ids.length) },
        { tag: "hmtx", bytes: wordsOf(metrics, 2) },
        { tag: "loca", bytes: wordsOf(offsets, 4) },
        { tag: "maxp", bytes: changed(font.maxp, glyphsAt, ids.length) },
      ]);
    },
  };
}

function renumbered(outline: Buffer, components: GlyphData["components"], numberOf: (id: number) => number): Buffer {
  if (components.length === 0) return outline;
  const copy = Buffer.from(outline);
  for (const { at, id } of components) copy.writeUInt16BE(numberOf(id), at);
  return copy;
}

function changed(table: Buffer, at: number, word: number): Buffer {
  const copy = Buffer.from(table);
  copy.writeUInt16BE(word, at);
  return copy;
}

function wordsOf(values: readonly number[], size: 2 | 4): Buffer {
  const bytes = Buffer.alloc(values.length * size);
  values.forEach((value, i) => {
    bytes.writeUIntBE(value, i * size, size);
  });
  return bytes;
}

/** A font file. Its checksums stay 0: programs that read PDFs do not look at them. */
function encodeTables(tables: readonly Table[]): Buffer {
  const sorted = tables.toSorted((left, right) => (left.tag < right.tag ? -1 : 1));
  const exponent = Math.floor(Math.log2(sorted.length));
  const headLength = 12 + sorted.length * 16;
  const length = sorted.reduce((sum, { bytes }) => sum + aligned(bytes.length), headLength);
  const file = Buffer.alloc(length);
  file.writeUInt32BE(0x00010000, 0);
  file.writeUInt16BE(sorted.length, 4);
  file.writeUInt16BE(16 * 2 ** exponent, 6);
  file.writeUInt16BE(exponent, 8);
  file.writeUInt16BE(16 * (sorted.length - 2 ** exponent), 10);
  let start = headLength;
  sorted.forEach(({ tag, bytes }, i) => {
    const at = 12 + i * 16;
    file.write(tag, at, "latin1");
    file.writeUInt32BE(start, at + 8);
    file.writeUInt32BE(bytes.length, at + 12);
    bytes.copy(file, start);
    start += aligned(bytes.length);
  });
  return file;
}

const aligned = (length: number) => (length + 3) & ~3;
