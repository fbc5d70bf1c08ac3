/**
 * Serial numbers that stand in the simulated shelves. They are made in runs (`SN-4711-1` to `SN-4711-40`) and taken from
 * the front, so a shelf of any size is a few numbers.
 */
export interface SerialBook {
  /** Puts serials `prefix`+1 … `prefix`+`count` on the shelf; a run that was put there before stays as it is. */
  put(clientId: string, sku: string, prefix: string, count: number): void;
  /** Takes this many off the shelf. Where it has too few, they are made up: the port may know better. */
  take(clientId: string, sku: string, count: number): readonly string[];
  /** Puts taken ones back, to be taken first. */
  giveBack(clientId: string, sku: string, serials: readonly string[]): void;
  /** Notes units that have left: only they can come back. The latest are remembered. */
  leave(clientId: string, sku: string, serials: readonly string[]): void;
  /**
   * Units that come back now, oldest first; fewer than asked for, or none, where fewer have left. No other return has
   * them then; whether they go onto the shelf is another question.
   */
  takeLeft(clientId: string, sku: string, count: number): readonly string[];
  /** As it was kept in the journal. */
  restore(shelf: string, runs: readonly SerialRun[]): void;
}

export interface SerialRun {
  readonly prefix: string;
  readonly taken: number;
  readonly count: number;
}

/** The opening stock of the demo has these serials (seed.ts), and a shelf that nobody has filled is taken to have them. */
export function openingSerials(facilityCode: string, sku: string): string {
  return `${sku}-${facilityCode}-`;
}

/** Of each SKU. */
const leftMax = 500;
/** Before the name of a shelf: what stood there and has left. */
const leftPrefix = "left ";

const openingCount = 1_000_000;

export function shelfOf(clientId: string, sku: string): string {
  return `${clientId} ${sku}`;
}

export function createSerialBook(
  facilityCode: string,
  onChange: (shelf: string, runs: readonly SerialRun[]) => void,
): SerialBook {
  const shelves = new Map<string, readonly SerialRun[]>();
  const opening = (sku: string): SerialRun => ({
    prefix: openingSerials(facilityCode, sku),
    taken: 0,
    count: openingCount,
  });

  function change(shelf: string, runs: readonly SerialRun[]): void {
    shelves.set(shelf, runs);
    onChange(shelf, runs);
  }

  const runOf = (serial: string): SerialRun => {
    const n = Number(/\d+$/.exec(serial)?.[0]);
    return { prefix: serial.replace(/\d+$/, ""), taken: n - 1, count: n };
  };
  const serialOf = ({ prefix, count }: SerialRun): string => prefix + count;
  const leftOf = (clientId: string, sku: string) => leftPrefix + shelfOf(clientId, sku);

  return {
    leave(clientId, sku, serials) {
      const shelf = leftOf(clientId, sku);
      change(shelf, [...(shelves.get(shelf) ?? []), ...serials.map(runOf)].slice(-leftMax));
    },
    takeLeft(clientId, sku, count) {
      const shelf = leftOf(clientId, sku);
      const left = shelves.get(shelf) ?? [];
      if (left.length > 0) change(shelf, left.slice(count));
      return left.slice(0, count).map(serialOf);
    },
    restore: (shelf, runs) => void shelves.set(shelf, runs),
    put(clientId, sku, prefix, count) {
      const shelf = shelfOf(clientId, sku);
      const runs = shelves.get(shelf) ?? [opening(sku)];
      if (runs.some((run) => run.prefix === prefix)) return;
      // In front of the opening stock, which need not be there.
      change(shelf, [{ prefix, taken: 0, count }, ...runs]);
    },
    take(clientId, sku, count) {
      const shelf = shelfOf(clientId, sku);
      const taken: string[] = [];
      const left: SerialRun[] = [];
      for (const run of shelves.get(shelf) ?? [opening(sku)]) {
        const some = Math.min(count - taken.length, run.count - run.taken);
        for (let n = run.taken + 1; n <= run.taken + some; n++) taken.push(run.prefix + n);
        // A run that is used up is not kept: memory is for what stands on the shelf.
        if (run.taken + some < run.count) left.push({ ...run, taken: run.taken + some });
      }
      change(shelf, left);
      return taken;
    },
    giveBack(clientId, sku, serials) {
      const shelf = shelfOf(clientId, sku);
      change(shelf, [...serials.map(runOf), ...(shelves.get(shelf) ?? [opening(sku)])]);
    },
  };
}
