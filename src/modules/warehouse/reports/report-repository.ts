import { createHash } from "node:crypto";
import type { ReportBody, ReportKind } from "#/modules/warehouse/reports/report-kind.ts";
import type { Transaction, Tx } from "#/store/db/database.ts";
import { byColumn, setOf } from "#/store/db/row-set.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { insertInto, table } from "#/store/db/table.ts";
import { packing, packJson, unpackJson } from "#/store/packed/packed.ts";

/** Identifies repeats of a report. */
export interface ReportIdentity {
  /** May be empty: then every transmission is a new report. */
  readonly keys: readonly string[];
  /** Hash of the content, whatever the order of its fields; it does not include the reportId. */
  readonly sha256: Buffer;
}

/** @param headerKey the header Idempotency-Key; in a batch it includes the report's place. */
export function identityOf(kind: ReportKind, body: ReportBody, headerKey: string | undefined): ReportIdentity {
  const { reportId, ...content } = body;
  const id = kind.idOf?.(body);
  return {
    // Each kind of key has a prefix, so that an equal receiptId and reportId are not confused.
    keys: [
      ...(reportId === undefined ? [] : [`report ${reportId}`]),
      ...(id === undefined ? [] : [`id ${id}`]),
      ...(headerKey === undefined ? [] : [`header ${headerKey}`]),
    ],
    sha256: createHash("sha256").update(canonical(content)).digest(),
  };
}

/** JSON text with the fields of every object sorted, so that equal contents have equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${fields.join()}}`;
}

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
export async function findReports(tx: Tx, place: ReportPlace, keys: readonly string[]): Promise<StoredReport[]> {
  const reports = await tx.of(place.clientId).query<StoredReport>(
    setOf(
      keys,
      (sought) => sql`select report_key, body_sha256, answer from warehouse_report
        where client_id = ${tenant} and facility_code = ${place.facilityCode} and kind = ${place.kind}
          and report_key = any(${sought}::text[]) limit 1000`,
      { reads: "warehouse_report", keys: byColumn("report_key") },
    ),
  );
  return reports.map((report) => ({ ...report, answer: unpackJson(report.answer) as object }));
}

const insertKeys = insertInto(
  table("warehouse_report", ["facility_code", "kind", "report_key"], {
    facility_code: "text",
    kind: "text",
    report_key: "text",
    body_sha256: "bytea",
    answer: "json",
    accepted_at: "timestamptz",
  }),
  {
    columns: ["facility_code", "kind", "report_key", "answer", "accepted_at"],
    with: { sha256: "text" },
    also: { body_sha256: sql`decode(given.sha256, 'hex')` },
  },
);

/** If another transaction inserts a key first, this transaction fails: the primary key resolves the race. */
export function insertReports(
  tx: Transaction,
  place: ReportPlace,
  keys: readonly string[],
  report: { readonly bodySha256: Buffer; readonly answer: object; readonly at: string },
): void {
  const { bodySha256, answer, at } = report;
  if (place.clientId === "") {
    for (const key of keys) insertByValues(tx, place, { key, ...report });
    return;
  }
  const row = {
    facility_code: place.facilityCode,
    kind: place.kind,
    sha256: bodySha256.toString("hex"),
    answer: packJson(tx, answer, packing.reportAnswer),
  };
  insertKeys.send(
    tx.of(place.clientId),
    keys.map((key) => ({ ...row, report_key: key, accepted_at: at })),
  );
}

/** For a report that names no client: there is no tenant row to insert from. */
export function insertByValues(
  tx: Transaction,
  place: ReportPlace,
  report: { readonly key: string; readonly bodySha256: Buffer; readonly answer: object; readonly at: string },
): void {
  tx.of(
    place.clientId,
  ).send(sql`insert into warehouse_report (client_id, facility_code, kind, report_key, body_sha256, answer, accepted_at)
      values (${tenant}, ${place.facilityCode}, ${place.kind}, ${report.key}, ${report.bodySha256},
        ${JSON.stringify(report.answer)}::json, ${report.at}::timestamptz)`);
}
