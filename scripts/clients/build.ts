// Makes the package of a language for its registry: the files of packages/{language} and the generated ones.
// node scripts/clients/build.ts python [FOLDER]
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { csharpFiles } from "./csharp.ts";
import { goFiles } from "./go.ts";
import { javaFiles } from "./java.ts";
import { root } from "./model.ts";
import { pythonFiles } from "./python.ts";

const generators = { python: pythonFiles, go: goFiles, java: javaFiles, csharp: csharpFiles } as const;

export type Language = keyof typeof generators;

/** The formatters of languages whose users expect one form. */
const formatters: Readonly<Partial<Record<Language, readonly [string, ...string[]]>>> = { go: ["gofmt", "-w", "."] };

/** @returns the folder of the package. @throws an error where the language has a formatter that is not installed. */
export function buildClient(language: Language, into = path.join(root, "packages", language, "dist")): string {
  const home = path.join(root, "packages", language);
  rmSync(into, { recursive: true, force: true });
  cpSync(home, into, { recursive: true, filter: (source) => path.basename(source) !== "dist" });
  cpSync(path.join(root, "LICENSE"), path.join(into, "LICENSE"));
  for (const [file, text] of generators[language]()) {
    const place = path.join(into, file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
  const [formatter, ...args] = formatters[language] ?? [];
  if (formatter !== undefined) execFileSync(formatter, args, { cwd: into });
  return into;
}

if (import.meta.main) {
  const [language = "", folder] = process.argv.slice(2);
  if (!(language in generators)) throw new Error(`the languages are ${Object.keys(generators).join(", ")}`);
  process.stdout.write(`${buildClient(language as Language, folder)}\n`);
}
