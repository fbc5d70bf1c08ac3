import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { create, type Font } from "fontkit";
import { createSubset, readGlyphTables } from "#/modules/documents/papers/subset.ts";

const fonts = [
  "@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf",
  "dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf",
];

for (const name of fonts) {
  test(`each glyph of a subset has the outline and the width of its font (${name})`, () => {
    const bytes = readFileSync(new URL(import.meta.resolve(name)));
    const font = create(bytes) as Font;
    const subset = createSubset(readGlyphTables(bytes));
    // Letters with marks are composites of other glyphs; a blank has no outline.
    const glyphs = [..."Größe ÅčŁódź Ж€½"].map((letter) => font.glyphForCodePoint(letter.codePointAt(0) as number));
    const numbers = glyphs.map(({ id }) => subset.includeGlyph(id));
    assert.equal(subset.includeGlyph((glyphs[0] as { id: number }).id), numbers[0], "a glyph has one number");
    const small = subset.encode();
    const reopened = create(Buffer.from(small)) as Font;
    assert.deepEqual(
      numbers.map((number) => outlineOf(reopened, number)),
      glyphs.map(({ id }) => outlineOf(font, id)),
    );
    assert.ok(small.byteLength < bytes.byteLength / 10, `${small.byteLength} of ${bytes.byteLength} bytes`);
    assert.ok(reopened.numGlyphs > new Set(numbers).size, "the components of composite glyphs are part of the subset");
  });
}

function outlineOf(font: Font, id: number) {
  const { advanceWidth, path } = font.getGlyph(id);
  return { advanceWidth, outline: path.toSVG() };
}
