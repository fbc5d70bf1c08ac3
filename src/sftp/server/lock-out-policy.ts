import { aheadMsMax } from "#/db/store/clock.ts";

/** What the store knows of the wrong log-ins from an address; nothing where there were none since the last right one. */
export interface WrongLogIns {
  readonly count: number;
  readonly lockedUntilMs: number | undefined;
}

/** In a row: then the address is locked out (contract sftp.md). */
export const wrongLogInsMax = 10;
export const lockOutMs = 15 * 60_000;
/** A wrong log-in is forgotten when none has followed for so long. */
export const forgottenAfterMs = 60 * 60_000;

const delayMsFirst = 200;
const delayMsMax = 2_000;

/** How long the answer to the nth wrong log-in in a row is kept back. The address waits with it. */
export function delayAfter({ count }: WrongLogIns): number {
  return count < 1 ? 0 : Math.min(delayMsMax, delayMsFirst * 2 ** (count - 1));
}

/** One that ends later than one can was noted by a clock that was ahead. */
export function isLockedOut({ lockedUntilMs }: WrongLogIns, nowMs: number): boolean {
  return lockedUntilMs !== undefined && lockedUntilMs > nowMs && lockedUntilMs <= nowMs + lockOutMs + aheadMsMax;
}

/** For the person who waits. */
export function describeLockOut({ lockedUntilMs = 0 }: WrongLogIns, nowMs: number): string {
  const minutes = Math.max(1, Math.ceil((lockedUntilMs - nowMs) / 60_000));
  return `Too many wrong log-ins came from this address: try again in ${minutes} minute${minutes === 1 ? "" : "s"}.`;
}
