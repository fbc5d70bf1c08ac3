/** Builds a base with a past: copies of the rows of processed orders, made inside PostgreSQL. */
import type pg from "pg";
import { dayMs } from "#/kernel/values/durations.ts";

/** Prefix of the names of orders whose rows are copied. */
export const patternPrefix = "TPL-";
/** The client whose rows are copied to other clients; their names have the same length. */
export const smallClient = "SMALL";
/** The age of the measured client's oldest orders: partitions exist for last month and this one. */
const pastMs = 25 * dayMs;
/** GS1 company prefix of the parcels' numbers, after the extension digit. */
const ssccPrefix = "00614141";

interface Column {
  readonly name: string;
  readonly type: string;
}

interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The columns of its primary key; null: it has none. */
  readonly key: string | null;
}

/**
 * Tables that are not copied: secrets are unique over all clients; a facility has one snapshot a day; the request log
 * has no past.
 */
const uncopied = ["credential", "request_log", "stock_snapshot", "stock_snapshot_row"];

/** The rows to copy, and the names of each copy; expressions may use `g`, the number of the copy. */
interface Copies {
  readonly clientId: string;
  /** Copies only rows that this transaction or a later one wrote. */
  readonly sinceXid: string;
  readonly first: number;
  readonly last: number;
  /** Replacements in all texts: the text, and the SQL expression of the copy. */
  readonly texts: Readonly<Record<string, string>>;
  /** SQL expression of the number of milliseconds by which a copy is older than its pattern. */
  readonly olderMs: string;
  /** The positions of the copies precede those of the pattern. */
  readonly isPast: boolean;
}

/** The value of `sinceXid` that selects everything written from now on. */
export async function currentXid(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ xid: string }>("select pg_current_xact_id()::text as xid");
  return rows[0]?.xid as string;
}

/**
 * Copies the orders of the pattern at least as often as `orders` requires, spread over the past days.
 *
 * @param patterns orders of the pattern
 * @returns the number of copied orders
 */
export async function insertPast(
  client: pg.Client,
  pattern: { readonly clientId: string; readonly sinceXid: string; readonly patterns: number },
  orders: number,
): Promise<number> {
  const copies = Math.ceil(orders / pattern.patterns);
  await copy(client, {
    clientId: pattern.clientId,
    sinceXid: pattern.sinceXid,
    first: 1,
    last: copies,
    texts: {
      [ssccPrefix]: ssccPrefixOf(0),
      [patternPrefix]: "'H' || g || '-'",
      // Orders of the pattern use the first hundred SKUs; the copies use all three hundred.
      "SKU-1": "'SKU-' || 1 + g % 3",
    },
    olderMs: `g * ${Math.floor(pastMs / copies)}::bigint`,
    isPast: true,
  });
  return copies * pattern.patterns;
}

/** Inserts the given number of clients, each with all that the small client has: its goods, its stock, its orders. */
export async function insertClients(client: pg.Client, sinceXid: string, clients: number): Promise<void> {
  await copy(client, {
    clientId: smallClient,
    sinceXid,
    first: 1,
    last: clients,
    olderMs: "0",
    isPast: false,
    texts: { [ssccPrefix]: ssccPrefixOf(5_000_000), [smallClient]: "'S' || lpad(g::text, 4, '0')" },
  });
}

/** Eight digits that no number of the product starts with. */
const ssccPrefixOf = (from: number) => `(${90_000_000 + from} + g)::text`;

async function copy(client: pg.Client, copies: Copies): Promise<void> {
  await client.query("begin");
  // Foreign keys need no check, because the copies of matching rows match. A crash loses nothing that cannot be made
  // again.
  await client.query("set local session_replication_role = replica");
  await client.query("set local synchronous_commit = off");
  await client.query(`create or replace function pg_temp.copied(id uuid, g bigint, older_ms bigint) returns uuid
    language sql immutable strict return
      (lpad(to_hex(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint - older_ms), 12, '0')
        || substr(replace(id::text, '-', ''), 13, 8) || left(md5(id::text || g), 12))::uuid`);
  for (const table of await readTenantTables(client)) await copyTable(client, table, copies);
  await client.query("commit");
}

async function readTenantTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.oid::regclass::text as name,
       json_agg(json_build_object('name', quote_ident(a.attname), 'type', format_type(a.atttypid, null)) order by a.attnum)
         as columns,
       string_agg(quote_ident(a.attname), ', ') filter (where a.attnum = any (k.indkey)) as key
     from pg_class c left join pg_index k on k.indrelid = c.oid and k.indisprimary
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace and c.relname <> all($1)
     group by c.oid having bool_or(a.attname = 'client_id') order by 1`,
    [uncopied],
  );
  return rows;
}

async function copyTable(client: pg.Client, { name, columns, key }: Table, copies: Copies): Promise<void> {
  await client.query("drop table if exists pg_temp.pattern");
  const { rowCount } = await client.query(
    `create temporary table pattern as select * from ${name} where client_id = $1 and xmin::text::bigint >= $2::bigint`,
    [copies.clientId, copies.sinceXid],
  );
  if (!rowCount) return;
  const names = columns.map((column) => column.name).join(", ");
  const values = columns.map((column) => copyOf(column, copies)).join(", ");
  // A row that all orders share, such as a balance or a counter, already exists.
  await client.query(
    `insert into ${name} (${names}) select ${values} from generate_series($2::bigint, $1::bigint, -1) g, pattern
     on conflict ${key === null ? "" : `(${key})`} do nothing`,
    [copies.first, copies.last],
  );
}

/** Documents (json, bytea) are copied unchanged: no query looks up a row by their contents. */
function copyOf({ name, type }: Column, { texts, olderMs, isPast }: Copies): string {
  switch (type) {
    case "uuid":
      return `pg_temp.copied(${name}, g, ${olderMs})`;
    case "timestamp with time zone":
      return `${name} - ${olderMs} * interval '1 ms'`;
    case "text":
    case "text[]": {
      const replaced = Object.entries(texts).reduce(
        (text, [from, to]) => `replace(${text}, '${from}', ${to})`,
        `${name}::text`,
      );
      return `(${replaced})::${type}`;
    }
    case "bigint":
      if (!isPast || !/(^|_)position$/.test(name)) return name;
      return `${name} - g * (select max(${name}) - min(${name}) + 1 from pattern)`;
    default:
      return name;
  }
}

/**
 * Reads every row once and forces a checkpoint, so that the orders that follow pay neither for the first read after a
 * bulk load nor for its write-back. A vacuum has the same effect, but also invalidates all cached plans.
 */
export async function rest(client: pg.Client): Promise<void> {
  for (const { name } of await readTenantTables(client)) await client.query(`select count(*) from ${name}`);
  await client.query("checkpoint");
}
