import type { Transaction, Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery, tenantSend } from "#/db/tenant.ts";
import { instantOf } from "#/modules/operator/exceptions/instant.ts";
import type { ExceptionKey } from "#/modules/operator/exceptions/types.ts";

/** What somebody said of exceptions of one client, all the same. */
export type Said =
  | { readonly what: "owner"; readonly owner: string | null }
  | { readonly what: "note"; readonly note: string | null }
  | { readonly what: "resolved"; readonly by: string; readonly reason: string };

/** Written as the statements take them: each once. */
function recordsOf(keys: readonly ExceptionKey[]) {
  const rows = keys.map(({ type, objectKey, sinceUs }) => ({
    t: type,
    k: objectKey,
    s: instantOf(sinceUs, "timestamptz"),
  }));
  return JSON.stringify([...new Map(rows.map((row) => [JSON.stringify(row), row])).values()]);
}

/** Keeps what was said; what was said before of something else stays. @param at ISO 8601 */
export function keepMarks(
  tx: Transaction,
  clientId: string,
  keys: readonly ExceptionKey[],
  said: Said,
  at: string,
): Promise<unknown> {
  const records = recordsOf(keys);
  switch (said.what) {
    case "owner":
      return tenantQuery(
        tx,
        clientId,
        sql`insert into exception_mark as m (client_id, type, object_key, since, owner, updated_at)
          select t.client_id, x.t, x.k, x.s, ${said.owner}::text, ${at}::timestamptz
          from tenant t cross join json_to_recordset(${records}::json) as x(t text, k text, s timestamptz)
          where t.client_id = ${tenant}
          on conflict (client_id, type, object_key, since) do update set owner = excluded.owner, updated_at = excluded.updated_at
          returning object_key`,
      );
    case "note":
      return tenantQuery(
        tx,
        clientId,
        sql`insert into exception_mark as m (client_id, type, object_key, since, note, updated_at)
          select t.client_id, x.t, x.k, x.s, ${said.note}::text, ${at}::timestamptz
          from tenant t cross join json_to_recordset(${records}::json) as x(t text, k text, s timestamptz)
          where t.client_id = ${tenant}
          on conflict (client_id, type, object_key, since) do update set note = excluded.note, updated_at = excluded.updated_at
          returning object_key`,
      );
    case "resolved":
      return tenantQuery(
        tx,
        clientId,
        sql`insert into exception_mark as m
            (client_id, type, object_key, since, resolved_at, resolved_by, reason, updated_at)
          select t.client_id, x.t, x.k, x.s, ${at}::timestamptz, ${said.by}, ${said.reason}, ${at}::timestamptz
          from tenant t cross join json_to_recordset(${records}::json) as x(t text, k text, s timestamptz)
          where t.client_id = ${tenant}
          on conflict (client_id, type, object_key, since) do update set resolved_at = excluded.resolved_at,
            resolved_by = excluded.resolved_by, reason = excluded.reason, updated_at = excluded.updated_at
          returning object_key`,
      );
  }
}

/** Ends those that were raised when they were met: met again, each is raised anew. */
export function endRaised(
  tx: Transaction,
  clientId: string,
  exceptionIds: readonly string[],
  by: { readonly actor: string; readonly at: string },
): void {
  tenantSend(
    tx,
    clientId,
    sql`update operator_exception set state = 'RESOLVED', resolved_at = ${by.at}::timestamptz, resolved_by = ${by.actor}
      where client_id = ${tenant} and exception_id = any(${exceptionIds}::uuid[]) and state = 'OPEN'`,
  );
}

export interface RefusedReport {
  readonly facility_code: string | null;
  /** {report, body, carrierCode} */
  readonly detail: { readonly report?: unknown; readonly body?: unknown; readonly carrierCode?: unknown };
}

/** The report of an open exception, as it was refused. */
export async function findRefusedReport(
  tx: Tx,
  clientId: string,
  exceptionId: string,
): Promise<RefusedReport | undefined> {
  const rows = await tenantQuery<RefusedReport>(
    tx,
    clientId,
    sql`select facility_code, detail from operator_exception
      where client_id = ${tenant} and exception_id = ${exceptionId}::uuid and state = 'OPEN' and kind = 'REPORT_REFUSED'
      limit 1`,
  );
  return rows[0];
}

/** What was said of exceptions that nobody has said anything of since. @param before ISO 8601 */
export async function purgeMarks(tx: Tx, clientId: string, before: string, limit = 2_000): Promise<number> {
  const rows = await tenantQuery(
    tx,
    clientId,
    // The age is asked of the row itself as well: what is said in the moment of its purge is said since.
    sql`delete from exception_mark m
      where m.client_id = ${tenant} and m.updated_at < ${before}::timestamptz and (m.type, m.object_key, m.since) in (
        select o.type, o.object_key, o.since from exception_mark o
        where o.client_id = ${tenant} and o.updated_at >= '-infinity' and o.updated_at < ${before}::timestamptz
        order by o.updated_at limit ${limit})
      returning m.type`,
  );
  return rows.length;
}
