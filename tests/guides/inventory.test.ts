// Every block of a guide is verified: a test runs or validates it, or a remark says why not.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { languages } from "../../docs-site/.vitepress/languages.ts";
import {
  type Fence,
  fencesOf,
  isToBeProved,
  newcomersPages,
  pageFiles,
  provedLanguages,
  readPage,
  remarkOf,
  remarks,
  root,
} from "./fences.ts";

const pages = pageFiles().map((file) => ({ file, fences: fencesOf(file) }));
const all = pages.flatMap(({ fences }) => fences);
const placeOf = ({ file, line }: Fence) => `${file}:${line}`;

/** The test of a page has the page's name. */
const testOf = (file: string) => `tests/guides/${path.basename(file, ".md").toLowerCase()}.test.ts`;

test("every fence says its language", () => {
  assert.deepEqual(
    all
      .filter(({ language }) => language === "")
      .map((fence) => `${placeOf(fence)}: name a language; 'text' for what is only shown`),
    [],
  );
});

test("the word after the language is a known remark, and has a value", () => {
  const faults = all.flatMap((fence) => {
    if (fence.remark === "" || (fence.language === "text" && fence.remark === "example")) return [];
    const kind = remarks.find((remark) => remarkOf(fence, remark) !== undefined);
    if (kind === undefined) return [`${placeOf(fence)}: '${fence.remark}' is none of ${remarks.join(", ")}`];
    const reason = remarkOf(fence, kind) ?? "";
    const isReason = kind !== "not-run" || reason.split(" ").length >= 3;
    return isReason ? [] : [`${placeOf(fence)}: '${reason}' is not a reason`];
  });
  assert.deepEqual(faults, []);
});

test("a block that another test runs names a test that is there and reads the page", () => {
  for (const fence of all) {
    const runner = remarkOf(fence, "run-by");
    if (runner === undefined) continue;
    assert.ok(existsSync(path.join(root, runner)), `${placeOf(fence)}: there is no ${runner}`);
    assert.ok(
      readFileSync(path.join(root, runner), "utf8").includes(path.basename(fence.file)),
      `${runner} does not read ${fence.file}`,
    );
  }
});

test("a page with blocks to be proved has a test that walks through it", () => {
  const faults = pages.flatMap(({ file, fences }) => {
    const [first] = fences.filter(isToBeProved);
    if (first === undefined) return [];
    const testPath = testOf(file);
    const isWalked =
      newcomersPages.includes(file) ||
      (existsSync(path.join(root, testPath)) && readFileSync(path.join(root, testPath), "utf8").includes(`"${file}"`));
    return isWalked
      ? []
      : [
          `${placeOf(first)}: nothing runs it: write ${testPath}, or say why not by 'not-run: …' (tests/guides/README.md)`,
        ];
  });
  assert.deepEqual(faults, []);
});

test("a program is in a file that its first line names, and that a block of the page or its test uses", () => {
  const faults = pages.flatMap(({ file, fences }) =>
    fences
      .filter((fence) => isToBeProved(fence) && !["sh", "bash", "xml", "json"].includes(fence.language))
      .flatMap((fence) => {
        if (fence.name === undefined) return [`${placeOf(fence)}: its first line names no file`];
        const stem = fence.name.replace(/\.\w+$/, "");
        const isUsed =
          fences.some((other) => other.language === "sh" && isToBeProved(other) && other.source.includes(stem)) ||
          readFileSync(path.join(root, testOf(file)), "utf8").includes(stem);
        return isUsed ? [] : [`${placeOf(fence)}: nothing runs ${fence.name}`];
      }),
  );
  assert.deepEqual(faults, []);
});

test("links of the guides lead to files that are there, and to headings that are there", () => {
  const slug = (title: string) =>
    title
      .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "");
  const headings = (text: string) =>
    [...text.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => slug(title));
  // Steps of a page have the same tabs.
  const tabs = new Set([...languages.keys()].map(slug));
  const files = new Set(pages.flatMap(({ file, fences }) => [file, ...fences.map((fence) => fence.file)]));
  const faults = [...files].flatMap((file) => {
    const prose = readPage(file)
      .replace(/^```[\s\S]*?^```$/gm, "")
      .replace(/`[^`\n]*`/g, "");
    const anchors = headings(readPage(file));
    const twice = anchors
      .filter((heading, i) => anchors.indexOf(heading) !== i && !tabs.has(heading))
      .map((heading) => `${file} has the heading #${heading} twice`);
    const broken = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = ""]) => {
      if (/^https?:|^mailto:/.test(target)) return [];
      const [to = "", place] = target.split("#");
      const found = to === "" ? file : path.join(path.dirname(file), to);
      if (!existsSync(path.join(root, found))) return [`${file} leads to ${target}, which is not there`];
      if (place === undefined || !found.endsWith(".md")) return [];
      return headings(readPage(found)).includes(place) ? [] : [`${file} leads to ${target}, where no such heading is`];
    });
    return [...twice, ...broken];
  });
  assert.deepEqual(faults, []);
});

test("a page leads to the files of its other languages", () => {
  const faults = pages.flatMap(({ file: page, fences }) =>
    [...new Set(fences.map(({ file }) => file))]
      .filter((file) => file !== page && !readPage(page).includes(`](${path.relative(path.dirname(page), file)})`))
      .map((file) => `${page} does not lead to ${file}`),
  );
  assert.ok(all.some(({ file }) => file.startsWith("docs/quick-start/")));
  assert.deepEqual(faults, []);
});

test("the languages that must be proved are in use, and the walk sees them", () => {
  assert.deepEqual(
    [...new Set(all.map(({ language }) => language).filter((language) => provedLanguages.has(language)))].sort(),
    [...provedLanguages].filter((language) => language !== "bash").sort(),
  );
});
