// The input of rule conditions: the shipment, the moment at its facility, and one candidate at a time.
import type { ServiceLevel } from "#/modules/carriers/data/data-parts.ts";
import type { CompiledService } from "#/modules/carriers/decision/compile-services.ts";
import type { Amount, ExchangeRates } from "#/modules/carriers/decision/money.ts";
import type { Shipment } from "#/modules/carriers/decision/shipment.ts";

export interface Facts {
  readonly shipment: Shipment;
  readonly rates: ExchangeRates;
  /** Days since 1970-01-01, by the facility's calendar. */
  readonly day: number;
  readonly weekday: string;
  readonly hour: number;
  /** As requested, or as earlier rules have set it. */
  serviceLevel: ServiceLevel | undefined;
  /** The current candidate. */
  service: CompiledService | undefined;
  /** Grams. */
  chargeableWeight: number;
  zone: string | undefined;
  transitDays: number | undefined;
  price: Amount | undefined;
}

/**
 * The sum over all parcels, in the currency of the first declared value; undefined if there is none, or if a rate is
 * missing.
 */
export function declaredValueOf({ shipment, rates, day }: Facts): Amount | undefined {
  let sum: { value: number; readonly currency: string } | undefined;
  for (const { declaredValue } of shipment.parcels) {
    if (declaredValue === undefined) continue;
    sum ??= { value: 0, currency: declaredValue.currency };
    const value = rates.convert(declaredValue, sum.currency, day);
    if (value === undefined) return undefined;
    sum.value += value;
  }
  return sum;
}
