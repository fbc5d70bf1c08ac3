import type pg from "pg";

/** Changes of a table by a section of work; monthly partitions count as one table. */
export interface TableWork {
  readonly inserted: number;
  readonly updated: number;
  /** Those of the updates that changed no index. */
  readonly hotUpdated: number;
  readonly deleted: number;
  /** Write-ahead log of the table, its indexes and its large values: changes, and images of whole pages. */
  readonly walBytes: number;
  readonly imageBytes: number;
  /** Records of the log that begin with a page of the table or of its indexes. */
  readonly records: number;
  /** The bytes of those records except changes and images: headers and block references. */
  readonly headBytes: number;
}

/** Write-ahead log of one table, index or table of large values. */
export interface RelationLog {
  readonly name: string;
  readonly table: string;
  readonly bytes: number;
  readonly images: number;
  readonly records: number;
  readonly heads: number;
}

export interface Moment {
  readonly lsn: string;
  readonly counts: ReadonlyMap<string, TableWork>;
}

export async function readMoment(client: pg.Client): Promise<Moment> {
  // A session reports its rows at most once a second, and an idle one ten seconds later.
  await new Promise((resolve) => setTimeout(resolve, 11_000));
  const { rows } = await client.query<TableWork & { name: string }>(`
    select coalesce(i.inhparent, t.relid)::regclass::text as name, sum(n_tup_ins)::float8 as inserted,
      sum(n_tup_upd)::float8 as updated, sum(n_tup_hot_upd)::float8 as "hotUpdated", sum(n_tup_del)::float8 as deleted,
      0 as "walBytes", 0 as "imageBytes", 0 as records, 0 as "headBytes"
    from pg_stat_user_tables t left join pg_inherits i on i.inhrelid = t.relid group by 1`);
  const [wal] = (await client.query<{ lsn: string }>("select pg_current_wal_insert_lsn() as lsn")).rows;
  return { lsn: wal?.lsn ?? "0/0", counts: new Map(rows.map(({ name, ...work }) => [name, work])) };
}

/** Write-ahead log by relation since the moment. No checkpoint may have removed it meanwhile. */
async function readWal(client: pg.Client, since: string): Promise<RelationLog[]> {
  await client.query("create extension if not exists pg_walinspect");
  const { rows } = await client.query<RelationLog>(
    `with block as materialized (
      select w.*, row_number() over (partition by start_lsn order by block_id) = 1 as is_first,
        sum(coalesce(block_data_length, 0) + coalesce(block_fpi_length, 0)) over (partition by start_lsn) as contents
      from pg_get_wal_block_info($1, pg_current_wal_flush_lsn()) w
    )
    select coalesce(coalesce(p.inhparent, c.oid)::regclass::text, 'other') as table,
      coalesce(coalesce(q.inhparent, r.oid)::regclass::text, 'other') as name,
      sum(coalesce(w.block_data_length, 0))::float8 as bytes, sum(coalesce(w.block_fpi_length, 0))::float8 as images,
      count(*) filter (where is_first)::float8 as records,
      coalesce(sum(record_length - contents) filter (where is_first), 0)::float8 as heads
    from block w
      left join pg_class r on pg_relation_filenode(r.oid) = w.relfilenode
      left join pg_index i on i.indexrelid = r.oid
      left join pg_class l on l.reltoastrelid = coalesce(i.indrelid, r.oid)
      left join pg_class c on c.oid = coalesce(l.oid, i.indrelid, r.oid)
      left join pg_inherits p on p.inhrelid = c.oid
      left join pg_inherits q on q.inhrelid = r.oid
    group by 1, 2`,
    [since],
  );
  return rows;
}

/** The work on each table since the moment, and its log by relation, the largest log first. */
export async function workSince(
  client: pg.Client,
  { lsn, counts }: Moment,
): Promise<{ tables: [string, TableWork][]; relations: RelationLog[] }> {
  const now = await readMoment(client);
  const relations = await readWal(client, lsn);
  const logOf = Map.groupBy(relations, ({ table }) => table);
  const tables = [...new Set([...now.counts.keys(), ...logOf.keys()])].map((name): [string, TableWork] => {
    const since = (key: keyof TableWork) => (now.counts.get(name)?.[key] ?? 0) - (counts.get(name)?.[key] ?? 0);
    const log = (key: "bytes" | "images" | "records" | "heads") =>
      (logOf.get(name) ?? []).reduce((sum, relation) => sum + relation[key], 0);
    const rows = { inserted: since("inserted"), updated: since("updated"), deleted: since("deleted") };
    return [
      name,
      {
        ...rows,
        hotUpdated: since("hotUpdated"),
        walBytes: log("bytes"),
        imageBytes: log("images"),
        records: log("records"),
        headBytes: log("heads"),
      },
    ];
  });
  const written = (work: TableWork) => work.walBytes + work.headBytes;
  return {
    tables: tables
      .filter(([, work]) => work.inserted + work.updated + work.deleted + written(work) > 0)
      .sort(([, left], [, right]) => written(right) - written(left)),
    relations: relations.sort((left, right) => right.bytes + right.heads - left.bytes - left.heads),
  };
}

export function sumOfWork(tables: readonly TableWork[]): TableWork {
  const sum = (key: keyof TableWork) => tables.reduce((total, work) => total + work[key], 0);
  return {
    inserted: sum("inserted"),
    updated: sum("updated"),
    hotUpdated: sum("hotUpdated"),
    deleted: sum("deleted"),
    walBytes: sum("walBytes"),
    imageBytes: sum("imageBytes"),
    records: sum("records"),
    headBytes: sum("headBytes"),
  };
}
