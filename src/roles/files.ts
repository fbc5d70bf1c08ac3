import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Files that ship with the program. */
export const migrationsFolder = fileURLToPath(new URL("../../migrations", import.meta.url));

export function readXsd(name: string): Buffer {
  return readFileSync(new URL(`../../schemas/xsd/${name}`, import.meta.url));
}

/** Markdown of a guide in `docs/`. */
export function readGuide(name: string): string {
  return readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");
}
