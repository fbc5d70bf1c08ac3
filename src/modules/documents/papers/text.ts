import bidiFactory from "bidi-js";
import { type Face, type FontName, loadFont, replacement } from "#/modules/documents/papers/fonts.ts";

// The package is CommonJS, its types are written as if it were a module.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

/** A piece of a line in one font and one direction. Pieces stand in the order in which they are seen, left to right. */
export interface Run {
  /** In the order in which it is read. */
  readonly text: string;
  readonly font: FontName;
  readonly isRightToLeft: boolean;
}

/** Characters that are not seen and could change how others are read: controls, marks of direction, joiners, selectors. */
const unseen = /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;

/** All that the first font of both faces has, and that is read from left to right as it stands: nearly every text. */
const plain = /^[\u0020-\u007E\u00A0-\u024F\u2013\u2014\u2018-\u201E\u20AC]*$/;

/**
 * A text as it can be set in one line: composed, blanks for line ends, nothing unseen, the replacement character for every
 * letter that no font has.
 */
export function printable(text: string): string {
  const flat = flattened(text);
  if (plain.test(flat)) return flat;
  let printed = "";
  for (const letter of flat) printed += fontFor("regular", letter.codePointAt(0) as number) ? letter : replacement;
  return printed;
}

/** The letters of a text that no font has, each once. */
export function lettersMissing(text: string): string[] {
  const flat = flattened(text);
  if (plain.test(flat)) return [];
  return [...new Set(flat)].filter((letter) => fontFor("regular", letter.codePointAt(0) as number) === undefined);
}

/** Ligatures and shapes of letters that stand in Unicode for the sake of old encodings. */
const presentationForms = /[\uFB00-\uFDFF\uFE70-\uFEFC]/g;

function flattened(text: string): string {
  const flat = text.replaceAll(/\s+/g, " ").replaceAll(unseen, "").trim();
  if (plain.test(flat)) return flat;
  return flat.normalize("NFC").replaceAll(presentationForms, (form) => form.normalize("NFKC"));
}

/** The faces hold nearly the same letters; what the bold one lacks is set in the regular one. */
function fontFor(face: Face, codePoint: number): FontName | undefined {
  const names: FontName[] = [`${face}-first`, `${face}-more`, "regular-first", "regular-more"];
  return names.find((name) => loadFont(name).hasGlyph(codePoint));
}

/** Scripts that are read from left to right, letter by letter. */
const leftToRight = /^[\u0020-\u058F\u1E00-\u218F]*$/;

function isSimple(line: string, font: FontName): boolean {
  if (plain.test(line)) return true;
  if (!leftToRight.test(line)) return false;
  const { hasGlyph } = loadFont(font);
  for (let i = 0; i < line.length; i++) if (!hasGlyph(line.charCodeAt(i))) return false;
  return true;
}

const mark = /^\p{M}$/u;

/** The runs of one line. @param line printable */
export function runsOf(line: string, face: Face): Run[] {
  if (line === "") return [];
  if (isSimple(line, `${face}-first`)) return [{ text: line, font: `${face}-first`, isRightToLeft: false }];
  const embedding = bidi.getEmbeddingLevels(line, "auto");
  const mirrored = bidi.getMirroredCharactersMap(line, embedding.levels);
  const order = bidi.getReorderedIndices(line, embedding);
  // Pieces of one level and one font, as they are read …
  const pieceAt: number[] = [];
  const pieces: Run[] = [];
  let level = -1;
  for (let i = 0; i < line.length; ) {
    const codePoint = line.codePointAt(i) as number;
    const character = String.fromCodePoint(codePoint);
    const last = pieces.at(-1);
    const joins = last && embedding.levels[i] === level;
    const staysInFont = joins && (character === " " || mark.test(character)) && loadFont(last.font).hasGlyph(codePoint);
    const font = staysInFont ? last.font : (fontFor(face, codePoint) ?? `${face}-first`);
    const text = mirrored.get(i) ?? character;
    if (joins && last.font === font) pieces[pieces.length - 1] = { ...last, text: last.text + text };
    else {
      level = embedding.levels[i] as number;
      pieces.push({ text, font, isRightToLeft: level % 2 === 1 });
    }
    for (const end = i + character.length; i < end; i++) pieceAt[i] = pieces.length - 1;
  }
  // … and then as they are seen.
  return [...new Set(order.map((index) => pieceAt[index] as number))].map((piece) => shown(pieces[piece] as Run));
}

const strong = /[\p{L}\p{N}]/u;

/** The font turns a run of Hebrew or Arabic letters round; signs alone are turned round here. */
function shown(run: Run): Run {
  if (!run.isRightToLeft || strong.test(run.text)) return run;
  return { ...run, text: [...run.text].reverse().join(""), isRightToLeft: false };
}

/** Words from left to right are shaped one by one with the blank behind them, as the PDF library does it. */
const wordsWithBlank = /[^ \t]*[ \t]|[^ \t]+$/g;

/** The width of a line in units of its size. @param line printable */
export function widthOf(line: string, face: Face): number {
  let width = 0;
  for (const { text, font, isRightToLeft } of runsOf(line, face)) {
    const { widthOf: widthIn } = loadFont(font);
    if (isRightToLeft) width += widthIn(text);
    else for (const [word] of text.matchAll(wordsWithBlank)) width += widthIn(word);
  }
  return width;
}

/** A letter with the marks on it. */
const letters = /\P{M}\p{M}*|\p{M}+/gu;

/**
 * Breaks a text into lines: at blanks, after hyphens and slashes in what is too long for a line, and inside a word where
 * nothing else is left. Nothing is lost.
 *
 * @param text printable
 * @param width in units of the size.
 */
export function wrap(text: string, face: Face, width: number): string[] {
  const lines: string[] = [];
  const blank = widthOf(" ", face);
  let line = "";
  let used = 0;
  for (const word of text.split(" ")) {
    const own = widthOf(word, face);
    if (line !== "" && used + blank + own <= width) {
      line += ` ${word}`;
      used += blank + own;
      continue;
    }
    if (line !== "") lines.push(line);
    const parts = own <= width ? [word] : broken(word, face, width);
    line = parts.pop() ?? "";
    lines.push(...parts);
    used = parts.length === 0 ? own : widthOf(line, face);
  }
  if (line !== "") lines.push(line);
  return lines;
}

/** A word in pieces that fit. Letters side by side may be wider than each alone: then all is done again with less room. */
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
    const own = widthOf(part, face);
    const inner = part.match(letters) ?? [];
    if (own > room && inner.length > 1) {
      const innerPieces = filled(inner, face, room);
      pieces.push(...innerPieces);
      used = widthOf(innerPieces.at(-1) as string, face);
    } else if (used + own <= room) {
      pieces[pieces.length - 1] += part;
      used += own;
    } else {
      pieces.push(part);
      used = own;
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
  /** Line to line, in units of the size. */
  readonly leading: number;
}

/** Sets paragraphs as large as a frame takes them. However much it is, all of it is set: only the size knows no lower end. */
export function fit(paragraphs: readonly string[], face: Face, { width, height, sizeMax, leading }: Frame): Fitted {
  for (let size = sizeMax; ; size = size > 4 ? size - 0.5 : size * 0.92) {
    const lines = paragraphs.flatMap((paragraph) => wrap(paragraph, face, width / size));
    if (lines.length * leading * size <= height) return { size, lines };
  }
}

/** The size at which a single line is no wider than it may be. */
export function sizeFor(line: string, face: Face, sizeMax: number, width: number): number {
  const wide = widthOf(line, face) * sizeMax;
  return wide <= width ? sizeMax : Math.floor((sizeMax * width * 100) / wide) / 100;
}
