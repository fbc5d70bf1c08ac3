/**
 * The store's clock, which is the clock of all leases, due times and last runs: nodes whose clocks differ agree on it.
 * A node reads it each second. In between, the monotonic clock of the process advances it, so that a jump of the
 * machine's own clock has no effect.
 */

import type { Clock } from "#/kernel/clock.ts";
import { minuteMs } from "#/kernel/values/durations.ts";

/** The query that reads the store's clock. */
export const clockQuery = "select extract(epoch from clock_timestamp())::float8 * 1000 as ms";

/** From this difference on, a node reports that its clock is wrong. */
export const skewMsWarn = 2_000;
/**
 * From this difference on, the node does nothing that is due by the clock: one of the two clocks is wrong, and it is
 * unknown which.
 */
export const skewMsMax = minuteMs;
/**
 * A lease or a last run may lie this far beyond its expected value: clocks of nodes agree only to the time of a round
 * trip.
 */
export const aheadMsMax = 2_000;

export interface StoreClock extends Clock {
  /** Reads the store's clock by `ask`, which returns Unix milliseconds. */
  measure(ask: () => Promise<number>): Promise<void>;
  /** How far this machine's clock is ahead of the store's; negative where it is behind. */
  skewMs(): number;
  /** Whether the node may do work that is due by the clock. */
  isRight(): boolean;
  /**
   * The last time that the store's clock showed before it was set back. Until then, work that was due at once may lie
   * in the future. Minus infinity where the clock was not set back.
   */
  aheadUntilMs(): number;
  /**
   * Records that the clock was set back while this process did not look: the store holds future times, up to this one.
   */
  noteAhead(untilMs: number): void;
}

export interface StoreClockOptions {
  /** Milliseconds of the machine's clock, and of a monotonic clock that no one sets. */
  readonly wall?: () => number;
  readonly monotonic?: () => number;
  /** Called with the difference when the clock becomes wrong, and when it becomes right again. */
  readonly onSkew?: (skewMs: number, level: "right" | "off" | "stopped") => void;
}

export function createStoreClock(options: StoreClockOptions = {}): StoreClock {
  const { wall = Date.now, monotonic = () => performance.now(), onSkew } = options;
  /**
   * The store's clock minus the monotonic one. Until the store's clock is known, it is taken from the machine's clock.
   */
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
      // The store read its clock at some moment between question and answer. An offset within these bounds cannot be
      // improved.
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
