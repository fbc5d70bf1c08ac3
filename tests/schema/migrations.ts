import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * How Citus is to place a table (operations.md §4): by client_id, by a key that is unique over all clients, a copy
 * everywhere, or on the coordinator alone.
 */
export const tableClasses = ["distributed", "keyed", "reference", "local"] as const;
export type TableClass = (typeof tableClasses)[number];

export interface DeclaredTable {
  readonly name: string;
  /** Undefined where the migration does not say. */
  readonly class: TableClass | undefined;
  readonly migration: string;
}

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

/** Every table that a migration creates, with the class that the comment above it declares. */
export function readTables(): DeclaredTable[] {
  return readMigrationTexts().flatMap(({ name: migration, text }) => {
    const made =
      /((?:^[ \t]*--[^\n]*\n)*)^[ \t]*create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(\w+)(?!\w*\s+partition\s+of)/gim;
    return [...text.matchAll(made)].map(([, comments = "", name = ""]) => {
      const declared = /^[ \t]*-- citus: (\w+)[ \t]*$/m.exec(comments)?.[1];
      return { name, class: tableClasses.find((word) => word === declared), migration };
    });
  });
}
