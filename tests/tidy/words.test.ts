import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { listFiles, root } from "./source.ts";
import { textsOf } from "./texts.ts";

/** Words for which the field has a term: notified, the caller, again, fix, no client. CONTRIBUTING.md has the rule. */
const dialect =
  /\b(?:[Tt]old|[Tt]ells of|[Ww]hoever|[Aa]new|[Mm]end(?:s|ed|ing)?|[Nn]obody|[Ss]omebody|[Ii]s to be|[Ss]tands? (?:in|there)|[Oo]f its own)\b/;
/** "A process of their own" is a separate process; "of their own making" is plain. */
const ofTheirOwn =
  /\bof (?:their|one's) own(?=[.,;:)]| (?:and|as|at|by|for|from|in|is|of|on|or|that|to|was|which|with)\b)/;
/** Names in braces are those of expressions. */
const isDialect = (text: string) => [dialect, ofTheirOwn].some((words) => words.test(text.replace(/\{\w+\}/g, "")));
/** A comment begins with its noun: "Rows that were found", not "What was found". Its later lines may continue a sentence. */
const noun = /^\s*(?:\/\/|\/\*\*)\s*(?:What|Those of these)\b(?!.*\?)/;
/** "Is not an address", not "is no address"; "there is no address" is plain. */
const noNoun = /(?<!\b[Tt]here )\b(?:is|are|was|were) no (?!longer\b|more\b|one\b)[a-z]/;

/** Lines that mean the word itself. */
const exceptions: readonly RegExp[] = [
  /as nobody\. \*\/$/, // the account `nobody` of Unix
  /`postgres` or `nobody`/,
  /user id of nobody\.$/,
  /user set nobody/, // a user of this name
  /NO-nobody/, // a sample of this name
  /@param told/,
  /\b(?:refuse|misuse) "/, // messages of the operator's scripts stay as they are
];

const isComment = /^\s*(?:\/\/|\/?\*)/;
const sources = listFiles("{src,console/src,tests,bench,scripts,packages}/**/*.{ts,tsx}").filter(
  (file) => !file.includes("/generated/") && file !== "tests/tidy/words.test.ts",
);

test("comments use the terms of the field", () => {
  assert.ok(sources.length > 1_000, `${sources.length} files were read`);
  assertNone(
    sources.flatMap((file) => {
      const lines = linesOf(file);
      return lines.filter(({ text }, i) => {
        if (!isComment.test(text) || text.includes("biome-ignore")) return false;
        const isFirst = !/^\s*\/\//.test(lines[i - 1]?.text ?? "");
        return isDialect(text) || noNoun.test(text) || (isFirst && noun.test(text));
      });
    }),
  );
});

test("texts and titles of tests use the terms of the field", () => {
  const texts = sources.flatMap((file) => textsOf(file).map(({ text, line }) => ({ place: `${file}:${line}`, text })));
  assert.ok(texts.length > 20_000, `${texts.length} texts were read`);
  assertNone(texts.filter(({ text }) => text.split(" ").length >= 3 && isDialect(text)));
  const title = /^\s*(?:\w+\.)?test\(\s*["`](.*)["`],/;
  const titles = sources.flatMap(linesOf).filter(({ text }) => title.test(text));
  assert.ok(titles.length > 1_500, `${titles.length} titles were read`);
  assertNone(titles.filter(({ text }) => noNoun.test(text)));
});

test("documents use the terms of the field", () => {
  const documents = listFiles("*.md", "{docs,bench,samples,deploy,tests}/**/*.{md,yaml,sh}");
  assert.ok(documents.length > 100, `${documents.length} documents were read`);
  assertNone(documents.flatMap((file) => linesOf(file).filter(({ text }) => isDialect(text) || noNoun.test(text))));
});

interface Line {
  readonly place: string;
  readonly text: string;
}

function linesOf(file: string): Line[] {
  const lines = readFileSync(path.join(root, file), "utf8").split("\n");
  return lines.map((text, i) => ({ place: `${file}:${i + 1}`, text }));
}

function assertNone(found: readonly Line[]): void {
  const faults = found.filter(({ text }) => !exceptions.some((exception) => exception.test(text)));
  assert.equal(faults.map(({ place, text }) => `${place}: ${text.trim()}`).join("\n"), "");
}
