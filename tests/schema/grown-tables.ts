import type { Database } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";
import { readTables } from "./migrations.ts";

const copies = 4_000;

/** One row for each client, or a few: these stay as they are. */
const small = new Set(["tenant", "outbox_lane", "outbox_due"]);

/**
 * Makes every table of the client large, by copies of one of its rows with other values wherever there is an index, and
 * has the statistics taken.
 * One client owns nearly everything: where an index finds only the client, it has found nothing.
 */
export async function growTables(database: Database, clientId: string): Promise<void> {
  const missing: string[] = [];
  for (const { name, class: tableClass } of readTables()) {
    if (tableClass !== "distributed" || small.has(name)) continue;
    const columns = await database.query<{ name: string; type: string }>(sql`
      select distinct a.attname as name, a.atttypid::regtype::text as type
      from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey::int2[])
      where i.indrelid = ${name}::regclass and a.attname <> 'client_id' limit 100`);
    const changes = columns.flatMap((column) => {
      if (column.type === "text") return [`'${column.name}', (s.r).${column.name} || '-' || n`];
      if (column.type === "timestamp with time zone") {
        return [`'${column.name}', (s.r).${column.name} + n * interval '1 second'`];
      }
      // The first half of a time-ordered id is its time: the copies fall into the same month.
      if (column.type === "uuid") {
        return [`'${column.name}', left((s.r).${column.name}::text, 24) || lpad(to_hex(n), 12, '0')`];
      }
      return [];
    });
    const source = `(select r from ${name} r where client_id = '${clientId}' limit 1) s`;
    const rows = await database.query({
      text: `insert into ${name} select copy.* from ${source} cross join generate_series(1, ${copies}) n
        cross join lateral jsonb_populate_record(s.r, jsonb_build_object(${changes.join(", ")})) copy
        returning 1`,
      name: "",
      values: [],
      isTenant: false,
    });
    if (rows.length !== copies) missing.push(name);
  }
  if (missing.length > 0) throw new Error(`no row of ${clientId} to copy in ${missing.join(", ")}`);
  await database.query({ text: "analyze", name: "", values: [], isTenant: false });
}
