// Comments cite the contract by page, section and title, as `feeds.md §1, Durability`. Every citation must exist.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { listFiles, root } from "./source.ts";

const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const folder = "docs/contract";
const pages = new Map(listFiles(`${folder}/*.md`).map((file) => [path.basename(file, ".md"), sectionsOf(read(file))]));

interface Section {
  /** Such as `3` or `3.1`; empty for a heading without a number. */
  readonly number: string;
  readonly title: string;
  /** Up to the next heading of its level. */
  readonly text: string;
}

/** The first section is the page itself. */
function sectionsOf(page: string): Section[] {
  const prose = page.replace(/^```[\s\S]*?^```$/gm, "");
  const headings = [...prose.matchAll(/^(#+) (?:(\d+(?:\.\d+)*)\.? )?(.+)$/gm)];
  return headings.map(({ index, 1: marks = "", 2: number = "", 3: title = "" }) => {
    const next = headings.find((other) => other.index > index && (other[1] ?? "").length <= marks.length);
    return { number, title, text: prose.slice(index, next?.index) };
  });
}

interface Citation {
  readonly page: string;
  readonly numbers: readonly string[];
  /** `Request` and `Answer` of `carriers.md, Request and Answer`. */
  readonly titles: readonly string[];
  /** The original text, for the message. */
  readonly words: string;
}

const named = new RegExp(`(?<![\\w-])(?:${[...pages.keys()].join("|")})\\.md(?![\\w#])`, "g");
/** The citation ends here: another document or another sentence begins. */
const behind = /\)|\.\s|[\w/-]+\.md\b|\b(?:RFC|GS1|NIST|ISO)\b|specification|draft-/;

function citationsOf(text: string, { isMarkdown }: { readonly isMarkdown: boolean }): Citation[] {
  // Joins the lines of a comment.
  const joined = text.replace(/\n[ \t]*(?:\*|\/\/|--|#)?[ \t]+/g, " ");
  return [...joined.matchAll(named)].flatMap(({ 0: file, index }) => {
    const [rest = ""] = joined.slice(index + file.length, index + file.length + 160).split(behind);
    const numbers = [...rest.matchAll(/§(\d+(?:\.\d+)*)/g)].map(([, number = ""]) => number);
    // In Markdown, a page without a number is a link to a guide or to the page as a whole.
    if (isMarkdown && numbers.length === 0) return [];
    const [, phrase = ""] = /^(?:[ ,–]|and|§[\d.]+)* ([A-Z]\w*(?:[ -]\w+)*)/.exec(rest) ?? [];
    const titles = phrase === "" ? [] : phrase.split(" and ");
    return [{ page: file.slice(0, -".md".length), numbers, titles, words: `${file}${rest}`.trim() }];
  });
}

function faultsOf({ page, numbers, titles }: Citation): string[] {
  const sections = pages.get(page) ?? [];
  const absent = numbers.filter((number) => !sections.some((section) => section.number === number));
  const cited = numbers.length === 0 ? sections : sections.filter(({ number }) => numbers.includes(number));
  const text = cited.map((section) => section.text).join("\n");
  const untitled = absent.length > 0 ? [] : titles.filter((title) => !text.includes(title));
  return [...absent.map((number) => `has no section ${number}`), ...untitled.map((title) => `has no '${title}' there`)];
}

const files = listFiles(
  "{src,tests,scripts,bench,console,migrations,packages,samples,schemas,deploy,docs}/**/*.{ts,tsx,mjs,js,css,html,sql,xsd,sh,yaml,yml,md}",
  "*.{md,mjs,ts,yaml}",
).filter((file) => file !== "tests/tidy/contract.test.ts");

test("every section and title of the contract that is cited is there", () => {
  const all = files.flatMap((file) =>
    citationsOf(read(file), { isMarkdown: file.endsWith(".md") }).map((citation) => ({ file, citation })),
  );
  assert.ok(all.filter(({ citation }) => citation.numbers.length > 0).length > 300, "the citations are not seen");
  assert.deepEqual(
    all.flatMap(({ file, citation }) =>
      faultsOf(citation).map((fault) => `${file}: '${citation.words}': ${citation.page}.md ${fault}`),
    ),
    [],
  );
});

test("what is cited wrongly is found", () => {
  const faults = (text: string) => citationsOf(text, { isMarkdown: false }).flatMap(faultsOf);
  assert.deepEqual(faults("// lifecycle.md §1, §9: feeds.md §4, CAT and Units; §2 [EAN]. RFC 9110 §15"), []);
  assert.deepEqual(faults(" * (lifecycle.md §1,\n * §12) and (rest.md §2–§44)"), [
    "has no section 12",
    "has no section 44",
  ]);
  assert.deepEqual(faults("/** carriers.md, Request and Reply */"), ["has no 'Reply' there"]);
});

test("a document that a comment names is there", () => {
  const comment = /^\s*(?:\/\/|\/?\*|--|#).*$/gm;
  const faults = files
    .filter((file) => !file.endsWith(".md"))
    .flatMap((file) =>
      [...read(file).matchAll(comment)]
        .flatMap(([line]) => [...line.matchAll(/(?<![\w.:-])[\w./-]*[\w-]\.md\b/g)].map(([name]) => name))
        .filter((name) =>
          ["", "docs", folder, path.dirname(file)].every((from) => !existsSync(path.join(root, from, name))),
        )
        .filter((name) => !(name.startsWith("contract/") && existsSync(path.join(root, "docs", name))))
        .map((name) => `${file} names ${name}`),
    );
  assert.deepEqual(faults, []);
});

test("the files that the contract names are there", () => {
  const faults = [...pages.keys()].flatMap((page) =>
    [...read(`${folder}/${page}.md`).matchAll(/`((?:src|tests|samples|console|schemas|migrations|deploy)\/[\w./-]+)`/g)]
      .filter(([, file = ""]) => !existsSync(path.join(root, file)))
      .map(([, file]) => `${page}.md names ${file}`),
  );
  assert.deepEqual(faults, []);
});
