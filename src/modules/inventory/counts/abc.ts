// ABC counts (client setting countAbc): what is picked often is counted often. Pure.
import { dayMs } from "#/kernel/values/durations.ts";

export const abcClasses = ["A", "B", "C"] as const;
export type AbcClass = (typeof abcClasses)[number];

/** Interval between two counts of a SKU, in days. */
export const abcDays: Readonly<Record<AbcClass, number>> = { A: 30, B: 90, C: 365 };
/** Per cent of all picks that the SKUs before a SKU may have. */
const picksBefore = { A: 80, B: 95 } as const;

/** SKUs without a pick are C. @param picks number of picks by SKU */
export function abcClassesOf(picks: ReadonlyMap<string, number>): ReadonlyMap<string, AbcClass> {
  const sorted = [...picks].toSorted(([left, most], [right, more]) => more - most || (left < right ? -1 : 1));
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  let before = 0;
  return new Map(
    sorted.map(([sku, count]) => {
      const abcClass = before * 100 < total * picksBefore.A ? "A" : before * 100 < total * picksBefore.B ? "B" : "C";
      before += count;
      return [sku, abcClass];
    }),
  );
}

/**
 * The SKUs to count this night, the longest uncounted of each class first. A class gives at most its number of SKUs
 * divided by the days of its interval, rounded up: stock that was first seen in one night is spread over an interval.
 *
 * @param countedAt when each SKU in stock was counted last, ISO 8601
 * @param limit of all classes together; A comes first
 */
export function dueForAbcCount(
  countedAt: ReadonlyMap<string, string>,
  classes: ReadonlyMap<string, AbcClass>,
  isOpen: (sku: string) => boolean,
  atMs: number,
  limit: number,
): string[] {
  const skusOf = Map.groupBy(countedAt.keys(), (sku) => classes.get(sku) ?? "C");
  return abcClasses
    .flatMap((abcClass) => {
      const skus = skusOf.get(abcClass) ?? [];
      const before = new Date(atMs - abcDays[abcClass] * dayMs).toISOString();
      const lastOf = (sku: string) => countedAt.get(sku) ?? "";
      return skus
        .filter((sku) => lastOf(sku) <= before && !isOpen(sku))
        .toSorted((left, right) => (lastOf(left) < lastOf(right) ? -1 : 1))
        .slice(0, Math.ceil(skus.length / abcDays[abcClass]));
    })
    .slice(0, Math.max(0, limit));
}
