import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type DeclaredTable, tablesIn } from "#/store/db/citus/catalogue.ts";

const folder = fileURLToPath(new URL("../../migrations/", import.meta.url));

export interface MigrationText {
  readonly name: string;
  readonly text: string;
}

export function readMigrationTexts(): MigrationText[] {
  return globSync("*.sql", { cwd: folder })
    .sort()
    .map((name) => ({ name, text: readFileSync(`${folder}${name}`, "utf8") }));
}

export const withoutComments = (text: string) => text.replace(/--[^\n]*/g, "").replace(/\/\*[\s\S]*?\*\//g, "");

/** Every table that a migration creates, with the class from the comment above it. */
export function readTables(): DeclaredTable[] {
  return tablesIn(readMigrationTexts());
}
