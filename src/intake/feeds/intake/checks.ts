import { type Finding, finding } from "#/kernel/feed-codes.ts";
import { attributeOf } from "#/kernel/values/extended-attributes.ts";
import { faultOfPathSegment } from "#/kernel/values/path-segment.ts";

/** Maximum size of one document (feeds.md §2 `[LIMIT]`). */
export const itemsMax = 50_000;
export const purchaseOrderLinesMax = 5_000;
export const purchaseOrderCartonsMax = 1_000;
export const orderLinesMax = 1_000;

const bytesPerUnit = 256 * 1024;
const faultsPerUnit = 500;

/**
 * The rate units that a document costs in addition to the one of each request: by its size, and by the number of its
 * faults.
 */
export function workOf(bytes: number, faults: number): number {
  return Math.floor(bytes / bytesPerUnit) + Math.floor(faults / faultsPerUnit);
}

export function checkLimit(count: number, max: number, what: string): Finding[] {
  return count > max ? [finding("LIMIT", `The document holds ${count} ${what}; at most ${max} are allowed`)] : [];
}

/** `actionType` of PO and NO (feeds.md §3). */
export type ActionType = "NEW" | "UPDATE" | "CANCEL";

export function readAction(text: string | undefined): ActionType {
  return text === "UPDATE" || text === "CANCEL" ? text : "NEW";
}

/** Fields that NEW and UPDATE require in addition to the XSD. */
export function checkRequired(fields: Readonly<Record<string, boolean>>): Finding[] {
  return Object.entries(fields).flatMap(([path, isThere]) =>
    isThere ? [] : [finding("VALUE", `${path}: required for NEW and UPDATE`)],
  );
}

/** Checks identifiers that become part of a URL of the REST services. */
export function checkPathSegments(identifiers: Readonly<Record<string, string | undefined>>): Finding[] {
  return Object.entries(identifiers).flatMap(([path, identifier]) => {
    const fault = faultOfPathSegment(identifier);
    return fault === undefined ? [] : [finding("VALUE", `${path}: ${fault}`)];
  });
}

/** The line number identifies a line: each number occurs once in a document. */
export function checkLineNumbers(lines: readonly { readonly lineNumber: number; readonly path: string }[]): Finding[] {
  const seen = new Set<number>();
  return lines.flatMap(({ lineNumber, path }) => {
    if (!seen.has(lineNumber)) {
      seen.add(lineNumber);
      return [];
    }
    return [finding("VALUE", `${path}/lineNumber: '${lineNumber}' is used more than once`)];
  });
}

/** The extended attribute `Revision`: an integer, or a fault. */
export function readRevision(attributes: readonly (readonly [string, string])[] | undefined): {
  readonly revision: number | undefined;
  readonly faults: readonly Finding[];
} {
  const text = attributeOf(Object.fromEntries(attributes ?? []), "Revision")?.trim();
  if (text === undefined || text === "") return { revision: undefined, faults: [] };
  if (/^\d{1,15}$/.test(text)) return { revision: Number(text), faults: [] };
  const path = "extendedAttributes/attribute[@name='Revision']";
  return { revision: undefined, faults: [finding("VALUE", `${path}: '${text}' is not a whole number, 0 or above`)] };
}

/** Refuses an update that is older than the stored revision, or repeats it. */
export function checkRevision(object: string, revision: number | undefined, stored: number | null): Finding[] {
  if (revision === undefined || stored === null || revision > stored) return [];
  return [finding("STALE", `${object}: Revision ${revision} is not above the stored Revision ${stored}`)];
}

/** A facility of the document must be one of the client's own. */
export function checkFacility(code: string | undefined, facilities: readonly string[], clientId: string): Finding[] {
  if (code === undefined || facilities.includes(code)) return [];
  return [finding("FACILITY", `distributionCentre '${code}' is unknown or not open to client ${clientId}`)];
}

/** The path of line `i` of `count`, as XSD errors write it: numbered only where there are several lines. */
export function linePath(wrapper: string, i: number, count: number, name = "line"): string {
  return count === 1 ? `${wrapper}${name}` : `${wrapper}${name}[${i + 1}]`;
}
