import type pg from "pg";

export interface StatementCost {
  readonly text: string;
  readonly calls: number;
  /** Planning and execution time. */
  readonly ms: number;
  readonly rows: number;
  /** Pages of 8 KiB, found in the buffers or read. */
  readonly pages: number;
}

export async function forgetStatements(client: pg.Client): Promise<void> {
  await client.query("select pg_stat_statements_reset()");
}

/**
 * The most expensive statements of the product since the last reset; the bench's own statements run as PostgreSQL's
 * superuser.
 */
export async function readStatements(client: pg.Client, count: number): Promise<StatementCost[]> {
  const { rows } = await client.query<StatementCost>(
    `select regexp_replace(query, '\\s+', ' ', 'g') as text, sum(calls)::float8 as calls, sum(rows)::float8 as rows,
       sum(total_plan_time + total_exec_time) as ms, sum(shared_blks_hit + shared_blks_read)::float8 as pages
     from pg_stat_statements where userid = 'crossdock'::regrole
     group by 1 order by ms desc limit $1`,
    [count],
  );
  return rows;
}
