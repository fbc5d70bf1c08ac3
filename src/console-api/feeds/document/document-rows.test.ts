import assert from "node:assert/strict";
import { test } from "node:test";
import { offsetOf, positionAt, readRows, rowsOf } from "./document-rows.ts";

test("each line is a row; a line feed at the end adds no empty row", () => {
  const text = "<a>\r\n  <b/>\n\n</a>\n";
  const rows = rowsOf(text);
  assert.deepEqual(
    readRows(text, rows, 1, 10).map(({ line, text: shown }) => [line, shown]),
    [
      [1, "<a>"],
      [2, "  <b/>"],
      [3, ""],
      [4, "</a>"],
    ],
  );
  assert.deepEqual(readRows(text, rows, 3, 1), [{ row: 3, line: 3, column: 1, text: "" }]);
  assert.deepEqual(readRows(text, rows, 9, 5), []);
  assert.equal(rowsOf("").starts.length, 1);
});

test("a long line is split between tags without loss", () => {
  const text = `<a>${"<item><sku>X</sku></item>".repeat(100)}</a>`;
  const rows = rowsOf(text);
  const shown = readRows(text, rows, 1, 10_000);
  assert.ok(shown.length > 10);
  assert.equal(shown.map(({ text: piece }) => piece).join(""), text);
  assert.ok(shown.every(({ text: piece, line }) => line === 1 && piece.length <= 140 && piece.startsWith("<")));
  for (const { row, column } of shown) assert.equal(positionAt(rows, column - 1).row, row);
});

test("no character is cut in two", () => {
  const text = "𝄞".repeat(500);
  const shown = readRows(text, rowsOf(text), 1, 100);
  assert.ok(shown.every(({ text: piece }) => piece.isWellFormed()));
  assert.equal(shown.map(({ text: piece }) => piece).join(""), text);
});

test("the largest document is split in time proportional to its size, whatever its texts are", () => {
  const size = 20 * 1024 * 1024;
  for (const part of ["x ", "&gt;", "<a/>", ">", "\n", "a=''"]) {
    const text = `<a>${part.repeat(size / part.length)}`;
    const rows = rowsOf(text);
    assert.equal(positionAt(rows, size).line, part === "\n" ? size - 2 : 1, part);
  }
});

test("any line and column give a place within the document", () => {
  const text = "ab\ncd\n";
  const rows = rowsOf(text);
  assert.equal(offsetOf(rows, 2, 2, text.length), 4);
  assert.equal(offsetOf(rows, 1, 99, text.length), 1);
  assert.equal(positionAt(rows, offsetOf(rows, 99, 1, text.length)).line, 2);
});
