import bidiFactory from "bidi-js";
import { type Face, type FontName, loadFont, replacement } from "#/modules/documents/papers/fonts.ts";

// The package is CommonJS, but its types describe an ES module.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

/** A part of a line in one font and one direction. Runs are in visual order, left to right. */
export interface Run {
  /** In reading order. */
  readonly text: string;
  readonly font: FontName;
  readonly isRightToLeft: boolean;
}

/** Invisible characters that can change the display of others: controls, direction marks, joiners, selectors. */
const unseen = /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;

/** Characters of the first font of both faces that run from left to right without shaping: nearly every text. */
const plain = /^[\u0020-\u007E\u00A0-\u024F\u2013\u2014\u2018-\u201E\u20AC]*$/;

/**
 * A text for a single line: composed, with blanks for line ends, without invisible characters, and with the replacement
 * character for every letter that no font has.
 */
export function printable(text: string): string {
  const flat = flattened(text);
  if (plain.test(flat)) return flat;
  let printed = "";
  for (const letter of flat) printed += fontFor("regular", letter.codePointAt(0) as number) ? letter : replacement;
  return printed;
}

/** The letters of a text that no font has, without duplicates. */
export function lettersMissing(text: string): string[] {
  const flat = flattened(text);
  if (plain.test(flat)) return [];
  return [...new Set(flat)].filter((letter) => fontFor("regular", letter.codePointAt(0) as number) === undefined);
}

/** Ligatures and letter shapes that Unicode has for compatibility with old encodings. */
const presentationForms = /[\uFB00-\uFDFF\uFE70-\uFEFC]/g;

function flattened(text: string): string {
  const flat = text.replaceAll(/\s+/g, " ").replaceAll(unseen, "").trim();
  if (plain.test(flat)) return flat;
  return flat.normalize("NFC").replaceAll(presentationForms, (form) => form.normalize("NFKC"));
}

/** Both faces have nearly the same letters; letters that the bold face lacks use the regular one. */
function fontFor(face: Face, codePoint: number): FontName | undefined {
  const names: FontName[] = [`${face}-first`, `${face}-more`, "regular-first", "regular-more"];
  return names.find((name) => loadFont(name).hasGlyph(codePoint));
}

/** Scripts that run from left to right, letter by letter. */
const leftToRight = /^[\u0020-\u058F\u1E00-\u218F]*$/;

function isSimple(line: string, font: FontName): boolean {
  if (plain.test(line)) return true;
  if (!leftToRight.test(line)) return false;
  const { hasGlyph } = loadFont(font);
  for (let i = 0; i < line.length; i++) if (!hasGlyph(line.charCodeAt(i))) return false;
  return true;
}

const mark = /^\p{M}$/u;

/** The preferred font of each face: a name that is built for each word is looked up slowly. */
const firstFonts: Readonly<Record<Face, FontName>> = { regular: "regular-first", bold: "bold-first" };

/** The runs of one line. @param line printable */
export function runsOf(line: string, face: Face): Run[] {
  if (line === "") return [];
  const first = firstFonts[face];
  if (isSimple(line, first)) return [{ text: line, font: first, isRightToLeft: false }];
  const embedding = bidi.getEmbeddingLevels(line, "auto");
  const mirrored = bidi.getMirroredCharactersMap(line, embedding.levels);
  const order = bidi.getReorderedIndices(line, embedding);
  // Pieces of one level and one font, in reading order …
  const pieceAt: number[] = [];
  const pieces: Run[] = [];
  let level = -1;
  for (let i = 0; i < line.length; ) {
    const codePoint = line.codePointAt(i) as number;
    const character = String.fromCodePoint(codePoint);
    const last = pieces.at(-1);
    const joins = last && embedding.levels[i] === level;
    const staysInFont = joins && (character === " " || mark.test(character)) && loadFont(last.font).hasGlyph(codePoint);
    const font = staysInFont ? last.font : (fontFor(face, codePoint) ?? first);
    const text = mirrored.get(i) ?? character;
    if (joins && last.font === font) pieces[pieces.length - 1] = { ...last, text: last.text + text };
    else {
      level = embedding.levels[i] as number;
      pieces.push({ text, font, isRightToLeft: level % 2 === 1 });
    }
    for (const end = i + character.length; i < end; i++) pieceAt[i] = pieces.length - 1;
  }
  // … and then in visual order.
  return [...new Set(order.map((index) => pieceAt[index] as number))].map((piece) => shown(pieces[piece] as Run));
}

const strong = /[\p{L}\p{N}]/u;

/** The font reverses a run of Hebrew or Arabic letters; a run of signs alone is reversed here. */
function shown(run: Run): Run {
  if (!run.isRightToLeft || strong.test(run.text)) return run;
  return { ...run, text: [...run.text].reverse().join(""), isRightToLeft: false };
}

/**
 * The width of a line in units of its font size. Words from left to right are shaped one by one with the blank after them,
 * as in the PDF library.
 *
 * @param line printable
 */
export function widthOf(line: string, face: Face): number {
  let width = 0;
  for (const { text, font, isRightToLeft } of runsOf(line, face)) {
    const { widthOf: widthIn } = loadFont(font);
    for (let from = 0; from < text.length; ) {
      let to = isRightToLeft ? text.length : from;
      while (to < text.length && text[to] !== " " && text[to] !== "\t") to++;
      width += widthIn(text.slice(from, to + 1));
      from = to + 1;
    }
  }
  return width;
}

/** A letter with its combining marks. */
const letters = /\P{M}\p{M}*|\p{M}+/gu;

/**
 * Breaks a text into lines: at blanks; in longer parts after hyphens and slashes; inside a word only as a last resort.
 * No text is lost.
 *
 * @param text printable
 * @param width in units of the font size.
 */
export function wrap(text: string, face: Face, width: number): string[] {
  const lines: string[] = [];
  const blank = widthOf(" ", face);
  let line = "";
  let used = 0;
  for (const word of text.split(" ")) {
    const partWidth = widthOf(word, face);
    if (line !== "" && used + blank + partWidth <= width) {
      const longer = `${line} ${word}`;
      // In a line of several fonts or directions, a blank takes the width of its neighbour's font.
      const longerWidth = isSimple(longer, firstFonts[face]) ? used + blank + partWidth : widthOf(longer, face);
      if (longerWidth <= width) {
        line = longer;
        used = longerWidth;
        continue;
      }
    }
    if (line !== "") lines.push(line);
    const parts = partWidth <= width ? [word] : broken(word, face, width);
    line = parts.pop() ?? "";
    lines.push(...parts);
    used = parts.length === 0 ? partWidth : widthOf(line, face);
  }
  if (line !== "") lines.push(line);
  return lines;
}

/**
 * Breaks a word into pieces that fit. Adjacent letters may be wider than each alone: then the loop repeats with less
 * room.
 */
function broken(word: string, face: Face, width: number): string[] {
  for (let room = width; ; room *= 0.97) {
    const pieces = filled(word.match(/[^-/_.,;:@]*[-/_.,;:@]+|[^-/_.,;:@]+/g) ?? [word], face, room);
    const tooWide = (piece: string) => piece.match(letters)?.length !== 1 && widthOf(piece, face) > width;
    if (!pieces.some(tooWide)) return pieces;
  }
}

function filled(parts: readonly string[], face: Face, room: number): string[] {
  const pieces: string[] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const part of parts) {
    const partWidth = widthOf(part, face);
    const inner = part.match(letters) ?? [];
    if (partWidth > room && inner.length > 1) {
      const innerPieces = filled(inner, face, room);
      pieces.push(...innerPieces);
      used = widthOf(innerPieces.at(-1) as string, face);
    } else if (used + partWidth <= room) {
      pieces[pieces.length - 1] += part;
      used += partWidth;
    } else {
      pieces.push(part);
      used = partWidth;
    }
  }
  return pieces;
}

export interface Fitted {
  readonly size: number;
  readonly lines: readonly string[];
}

export interface Frame {
  /** In points, like all lengths here. */
  readonly width: number;
  readonly height: number;
  readonly sizeMax: number;
  /** Line spacing, in units of the font size. */
  readonly leading: number;
}

/** Sets paragraphs in the largest font size that fits a frame. All text is set: the font size has no lower limit. */
export function fit(paragraphs: readonly string[], face: Face, { width, height, sizeMax, leading }: Frame): Fitted {
  for (let size = sizeMax; ; size = size > 4 ? size - 0.5 : size * 0.92) {
    const lines = paragraphs.flatMap((paragraph) => wrap(paragraph, face, width / size));
    if (lines.length * leading * size <= height) return { size, lines };
  }
}

/** The font size at which a single line fits the width. */
export function sizeFor(line: string, face: Face, sizeMax: number, width: number): number {
  const wide = widthOf(line, face) * sizeMax;
  return wide <= width ? sizeMax : Math.floor((sizeMax * width * 100) / wide) / 100;
}
