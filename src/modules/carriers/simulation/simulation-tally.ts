// The sums of a back-test: cost, service and days, before and under the draft, in total and by zone.
import type { CompiledCarrierData } from "#/modules/carriers/decision/compile.ts";
import type { Choice, Decision } from "#/modules/carriers/decision/decide.ts";
import { dayOf, localMomentOf } from "#/modules/carriers/decision/local-time.ts";
import { amountOf, amountScale } from "#/modules/carriers/decision/money.ts";
import type { ShippingFacility } from "#/modules/carriers/decision/shipment.ts";
import type { PastDecision } from "#/modules/carriers/determination/decision-repository.ts";
import type { SimulationRecord } from "#/modules/carriers/simulation/simulation-contract.ts";

export type SimulationResult = Omit<SimulationRecord, "from" | "to">;
type Comparison = SimulationRecord["total"];

/** The most frequent pairs of services, which the answer lists. */
const movesMax = 500;

interface Sums {
  decisions: number;
  unchanged: number;
  changed: number;
  nobodyFits: number;
  readonly cost: { compared: number; before: number; after: number };
  readonly days: { compared: number; before: number; after: number };
}

interface Tally {
  /** The number of decisions that were read, including those that could not be run again. */
  readonly read: number;
  /** The moment of the last one. */
  readonly lastAtMs: number | undefined;
  /** @param redecided undefined if it can no longer be decided, because the facility is gone. */
  add(past: PastDecision, facility: ShippingFacility | undefined, redecided: Decision | undefined): void;
  result(isComplete: boolean): SimulationResult;
}

export function createTally({ rates, rankingCurrency }: CompiledCarrierData): Tally {
  const total = newSums();
  const zones = new Map<string | null, Sums>();
  const moves = new Map<string, { before: string | null; after: string | null; decisions: number }>();
  let read = 0;
  let notRun = 0;
  let lastAtMs: number | undefined;

  /** Ten-thousandths of the ranking currency. */
  function costOf(choice: Choice, day: number): number | undefined {
    return choice.price === null ? undefined : rates.convert(amountOf(choice.price.total), rankingCurrency, day);
  }

  function compare(sums: Sums, before: Choice | null, after: Choice | null, day: number): void {
    sums.decisions++;
    if (after === null) sums.nobodyFits++;
    else if (serviceOf(before) === serviceOf(after)) sums.unchanged++;
    else sums.changed++;
    if (before === null || after === null) return;
    addPair(sums.cost, costOf(before, day), costOf(after, day));
    addPair(sums.days, daysOf(before, day), daysOf(after, day));
  }

  return {
    get read() {
      return read;
    },
    get lastAtMs() {
      return lastAtMs;
    },
    add(past, facility, redecided) {
      read++;
      lastAtMs = Date.parse(past.decidedAt);
      if (facility === undefined || redecided === undefined) {
        notRun++;
        return;
      }
      const [before, after] = [past.chosen, redecided.chosen];
      const { day } = localMomentOf(facility.timezone, lastAtMs);
      const zone = before?.zone ?? after?.zone ?? null;
      const ofZone = zones.get(zone) ?? newSums();
      zones.set(zone, ofZone);
      for (const sums of [total, ofZone]) compare(sums, before, after, day);
      const pair = { before: serviceOf(before), after: serviceOf(after) };
      if (pair.before === pair.after) return;
      const key = JSON.stringify(pair);
      const move = moves.get(key) ?? { ...pair, decisions: 0 };
      moves.set(key, move);
      move.decisions++;
    },
    result: (isComplete) => ({
      isComplete,
      decisions: read,
      notRun,
      continueFrom: isComplete || lastAtMs === undefined ? null : new Date(lastAtMs).toISOString(),
      currency: rankingCurrency,
      total: comparisonOf(total),
      zones: [...zones]
        .sort(([left], [right]) => ((left ?? "") < (right ?? "") ? -1 : 1))
        .map(([zone, sums]) => ({ zone, ...comparisonOf(sums) })),
      services: [...moves.values()].sort((left, right) => right.decisions - left.decisions).slice(0, movesMax),
    }),
  };
}

function newSums(): Sums {
  const none = () => ({ compared: 0, before: 0, after: 0 });
  return { decisions: 0, unchanged: 0, changed: 0, nobodyFits: 0, cost: none(), days: none() };
}

function addPair(sums: Sums["cost"], before: number | undefined, after: number | undefined): void {
  if (before === undefined || after === undefined) return;
  sums.compared++;
  sums.before += before;
  sums.after += after;
}

/** Days from the decision to the delivery. */
function daysOf({ estimatedDelivery }: Choice, day: number): number | undefined {
  return estimatedDelivery === null ? undefined : dayOf(estimatedDelivery) - day;
}

/** The service of a choice; for an unknown carrier, which has no service, the carrier. */
function serviceOf(choice: Choice | null): string | null {
  return choice && (choice.serviceCode ?? choice.carrierCode);
}

function comparisonOf({ cost, days, ...counts }: Sums): Comparison {
  const { compared, before, after } = cost;
  const money = (value: number) => value / amountScale;
  return {
    ...counts,
    cost: { compared, before: money(before), after: money(after), difference: money(after - before) },
    days: { ...days, difference: days.after - days.before },
  };
}
