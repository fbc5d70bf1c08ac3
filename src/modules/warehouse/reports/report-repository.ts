import type { Transaction, Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery, tenantSend } from "#/db/tenant.ts";

/** The scope of a report's ids: client, facility and kind. */
export interface ReportPlace {
  /** Empty if the report names no client. */
  readonly clientId: string;
  /** For a carrier's own credentials `carrier CODE`. */
  readonly facilityCode: string;
  readonly kind: string;
}

export interface StoredReport {
  readonly report_key: string;
  readonly body_sha256: Buffer;
  readonly answer: object;
}

/** The accepted reports with these keys. */
export function findReports(tx: Tx, place: ReportPlace, keys: readonly string[]): Promise<StoredReport[]> {
  return tenantQuery(
    tx,
    place.clientId,
    sql`select report_key, body_sha256, answer from warehouse_report
      where client_id = ${tenant} and facility_code = ${place.facilityCode} and kind = ${place.kind}
        and report_key = any(${keys}::text[]) limit 1000`,
  );
}

/** If another transaction inserts the key first, this transaction fails: the primary key resolves the race. */
export function insertReport(
  tx: Transaction,
  place: ReportPlace,
  report: { readonly key: string; readonly bodySha256: Buffer; readonly answer: object; readonly at: string },
): void {
  tenantSend(
    tx,
    place.clientId,
    sql`insert into warehouse_report (client_id, facility_code, kind, report_key, body_sha256, answer, accepted_at)
      values (${tenant}, ${place.facilityCode}, ${place.kind}, ${report.key}, ${report.bodySha256},
        ${JSON.stringify(report.answer)}::json, ${report.at}::timestamptz)`,
  );
}
