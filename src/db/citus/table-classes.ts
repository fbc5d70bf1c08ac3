// How Citus must place each table, as declared in the migrations (operations.md §4).

/**
 * Distributed by client_id, distributed by a key that is unique over all clients, copied to every node, or on the
 * coordinator only.
 */
export const tableClasses = ["distributed", "keyed", "reference", "local"] as const;
export type TableClass = (typeof tableClasses)[number];

export interface DeclaredTable {
  readonly name: string;
  /** Undefined where the migration declares none. */
  readonly class: TableClass | undefined;
  readonly migration: string;
}

/** Every table that the migrations create, in their order, with the class from the comment above it. */
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
