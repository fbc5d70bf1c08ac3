import { type Finding, finding } from "#/kernel/feed-codes.ts";

/** How much one document may hold (feeds.md §2 `[LIMIT]`). */
export const itemsMax = 50_000;
export const purchaseOrderLinesMax = 5_000;
export const orderLinesMax = 1_000;

export function checkLimit(count: number, max: number, what: string): Finding[] {
  return count > max ? [finding("LIMIT", `The document holds ${count} ${what}; at most ${max} are allowed`)] : [];
}
