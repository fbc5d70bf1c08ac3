import type { Transaction, Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery, tenantSend } from "#/db/tenant.ts";

/** Where a report's ids are known: of each client, facility and kind apart. */
export interface ReportPlace {
  /** Empty where the report names no client. */
  readonly clientId: string;
  /** Of a carrier's own credentials `carrier CODE`. */
  readonly facilityCode: string;
  readonly kind: string;
}

export interface StoredReport {
  readonly report_key: string;
  readonly body_sha256: Buffer;
  readonly answer: object;
}

/** The accepted reports of these keys. */
export function findReports(tx: Tx, place: ReportPlace, keys: readonly string[]): Promise<StoredReport[]> {
  return tenantQuery(
    tx,
    place.clientId,
    sql`select report_key, body_sha256, answer from warehouse_report
      where client_id = ${tenant} and facility_code = ${place.facilityCode} and kind = ${place.kind}
        and report_key = any(${keys}::text[]) limit 1000`,
  );
}

/** A key that another has taken meanwhile fails the transaction: the primary key decides which of two came first. */
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
