// A store in which one client owns nearly all rows, among thousands of small clients.
import type { Database } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";
import { copyRows, firstRowOf } from "./copied-rows.ts";

const smallClients = 3_000;

/** Rows of each table as JSON, by table name. */
export type Rows = ReadonlyMap<string, string>;

const plain = <Row>(database: Database, text: string, ...values: readonly unknown[]) =>
  database.query<Row>({ text, name: "", values, isTenant: false });

export async function readRows(database: Database, tables: readonly string[]): Promise<Rows> {
  const rows = new Map<string, string>();
  for (const table of tables) {
    const [row] = await plain<{ rows: string }>(
      database,
      `select coalesce(json_agg(r), '[]')::text as rows from ${table} r`,
    );
    rows.set(table, row?.rows ?? "[]");
  }
  return rows;
}

/** Inserts into empty tables. Rows of migrations stay unchanged. */
export async function writeRows(database: Database, rows: Rows): Promise<void> {
  for (const [table, json] of rows) {
    const text = `insert into ${table} select r.* from jsonb_populate_recordset(null::${table}, $1::jsonb) r
      where not exists (select from ${table})`;
    await plain(database, text, json);
  }
}

/** Inserts the same rows again, for another client. */
export async function writeRowsOf(
  database: Database,
  rows: Rows,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  for (const [table, json] of rows) {
    const text = `insert into ${table} select r.* from jsonb_array_elements($1::jsonb) e cross join lateral
        jsonb_populate_record(null::${table}, e || jsonb_build_object('client_id', $3::text)) r
      where e ->> 'client_id' = $2`;
    await plain(database, text, json, from, to);
  }
}

/**
 * Reads the row of each table that {@link growBase} copies. Every growth copies the same rows, although some copies come
 * first by their key.
 */
export async function readSources(
  database: Database,
  tables: readonly string[],
  clientId: string,
): Promise<ReadonlyMap<string, string>> {
  const sources = new Map<string, string>();
  for (const table of tables) {
    const first = await firstRowOf(database.of(clientId), table);
    const [found] = await plain<{ row: string }>(database, `select to_jsonb(s)::text as row from (${first}) s`);
    if (found === undefined) continue;
    const row = found.row.replaceAll("'", "''");
    sources.set(table, `select r.* from jsonb_populate_record(null::${table}, '${row}') r`);
  }
  return sources;
}

export interface Growth {
  readonly tables: readonly string[];
  /** Queries for the rows to copy, by table. */
  readonly sources: ReadonlyMap<string, string>;
  readonly from: number;
  readonly to: number;
  /** Rows of each small client; none if undefined. */
  readonly ofSmall?: number | undefined;
}

/** Adds rows to each table: copies of its row in `sources`, completed. */
export async function growBase(database: Database, growth: Growth): Promise<void> {
  const { tables, sources, from, to, ofSmall } = growth;
  for (const table of tables) {
    const source = sources.get(table);
    if (source === undefined) continue;
    const copy = { table, source };
    await database.transaction(
      async (tx) => {
        await copyRows(tx, { ...copy, from, to });
        if (ofSmall !== undefined) await copyRows(tx, { ...copy, from: 1, to: ofSmall, clients: smallClients });
      },
      { statementTimeoutMs: 600_000 },
    );
  }
}

/** Disables autovacuum, so that only the test collects statistics. */
export async function stopAutovacuum(database: Database): Promise<void> {
  const relations = await database.query<{ name: string }>(sql`
    select oid::regclass::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' limit 100000`);
  for (const { name } of relations) await plain(database, `alter table ${name} set (autovacuum_enabled = false)`);
}
