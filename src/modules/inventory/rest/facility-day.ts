import type { Tx } from "#/db/database.ts";
import type { Clock } from "#/kernel/clock.ts";
import { findFacility } from "#/modules/facilities/index.ts";
import { localDate } from "#/modules/inventory/snapshots/midnight.ts";

/** Look-ups must not cost a query each for the date. A new time zone of a facility takes effect within this time. */
const keptMs = 30_000;
/** Midnight in every time zone falls on a quarter of an hour UTC. */
const quarterHourMs = 900_000;

/**
 * Returns the local date of a facility, `YYYY-MM-DD`, from memory. It caches existing facilities only, which are few.
 */
export function createFacilityDays(tx: Tx, clock: Clock): (facilityCode: string) => string | Promise<string> {
  const known = new Map<string, { readonly today: string; readonly untilMs: number }>();

  async function lookUp(facilityCode: string, nowMs: number): Promise<string> {
    const facility = await findFacility(tx, facilityCode);
    const today = localDate(facility?.timezone ?? "UTC", nowMs);
    const nextMidnightMs = nowMs - (nowMs % quarterHourMs) + quarterHourMs;
    known.set(facilityCode, { today, untilMs: Math.min(nowMs + keptMs, nextMidnightMs) });
    return today;
  }

  return (facilityCode) => {
    const nowMs = clock.now();
    const kept = known.get(facilityCode);
    return kept !== undefined && nowMs < kept.untilMs ? kept.today : lookUp(facilityCode, nowMs);
  };
}
