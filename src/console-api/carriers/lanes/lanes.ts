import { setImmediate as nextTurn } from "node:timers/promises";
import type {
  CarrierLane,
  CarrierLanes,
  LaneCost,
  LaneFigures,
  laneDestinations,
} from "#/console-api/carriers/lanes/contract.ts";
import { type LaneFigure, sumLanes } from "#/console-api/carriers/lanes/lanes.cross-client.ts";
import { type Days, lengthOf } from "#/console-api/reports/days.ts";
import { countUncomputed } from "#/console-api/reports/reports.cross-client.ts";
import type { Scope } from "#/http/access/operator.ts";
import { canonicalWeightUnit, kilogramsOf } from "#/kernel/telemetry/measure.ts";
import { toAlpha2 } from "#/kernel/values/country.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { listFacilities } from "#/modules/facilities/index.ts";
import { localDate } from "#/modules/inventory/index.ts";
import type { Database } from "#/store/db/database.ts";

export interface LaneRange extends Days {
  readonly destination: (typeof laneDestinations)[number];
}

/** Figures of the days and of as many before them. */
export async function readLanes(
  across: Database,
  scope: Scope,
  { from, to, destination }: LaneRange,
  nowMs: number,
): Promise<CarrierLanes> {
  const beforeFrom = new Date(Date.parse(from) - lengthOf({ from, to }) * dayMs).toISOString().slice(0, 10);
  const [figures, facilities, uncomputed] = await Promise.all([
    sumLanes(across, scope, { beforeFrom, from, to }),
    listFacilities(across),
    countUncomputed(across, scope, { from: beforeFrom, to }, nowMs),
  ]);
  const todayOf = new Map(facilities.map((facility) => [facility.facilityCode, localDate(facility.timezone, nowMs)]));
  const items = await lanesOf(figures, destination, todayOf);
  return { asOf: new Date(nowMs).toISOString(), uncomputed, from, to, beforeFrom, items };
}

/** 5 to 10 ms each. */
const figuresAtATime = 5_000;
const lanesAtATime = 50;

/** Country, zone, carrier, service, and what the measure adds. */
type Key = [string | null, string | null, string | null, string | null, ...(string | number)[]];

interface Row extends LaneFigure {
  readonly place: Omit<CarrierLane, "current" | "before">;
  /** The parts of the key after the lane. */
  readonly more: readonly (string | number)[];
}

/** Lanes of these figures, those with the most parcels first. @param todayOf `YYYY-MM-DD` by facility */
async function lanesOf(
  figures: readonly LaneFigure[],
  destination: LaneRange["destination"],
  todayOf: ReadonlyMap<string, string>,
): Promise<CarrierLane[]> {
  const byPlace = new Map<string, Row[]>();
  for (const [i, figure] of figures.entries()) {
    // A figure of each lane and hour: many lanes of a year would stop the others.
    if (i % figuresAtATime === figuresAtATime - 1) await nextTurn();
    const [country, zone, carrierCode, serviceCode, ...more] = JSON.parse(figure.key) as Key;
    const place = {
      distributionCentre: figure.facilityCode,
      // Decisions have the country as it was sent, in two letters or three.
      country: country === null ? null : (toAlpha2(country) ?? country),
      zone: destination === "ZONE" ? zone : null,
      carrierCode,
      serviceCode,
    };
    const name = JSON.stringify(Object.values(place));
    const rows = byPlace.get(name) ?? [];
    byPlace.set(name, rows);
    rows.push({ ...figure, place, more });
  }
  const lanes: CarrierLane[] = [];
  for (const rows of byPlace.values()) {
    if (lanes.length % lanesAtATime === lanesAtATime - 1) await nextTurn();
    const { place } = rows[0] as Row;
    const today = todayOf.get(place.distributionCentre) ?? "";
    const before = rows.filter(({ isBefore }) => isBefore);
    const current = rows.filter(({ isBefore }) => !isBefore);
    lanes.push({ ...place, current: figuresOf(current, today), before: figuresOf(before, today) });
  }
  return lanes.toSorted(
    (left, right) => right.current.parcels - left.current.parcels || right.before.parcels - left.before.parcels,
  );
}

const sumOf = (rows: readonly Row[]) => rows.reduce((sum, { quantity }) => sum + quantity, 0);

function figuresOf(rows: readonly Row[], today: string): LaneFigures {
  const byMeasure = Map.groupBy(rows, ({ measure }) => measure);
  const listed = (measure: LaneFigure["measure"]) => byMeasure.get(measure) ?? [];
  const delivered = listed("PARCEL_HOURS").toSorted((left, right) => Number(left.more[0]) - Number(right.more[0]));
  const onTime = sumOf(listed("PARCELS_ON_TIME"));
  const overdue = listed("PARCELS_PROMISED").filter(({ more: [promised = ""] }) => promised < today);
  const parcels = sumOf(delivered);
  return {
    parcels: sumOf(listed("PARCELS")),
    costs: costsOf(listed("PARCELS_PRICED"), listed("PARCEL_COST"), listed("PARCEL_WEIGHT")),
    delivered: parcels,
    medianHours: hoursOf(delivered, parcels * 0.5),
    p90Hours: hoursOf(delivered, parcels * 0.9),
    due: onTime + sumOf(listed("PARCELS_LATE")) + sumOf(overdue),
    onTime,
  };
}

/** The hours in which so many parcels arrived. @param rows by hours, ascending */
function hoursOf(rows: readonly Row[], wanted: number): number | null {
  let parcels = 0;
  for (const { quantity, more } of rows) {
    parcels += quantity;
    if (parcels >= wanted) return Number(more[0]);
  }
  return null;
}

/** Shares of a price may be periodic; amounts have at most four decimals. */
const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

function costsOf(priced: readonly Row[], amounts: readonly Row[], weights: readonly Row[]): LaneCost[] {
  return [...Map.groupBy(priced, ({ more: [currency] }) => String(currency))]
    .map(([currency, found]): LaneCost => {
      const ofCurrency = (rows: readonly Row[]) => rows.filter(({ more }) => more[0] === currency);
      const [parcels, amount] = [sumOf(found), sumOf(ofCurrency(amounts))];
      const kg = ofCurrency(weights).reduce(
        (sum, { quantity, more }) => sum + quantity * kilogramsOf[canonicalWeightUnit(String(more[1])) ?? "KG"],
        0,
      );
      const perKg = kg > 0 ? rounded(amount / kg) : null;
      return { currency, parcels, amount: rounded(amount), perParcel: rounded(amount / parcels), perKg };
    })
    .toSorted((left, right) => right.parcels - left.parcels);
}
