import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type * as fontkit from "fontkit";
import { assert } from "#/kernel/assert.ts";
import { createSubset, readGlyphTables } from "#/modules/documents/papers/subset.ts";

/**
 * The fonts of the papers: Noto Sans (Latin with Vietnamese, Greek, Cyrillic, Devanagari) and, for its missing letters,
 * DejaVu Sans Condensed (Hebrew, Arabic, Armenian, Georgian, signs). They are loaded once, for the first paper of a
 * process.
 */
export type Face = "regular" | "bold";

/** A font of a face: the preferred one, or the fallback with more letters. */
export type FontName = `${Face}-first` | `${Face}-more`;

const require = createRequire(import.meta.url);
/** Loaded with the first paper (`sheet.ts`). */
const fontLibrary = () => require("fontkit") as typeof fontkit;

const files: Readonly<Record<FontName, () => string>> = {
  "regular-first": () => import.meta.resolve("@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf"),
  "bold-first": () => import.meta.resolve("@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf"),
  "regular-more": () => import.meta.resolve("dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf"),
  "bold-more": () => import.meta.resolve("dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf"),
};

/** Replaces a letter that no font has. */
export const replacement = "\uFFFD";

export interface LoadedFont {
  hasGlyph(codePoint: number): boolean;
  /** Width of a run of text, in units of its font size. */
  widthOf(run: string): number;
  /** The outlines of a run's letters, each with its origin, in units of the font size. */
  outlinesOf(run: string): { readonly glyphs: readonly Outline[]; readonly width: number };
  /** The font for one PDF. */
  forDocument(): fontkit.Font;
}

export interface Outline {
  readonly x: number;
  readonly y: number;
  /** The scale of the coordinates in its commands, in units of the font size. */
  readonly scale: number;
  readonly commands: fontkit.Path["commands"];
}

const loaded = new Map<FontName, LoadedFont>();

export function loadFont(name: FontName): LoadedFont {
  let font = loaded.get(name);
  if (!font) {
    font = load(name);
    loaded.set(name, font);
  }
  return font;
}

/** The part of a glyph that the PDF library needs. */
interface Glyph {
  readonly id: number;
  readonly advanceWidth: number;
  /** The letters of the glyph, for copied text. */
  readonly codePoints: readonly number[];
}

interface Position {
  readonly xAdvance: number;
  readonly yAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

interface Shaped {
  readonly glyphs: readonly Glyph[];
  readonly positions: readonly Position[];
  readonly advanceWidth: number;
}

/** Letters that change with their neighbours, combine, or run from right to left. */
const needsShaping = /[\p{M}\u0590-\u109F\u1700-\u1CFF\uA800-\uABFF\uFB1D-\uFDFF\uFE70-\uFEFF]/u;

/**
 * Words repeat from paper to paper: caching shaped words saves two thirds of the time of a slip. Names of people do not
 * repeat.
 */
const runsKeptMax = 20_000;

function load(name: FontName): LoadedFont {
  const bytes = readFileSync(new URL(files[name]()));
  const font = opened(bytes);
  const { unitsPerEm } = font;
  const codePoints = new Set(font.characterSet);
  const runs = new Map<string, Shaped>();
  const pairs = new Map<string, number>();
  const tables = readGlyphTables(bytes);
  const shaped = (run: string): Shaped => {
    let known = runs.get(run);
    if (!known) {
      if (runs.size >= runsKeptMax) runs.clear();
      known = needsShaping.test(run) ? shapedBy(font, run) : letterByLetter(font, pairs, run);
      runs.set(run, known);
    }
    return known;
  };
  return {
    hasGlyph: (codePoint) => codePoints.has(codePoint),
    widthOf: (run) => shaped(run).advanceWidth / unitsPerEm,
    outlinesOf(run) {
      const { glyphs, positions, advanceWidth } = shaped(run);
      let x = 0;
      const outlines = glyphs.map(({ id }, i) => {
        const { xAdvance, xOffset, yOffset } = positions[i] as Position;
        const at = { x: (x + xOffset) / unitsPerEm, y: yOffset / unitsPerEm };
        x += xAdvance;
        return { ...at, scale: 1 / unitsPerEm, commands: font.getGlyph(id).path.commands };
      });
      return { glyphs: outlines, width: advanceWidth / unitsPerEm };
    },
    forDocument() {
      // A font stores for each glyph the letters that it first represented. A paper must not depend on earlier papers,
      // so letters that need shaping are shaped by a fresh font.
      let fresh: fontkit.Font | undefined;
      const layout = (run: string): Shaped => {
        if (!needsShaping.test(run)) return ownCopy(shaped(run));
        fresh ??= opened(bytes);
        return ownCopy(shapedBy(fresh, run));
      };
      return Object.assign(Object.create(font) as fontkit.Font, {
        layout: layout as unknown as fontkit.Font["layout"],
        createSubset: () => createSubset(tables) as unknown as fontkit.Subset,
      });
    },
  };
}

function opened(bytes: Buffer): fontkit.Font {
  const font = fontLibrary().create(bytes);
  assert("layout" in font, "a font file holds more than one font");
  return font;
}

/** The PDF library scales the given positions in place, so it gets a copy. */
function ownCopy({ glyphs, positions, advanceWidth }: Shaped): Shaped {
  return { glyphs, positions: positions.map((position) => ({ ...position })), advanceWidth };
}

function shapedBy(font: fontkit.Font, run: string): Shaped {
  const { glyphs, positions } = font.layout(run);
  return { glyphs, positions, advanceWidth: positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) };
}

/**
 * One glyph for each letter, kerned by pairs. Ligatures are not used, so that copied text equals the printed text.
 * Pairs repeat in names of people, which do not: shaping a new word as a whole takes ten times as long.
 */
function letterByLetter(font: fontkit.Font, pairs: Map<string, number>, run: string): Shaped {
  const letters = [...run];
  const glyphs = letters.map((letter) => {
    const codePoint = letter.codePointAt(0) as number;
    const { id, advanceWidth } = font.glyphForCodePoint(codePoint);
    return { id, advanceWidth, codePoints: [codePoint] };
  });
  const positions = glyphs.map(({ advanceWidth }, i) => {
    const next = letters[i + 1];
    const xAdvance = advanceWidth + (next === undefined ? 0 : kerning(font, pairs, `${letters[i]}${next}`));
    return { xAdvance, yAdvance: 0, xOffset: 0, yOffset: 0 };
  });
  return { glyphs, positions, advanceWidth: positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) };
}

/** Kerning between two letters, in units of the font. */
function kerning(font: fontkit.Font, pairs: Map<string, number>, pair: string): number {
  let known = pairs.get(pair);
  if (known === undefined) {
    if (pairs.size >= runsKeptMax) pairs.clear();
    const { glyphs, positions } = font.layout(pair);
    const [first] = glyphs;
    known = first && glyphs.length === 2 ? (positions[0]?.xAdvance ?? 0) - first.advanceWidth : 0;
    pairs.set(pair, known);
  }
  return known;
}
