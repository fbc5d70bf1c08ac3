// How Citus is to place each table, as the migrations say it (operations.md §4).

/** By client_id, by a key that is unique over all clients, a copy everywhere, or on the coordinator alone. */
export const tableClasses = ["distributed", "keyed", "reference", "local"] as const;
export type TableClass = (typeof tableClasses)[number];

export interface DeclaredTable {
  readonly name: string;
  /** Undefined where the migration does not say. */
  readonly class: TableClass | undefined;
  readonly migration: string;
}

/** Every table that the migrations create, in their order, with the class that the comment above it declares. */
export function tablesIn(migrations: readonly { readonly name: string; readonly text: string }[]): DeclaredTable[] {
  return migrations.flatMap(({ name: migration, text }) => {
    const made =
      /((?:^[ \t]*--[^\n]*\n)*)^[ \t]*create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(\w+)(?!\w*\s+partition\s+of)/gim;
    return [...text.matchAll(made)].map(([, comments = "", name = ""]) => {
      const declared = /^[ \t]*-- citus: (\w+)[ \t]*$/m.exec(comments)?.[1];
      return { name, class: tableClasses.find((word) => word === declared), migration };
    });
  });
}
