const hourMs = 3_600_000;

/** How busy each hour of a day is (UTC), and each day of a week from Sunday on. */
const hours = [2, 1, 1, 1, 1, 2, 4, 7, 9, 11, 12, 12, 13, 12, 11, 11, 12, 13, 15, 18, 20, 17, 11, 5];
const weekdays = [1.25, 1.15, 1, 0.95, 0.95, 0.9, 0.8];
/** The weeks before Christmas. */
const seasonal: Readonly<Record<number, number>> = { 10: 1.5, 11: 1.35, 6: 0.9, 7: 0.85 };

/**
 * When the orders of a shop come in: more of them in the evening, at the week's end and before Christmas.
 *
 * @param fromMs Unix milliseconds
 * @param toMs behind it
 * @returns the moment of that which lies at a part (0 to 1) of all of them; it never goes back as the part grows.
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

/** The first of the ascending numbers that is not below the one that is looked for. */
function placeOf(ends: readonly number[], wanted: number): number {
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
