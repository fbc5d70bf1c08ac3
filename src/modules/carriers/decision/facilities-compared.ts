// Zones, weights and prices of carrier data, as routing compares facilities by them (contract lifecycle.md, Routing).
import { dayMs } from "#/kernel/values/durations.ts";
import type { CompiledCarrierData } from "#/modules/carriers/decision/compile.ts";
import type { Choice } from "#/modules/carriers/decision/decide.ts";
import { amountOf, moneyText } from "#/modules/carriers/decision/money.ts";
import { comparablePostcode, findEntry } from "#/modules/carriers/decision/zones.ts";

export interface Place {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly zip: string;
}

/** The zone of a place in each price matrix, in the order of the data; undefined: it has none. */
export function zonesOf(data: CompiledCarrierData, { country, zip }: Place): readonly (string | undefined)[] {
  const { layouts, cards } = data.forCountry(country);
  const postcode = comparablePostcode(zip, country);
  const entries = layouts.map((layout) => findEntry(layout, postcode));
  return cards.flatMap((ofService) => ofService.map(({ layout, zones }) => zones[entries[layout] ?? -1]?.name));
}

/** The greatest weight of a parcel from a facility to a country, in grams; 0 if no service collects for it. */
export function heaviestParcel({ services }: CompiledCarrierData, facilityCode: string, country: string): number {
  const serving = services.filter(
    ({ countries, pickUpDays }) => (countries?.has(country) ?? true) && pickUpDays.get(facilityCode) !== 0,
  );
  return Math.max(0, ...serving.map(({ weightMax }) => weightMax));
}

/** A price as text, and in ten-thousandths of the ranking currency; undefined without a price or a rate. */
export function rankedPrice(
  { rates, rankingCurrency }: CompiledCarrierData,
  { price }: Pick<Choice, "price">,
  atMs: number,
): { readonly text: string; readonly ranked: number } | undefined {
  if (price === null) return undefined;
  const total = amountOf(price.total);
  const ranked = rates.convert(total, rankingCurrency, Math.floor(atMs / dayMs));
  return ranked === undefined ? undefined : { text: moneyText(total), ranked };
}
