import { createHash } from "node:crypto";
import type { ReportBody, ReportKind } from "#/modules/warehouse/reports/report-kind.ts";

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
