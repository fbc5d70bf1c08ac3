import type { Tx } from "#/db/database.ts";
import type { Clock } from "#/kernel/clock.ts";
import { findFacility } from "#/modules/facilities/index.ts";
import { localDate } from "#/modules/inventory/snapshots/midnight.ts";

/** What each look-up asks must not cost a query each. A new time zone of a facility is seen within this. */
const keptMs = 30_000;
/** Every zone's midnight is at one of these by UTC. */
const quarterHourMs = 900_000;

/** Answers the date that it is in a facility, `YYYY-MM-DD`, from memory; for facilities that exist, which are few. */
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
