// The fenced blocks of the guides: their contents, and how each of them is verified.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Line, languages, linesOfPage } from "../../docs-site/.vitepress/languages.ts";
import { sections } from "../../docs-site/contents.ts";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Languages that a reader runs, sends or parses. Others, such as `text`, are for display only. */
export const provedLanguages: ReadonlySet<string> = new Set([
  ...["sh", "bash", "js", "ts", "java", "python", "csharp", "go", "xml", "json"],
]);

export interface Fence {
  /** File of the page, relative to the root. */
  readonly file: string;
  readonly line: number;
  /** Empty if the fence names none. */
  readonly language: string;
  /** The text after the language, such as `not-run: needs a second machine`. */
  readonly remark: string;
  readonly source: string;
  /** The file that its first line names in a comment; undefined if that is not a file name. */
  readonly name: string | undefined;
  /** The heading of its section if that is a language, which `/docs` shows as a tab. */
  readonly tab: string | undefined;
}

/** Every page with instructions for a reader. */
export function pageFiles(): string[] {
  const docs = ["docs", "docs/contract"].flatMap((folder) =>
    readdirSync(new URL(`../../${folder}/`, import.meta.url))
      .filter((file) => file.endsWith(".md"))
      .sort()
      .map((file) => `${folder}/${file}`),
  );
  return ["README.md", "CONTRIBUTING.md", "samples/README.md", "tests/guides/README.md", ...docs];
}

const newcomersChapters: ReadonlySet<string> = new Set(["Start here", "Feeds", "Events", "REST services"]);

/** The pages for the developer of a brand, in the order of the navigation: `newcomer.test.ts` walks through them on one demo. */
export const newcomersPages: readonly string[] = sections
  .filter(({ title }) => newcomersChapters.has(title))
  .flatMap(({ pages }) => pages.map(({ name }) => `docs/${name}.md`));

export function readPage(file: string): string {
  return readFileSync(`${root}/${file}`, "utf8");
}

/** The fences of a page with its language files. */
export function fencesOf(page: string): Fence[] {
  const fences: Fence[] = [];
  let open: { readonly line: Line; readonly info: string; readonly lines: string[] } | undefined;
  let tab: { readonly name: string; readonly depth: number } | undefined;
  for (const line of linesOfPage(path.join(root, page))) {
    const { text } = line;
    if (open === undefined) {
      const [, marks = "", title = ""] = /^(#+) (.+)$/.exec(text) ?? [];
      if (languages.has(title)) tab = { name: title, depth: marks.length };
      else if (tab !== undefined && marks !== "" && marks.length <= tab.depth) tab = undefined;
      if (text.startsWith("```")) open = { line, info: text.slice(3).trim(), lines: [] };
    } else if (text === "```") {
      fences.push(fenceOf(open.line, open.info, open.lines, tab?.name));
      open = undefined;
    } else open.lines.push(text);
  }
  if (open !== undefined) throw new Error(`${open.line.file}:${open.line.number} opens a fence that nothing closes`);
  return fences;
}

function fenceOf(line: Line, info: string, lines: readonly string[], tab: string | undefined): Fence {
  const [, language = "", remark = ""] = /^(\S*)\s*(.*)$/.exec(info) ?? [];
  const [, name] = /^(?:\/\/|#|<!--) ([\w-]+\.\w+)(?: -->)?$/.exec(lines[0] ?? "") ?? [];
  const file = path.relative(root, line.file);
  return { file, line: line.number, language, remark, source: `${lines.join("\n")}\n`, name, tab };
}

/** The value of a remark: `not-run` has a reason, `run-by` a test, `needs` programs, `shows` the kind of the block. */
export function remarkOf({ remark }: Pick<Fence, "remark">, kind: Remark): string | undefined {
  return remark.startsWith(`${kind}: `) ? remark.slice(kind.length + 2) : undefined;
}

export const remarks = ["not-run", "run-by", "needs", "shows"] as const;
export type Remark = (typeof remarks)[number];

/** Whether the test of the page must verify the block. */
export function isToBeProved(fence: Fence): boolean {
  const isElsewhere = (["not-run", "run-by"] as const).some((kind) => remarkOf(fence, kind) !== undefined);
  return provedLanguages.has(fence.language) && !isElsewhere;
}
