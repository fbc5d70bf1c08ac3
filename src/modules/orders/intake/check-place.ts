import { toAlpha2 } from "#/kernel/values/country.ts";
import { checkPostcode } from "#/kernel/values/postcodes/check.ts";

export type PlaceVerdict =
  | { readonly ok: true /** ISO 3166-1, two letters. */; readonly country: string }
  | { readonly ok: false; readonly field: "country" }
  | { readonly ok: false; readonly field: "zip"; readonly country: string; readonly formats: readonly string[] };

/** Checks the country and postcode of an address; feeds and REST share this rule (contract feeds.md §4 NO). */
export function checkPlace(country: string, zip: string | undefined): PlaceVerdict {
  const alpha2 = toAlpha2(country);
  if (alpha2 === undefined) return { ok: false, field: "country" };
  const postcode = checkPostcode(zip, alpha2);
  return postcode.ok
    ? { ok: true, country: alpha2 }
    : { ok: false, field: "zip", country: alpha2, formats: postcode.formats };
}
