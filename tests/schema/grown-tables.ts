import type { Database } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";
import { readTables } from "./migrations.ts";

const copies = 4_000;
/** Of so many rows one is as the workload left it; the others' work is over, as most of a year's is. */
const openOneIn = 50;
/** Where a second index may find several rows of one value, it finds so many. */
const rowsOfOneValue = 10;

/** A few rows for each client, whatever its size: these stay as they are, and reading all of them is no fault. */
export const smallTables: ReadonlySet<string> = new Set([
  "tenant",
  "outbox_lane",
  "outbox_due",
  "stock_book",
  "webhook_cursor",
  "outbound_way",
]);

/**
 * Columns of which a client has a handful of values, however many rows: all copies have the same one. An index that
 * finds only the client and some of these has found nothing.
 */
export const coarseColumns: ReadonlySet<string> = new Set([
  ...["facility_code", "stock_pool", "condition", "owner_type", "object_type", "type", "kind", "feed_type", "state"],
  ...["status", "priority", "is_accepted"],
]);

/** What the columns hold in a row whose work is over. */
const ended: Readonly<Record<string, string>> = {
  alert_mail: "'status', 'SENT'",
  feed_document: "'state', 'PROCESSED'",
  feed_file: "'is_accepted', true, 'keeps_own_ack', false, 'keeps_plain_ack', false",
  item: "'listed_position', n",
  operator_exception: "'state', 'RESOLVED', 'resolved_at', (s.r).raised_at",
  outbound_document: `'acknowledged_at', (s.r).created_at, 'feed_token', md5(n::text)::uuid, 'is_on_sftp', true,
    'taken_at', (s.r).created_at + n * interval '1 minute'`,
  purchase_order: "'status', 'CLOSED', 'completed_at', (s.r).received_at, 'closed_at', (s.r).received_at",
  purchase_order_line: "'qty_received', (s.r).qty",
  return_authorisation: "'status', 'CLOSED', 'closed_at', (s.r).received_at",
  return_authorisation_line: "'qty_received', (s.r).qty_expected",
  sales_order: "'status', 'DELIVERED', 'backordered_since', null, 'cancel_requested_at', null, 'at_risk_at', null",
  sales_order_line: `'qty_open', 0, 'qty_backordered', 0, 'qty_allocated', 0, 'qty_picked', 0, 'qty_packed', 0,
    'qty_cancelled', 0, 'qty_despatched', (s.r).qty_ordered`,
  stock_movement: "'reason', null",
  stock_serial: "'state', 'GONE'",
  stock_snapshot: "'written_at', (s.r).taken_at",
  stock_touched: "'changed_at', null, 'wants_allocation', false",
  warehouse_task: "'position', n, 'withdrawn_at', (s.r).released_at",
  webhook_delivery: "'status', 'DELIVERED', 'settled_at', (s.r).due_at, 'due_at', null, 'holds_until', null",
  webhook_lane: "'due_at', null, 'incident_due_at', null",
  webhook_try: "'state', 'ENDED'",
  work_order: "'status', 'COMPLETED'",
  work_order_component: "'is_waiting', false",
};

/**
 * Makes every table of the client large, by copies of one of its rows with other values wherever there is an index, and
 * has the statistics taken.
 * One client owns nearly everything: where an index finds only the client, it has found nothing.
 */
export async function growTables(database: Database, clientId: string): Promise<void> {
  const missing: string[] = [];
  for (const { name, class: tableClass } of readTables()) {
    if ((tableClass !== "distributed" && tableClass !== "keyed") || smallTables.has(name)) continue;
    const columns = await database.query<{ name: string; type: string; is_unique: boolean }>(sql`
      select a.attname as name, a.atttypid::regtype::text as type, bool_or(i.indisunique or i.indisexclusion) as is_unique
      from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey::int2[])
      where i.indrelid = ${name}::regclass and a.attname <> 'client_id' group by a.attname, a.atttypid limit 100`);
    const changes = columns.filter((column) => !coarseColumns.has(column.name)).flatMap(changeOf);
    const over = ended[name]
      ? `case when n % ${openOneIn} = 0 then '{}' else jsonb_build_object(${ended[name]}) end`
      : "'{}'";
    const source = `(select r from ${name} r where client_id = '${clientId}' limit 1) s`;
    const rows = await database.query({
      text: `insert into ${name} select copy.* from ${source} cross join generate_series(1, ${copies}) n
        cross join lateral jsonb_populate_record(s.r, jsonb_build_object(${changes.join(", ")}) || ${over}) copy
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

/** Another value in each copy where a key wants it, and elsewhere one that some have in common. */
function changeOf(column: { readonly name: string; readonly type: string; readonly is_unique: boolean }): string[] {
  const number = column.is_unique ? "n" : `n / ${rowsOfOneValue}`;
  const value = `(s.r).${column.name}`;
  switch (column.type) {
    case "text":
      return [`'${column.name}', ${value} || '-' || ${number}`];
    case "timestamp with time zone":
      return [`'${column.name}', ${value} + n * interval '1 minute'`];
    // Before all dates of the workload, so that none is there already.
    case "date":
      return [`'${column.name}', ${value} - 1000 - ${number}`];
    case "bigint":
      return [`'${column.name}', ${value} + n`];
    // The first half of a time-ordered id is its time: the copies fall into the same month.
    case "uuid":
      return [`'${column.name}', left(${value}::text, 24) || lpad(to_hex(${number}), 12, '0')`];
    default:
      return [];
  }
}
