import type pg from "pg";

/** The size of a table: all its monthly partitions together, with its indexes. */
export interface TableSize {
  readonly rows: number;
  /** Heap and TOAST. */
  readonly heapBytes: number;
  readonly indexBytes: number;
}

export async function readSizes(client: pg.Client): Promise<Map<string, TableSize>> {
  // Rewrites the tables. Otherwise the orders that follow reuse space that updates have freed, and the result is too
  // small.
  await client.query("vacuum (full, analyze)");
  const { rows } = await client.query<{ name: string; rows: string; heap: string; indexes: string }>(`
    select coalesce(i.inhparent, c.oid)::regclass::text as name, sum(greatest(c.reltuples, 0))::bigint as rows,
      sum(pg_table_size(c.oid)) as heap, sum(pg_indexes_size(c.oid)) as indexes
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1`);
  return new Map(
    rows.map((row) => [
      row.name,
      { rows: Number(row.rows), heapBytes: Number(row.heap), indexBytes: Number(row.indexes) },
    ]),
  );
}

/** Bytes of write-ahead log since the creation of the cluster. */
export async function readWalBytes(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>("select pg_current_wal_insert_lsn() - '0/0' as bytes");
  return Number(rows[0]?.bytes);
}

/** The growth of each table for each order of a run. */
export function perOrder(
  before: ReadonlyMap<string, TableSize>,
  after: ReadonlyMap<string, TableSize>,
  orders: number,
): Record<string, TableSize> {
  const grown = [...after].flatMap(([name, now]) => {
    const then = before.get(name) ?? { rows: 0, heapBytes: 0, indexBytes: 0 };
    const size = {
      rows: round((now.rows - then.rows) / orders, 2),
      heapBytes: Math.round((now.heapBytes - then.heapBytes) / orders),
      indexBytes: Math.round((now.indexBytes - then.indexBytes) / orders),
    };
    return size.rows > 0.01 && size.heapBytes + size.indexBytes > 0 ? ([[name, size]] as const) : [];
  });
  return Object.fromEntries(grown.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
