/**
 * The store's clock, which is the clock of all leases, due times and last runs: nodes whose clocks differ agree on it. It is
 * read each second, and carried on in between by the monotonic clock of the process, so that a leap of the machine's own
 * clock moves nothing.
 */
import type { Clock } from "#/kernel/clock.ts";

/** What the store's clock is read by. */
export const clockQuery = "select extract(epoch from clock_timestamp())::float8 * 1000 as ms";

/** From here on a node says that its clock is wrong. */
export const skewMsWarn = 2_000;
/** From here on it does nothing that is due by the clock: one of the two clocks is wrong, and it is not known which. */
export const skewMsMax = 60_000;
/** A lease or a last run may lie so far beyond what it could be: clocks of nodes agree only to the time of a round trip. */
export const aheadMsMax = 2_000;

export interface StoreClock extends Clock {
  /** Reads the store's clock by `ask`, which answers Unix milliseconds. */
  measure(ask: () => Promise<number>): Promise<void>;
  /** By how much this machine's clock is ahead of the store's; negative where it is behind. */
  skewMs(): number;
  /** Whether what is due by the clock may be done. */
  isRight(): boolean;
  /**
   * The store's clock was set back, and showed this before: until then what was due at once may lie in the future. Minus
   * infinity where it was not.
   */
  aheadUntilMs(): number;
  /** It was set back while this process did not look: the store holds times of the future, up to this one. */
  noteAhead(untilMs: number): void;
}

export interface StoreClockOptions {
  /** Milliseconds of the machine's clock, and of one that nobody sets. */
  readonly wall?: () => number;
  readonly monotonic?: () => number;
  /** Called when the clock becomes wrong, by so much, and right again. */
  readonly onSkew?: (skewMs: number, level: "right" | "off" | "stopped") => void;
}

export function createStoreClock(options: StoreClockOptions = {}): StoreClock {
  const { wall = Date.now, monotonic = () => performance.now(), onSkew } = options;
  /** The store's clock minus the monotonic one: the machine's, until the store's is known to be another. */
  let offsetMs = wall() - monotonic();
  let aheadUntilMs = Number.NEGATIVE_INFINITY;
  let level: "right" | "off" | "stopped" = "right";
  const now = () => Math.floor(monotonic() + offsetMs);
  const skewMs = () => wall() - (monotonic() + offsetMs);

  return {
    now,
    skewMs,
    isRight: () => Math.abs(skewMs()) <= skewMsMax,
    aheadUntilMs: () => aheadUntilMs,
    noteAhead(untilMs) {
      aheadUntilMs = Math.max(aheadUntilMs, untilMs);
    },
    async measure(ask) {
      const askedMs = monotonic();
      const theirsMs = await ask();
      // It was read somewhere between question and answer: what is already within these bounds is as good as can be known.
      const [leastMs, mostMs] = [theirsMs - monotonic(), theirsMs - askedMs];
      const before = offsetMs;
      offsetMs = Math.min(Math.max(offsetMs, leastMs), mostMs);
      if (before - offsetMs > aheadMsMax) aheadUntilMs = Math.max(aheadUntilMs, monotonic() + before);
      const offMs = Math.abs(skewMs());
      const becomes = offMs > skewMsMax ? "stopped" : offMs > skewMsWarn ? "off" : "right";
      if (becomes !== level) onSkew?.(skewMs(), becomes);
      level = becomes;
    },
  };
}
