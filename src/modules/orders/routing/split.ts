import type { RoutedLine } from "#/modules/orders/routing/routed-order.ts";

/** Takes the goods of a line from the free stock of a facility; false if it has not all of them. */
export type Fill = (line: RoutedLine, facilityCode: string) => boolean;

export interface SplitAsk {
  /** The facilities of the client, in routing order. */
  readonly facilities: readonly string[];
  /** The allocated part of the order may leave while the rest waits. */
  readonly shipsInParts: boolean;
  /** Begins with all free stock. */
  readonly startFill: () => Fill;
}

interface Split {
  /** The facility that fulfils the most lines: that of the order. */
  readonly facilityCode: string;
  /** The facility of each line. */
  readonly places: readonly string[];
}

/** More shipments of one order cost more than its customer gains. */
const partsMax = 3;
/** Of 10 facilities there are 165 sets of two or three. */
const facilitiesMax = 10;
/**
 * A look whether a facility has the goods of a line takes 2 to 3 µs. For an order of many lines fewer facilities, and fewer
 * sets of them, are compared: 200 lines would occupy the main thread for 0.2 s.
 */
const looksMax = 20_000;

/**
 * Splits an order that no facility fills, line by line: a line, and so a kit, leaves from one facility. A split is made
 * only where it lets more lines leave now than any facility alone, by the fewest facilities, then in routing order.
 * Where the order waits as a whole, only a split that fills all of it saves anything.
 */
export function planSplit(lines: readonly RoutedLine[], ask: SplitAsk): Split | undefined {
  const facilities = ask.facilities.slice(0, Math.max(2, Math.min(facilitiesMax, looksMax / lines.length)));
  const alone = new Map(facilities.map((code) => [code, lines.map((line) => ask.startFill()(line, code))]));
  const mostOf = (set: readonly string[]) =>
    lines.filter((_, i) => set.some((code) => alone.get(code)?.[i] === true)).length;
  let best = Math.max(...facilities.map((code) => filledOf(assign(lines, [code], ask))));
  let chosen: Places | undefined;
  let looks = 0;
  for (let size = 2; size <= Math.min(partsMax, facilities.length) && best < lines.length; size++) {
    for (const set of setsOf(facilities, size)) {
      if (looks >= looksMax) break;
      if (mostOf(set) <= best) continue;
      looks += lines.length * size;
      const places = assign(lines, set, ask);
      const filled = filledOf(places);
      if (filled <= best) continue;
      best = filled;
      chosen = places;
    }
  }
  if (chosen === undefined || (best < lines.length && !ask.shipsInParts)) return undefined;
  return splitOf(chosen, facilities);
}

/** The facility of each line; undefined: none fills it. */
type Places = readonly (string | undefined)[];

const filledOf = (places: Places) => places.filter((code) => code !== undefined).length;

/** The lines that these facilities fill, each from the first that has all of it. */
function assign(lines: readonly RoutedLine[], facilities: readonly string[], { startFill }: SplitAsk): Places {
  const fill = startFill();
  return lines.map((line) => facilities.find((code) => fill(line, code)));
}

/** Lines that no facility fills wait at the facility of the order. */
function splitOf(places: Places, facilities: readonly string[]): Split {
  const linesOf = (facilityCode: string) => places.filter((code) => code === facilityCode).length;
  const [facilityCode = ""] = facilities.toSorted((left, right) => linesOf(right) - linesOf(left));
  return { facilityCode, places: places.map((code) => code ?? facilityCode) };
}

/** All sets of so many facilities, in routing order. */
function setsOf(facilities: readonly string[], size: number): string[][] {
  if (size === 0) return [[]];
  return facilities.flatMap((first, i) => setsOf(facilities.slice(i + 1), size - 1).map((rest) => [first, ...rest]));
}
