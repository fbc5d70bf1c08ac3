import { createHash } from "node:crypto";
import { canonical } from "#/modules/warehouse/reports/canonical-json.ts";
import type { ReportBody, ReportKind } from "#/modules/warehouse/reports/report-kind.ts";

/** By what a repeat of a report is known. */
export interface ReportIdentity {
  /** May be empty: then every sending is a report of its own. */
  readonly keys: readonly string[];
  /** Of the content, whatever the order of its fields; the reportId is no part of it. */
  readonly sha256: Buffer;
}

/** @param headerKey of the header Idempotency-Key; in a batch with the report's place in it. */
export function identityOf(kind: ReportKind, body: ReportBody, headerKey: string | undefined): ReportIdentity {
  const { reportId, ...content } = body;
  const id = kind.idOf?.(body);
  return {
    // Each sort of key apart, so that a receiptId and a reportId that are spelt the same are not taken for each other.
    keys: [
      ...(reportId === undefined ? [] : [`report ${reportId}`]),
      ...(id === undefined ? [] : [`id ${id}`]),
      ...(headerKey === undefined ? [] : [`header ${headerKey}`]),
    ],
    sha256: createHash("sha256").update(canonical(content)).digest(),
  };
}
