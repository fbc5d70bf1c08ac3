import { aheadMsMax } from "#/db/store/clock.ts";
import { hourMs, minuteMs } from "#/kernel/values/durations.ts";

/** The wrong log-ins from an address since its last correct one. */
export interface WrongLogIns {
  readonly count: number;
  readonly lockedUntilMs: number | undefined;
}

/** The number in a row after which the address is locked out (contract sftp.md). */
export const wrongLogInsMax = 10;
export const lockOutMs = 15 * minuteMs;
/** A wrong log-in is forgotten when none has followed for this time. */
export const forgottenAfterMs = hourMs;

const delayMsFirst = 200;
const delayMsMax = 2_000;

/** The delay of the answer to the nth wrong log-in in a row. Other log-ins of the address wait meanwhile. */
export function delayAfter({ count }: WrongLogIns): number {
  return count < 1 ? 0 : Math.min(delayMsMax, delayMsFirst * 2 ** (count - 1));
}

/** A lock with a later end than possible was set by a clock that was ahead. */
export function isLockedOut({ lockedUntilMs }: WrongLogIns, nowMs: number): boolean {
  return lockedUntilMs !== undefined && lockedUntilMs > nowMs && lockedUntilMs <= nowMs + lockOutMs + aheadMsMax;
}

/** For the user who waits. */
export function describeLockOut({ lockedUntilMs = 0 }: WrongLogIns, nowMs: number): string {
  const minutes = Math.max(1, Math.ceil((lockedUntilMs - nowMs) / minuteMs));
  return `Too many wrong log-ins from this address: try again in ${minutes} minute${minutes === 1 ? "" : "s"}.`;
}
