import { instantOf } from "#/console-api/exceptions/instant.ts";
import type { ExceptionKey } from "#/console-api/exceptions/types.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { insertInto, table } from "#/store/db/table.ts";

/** An annotation that an operator sets on exceptions of one client, the same on all. */
export type Annotation =
  | { readonly what: "owner"; readonly owner: string | null }
  | { readonly what: "note"; readonly note: string | null }
  /** `until`, ISO 8601, and `by`: null ends a snooze. */
  | { readonly what: "snoozed"; readonly until: string | null; readonly by: string | null }
  | { readonly what: "resolved"; readonly by: string; readonly reason: string };

const exceptionAnnotation = table("exception_annotation", ["type", "object_key", "since"], {
  type: "text",
  object_key: "text",
  since: "timestamptz",
  owner: "text?",
  note: "text?",
  resolved_at: "timestamptz?",
  resolved_by: "text?",
  reason: "text?",
  snoozed_until: "timestamptz?",
  snoozed_by: "text?",
  updated_at: "timestamptz",
});

type Noted = "owner" | "note" | "snoozed_until" | "snoozed_by" | "resolved_at" | "resolved_by" | "reason";

/** Writes some columns of annotations; earlier values of other columns stay. */
function upsertOf<const Column extends Noted>(columns: readonly Column[]) {
  return insertInto(exceptionAnnotation, {
    columns: [...exceptionAnnotation.key, ...columns, "updated_at"],
    onConflict: { set: [...columns, "updated_at"] },
  });
}

const putOwners = upsertOf(["owner"]);
const putNotes = upsertOf(["note"]);
const putSnoozed = upsertOf(["snoozed_until", "snoozed_by"]);
const putResolved = upsertOf(["resolved_at", "resolved_by", "reason"]);

/** Stores an annotation; earlier values of its other columns stay. @param at ISO 8601 */
export function storeAnnotations(
  tx: ClientTransaction,
  exceptions: readonly ExceptionKey[],
  annotation: Annotation,
  at: string,
): Promise<unknown> {
  const keys = exceptions.map(({ type, objectKey, sinceUs }) => ({
    type,
    object_key: objectKey,
    since: instantOf(sinceUs, "timestamptz"),
  }));
  // Each key once: one statement cannot write a row twice.
  const rows = [...new Map(keys.map((key) => [JSON.stringify(key), { ...key, updated_at: at }])).values()];
  switch (annotation.what) {
    case "owner":
      return putOwners.query(
        tx,
        rows.map((row) => ({ ...row, owner: annotation.owner })),
      );
    case "note":
      return putNotes.query(
        tx,
        rows.map((row) => ({ ...row, note: annotation.note })),
      );
    case "snoozed": {
      const snoozed = { snoozed_until: annotation.until, snoozed_by: annotation.by };
      return putSnoozed.query(
        tx,
        rows.map((row) => ({ ...row, ...snoozed })),
      );
    }
    case "resolved": {
      const resolved = { resolved_at: at, resolved_by: annotation.by, reason: annotation.reason };
      return putResolved.query(
        tx,
        rows.map((row) => ({ ...row, ...resolved })),
      );
    }
  }
}

/** Ends exceptions that were raised on an occurrence: another occurrence raises a new one. */
export function endRaised(
  tx: ClientTransaction,
  exceptionIds: readonly string[],
  by: { readonly actor: string; readonly at: string },
): void {
  tx.send(sql`update operator_exception set state = 'RESOLVED', resolved_at = ${by.at}::timestamptz, resolved_by = ${by.actor}
      where client_id = ${tenant} and exception_id = any(${exceptionIds}::uuid[]) and state = 'OPEN'`);
}

export interface RefusedReport {
  readonly facility_code: string | null;
  /** {report, body, carrierCode} */
  readonly detail: { readonly report?: unknown; readonly body?: unknown; readonly carrierCode?: unknown };
}

/** The report of an open exception, as it was sent and refused. */
export async function findRefusedReport(tx: ClientTx, exceptionId: string): Promise<RefusedReport | undefined> {
  const rows = await tx.query<RefusedReport>(sql`select facility_code, detail from operator_exception
      where client_id = ${tenant} and exception_id = ${exceptionId}::uuid and state = 'OPEN' and kind = 'REPORT_REFUSED'
      limit 1`);
  return rows[0];
}

/** Deletes annotations that have not changed since. @param before ISO 8601 */
export async function purgeAnnotations(tx: ClientTx, before: string, limit = 2_000): Promise<number> {
  const rows = await tx.query(
    // The condition on the age also applies to the row itself: a mark that changes during the purge must stay.
    sql`delete from exception_annotation m
      where m.client_id = ${tenant} and m.updated_at < ${before}::timestamptz and m.ctid = any(array(
        select o.ctid from exception_annotation o
        where o.client_id = ${tenant} and o.updated_at < ${before}::timestamptz
        order by o.updated_at limit ${limit}))
      returning m.type`,
  );
  return rows.length;
}
