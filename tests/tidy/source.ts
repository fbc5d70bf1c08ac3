import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Sources as text, scanned just enough for the rules. It uses no compiler, so that the rules hold for any version. */
export interface Source {
  /** From the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** The text with comments, strings, templates and regular expressions blanked out; line numbers stay the same. */
  readonly code: string;
  /** Imports and re-exports, as written. */
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
  return { path: file, text, ...scan(text) };
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

/** A slash opens a regular expression where an operand is expected: after these, or at the start. */
const beforeOperand = /(?:^|[(,=:[!&|?{};+<>~^%*-]|=>|\b(?:return|case|typeof|in|of|await|throw|else))\s*$/;

export function scan(text: string): Omit<Source, "path" | "text"> {
  let code = "";
  let withStrings = "";
  const templates: Template[] = [];

  const blank = (from: number, to: number, isString: boolean) => {
    const blanked = text.slice(from, to).replace(/[^\n]/g, " ");
    code += blanked;
    withStrings += isString ? text.slice(from, to) : blanked;
  };
  const endOf = (from: number, end: string) => {
    const at = text.indexOf(end, from);
    return at < 0 ? text.length : at + end.length;
  };

  /** Scans code from `at` to the closing brace, or to the end; returns the end position. */
  function scanCode(at: number): number {
    let depth = 0;
    for (let i = at; i < text.length; ) {
      const char = text[i] as string;
      const end = char === "`" ? undefined : endOfLiteral(i, char);
      if (char === "`") {
        i = scanTemplate(i);
      } else if (end !== undefined) {
        blank(i, end, char !== "/");
        i = end;
      } else {
        if (char === "{") depth++;
        if (char === "}" && depth-- === 0) return i;
        code += char;
        withStrings += char;
        i++;
      }
    }
    return text.length;
  }

  /** End of the comment, string or regular expression that starts here; undefined if none starts. */
  function endOfLiteral(from: number, char: string): number | undefined {
    if (char === '"' || char === "'") return endOfQuoted(from, char);
    if (char !== "/") return undefined;
    if (text[from + 1] === "/") return Math.max(from + 2, endOf(from, "\n") - 1);
    if (text[from + 1] === "*") return endOf(from + 2, "*/");
    return beforeOperand.test(code.slice(-40)) ? endOfExpression(from) : undefined;
  }

  function endOfQuoted(from: number, quote: string): number {
    for (let i = from + 1; i < text.length; i++) {
      if (text[i] === "\\") i++;
      else if (text[i] === quote) return i + 1;
    }
    return text.length;
  }

  function endOfExpression(from: number): number {
    let isInClass = false;
    for (let i = from + 1; i < text.length; i++) {
      const char = text[i];
      if (char === "\\") i++;
      else if (char === "[") isInClass = true;
      else if (char === "]") isInClass = false;
      else if (char === "\n" || (char === "/" && !isInClass)) return i + 1;
    }
    return text.length;
  }

  function scanTemplate(from: number): number {
    const tag = /[\w$.]*$/.exec(code)?.[0] ?? "";
    const texts: string[] = [];
    const holes: string[] = [];
    let start = from + 1;
    for (let i = start; i < text.length; ) {
      if (text[i] === "\\") i += 2;
      else if (text[i] === "`" || (text[i] === "$" && text[i + 1] === "{")) {
        texts.push(text.slice(start, i));
        blank(start - 1, i + 1, false);
        if (text[i] === "`") {
          templates.push({ tag, texts, holes });
          return i + 1;
        }
        blank(i + 1, i + 2, false);
        const close = scanCode(i + 2);
        holes.push(text.slice(i + 2, close));
        start = close + 1;
        i = start;
      } else i++;
    }
    return text.length;
  }

  scanCode(0);
  const imports = [
    ...withStrings.matchAll(/^\s*(?:import|export)\b[^;"']*?\bfrom\s+["']([^"']+)["']/gm),
    ...withStrings.matchAll(/^\s*import\s+["']([^"']+)["']/gm),
    ...withStrings.matchAll(/\bimport\(\s*["']([^"']+)["']/g),
    ...withStrings.matchAll(/\bnew URL\(\s*["'](\.[^"']+\.ts)["']\s*,\s*import\.meta\.url/g),
  ].map((match) => match[1] as string);
  return { code, imports, templates };
}
