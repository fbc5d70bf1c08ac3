// Tables: their classes as the migrations declare them (operations.md §4), and as they are in the database.
import { sql } from "#/store/db/sql.ts";
import type { Tx } from "#/store/db/transaction.ts";

/**
 * Distributed by client_id, distributed by a key that is unique over all clients, copied to every node, or on the
 * coordinator only.
 */
const tableClasses = ["distributed", "keyed", "reference", "local"] as const;
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

/** A table as it is in the database. */
export interface LiveTable {
  readonly name: string;
  readonly hasRows: boolean;
  /** First column of the primary key. */
  readonly keyColumn: string | null;
  /** Other tables that its foreign keys name. */
  readonly refersTo: readonly string[];
  /** Its partitions, by name. */
  readonly months: readonly string[];
  /** Placement of the table in Citus; null for a plain PostgreSQL table. */
  readonly placed: PlacedTable | null;
}

interface PlacedTable {
  readonly kind: string;
  readonly column: string | null;
  readonly colocation: number;
}

/** Whether the database has the extension: then the rows of two clients may lie on different nodes. */
export async function isOnCitus(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ isThere: boolean }>(
    sql`select to_regclass('citus_tables') is not null as "isThere" limit 1`,
  );
  return row?.isThere === true;
}

/** A connection that accepts plain text. `pg.Client` is one. */
export interface PlainConnection {
  query(text: string): Promise<{ readonly rows: unknown[] }>;
}

/** Whether the database has the extension. */
export async function hasCitus(connection: PlainConnection): Promise<boolean> {
  const { rows } = await connection.query("select to_regclass('citus_tables') is not null as is_there");
  return (rows as { is_there: boolean }[])[0]?.is_there === true;
}

export async function readLiveTables(connection: PlainConnection): Promise<LiveTable[]> {
  const placed = (await hasCitus(connection))
    ? `select table_name::oid as table_id, citus_table_type as kind, distribution_column as column, colocation_id as colocation
       from citus_tables`
    : "select null::oid as table_id, null::text as kind, null::text as column, null::integer as colocation where false";
  const { rows } = await connection.query(`
    select c.relname as name,
      (select a.attname from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
        where i.indrelid = c.oid and i.indisprimary) as "keyColumn",
      array(select distinct t.relname::text from pg_constraint k join pg_class t on t.oid = k.confrelid
        where k.contype = 'f' and k.conrelid = c.oid and k.confrelid <> c.oid order by 1) as "refersTo",
      array(select i.inhrelid::regclass::text from pg_inherits i where i.inhparent = c.oid order by 1) as months,
      case when p.table_id is not null then json_build_object('kind', p.kind, 'colocation', p.colocation,
        'column', case when p.column in ('', '<none>') then null else p.column end) end as placed
    from pg_class c left join (${placed}) p on p.table_id = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by c.relname limit 10000`);
  const tables: LiveTable[] = [];
  for (const table of rows as Omit<LiveTable, "hasRows">[]) {
    tables.push({ ...table, hasRows: table.placed === null && (await hasRows(connection, table.name)) });
  }
  return tables;
}

async function hasRows(connection: PlainConnection, table: string): Promise<boolean> {
  const { rows } = await connection.query(`select from "${table}" limit 1`);
  return rows.length > 0;
}
