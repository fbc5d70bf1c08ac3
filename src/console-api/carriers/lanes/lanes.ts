import {
  type CarrierLane,
  type CarrierLanes,
  type LaneCost,
  type LaneFigures,
  type laneDestinations,
  laneParcelsMax,
} from "#/console-api/carriers/lanes/contract.ts";
import {
  countLaneParcels,
  type LaneGroup,
  type LaneSpan,
  sumLanes,
} from "#/console-api/carriers/lanes/lanes.cross-client.ts";
import type { Scope } from "#/http/access/operator.ts";
import { canonicalWeightUnit, kilogramsOf } from "#/kernel/telemetry/measure.ts";
import { toAlpha2 } from "#/kernel/values/country.ts";
import type { Database } from "#/store/db/database.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

export interface LaneRange {
  readonly fromMs: number;
  readonly toMs: number;
  readonly destination: (typeof laneDestinations)[number];
}

/** Figures of a range and the equal one before it, from one snapshot; undefined: both have too many parcels. */
export async function readLanes(
  across: Database,
  scope: Scope,
  { fromMs, toMs, destination }: LaneRange,
  nowMs: number,
): Promise<CarrierLanes | undefined> {
  const iso = (ms: number) => new Date(ms).toISOString();
  const span: LaneSpan = { beforeFrom: iso(fromMs - (toMs - fromMs)), from: iso(fromMs), to: iso(toMs) };
  const groups = await readSnapshot(across, async (tx) => {
    const parcels = await countLaneParcels(tx, scope, span, laneParcelsMax + 1);
    if (parcels > laneParcelsMax) return undefined;
    return sumLanes(tx, scope, { ...span, at: iso(nowMs) }, laneParcelsMax);
  });
  return groups && { asOf: iso(nowMs), ...span, items: lanesOf(groups, destination) };
}

/** Lanes of these groups, those with the most parcels first. */
export function lanesOf(groups: readonly LaneGroup[], destination: LaneRange["destination"]): CarrierLane[] {
  const placeOf = (group: LaneGroup) => ({
    distributionCentre: group.facility_code,
    // Decisions have the country as it was sent, in two letters or three.
    country: group.country === null ? null : (toAlpha2(group.country) ?? group.country),
    zone: destination === "ZONE" ? group.zone : null,
    carrierCode: group.carrier_code,
    serviceCode: group.carrier_service_code,
  });
  return [...Map.groupBy(groups, (group) => JSON.stringify(placeOf(group))).values()]
    .map((found) => ({
      ...placeOf(found[0] as LaneGroup),
      current: figuresOf(found.filter((group) => !group.is_before)),
      before: figuresOf(found.filter((group) => group.is_before)),
    }))
    .toSorted(
      (left, right) => right.current.parcels - left.current.parcels || right.before.parcels - left.before.parcels,
    );
}

function figuresOf(groups: readonly LaneGroup[]): LaneFigures {
  const parcelsOf = (some: readonly LaneGroup[]) => some.reduce((sum, { parcels }) => sum + parcels, 0);
  const due = groups.filter((group) => group.is_on_time !== null);
  const delivered = groups
    .filter((group) => group.hours !== null)
    .toSorted((left, right) => (left.hours as number) - (right.hours as number));
  return {
    parcels: parcelsOf(groups),
    costs: costsOf(groups),
    delivered: parcelsOf(delivered),
    medianHours: hoursOf(delivered, parcelsOf(delivered) * 0.5),
    p90Hours: hoursOf(delivered, parcelsOf(delivered) * 0.9),
    due: parcelsOf(due),
    onTime: parcelsOf(due.filter((group) => group.is_on_time)),
  };
}

/** The hours in which so many parcels arrived. @param groups by hours, ascending */
function hoursOf(groups: readonly LaneGroup[], wanted: number): number | null {
  let parcels = 0;
  for (const group of groups) {
    parcels += group.parcels;
    if (parcels >= wanted) return group.hours;
  }
  return null;
}

/** Shares of a price may be periodic; amounts have at most four decimals. */
const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

function costsOf(groups: readonly LaneGroup[]): LaneCost[] {
  const priced = Map.groupBy(groups, ({ currency }) => currency);
  return [...priced]
    .flatMap(([currency, found]): LaneCost[] => {
      if (currency === null) return [];
      const parcels = found.reduce((sum, group) => sum + group.parcels, 0);
      const amount = found.reduce((sum, group) => sum + (group.amount ?? 0), 0);
      const kg = found.reduce(
        (sum, group) => sum + group.weight * kilogramsOf[canonicalWeightUnit(group.weight_uom_code) ?? "KG"],
        0,
      );
      const perKg = kg > 0 ? rounded(amount / kg) : null;
      return [{ currency, parcels, amount: rounded(amount), perParcel: rounded(amount / parcels), perKg }];
    })
    .toSorted((left, right) => right.parcels - left.parcels);
}
