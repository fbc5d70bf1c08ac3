import { hourMs } from "#/kernel/values/durations.ts";

/** Relative load of each hour of a day (UTC), and of each day of a week from Sunday on. */
const hours = [2, 1, 1, 1, 1, 2, 4, 7, 9, 11, 12, 12, 13, 12, 11, 11, 12, 13, 15, 18, 20, 17, 11, 5];
const weekdays = [1.25, 1.15, 1, 0.95, 0.95, 0.9, 0.8];
/** The months before Christmas have a higher load. */
const seasonal: Readonly<Record<number, number>> = { 10: 1.5, 11: 1.35, 6: 0.9, 7: 0.85 };

/**
 * Order times of a shop, with more orders in the evening, at the weekend and before Christmas.
 *
 * @param fromMs Unix milliseconds
 * @param toMs exclusive
 * @returns the time at a fraction (0 to 1) of all orders; it never decreases as the fraction grows.
 */
export function orderMoments(fromMs: number, toMs: number): (part: number) => number {
  const ends: number[] = [];
  let sum = 0;
  for (let at = fromMs; at < toMs; at += hourMs) {
    const date = new Date(at);
    const ofDay = (weekdays[date.getUTCDay()] ?? 1) * (seasonal[date.getUTCMonth()] ?? 1);
    sum += (hours[date.getUTCHours()] ?? 1) * ofDay;
    ends.push(sum);
  }
  return (part) => {
    const wanted = Math.min(1, Math.max(0, part)) * sum;
    const place = placeOf(ends, wanted);
    const [begin, end] = [ends[place - 1] ?? 0, ends[place] as number];
    return Math.min(toMs, Math.floor(fromMs + (place + (wanted - begin) / (end - begin)) * hourMs));
  };
}

/** Index of the first number in the ascending list that is not less than the wanted one. */
function placeOf(ends: readonly number[], wanted: number): number {
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
