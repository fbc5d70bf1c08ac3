import assert from "node:assert/strict";
import { test } from "node:test";
import { linesAt, lineTotalOf, movedOffsets, offsetOf } from "./document-edit.ts";

const text = "<a>\n  <b>1</b>\n\n  <c/>\n</a>";

test("a place is found by its line and column, and never beyond its line", () => {
  assert.equal(text.slice(offsetOf(text, 2, 3)).slice(0, 3), "<b>");
  assert.equal(text.slice(offsetOf(text, 4, null)).slice(0, 4), "<c/>");
  assert.equal(offsetOf(text, 3, 40), offsetOf(text, 3, 1));
  assert.equal(offsetOf(text, 99, 1), offsetOf(text, 5, 1));
});

test("lines are counted from 1, in any order of the offsets", () => {
  assert.deepEqual(linesAt(text, [offsetOf(text, 4, 3), null, 0, offsetOf(text, 2, 1)]), [4, null, 1, 2]);
  assert.equal(lineTotalOf(text), 5);
  assert.equal(lineTotalOf(""), 1);
});

test("a place keeps its text when lines are added or removed before it", () => {
  const at = [offsetOf(text, 2, 3), offsetOf(text, 4, 3)];
  const after = (edited: string) => linesAt(edited, movedOffsets(at, text, edited));
  assert.deepEqual(after(text.replace("<a>", "<a>\n<new/>")), [3, 5], "a line before both");
  assert.deepEqual(after(text.replace("\n\n", "\n")), [2, 3], "a line between them removed");
  assert.deepEqual(after(text.replace("1", "12345")), [2, 4], "within a line");
  assert.deepEqual(after(text.replace("</b>", "</b>\n")), [2, 5], "a break after a place");
  assert.deepEqual(after("other"), [1, 1], "another text");
});
