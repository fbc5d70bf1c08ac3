import type { CarrierCutOff, CutOffBoard, FacilityCutOff } from "#/console-api/overview/flow/contract.ts";
import * as queries from "#/console-api/overview/flow/flow.cross-client.ts";
import type { Scope } from "#/http/access/operator.ts";
import { dayMs, minuteMs } from "#/kernel/values/durations.ts";
import { nextCutOff, type WorkingCalendar } from "#/kernel/values/working-calendar.ts";
import { activeCarrierData, operatorsDefault } from "#/modules/carriers/index.ts";
import { type Facility, listFacilities } from "#/modules/facilities/index.ts";
import type { Database, Tx } from "#/store/db/database.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

/** The longest gap between two cut-offs of a facility that matters here. */
const restDaysMax = 14;

/** The collection time of a carrier's first service, `HH:MM`, by carrier and facility: `RM DC1`. */
type Collections = ReadonlyMap<string, string>;

interface NextCutOff extends queries.CutOff {
  readonly timezone: string;
  readonly cutOffTime: string;
}

/**
 * The orders that must leave each facility by its next cut-off, and those of them that have left; all from one
 * snapshot.
 */
export async function readCutOffs(
  across: Database,
  scope: Scope,
  nowMs: number,
  collections: Collections,
): Promise<CutOffBoard> {
  const asOf = new Date(nowMs).toISOString();
  const [cutOffs, waiting, left] = await readSnapshot(across, async (tx) => {
    const facilities = await listFacilities(tx);
    const next = facilities.filter(isAsked(scope)).flatMap((facility) => cutOffOf(facility, asOf) ?? []);
    const [waitingRows, leftRows] = await Promise.all([
      queries.countWaiting(tx, scope, asOf, next),
      queries.countLeft(tx, scope, next),
    ]);
    return [next, waitingRows, leftRows] as const;
  });
  const items = cutOffs.map((cutOff): FacilityCutOff => {
    const ofFacility = ({ facilityCode }: { readonly facilityCode: string }) => facilityCode === cutOff.facilityCode;
    const carriers = carriersOf(cutOff.facilityCode, waiting.filter(ofFacility), left.filter(ofFacility), collections);
    const sum = (of: (carrier: CarrierCutOff) => number) => carriers.reduce((total, carrier) => total + of(carrier), 0);
    return {
      distributionCentre: cutOff.facilityCode,
      timezone: cutOff.timezone,
      cutOffTime: cutOff.cutOffTime,
      cutOffAt: cutOff.at,
      cutOffBefore: cutOff.since,
      minutesLeft: Math.floor((Date.parse(cutOff.at) - nowMs) / minuteMs),
      waiting: sum((counts) => counts.waiting),
      packed: sum((counts) => counts.packed),
      done: sum((counts) => counts.done),
      atRisk: sum((counts) => counts.atRisk),
      late: sum((counts) => counts.late),
      carriers,
    };
  });
  return { asOf, items: items.toSorted((left, right) => left.minutesLeft - right.minutesLeft) };
}

const isAsked =
  ({ facilityCodes }: Scope) =>
  ({ facilityCode, settings }: Facility) =>
    settings.status === "ACTIVE" && (facilityCodes === null || facilityCodes.includes(facilityCode));

/** Undefined where the facility has no cut-off within reach. */
function cutOffOf({ facilityCode, timezone, settings }: Facility, now: string): NextCutOff | undefined {
  const { cutOffTime, operatingDays, holidays } = settings;
  const calendar: WorkingCalendar = { timezone, cutOffTime, operatingDays, holidays };
  const at = nextCutOff(calendar, now);
  if (at === null || cutOffTime === null) return undefined;
  return { facilityCode, timezone, cutOffTime, at, since: cutOffBefore(calendar, at) };
}

/** Orders for a cut-off were accepted after the previous cut-off, and have therefore left after it. */
function cutOffBefore(calendar: WorkingCalendar, at: string): string {
  for (let days = 1; days <= restDaysMax; days++) {
    // A calendar caches its last answer, valid for later moments only: each look-up of an earlier moment uses a
    // separate calendar.
    const before = nextCutOff({ ...calendar }, new Date(Date.parse(at) - days * dayMs).toISOString());
    if (before !== null && before < at) return before;
  }
  return new Date(Date.parse(at) - restDaysMax * dayMs).toISOString();
}

function carriersOf(
  facilityCode: string,
  waiting: readonly queries.WaitingOrders[],
  left: readonly Pick<CarrierCutOff, "carrierCode" | "done">[],
  collections: Collections,
): CarrierCutOff[] {
  const codes = [...new Set([...waiting, ...left].map(({ carrierCode }) => carrierCode))];
  const carriers = codes.map((carrierCode): CarrierCutOff => {
    const open = waiting.find((row) => row.carrierCode === carrierCode);
    return {
      carrierCode,
      collectsUntil: carrierCode === null ? null : (collections.get(`${carrierCode} ${facilityCode}`) ?? null),
      waiting: open?.waiting ?? 0,
      packed: open?.packed ?? 0,
      atRisk: open?.atRisk ?? 0,
      late: open?.late ?? 0,
      done: left.find((row) => row.carrierCode === carrierCode)?.done ?? 0,
    };
  });
  const size = ({ waiting: open, packed, done }: CarrierCutOff) => open + packed + done;
  return carriers.toSorted((left, right) => size(right) - size(left));
}

/** The collection times of carriers, from the operator's carrier data; a client's own set is ignored. */
export async function readCollections(tx: Tx): Promise<Collections> {
  const active = await activeCarrierData(tx.of(operatorsDefault));
  const times = new Map<string, string>();
  for (const { carrierCode, cutOff } of active?.data.services ?? []) {
    for (const [facilityCode, time] of Object.entries(cutOff ?? {})) {
      const key = `${carrierCode} ${facilityCode}`;
      const known = times.get(key);
      if (known === undefined || time < known) times.set(key, time);
    }
  }
  return times;
}
