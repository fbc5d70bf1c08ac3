import assert from "node:assert/strict";
import { test } from "node:test";
import { quoted } from "./csv-cell.ts";

// Operators see values from clients, and their spreadsheets open them.
const attempts: readonly (readonly [cell: string, expected: string])[] = [
  ["=1+1", "'=1+1"],
  ["+1+1", "'+1+1"],
  ["-1+1+cmd|' /C calc'!A0", "'-1+1+cmd|' /C calc'!A0"],
  ["-2+3", "'-2+3"],
  ["-1.5.2", "'-1.5.2"],
  ["--1", "'--1"],
  ["-", "'-"],
  ["@SUM(1)", "'@SUM(1)"],
  [" =1+1", "' =1+1"],
  ["\u00a0=1+1", "'\u00a0=1+1"],
  ["\u200b=1+1", "'\u200b=1+1"],
  ["\ufeff=1+1", "'\ufeff=1+1"],
  ["＝1+1", "'＝1+1"],
  ["＋1", "'＋1"],
  ["－1+1", "'－1+1"],
  ["＠SUM(1)", "'＠SUM(1)"],
  ["﹦1", "'﹦1"],
  ["−1+1", "'−1+1"],
  ["\t=1", "\"'\t'=1\""],
  ["\tx", '"\'\tx"'],
  ["\r=1", "\"'\r'=1\""],
  ["\nx", '"\'\nx"'],
  ["a;=1+1;b", '"a;\'=1+1;b"'],
  ["a\n=1+1", '"a\n\'=1+1"'],
  ['=HYPERLINK("http://x.example","y")', '"\'=HYPERLINK(""http://x.example"",""y"")"'],
];

for (const [cell, expected] of attempts) {
  test(`${JSON.stringify(cell)} is not a formula in the export`, () => assert.equal(quoted(cell), expected));
}

test("plain numbers and texts stay as they are", () => {
  for (const cell of ["-1", "-12.50", "0", "12.5", "ORD-1", "a=b", "a - b", "müller@example.com", ""]) {
    assert.equal(quoted(cell), cell);
  }
  assert.equal(quoted('say "hi", please'), '"say ""hi"", please"');
});
