import { type Finding, finding } from "#/kernel/feed-codes.ts";

/** Maximum size of one document (feeds.md §2 `[LIMIT]`). */
export const itemsMax = 50_000;
export const purchaseOrderLinesMax = 5_000;
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
