import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fit, lettersMissing, printable, runsOf, sizeFor, widthOf, wrap } from "./text.ts";

const letters = "abc W- /łż Київ ñ@. שלום ع ₺";
const texts = fc.array(fc.constantFrom(...letters), { maxLength: 120 }).map((parts) => printable(parts.join("")));

test("wrapping loses nothing but the blanks at the ends of lines, and no line is wider than it may be", () => {
  fc.assert(
    fc.property(texts, fc.double({ min: 3, max: 40, noNaN: true }), (text, width) => {
      const lines = wrap(text, "regular", width);
      assert.equal(lines.join("").replaceAll(" ", ""), text.replaceAll(" ", ""));
      for (const line of lines) {
        assert.ok(line !== "" && line.trim() === line);
        assert.ok(widthOf(line, "regular") <= width * 1.001, `'${line}' in ${width}`);
      }
    }),
    { numRuns: 200 },
  );
});

test("a line is broken at blanks, in a long word after its hyphens, and inside it where nothing else is left", () => {
  assert.deepEqual(wrap("one two three", "regular", widthOf("one two", "regular")), ["one two", "three"]);
  assert.deepEqual(wrap("north-south", "regular", widthOf("north-s", "regular")), ["north-", "south"]);
  assert.deepEqual(wrap("WWWWW", "regular", widthOf("WW", "regular")), ["WW", "WW", "W"]);
  assert.deepEqual(wrap("", "regular", 1), []);
  // A single letter that is wider than the line is printed all the same.
  assert.deepEqual(wrap("WM", "regular", 0.1), ["W", "M"]);
});

test("a text that exceeds its frame is printed smaller until it fits", () => {
  const frame = { width: 100, height: 50, sizeMax: 12, leading: 1.2 };
  assert.deepEqual(fit(["short"], "regular", frame), { size: 12, lines: ["short"] });
  for (const count of [10, 100, 1000]) {
    const { size, lines } = fit(["word ".repeat(count).trim()], "regular", frame);
    assert.ok(lines.length * size * 1.2 <= 50 && size < 12);
    assert.equal(lines.join(" ").split(" ").length, count);
  }
  assert.equal(sizeFor("x", "regular", 9, 100), 9);
  const size = sizeFor("W".repeat(50), "bold", 9, 100);
  assert.ok(widthOf("W".repeat(50), "bold") * size <= 100 && size > 1);
});

test("invisible direction marks are removed, line ends become blanks, letters are composed", () => {
  assert.equal(printable("a\u202Eb\u0000c\u200B d\r\n\te\u2066f\uFE0F\u{E0041}"), "abc d ef");
  assert.equal(printable("  Zoe\u0308 "), "Zoë");
  assert.equal(printable("\uD800x"), "x");
  assert.equal(printable("a\u00A0b"), "a b");
  assert.equal(printable(printable("東京 🎂")), "\uFFFD\uFFFD \uFFFD");
  assert.deepEqual(lettersMissing("東京 Łódź 🎂 東"), ["東", "京", "🎂"]);
  assert.deepEqual(lettersMissing("Łódź Київ שלום \u202E"), []);
});

test("a line is cut into runs of one font and direction, in the order in which they are seen", () => {
  const seen = (line: string) => runsOf(line, "regular").map(({ text, font }) => `${text}|${font}`);
  assert.deepEqual(seen("Zażółć Київ"), ["Zażółć Київ|regular-first"]);
  assert.deepEqual(seen(""), []);
  // Hebrew first: the line begins at the right, and its number is read from left to right.
  assert.deepEqual(seen("רחוב 12 (א) X"), [
    "X|regular-first",
    " (|regular-first",
    "א|regular-more",
    ") |regular-first",
    "12|regular-first",
    "רחוב |regular-more",
  ]);
});
