import type { components } from "#operator";
import { countryName } from "../../../parts/country.ts";

export type CarrierLane = components["schemas"]["CarrierLane"];
type LaneCost = components["schemas"]["LaneCost"];

/** A lane with a service, and its prices in one currency. */
export interface LaneRow {
  readonly lane: CarrierLane;
  /** undefined: no parcel has a price. */
  readonly currency: string | undefined;
  readonly cost: LaneCost | undefined;
  readonly costBefore: LaneCost | undefined;
}

/** A row for each currency; a lane without prices has one row. */
export function laneRowsOf(lanes: readonly CarrierLane[]): LaneRow[] {
  return lanes.flatMap((lane): LaneRow[] => {
    const { current, before } = lane;
    const currencies = [...new Set([...current.costs, ...before.costs].map(({ currency }) => currency))];
    if (currencies.length === 0) return [{ lane, currency: undefined, cost: undefined, costBefore: undefined }];
    const costIn = (costs: readonly LaneCost[], currency: string) => costs.find((cost) => cost.currency === currency);
    return currencies.map((currency) => ({
      lane,
      currency,
      cost: costIn(current.costs, currency),
      costBefore: costIn(before.costs, currency),
    }));
  });
}

/** "DC1 → Germany", with the zone where lanes have one. */
export const laneName = ({ distributionCentre, country, zone }: CarrierLane): string =>
  `${distributionCentre} → ${country === null ? "unknown" : countryName(country)}${zone === null ? "" : `, ${zone}`}`;

/** Most codes of services begin with that of the carrier: "KEX-AIR" of "KEX". */
export function serviceName({ carrierCode, serviceCode }: Pick<CarrierLane, "carrierCode" | "serviceCode">): string {
  const codes = [carrierCode, serviceCode].filter((code) => code !== null);
  const [carrier = "", service = ""] = codes;
  return service.startsWith(`${carrier}-`) ? service : codes.join(" ") || "no carrier";
}

/** The relative change in per cent; undefined if there is nothing to compare with. */
export function changeOf(now: number | null | undefined, before: number | null | undefined): number | undefined {
  if (now == null || before == null || before === 0) return undefined;
  return (100 * (now - before)) / before;
}

/** Per cent of the parcels that were due; undefined: none was. */
export const onTimeOf = ({ due, onTime }: CarrierLane["current"]): number | undefined =>
  due === 0 ? undefined : (100 * onTime) / due;

export interface LaneTotals {
  readonly parcels: number;
  /** Parcels with a price in the currency. */
  readonly priced: number;
  /** Of these. */
  readonly amount: number;
  readonly perParcel: number | undefined;
  readonly onTime: number | undefined;
}

/** Sums over all lanes; prices in one currency. */
export function totalsOf(
  lanes: readonly CarrierLane[],
  range: "current" | "before",
  currency: string | undefined,
): LaneTotals {
  const figures = lanes.map((lane) => lane[range]);
  const sum = (read: (of: CarrierLane["current"]) => number) => figures.reduce((total, of) => total + read(of), 0);
  const costOf = ({ costs }: CarrierLane["current"]) => costs.find((cost) => cost.currency === currency);
  const [amount, priced] = [sum((of) => costOf(of)?.amount ?? 0), sum((of) => costOf(of)?.parcels ?? 0)];
  const [due, onTime] = [sum((of) => of.due), sum((of) => of.onTime)];
  return {
    parcels: sum(({ parcels }) => parcels),
    priced,
    amount,
    perParcel: priced === 0 ? undefined : amount / priced,
    onTime: due === 0 ? undefined : (100 * onTime) / due,
  };
}

/** The currencies of the lanes, the one of the most parcels first. */
export function currenciesOf(lanes: readonly CarrierLane[]): string[] {
  const parcels = new Map<string, number>();
  for (const { current, before } of lanes)
    for (const cost of [...current.costs, ...before.costs])
      parcels.set(cost.currency, (parcels.get(cost.currency) ?? 0) + cost.parcels);
  return [...parcels].sort(([, left], [, right]) => right - left).map(([currency]) => currency);
}
