// When a parcel leaves and when it arrives (contract carriers.md: cut-offs, pick-up days, transit days, holidays).
import { minuteOfDay, weekdayBits } from "#/modules/carriers/decision/compile-services.ts";
import { dayOf, weekdayOf } from "#/modules/carriers/decision/days.ts";
import { instantOf, type LocalMoment } from "#/modules/carriers/decision/local-time.ts";
import type { ShippingFacility } from "#/modules/carriers/decision/shipment.ts";

/** Further than this nobody has planned. */
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

/** When services collect at a facility: those that do so alike have the same plan. */
export interface PickUpPlan {
  /** A bit for each day of the week; undefined: whenever the facility works. */
  readonly days: number | undefined;
  /** Minute of the day; undefined: the facility's own. */
  readonly cutOff: number | undefined;
}

export interface Departure {
  readonly facility: ShippingFacility;
  readonly atMs: number;
  readonly local: LocalMoment;
  /** Nothing is to leave before this day. */
  readonly shipDate: number | undefined;
  readonly holidays: Holidays;
}

const noDays: ReadonlySet<number> = new Set();

/**
 * The first day, from the moment on, on which the facility works, the service collects there, and neither has a holiday.
 * What comes exactly at the cut-off is in time; without one that day lasts until midnight.
 *
 * @returns undefined where it does not collect within a year.
 */
export function despatchDayOf(plan: PickUpPlan, departure: Departure): number | undefined {
  const { facility, atMs, local, shipDate, holidays } = departure;
  const own = daysOf(facility);
  const days = own.operatingDays & (plan.days ?? own.operatingDays);
  if (days === 0) return undefined;
  const cutOff = plan.cutOff ?? own.cutOff;
  const closed = holidays.get(facility.country) ?? noDays;
  const first = Math.max(local.day, shipDate ?? local.day);
  for (let day = first; day <= first + daysMax; day++) {
    if ((days & (1 << weekdayOf(day))) === 0 || own.holidays.has(day) || closed.has(day)) continue;
    if (day === local.day && cutOff !== undefined && instantOf(facility.timezone, day, cutOff, atMs) < atMs) continue;
    return day;
  }
  return undefined;
}

/**
 * The day of delivery: so many days after the despatch, of those on which the service delivers and the country has no
 * holiday. Of none, it is the first such day from the despatch on.
 *
 * @returns undefined where it does not deliver within a year.
 */
export function deliveryDayOf(
  deliveryDays: number,
  {
    despatchDay,
    transitDays,
    closed = noDays,
  }: {
    readonly despatchDay: number;
    readonly transitDays: number;
    readonly closed: ReadonlySet<number> | undefined;
  },
): number | undefined {
  if (deliveryDays === 0) return undefined;
  let left = transitDays;
  // So much is enough for a service that delivers on one day of the week, and a year of holidays on top of it.
  for (
    let day = transitDays === 0 ? despatchDay : despatchDay + 1;
    day <= despatchDay + transitDays * 7 + daysMax;
    day++
  ) {
    if ((deliveryDays & (1 << weekdayOf(day))) === 0 || closed?.has(day)) continue;
    if (--left <= 0) return day;
  }
  return undefined;
}
