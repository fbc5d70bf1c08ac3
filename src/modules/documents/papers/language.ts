import deCountries from "i18n-iso-countries/langs/de.json" with { type: "json" };
import enCountries from "i18n-iso-countries/langs/en.json" with { type: "json" };
import esCountries from "i18n-iso-countries/langs/es.json" with { type: "json" };
import frCountries from "i18n-iso-countries/langs/fr.json" with { type: "json" };
import itCountries from "i18n-iso-countries/langs/it.json" with { type: "json" };
import nlCountries from "i18n-iso-countries/langs/nl.json" with { type: "json" };
import plCountries from "i18n-iso-countries/langs/pl.json" with { type: "json" };
import { attributeOf } from "#/kernel/values/extended-attributes.ts";
import { type PaperLanguage, paperLanguageOfTag } from "#/kernel/values/paper-languages.ts";

/**
 * The language of an order's packing slip: `PackingSlipLanguage` of its extendedAttributes, else its `language`, else
 * English. Only the language of a tag such as `de-CH` or `DE_at` counts; an unsupported language counts as not given.
 */
export function paperLanguageOf(order: {
  readonly language?: string | null | undefined;
  readonly extendedAttributes?: Readonly<Record<string, string>>;
}): PaperLanguage {
  for (const tag of [attributeOf(order.extendedAttributes, "PackingSlipLanguage"), order.language]) {
    const found = paperLanguageOfTag(tag);
    if (found) return found;
  }
  return "en";
}

type CountryNames = Readonly<Record<string, string | readonly string[]>>;

const countriesByLanguage: Readonly<Record<PaperLanguage, CountryNames>> = {
  en: enCountries.countries,
  de: deCountries.countries,
  fr: frCountries.countries,
  es: esCountries.countries,
  it: itCountries.countries,
  nl: nlCountries.countries,
  pl: plCountries.countries,
};

/** The name of a country, or its code without a name. @param code ISO 3166-1 alpha-2 */
export function countryName(code: string, language: PaperLanguage): string {
  const names = countriesByLanguage[language][code];
  if (names === undefined || typeof names === "string") return names ?? code;
  // The Dutch list has the full name of the state first and the usual name second; the other lists have the usual name
  // first.
  return (language === "nl" ? names[1] : names[0]) ?? code;
}
