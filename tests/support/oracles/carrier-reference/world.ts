// Inputs of a decision, and its currency conversion.
import type { CarrierData } from "#/modules/carriers/data/data-contract.ts";
import type { Money } from "#/modules/carriers/data/rule-contract.ts";
import type { CarrierService } from "#/modules/carriers/data/service-contract.ts";
import type { DeterminationRequest, ShippingFacility } from "#/modules/carriers/decision/shipment.ts";
import type { RateCard, RateZone } from "#/modules/carriers/rate-cards/rate-card-contract.ts";
import { exact, type Fraction, over, rounded, times } from "./fractions.ts";

export interface Parcel {
  readonly weight: Fraction;
  readonly sides: readonly Fraction[];
  readonly declared: Money | undefined;
}

export interface World {
  readonly data: CarrierData;
  readonly request: DeterminationRequest;
  readonly facility: ShippingFacility;
  readonly today: string;
  readonly time: string;
  readonly parcels: readonly Parcel[];
  readonly zip: string;
  level: string | undefined;
}

export interface Reason {
  readonly code: string;
  readonly ruleId?: string;
}

export interface Evaluated {
  readonly service: CarrierService;
  readonly card: RateCard | undefined;
  readonly zone: RateZone | undefined;
  readonly despatch: string | undefined;
  readonly delivery: string | undefined;
  readonly transitDays: number | undefined;
  readonly chargeable: readonly Fraction[];
  readonly price: { base: Fraction; surcharges: { code: string; amount: Fraction }[]; total: Fraction } | undefined;
  readonly reasons: Reason[];
  preference: Fraction;
  isStopped: boolean;
}

export function convert({ data, today }: World, amount: Fraction, from: string, to: string): Fraction | undefined {
  if (from === to) return amount;
  const latest = (a: string, b: string) =>
    (data.rates ?? [])
      .filter((rate) => rate.from === a && rate.to === b && rate.date <= today)
      .sort((left, right) => (left.date < right.date ? -1 : 1))
      .at(-1)?.rate;
  const [direct, reverse] = [latest(from, to), latest(to, from)];
  if (direct !== undefined) return rounded(times(amount, exact(direct)), exact("0.0001"));
  if (reverse !== undefined) return rounded(over(amount, exact(reverse)), exact("0.0001"));
  return undefined;
}

export const rankingCurrencyOf = ({ settings, rateCards }: CarrierData): string =>
  settings?.currency ?? rateCards[0]?.currency ?? "EUR";
