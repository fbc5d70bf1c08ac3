/**
 * Serial numbers on the simulated shelves. They are created in runs (`SN-4711-1` to `SN-4711-40`) and taken from the
 * front, so that a shelf of any size is stored as a few numbers.
 */
export interface SerialBook {
  /** Puts serials `prefix`+1 … `prefix`+`count` on the shelf. A run that is already there stays unchanged. */
  put(clientId: string, sku: string, prefix: string, count: number): void;
  /**
   * Takes this many serials off the shelf. If the shelf has too few, serials are made up: the port may know of more.
   */
  take(clientId: string, sku: string, count: number): readonly string[];
  /** Puts taken serials back, to be taken first. */
  giveBack(clientId: string, sku: string, serials: readonly string[]): void;
  /** Records units that have left, because only they can come back. Only the latest are remembered. */
  leave(clientId: string, sku: string, serials: readonly string[]): void;
  /**
   * Units that come back now, oldest first; fewer than requested, or none, if fewer have left. No other return gets
   * them. Whether they go onto the shelf is decided elsewhere.
   */
  takeLeft(clientId: string, sku: string, count: number): readonly string[];
  /** Restores a shelf from the journal. */
  restore(shelf: string, runs: readonly SerialRun[]): void;
}

export interface SerialRun {
  readonly prefix: string;
  readonly taken: number;
  readonly count: number;
}

/** The opening stock of the demo has these serials (seed.ts). A shelf that was never filled is assumed to have them. */
export function openingSerials(facilityCode: string, sku: string): string {
  return `${sku}-${facilityCode}-`;
}

/** Maximum per SKU. */
const leftMax = 500;
/** Prefix of the shelf name for serials that have left that shelf. */
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
      // Goes before the opening stock, which may not exist.
      change(shelf, [{ prefix, taken: 0, count }, ...runs]);
    },
    take(clientId, sku, count) {
      const shelf = shelfOf(clientId, sku);
      const taken: string[] = [];
      const left: SerialRun[] = [];
      for (const run of shelves.get(shelf) ?? [opening(sku)]) {
        const some = Math.min(count - taken.length, run.count - run.taken);
        for (let n = run.taken + 1; n <= run.taken + some; n++) taken.push(run.prefix + n);
        // A used-up run is dropped, so that memory holds only serials on the shelf.
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
