import type { Tx } from "#/db/database.ts";
import { allOf, sql } from "#/db/sql.ts";

export const refusalReasons = ["NAME_OR_PASSWORD", "SUSPENDED", "NO_GROUP", "SECOND_FACTOR"] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** Refused sign-ins of a name on a day (UTC). */
export interface RefusalRow {
  /** ISO 8601. */
  readonly day: string;
  /** Empty for all names without a user. */
  readonly user_name: string;
  readonly reason: RefusalReason;
  readonly refusals: number;
  readonly first_at: string;
  readonly last_at: string;
  readonly last_origin: string;
}

export interface Refusal {
  /** Undefined: no user here has the name, which may be a password in the wrong field. */
  readonly userName: string | undefined;
  readonly reason: RefusalReason;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly origin: string;
}

export async function countRefusal(tx: Tx, { userName = "", reason, at, origin }: Refusal): Promise<void> {
  await tx.query(
    sql`insert into sign_in_refusal as r (day, user_name, reason, refusals, first_at, last_at, last_origin)
      values ((${at}::timestamptz at time zone 'UTC')::date, ${userName}, ${reason}, 1, ${at}::timestamptz,
        ${at}::timestamptz, ${origin})
      on conflict (day, user_name, reason) do update set refusals = r.refusals + 1, last_at = excluded.last_at,
        last_origin = excluded.last_origin
      returning day`,
  );
}

export interface RefusalPlace {
  readonly day: string;
  readonly userName: string;
  readonly reason: string;
}

/** The latest days first. @param of a user; undefined: all, including names without a user */
export function listRefusals(
  tx: Tx,
  page: { readonly of: string | undefined; readonly before: RefusalPlace | undefined; readonly limit: number },
): Promise<RefusalRow[]> {
  const { of, before, limit } = page;
  const conditions = allOf([
    of === undefined ? undefined : sql`user_name = ${of}`,
    before &&
      sql`day <= ${before.day}::date and (day, user_name, reason) < (${before.day}::date, ${before.userName}, ${before.reason})`,
  ]);
  return tx.query(
    sql`select day::text as day, user_name, reason, refusals, first_at, last_at, last_origin from sign_in_refusal
      where day > '-infinity' and ${conditions} order by day desc, user_name desc, reason desc limit ${limit}`,
  );
}

/** @param before ISO 8601 @returns the number of deleted rows; fewer than `limit`: none are left. */
export async function purgeRefusals(tx: Tx, before: string, limit: number): Promise<number> {
  const rows = await tx.query(
    sql`delete from sign_in_refusal r where r.ctid = any(array(
        select o.ctid from sign_in_refusal o
        where o.day < (${before}::timestamptz at time zone 'UTC')::date order by o.day limit ${limit}))
      returning r.day`,
  );
  return rows.length;
}
