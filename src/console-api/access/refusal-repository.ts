import type { Static } from "typebox";
import { refusals } from "#/console-api/access/contract.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { Tx } from "#/store/db/database.ts";
import { allOf, sql } from "#/store/db/sql.ts";

/** Refused sign-ins of a name on a day (UTC). */
export type Refusals = Static<typeof refusals>;

const columns = columnsOf(refusals, "sign_in_refusal", { day: sql`day::text`, userName: sql`nullif(user_name, '')` });

export interface Refusal {
  /** Undefined: no user here has the name, which may be a password in the wrong field. */
  readonly userName: string | undefined;
  readonly reason: Refusals["reason"];
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
): Promise<Refusals[]> {
  const { of, before, limit } = page;
  const conditions = allOf([
    of === undefined ? undefined : sql`user_name = ${of}`,
    before &&
      sql`day <= ${before.day}::date and (day, user_name, reason) < (${before.day}::date, ${before.userName}, ${before.reason})`,
  ]);
  return tx.query(
    sql`select ${columns} from sign_in_refusal
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
