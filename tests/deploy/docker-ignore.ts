// The files that `.dockerignore` passes to the builder, by Docker's rules: the last matching line decides.
import { readFileSync } from "node:fs";

interface Rule {
  readonly isException: boolean;
  readonly pattern: RegExp;
}

/** @param file relative to the project, with slashes. */
export function createIgnore(ignoreFile: URL): (file: string) => boolean {
  const rules: Rule[] = readFileSync(ignoreFile, "utf8")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({ isException: line.startsWith("!"), pattern: expressionOf(line.replace(/^!/, "")) }));
  return (file) => {
    let isIgnored = false;
    for (const { isException, pattern } of rules) if (pattern.test(file)) isIgnored = !isException;
    return isIgnored;
  };
}

/** A pattern matches a path and everything below it; its `*` also matches names that begin with a dot. */
function expressionOf(pattern: string): RegExp {
  const parts: Readonly<Record<string, string>> = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]" };
  const text = pattern.replace(/\*\*\/|\*\*|\*|\?|[.+^$()|[\]\\{}]/g, (part) => parts[part] ?? `\\${part}`);
  return new RegExp(`^${text}(?:/|$)`);
}
