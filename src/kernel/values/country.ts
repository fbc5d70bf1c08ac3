// Only the code table: the package's main entry loads its country names in eighty languages.
import codes from "i18n-iso-countries/codes.json" with { type: "json" };

const alpha2ByCode = new Map<string, string>();
for (const [alpha2, alpha3] of codes as [string, string, ...unknown[]][]) {
  alpha2ByCode.set(alpha2, alpha2);
  alpha2ByCode.set(alpha3, alpha2);
}

/** Codes of the European Union's own list and of vehicles that are none of ISO 3166-1, and what is meant by them. */
const usualMistakes: Readonly<Record<string, string>> = { UK: "GB", EL: "GR", ENG: "GB", SCO: "GB", GER: "DE" };

/** Why a code that `toAlpha2` does not know is refused, with the code that is probably meant. */
export function faultOfCountry(code: string): string {
  const meant = usualMistakes[code.trim().toUpperCase()];
  return `'${code}' is not a country code of ISO 3166-1${meant === undefined ? "" : `; use ${meant}`}`;
}

/**
 * The ISO 3166-1 alpha-2 code of an alpha-2 or alpha-3 code in any case, `undefined` when it is neither. Kosovo's XK
 * and XKK, from the ranges that the standard leaves to its users, count, because parcels go there.
 *
 * @see contract/feeds.md §2 `[COUNTRY]`.
 */
export function toAlpha2(code: string): string | undefined {
  // Only ASCII is converted: the upper case of "ß" is South Sudan's code.
  return alpha2ByCode.get(code) ?? (/^[A-Za-z]{2,3}$/.test(code) ? alpha2ByCode.get(code.toUpperCase()) : undefined);
}
