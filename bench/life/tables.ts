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
      0 as "walBytes", 0 as "imageBytes"
    from pg_stat_user_tables t left join pg_inherits i on i.inhrelid = t.relid group by 1`);
  const [wal] = (await client.query<{ lsn: string }>("select pg_current_wal_insert_lsn() as lsn")).rows;
  return { lsn: wal?.lsn ?? "0/0", counts: new Map(rows.map(({ name, ...work }) => [name, work])) };
}

/** Write-ahead log by table since the moment. No checkpoint may have removed it meanwhile. */
async function readWal(client: pg.Client, since: string): Promise<ReadonlyMap<string, [number, number]>> {
  await client.query("create extension if not exists pg_walinspect");
  const { rows } = await client.query<{ name: string; bytes: number; images: number }>(
    `select coalesce(coalesce(p.inhparent, c.oid)::regclass::text, 'other') as name,
      sum(coalesce(w.block_data_length, 0))::float8 as bytes, sum(coalesce(w.block_fpi_length, 0))::float8 as images
    from pg_get_wal_block_info($1, pg_current_wal_flush_lsn()) w
      left join pg_class r on pg_relation_filenode(r.oid) = w.relfilenode
      left join pg_index i on i.indexrelid = r.oid
      left join pg_class l on l.reltoastrelid = coalesce(i.indrelid, r.oid)
      left join pg_class c on c.oid = coalesce(l.oid, i.indrelid, r.oid)
      left join pg_inherits p on p.inhrelid = c.oid
    group by 1`,
    [since],
  );
  return new Map(rows.map(({ name, bytes, images }) => [name, [bytes, images]]));
}

/** The work on each table since the moment, the table with the largest write-ahead log first. */
export async function workSince(client: pg.Client, { lsn, counts }: Moment): Promise<[string, TableWork][]> {
  const now = await readMoment(client);
  const wal = await readWal(client, lsn);
  const work = [...new Set([...now.counts.keys(), ...wal.keys()])].map((name): [string, TableWork] => {
    const since = (key: keyof TableWork) => (now.counts.get(name)?.[key] ?? 0) - (counts.get(name)?.[key] ?? 0);
    const [walBytes, imageBytes] = wal.get(name) ?? [0, 0];
    const rows = { inserted: since("inserted"), updated: since("updated"), deleted: since("deleted") };
    return [name, { ...rows, hotUpdated: since("hotUpdated"), walBytes, imageBytes }];
  });
  return work
    .filter(([, { inserted, updated, deleted, walBytes }]) => inserted + updated + deleted + walBytes > 0)
    .sort(([, left], [, right]) => right.walBytes - left.walBytes);
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
  };
}
