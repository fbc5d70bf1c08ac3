// A store in which one client owns nearly everything, among thousands that own little.
import type { Database } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";
import { copyRows, firstRowOf } from "./copied-rows.ts";

const smallClients = 3_000;

/** Rows of each table by its name, as JSON. */
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

/** Into tables that are empty; what a migration has put there stays as it is. */
export async function writeRows(database: Database, rows: Rows): Promise<void> {
  for (const [table, json] of rows) {
    const text = `insert into ${table} select r.* from jsonb_populate_recordset(null::${table}, $1::jsonb) r
      where not exists (select from ${table})`;
    await plain(database, text, json);
  }
}

/** The same rows once more, of another client. */
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

export interface Growth {
  readonly tables: readonly string[];
  readonly clientId: string;
  readonly from: number;
  readonly to: number;
  /** Rows of each of the small clients; none without. */
  readonly ofSmall?: number | undefined;
}

/** Further rows of each table, copies of one of the client's whose work is over. */
export async function growBase(database: Database, growth: Growth): Promise<void> {
  const { tables, clientId, from, to, ofSmall } = growth;
  for (const table of tables) {
    const copy = { table, source: await firstRowOf(database, table, clientId) };
    await database.transaction(
      async (tx) => {
        await copyRows(tx, { ...copy, from, to });
        if (ofSmall !== undefined) await copyRows(tx, { ...copy, from: 1, to: ofSmall, clients: smallClients });
      },
      { statementTimeoutMs: 600_000 },
    );
  }
}

/** Nothing but the test takes statistics. */
export async function stopAutovacuum(database: Database): Promise<void> {
  const relations = await database.query<{ name: string }>(sql`
    select oid::regclass::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' limit 100000`);
  for (const { name } of relations) await plain(database, `alter table ${name} set (autovacuum_enabled = false)`);
}
