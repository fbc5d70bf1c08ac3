import type { Tx } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";

export interface Usage {
  readonly key: string;
  /** The total usage of all nodes since the row was created. */
  readonly used: number;
}

/**
 * Adds this node's usage, in one statement for all keys; returns the sums over all nodes. @param usage sorted by key.
 */
export function addUsage(tx: Tx, at: string, usage: readonly Usage[]): Promise<Usage[]> {
  const keys = usage.map(({ key }) => key);
  const used = usage.map((entry) => entry.used);
  return tx.query(
    sql`insert into rate_limit_use as t (key, used, updated_at)
      select x.key, x.used, ${at}::timestamptz from unnest(${keys}::text[], ${used}::bigint[]) as x(key, used)
      on conflict (key) do update set used = t.used + excluded.used, updated_at = excluded.updated_at
      returning t.key, t.used`,
  );
}

export function listUsage(tx: Tx, keys: readonly string[]): Promise<(Usage & { readonly updated_at: string })[]> {
  return tx.query(
    sql`select key, used, updated_at from rate_limit_use where key = any(${keys}::text[]) limit ${keys.length}`,
  );
}

/** Deletes the keys that no node has used since. */
export async function deleteIdle(tx: Tx, before: string): Promise<void> {
  await tx.query(sql`delete from rate_limit_use where updated_at < ${before}::timestamptz`);
}
