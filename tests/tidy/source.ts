import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor } from "oxc-parser";

export interface Source {
  /** From the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** The text with comments, strings, templates and regular expressions blanked out. */
  readonly code: string;
  /** Imports, re-exports and the modules of workers (`new URL("./worker.ts", import.meta.url)`), as written. */
  readonly imports: readonly string[];
  readonly templates: readonly Template[];
}

/** A template literal: the texts between its holes, and the expressions in the holes. */
export interface Template {
  /** The tag before it; empty for a plain template. */
  readonly tag: string;
  readonly texts: readonly string[];
  readonly holes: readonly string[];
}

export const root = fileURLToPath(new URL("../../", import.meta.url));

export function readSource(file: string): Source {
  const text = readFileSync(path.join(root, file), "utf8");
  return { path: file, text, ...scan(text, path.basename(file)) };
}

/** The files of the project that match a pattern, in order. */
export function listFiles(...patterns: readonly string[]): string[] {
  const isForeign = (name: string) =>
    ["node_modules", ".git", "data", "coverage", "dist"].includes(name) || name.startsWith(".build-");
  return (
    globSync(patterns, { cwd: root, exclude: (file) => isForeign(path.basename(file)) })
      .map((file) => file.replaceAll(path.sep, "/"))
      // A linked worktree has a file of this name, which the exclusion of folders does not cover.
      .filter((file) => file !== ".git")
      .sort()
  );
}

export function isTest(file: string): boolean {
  return file.endsWith(".test.ts");
}

/** The extension of the file's name decides whether the text may contain JSX. */
export function scan(text: string, name = "source.ts"): Omit<Source, "path" | "text"> {
  const { program, module, comments, errors } = parseSync(name, text);
  if (errors.length > 0) throw new SyntaxError(errors.map(({ message }) => message).join("\n"));
  const imports = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    // A computed name is not a literal.
    ...module.dynamicImports.flatMap(
      ({ moduleRequest: { start, end } }) => /^["'](.*)["']$/.exec(text.slice(start, end))?.[1] ?? [],
    ),
  ];
  const tags = new Map<number, string>();
  const templates: Template[] = [];
  const words: { readonly start: number; readonly end: number }[] = [...comments];
  new Visitor({
    Literal: (node) => void ((typeof node.value === "string" || "regex" in node) && words.push(node)),
    TemplateElement: (node) => void words.push(node),
    TaggedTemplateExpression: ({ tag, quasi }) => void tags.set(quasi.start, text.slice(tag.start, tag.end)),
    TemplateLiteral({ start, quasis, expressions }) {
      templates.push({
        tag: tags.get(start) ?? "",
        texts: quasis.map(({ value }) => value.raw),
        holes: expressions.map((hole) => text.slice(hole.start, hole.end)),
      });
    },
    NewExpression({ callee, arguments: [place] }) {
      if (callee.type !== "Identifier" || callee.name !== "URL" || place?.type !== "Literal") return;
      if (/^\..*\.ts$/.test(String(place.value))) imports.push(String(place.value));
    },
  }).visit(program);
  let code = "";
  for (const { start, end } of words.toSorted((left, right) => left.start - right.start)) {
    code += text.slice(code.length, start) + text.slice(start, end).replace(/[^\n]/g, " ");
  }
  code += text.slice(code.length);
  return { code, imports: [...new Set(imports)], templates };
}
