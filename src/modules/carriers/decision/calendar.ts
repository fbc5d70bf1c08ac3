// When a parcel leaves and when it arrives (contract carriers.md: cut-offs, pick-up days, transit days, holidays).
import { minuteOfDay, weekdayBits } from "#/modules/carriers/decision/compile-services.ts";
import { dayOf, instantOf, type LocalMoment, weekdayOf } from "#/modules/carriers/decision/local-time.ts";
import type { ShippingFacility } from "#/modules/carriers/decision/shipment.ts";

/** Calendars are not planned beyond this. */
const daysMax = 366;

export type Holidays = ReadonlyMap<string, ReadonlySet<number>>;

interface FacilityDays {
  readonly operatingDays: number;
  readonly cutOff: number | undefined;
  readonly holidays: ReadonlySet<number>;
}

const facilityDays = new WeakMap<ShippingFacility, FacilityDays>();

function daysOf(facility: ShippingFacility): FacilityDays {
  const known = facilityDays.get(facility);
  if (known) return known;
  const days: FacilityDays = {
    operatingDays: weekdayBits(facility.operatingDays),
    cutOff: facility.cutOffTime === null ? undefined : minuteOfDay(facility.cutOffTime),
    holidays: new Set(facility.holidays.map(({ date }) => dayOf(date))),
  };
  facilityDays.set(facility, days);
  return days;
}

/** The collection times of services at a facility; services with the same times share a plan. */
export interface PickUpPlan {
  /** A bit for each day of the week; undefined: every working day of the facility. */
  readonly days: number | undefined;
  /** Minute of the day; undefined: the facility's own cut-off. */
  readonly cutOff: number | undefined;
}

export interface Departure {
  readonly facility: ShippingFacility;
  readonly atMs: number;
  readonly local: LocalMoment;
  /** The parcel does not leave before this day. */
  readonly shipDate: number | undefined;
  readonly holidays: Holidays;
}

const noDays: ReadonlySet<number> = new Set();

/**
 * The first day, from the moment on, on which the facility works, the service collects there, and neither has a
 * holiday. A parcel exactly at the cut-off is in time; without a cut-off the day lasts until midnight.
 *
 * @returns undefined if the service does not collect within a year.
 */
export function despatchDayOf(plan: PickUpPlan, departure: Departure): number | undefined {
  const { facility, atMs, local, shipDate, holidays } = departure;
  const facilityDays = daysOf(facility);
  const days = facilityDays.operatingDays & (plan.days ?? facilityDays.operatingDays);
  if (days === 0) return undefined;
  const cutOff = plan.cutOff ?? facilityDays.cutOff;
  const closed = holidays.get(facility.country) ?? noDays;
  const first = Math.max(local.day, shipDate ?? local.day);
  for (let day = first; day <= first + daysMax; day++) {
    if ((days & (1 << weekdayOf(day))) === 0 || facilityDays.holidays.has(day) || closed.has(day)) continue;
    if (day === local.day && cutOff !== undefined && instantOf(facility.timezone, day, cutOff, atMs) < atMs) continue;
    return day;
  }
  return undefined;
}

/**
 * The day of delivery: this number of days after the despatch, counting the days on which the service delivers and the
 * country has no holiday. For 0 days it is the first such day from the despatch on.
 *
 * @returns undefined if the service does not deliver within a year.
 */
export function deliveryDayOf(
  deliveryDays: number,
  despatchDay: number,
  transitDays: number,
  closed: ReadonlySet<number> | undefined,
): number | undefined {
  if (deliveryDays === 0) return undefined;
  let left = transitDays;
  const first = transitDays === 0 ? despatchDay : despatchDay + 1;
  let weekday = weekdayOf(first) - 1;
  // Enough for a service that delivers on one day of the week, plus a year of holidays.
  for (let day = first; day <= despatchDay + transitDays * 7 + daysMax; day++) {
    weekday = weekday === 6 ? 0 : weekday + 1;
    if ((deliveryDays & (1 << weekday)) === 0 || closed?.has(day)) continue;
    if (--left <= 0) return day;
  }
  return undefined;
}
