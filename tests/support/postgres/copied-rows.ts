// Creates rows by the hundred thousand: copies of one row with different values in indexed columns.
import type { ClientTx, Tx } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";

/** Number of rows per value in a non-unique index. */
const rowsOfOneValue = 10;

/**
 * Columns with a handful of values per client, however many rows: all copies share the value. An index that matches
 * only the client and some of these columns is not selective.
 */
export const coarseColumns: ReadonlySet<string> = new Set([
  ...["facility_code", "stock_pool", "condition", "owner_type", "object_type", "type", "kind", "feed_type", "state"],
  ...["status", "priority", "is_accepted"],
]);

/** Column values of completed rows: expressions of the row `s` and of the copy's number `n`. */
const ended: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  alert_mail: { status: "'SENT'" },
  exception_annotation: { resolved_at: "s.since" },
  feed_document: { state: "'PROCESSED'", object_id: "coalesce(s.object_id, 'object') || '~' || n" },
  feed_file: { is_accepted: "true", has_token_ack: "false", has_named_ack: "false" },
  item: { feed_position: "n" },
  operator_exception: { state: "'RESOLVED'", resolved_at: "s.raised_at" },
  outbound_document: {
    acknowledged_at: "s.created_at",
    feed_token: "md5(n::text)::uuid",
    is_sftp: "true",
    collected_at: "s.created_at - n * interval '1 minute'",
  },
  purchase_order: {
    status: "'CLOSED'",
    completed_at: "s.received_at",
    closed_at: "s.received_at",
    has_discrepancy: "false",
  },
  purchase_order_line: { qty_received: "s.qty" },
  return_authorisation: { status: "'CLOSED'", closed_at: "s.received_at" },
  return_authorisation_line: { qty_received: "s.qty_expected" },
  sales_order: {
    status: "'DELIVERED'",
    backordered_since: "null",
    cancel_requested_at: "null",
    at_risk_at: "null",
  },
  sales_order_line: {
    qty_open: "0",
    qty_backordered: "0",
    qty_allocated: "0",
    qty_picked: "0",
    qty_packed: "0",
    qty_cancelled: "0",
    qty_despatched: "s.qty_ordered",
  },
  // A chunk of 300 kB for each of a million rows does not fit on the disk of a test.
  sftp_upload_chunk: { bytes: "substr(s.bytes, 1, 1000)" },
  stock_movement: { reason: "null" },
  stock_serial: { state: "'GONE'" },
  stock_snapshot: { written_at: "s.taken_at" },
  stock_change: { changed_at: "null", needs_allocation: "false" },
  warehouse_task: { position: "n", withdrawn_at: "s.released_at" },
  webhook_delivery: {
    status: "'DELIVERED'",
    completed_at: "coalesce(s.completed_at, s.due_at)",
    due_at: "null",
    blocks_until: "null",
  },
  webhook_lane: { due_at: "null", incident_due_at: "null" },
  webhook_attempt: { state: "'ENDED'" },
  transfer: { status: "'RECEIVED'" },
  unidentified_receipt: { status: "'BOUND'" },
  work_order: { status: "'COMPLETED'" },
  work_order_component: { is_waiting: "false" },
};

/**
 * Tables of documents whose id contains the moment of their receipt. Their copies have both: a statement about one hour
 * finds the documents of that hour by their ids, and not all of the client. The last hour has sixty documents of the
 * client, whatever the number of copies; the others follow each other closely, so that all are of one month.
 */
const datedById: ReadonlySet<string> = new Set(["feed_document", "feed_payload"]);
/** Milliseconds between the source and its copy `n`. */
const age = "(least(n, 60) * 60000 + greatest(n - 60, 0)::bigint * 10)";

export interface Copying {
  readonly table: string;
  /** Query for the row to copy; if it finds none, nothing is copied. */
  readonly source: string;
  /** Numbers of the copies, inclusive; two copies of one row must not share a number. */
  readonly from: number;
  readonly to: number;
  /** One row in this many stays like its source. The others are completed, like most rows of a year. */
  readonly openOneIn?: number;
  /** Number of clients that get the copies each, `C0001` and so on; undefined: the client of the source. */
  readonly clients?: number;
}

/** Query for the client's first row by primary key, or by its text where there is none: the same row in each run. */
export async function firstRowOf(tx: ClientTx, table: string): Promise<string> {
  const columns = await tx.plain.query<{ name: string }>(sql`
    select a.attname as name from pg_index i cross join unnest(i.indkey::int2[]) with ordinality k (attnum, place)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indrelid = ${table}::regclass and i.indisprimary order by k.place limit 100`);
  const order = columns.map(({ name }) => `"${name}"`).join(", ") || `${table}::text`;
  return `select * from ${table} where client_id = '${tx.clientId}' order by ${order} limit 1`;
}

/** Returns the number of created rows. */
export async function copyRows(tx: Tx, copying: Copying): Promise<number> {
  const rows = await tx.query<{ count: number }>({
    text: `with made as (${await copyingText(tx, copying)} returning 1) select count(*)::integer as count from made`,
    name: "",
    values: [],
    isTenant: false,
  });
  return rows[0]?.count ?? 0;
}

/** The insert that makes the copies. */
export async function copyingText(tx: Tx, copying: Copying): Promise<string> {
  const { table, source, from, to, openOneIn, clients } = copying;
  const columns = await tx.query<Column>(sql`
    select a.attname as name, a.atttypid::regtype::text as type, i.is_indexed, i.is_unique
    from pg_attribute a join pg_class t on t.oid = a.attrelid cross join lateral (
      select count(i.indrelid) > 0 or d.is_id as is_indexed, coalesce(bool_or(i.indisunique or i.indisexclusion), false) or d.is_id as is_unique
      from (select t.relreplident = 'f' and a.atttypid = 'uuid'::regtype as is_id) d
        left join pg_index i on i.indrelid = a.attrelid and a.attnum = any(i.indkey::int2[])
      group by d.is_id) i
    where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum limit 1000`);
  const expressions = columns.map((column) => {
    if (column.name === "client_id" && clients !== undefined) return "'C' || lpad(c::text, 4, '0')";
    const over = ended[table]?.[column.name];
    const isDated = datedById.has(table);
    const value =
      clients === undefined ? copied(column, "n", "n", isDated) : copied(column, "c || '~' || n", ofClient, isDated);
    if (over === undefined) return value;
    return openOneIn === undefined ? over : `case when n % ${openOneIn} = 0 then ${value} else ${over} end`;
  });
  return `insert into ${table} (${columns.map(({ name }) => `"${name}"`).join(", ")})
    select ${expressions.join(", ")} from (${source}) s
      ${clients === undefined ? "" : `cross join generate_series(1, ${clients}) c`}
      cross join generate_series(${from}, ${to}) n`;
}

const bytesMax = 1_000;
/** The number of a copy for one of several clients: ids differ between clients, as time-ordered ids do. */
const ofClient = "c * 10000000000::bigint + n";

interface Column {
  readonly name: string;
  readonly type: string;
  readonly is_indexed: boolean;
  readonly is_unique: boolean;
}

/** A different value in each copy if a unique key requires it, or in the id of a table without a key; else one shared by some copies. */
function copied(
  { name, type, is_indexed: isIndexed, is_unique: isUnique }: Column,
  textNumber: string,
  idNumber: string,
  isDated: boolean,
): string {
  const value = `s."${name}"`;
  // A stored part of a file has 256 KiB: 250,000 copies of it take 65 GB.
  if (type === "bytea" && !isIndexed) return `substr(${value}, 1, ${bytesMax})`;
  if (!isIndexed || name === "client_id" || coarseColumns.has(name)) return value;
  const number = isUnique ? "n" : `n / ${rowsOfOneValue}`;
  switch (type) {
    case "text":
      return `${value} || '~' || ${isUnique ? textNumber : number}`;
    case "timestamp with time zone":
      return `${value} - ${isDated ? `${age} * interval '1 millisecond'` : "n * interval '1 minute'"}`;
    // Before all dates of the workload, so that no date exists already.
    case "date":
      return `${value} - 1000 - ${number}`;
    case "bigint":
      return `${value} + n`;
    // The first half of a time-ordered id is its time, so the copies fall into the same month.
    case "uuid": {
      const time = isDated && name === "token" ? earlier(value) : `left(${value}::text, 24)`;
      return `(${time} || lpad(to_hex(${isUnique ? idNumber : number}), 12, '0'))::uuid`;
    }
    default:
      return value;
  }
}

/** The first half of a time-ordered id, which begins with twelve digits of milliseconds, at the moment of the copy. */
function earlier(id: string): string {
  const digits = `lpad(replace(left(${id}::text, 13), '-', ''), 16, '0')`;
  const moved = `lpad(to_hex(('x' || ${digits})::bit(64)::bigint - ${age}), 12, '0')`;
  return `overlay(${moved} placing '-' from 9 for 0) || substr(${id}::text, 14, 11)`;
}
