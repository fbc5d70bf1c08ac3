// docs/glossary.md: its form, and that it explains every abbreviation of the documentation.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { publishedXsds } from "#/intake/feeds/http/xsd-routes.ts";
import { settingValues } from "#/kernel/config/setting-words.ts";
import { settingWords } from "#/modules/clients/index.ts";
import { pageFiles, readPage } from "./fences.ts";

const glossary = readPage("docs/glossary.md");

/** The rows of the table below a heading, each as a list of cells. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const [, part = ""] = glossary.split(`\n## ${heading}\n`);
  const [, , ...rows] = (part.split("\n## ")[0] as string).split("\n").filter((line) => line.startsWith("|"));
  return rows.map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

const terms = rowsBelow("Terms");
const technical = rowsBelow("Technical abbreviations");

const inOrder = (names: readonly string[]) => names.map((name) => name.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase());

test("terms and abbreviations are in alphabetical order, each once", () => {
  for (const rows of [terms, technical]) {
    const names = inOrder(rows.map(([name = ""]) => name));
    assert.deepEqual(names, names.toSorted());
    assert.equal(new Set(names).size, names.length);
  }
  assert.ok(terms.length >= 70, `${terms.length} terms`);
});

test("each term has one sentence, and a cell for what others call it", () => {
  for (const [term = "", meaning = "", ...rest] of terms) {
    assert.match(meaning, /^\S.*[^.]\.$/, term);
    assert.doesNotMatch(meaning, /\w\. \p{Lu}/u, `${term}: one sentence`);
    assert.equal(rest.length, 1, term);
  }
});

/** Words in capitals that are not abbreviations. */
const words: Readonly<Record<string, readonly string[]>> = {
  "key words of RFC 2119": ["MAY", "MUST", "NOT", "SHOULD"],
  "actions of a feed": ["CANCEL", "NEW", "UPDATE"],
  "other forms of units and countries": [
    ...["EACHES", "GRAMS", "IE", "INCHES", "KGS", "LBS", "PIECE", "PIECES", "UK", "UNITS"],
  ],
  "a character and a section of XML": ["CDATA", "NUL"],
  "HTTP methods, SQL, signals": [
    "CASE",
    "COMMIT",
    "EXISTS",
    "FROM",
    "GET",
    "LISTEN",
    "NULL",
    "PATCH",
    "POST",
    "SIGINT",
  ],
  "placeholders and names": ["DEMO", "DIR", "KEY", "NAME", "OLD", "README"],
  "codes of units": [
    ...["CM", "CMT", "CS", "EA", "EACH", "FOT", "FT", "GRM", "IN", "INH", "KG", "KGM", "LB", "LBR", "MM", "MMT"],
    ...["MTR", "ONZ", "OZ", "PC", "PCE", "PCS", "ST", "UNIT"],
  ],
  "codes of currencies": ["EUR"],
  "codes of countries": ["AU", "BR", "CA", "ES", "IN", "IT", "MX", "US"],
};

/** Words in capitals that are values of the services: states, reasons, settings. Their own pages explain them. */
const values = new Set([
  ...Object.values(settingWords).flatMap((words) => settingValues(words) ?? []),
  ...readdirSync(openapiFolder()).flatMap((file) =>
    enumsOf(JSON.parse(readFileSync(new URL(file, openapiFolder()), "utf8"))),
  ),
]);

function openapiFolder(): URL {
  return new URL("../../schemas/openapi/", import.meta.url);
}

function enumsOf(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const values = (node as { enum?: unknown }).enum;
  const found = Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
  return [...found, ...Object.values(node).flatMap(enumsOf)];
}

/** Names of packages and of their licences, as their authors write them. */
const generatedFromPackages = "docs/licences.md";

const explained = new Set([...terms, ...technical].flatMap(([name = ""]) => name.split(", ")));

/** The meanings in the glossary's own tables. */
const ownWords = [...terms, ...technical].map(([, meaning]) => meaning).join("\n");

/** Words in capitals outside of code, comments and addresses. */
function abbreviationsOf(page: string): string[] {
  const prose = page
    .replace(/^ *```[\s\S]*?^ *```$/gm, "")
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/``.+?``|`[^`\n]*`/g, "")
    .replace(/\]\([^)]*\)/g, "]");
  return [...prose.matchAll(/(?<![\w-])[A-Z]{2,6}(?!\w)/g)].map(([found]) => found);
}

test("each abbreviation of the documentation is in the glossary", () => {
  const known = new Set([...explained, ...values, ...Object.values(words).flat()]);
  const files = [...pageFiles(), "ARCHITECTURE.md"].filter((file) => file !== generatedFromPackages);
  const unexplained = files.flatMap((file) =>
    [...new Set(abbreviationsOf(file === "docs/glossary.md" ? ownWords : readPage(file)))]
      .filter((found) => !known.has(found))
      .map((found) => `${file}: ${found} is not in docs/glossary.md`),
  );
  assert.deepEqual(unexplained, []);
});

test("each feed is a term", () => {
  const feeds = publishedXsds.filter((name) => name !== "ApiResponse");
  assert.deepEqual(
    feeds.filter((name) => !terms.some(([term]) => term === name)),
    [],
  );
});
