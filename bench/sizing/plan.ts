/** The arithmetic of docs/sizing.md: from the measured cost of one order to the cost of a year of orders. Pure. */
import type { TableSize } from "./tables.ts";

export interface Measured {
  readonly linesOfOrder: number;
  readonly walBytes: number;
  readonly programMs: number;
  readonly storeMs: number;
  readonly tables: Readonly<Record<string, TableSize>>;
}

export interface Stage {
  readonly name: string;
  readonly clients: number;
  readonly ordersAYear: number;
}

export const stages: readonly Stage[] = [
  { name: "A", clients: 10, ordersAYear: 1e5 },
  { name: "B", clients: 200, ordersAYear: 5e6 },
  { name: "C", clients: 1_000, ordersAYear: 5e7 },
  { name: "D", clients: 4_000, ordersAYear: 2.5e8 },
  { name: "E", clients: 10_000, ordersAYear: 1e9 },
];

/** Values that were not measured; docs/sizing.md gives the source of each. */
export const assumed = {
  /** Ratios of the busiest day to the mean day, and of its busiest hour to its mean hour. */
  peakDay: 5,
  peakHour: 2.5,
  /** Utilisation limit of the processors at the peak. */
  busyMax: 0.6,
  /**
   * Throughput of Citus relative to plain PostgreSQL on the same processors, between 0.32 and 0.79 by the kind of
   * statement.
   */
  citusYield: 0.5,
  /** From this size on, a base backup or a restore at `backupBytesASecond` takes a night. */
  oneMachineBytes: 4e12,
  backupBytesASecond: 2e8,
  /** Four for each worker of the last stage. */
  shards: 96,
} as const;

const secondsOfDay = 86_400;
const secondsOfYear = 365 * secondsOfDay;

/** Days that rows of a table are kept; undefined for ever. Whole months are dropped, so add half a month on average. */
export type Kept = (table: string) => number | undefined;

export interface StagePlan extends Stage {
  readonly meanRate: number;
  readonly peakRate: number;
  /** Rows of these tables a second at the peak. */
  readonly events: number;
  readonly pushes: number;
  readonly movements: number;
  readonly yearBytes: number;
  readonly boundedBytes: number;
  readonly threeYearBytes: number;
  readonly walBytesADay: number;
  readonly walBytesASecond: number;
  readonly isOnCitus: boolean;
  readonly storeMachines: number;
  readonly storeProcessors: number;
  readonly programProcessors: number;
  readonly backupHours: number;
}

export const bytesOf = ({ heapBytes, indexBytes }: TableSize) => heapBytes + indexBytes;

/** @param peakDay the ratio of the busiest day to the mean day */
export function planOf(stage: Stage, measured: Measured, kept: Kept, peakDay: number = assumed.peakDay): StagePlan {
  const meanRate = stage.ordersAYear / secondsOfYear;
  const peakRate = meanRate * peakDay * assumed.peakHour;
  const rowsOf = (table: string) => (measured.tables[table]?.rows ?? 0) * peakRate;
  const tables = Object.entries(measured.tables);
  const forEver = tables.filter(([name]) => kept(name) === undefined).reduce((sum, [, size]) => sum + bytesOf(size), 0);
  const yearBytes = forEver * stage.ordersAYear;
  const boundedBytes = tables.reduce((sum, [name, size]) => {
    const days = kept(name);
    return days === undefined ? sum : sum + bytesOf(size) * meanRate * secondsOfDay * days;
  }, 0);
  const threeYearBytes = 3 * yearBytes + boundedBytes;
  const isOnCitus = threeYearBytes > assumed.oneMachineBytes;
  const storeMachines = isOnCitus ? Math.ceil(threeYearBytes / assumed.oneMachineBytes) : 1;
  const perProcessor = assumed.busyMax * (isOnCitus ? assumed.citusYield : 1);
  return {
    ...stage,
    meanRate,
    peakRate,
    yearBytes,
    boundedBytes,
    threeYearBytes,
    isOnCitus,
    storeMachines,
    events: rowsOf("event"),
    pushes: rowsOf("webhook_attempt"),
    movements: rowsOf("stock_movement"),
    walBytesADay: measured.walBytes * meanRate * secondsOfDay,
    walBytesASecond: measured.walBytes * peakRate,
    storeProcessors: Math.ceil((peakRate * measured.storeMs) / 1_000 / perProcessor),
    programProcessors: Math.ceil((peakRate * measured.programMs) / 1_000 / assumed.busyMax),
    backupHours: threeYearBytes / storeMachines / assumed.backupBytesASecond / 3_600,
  };
}
