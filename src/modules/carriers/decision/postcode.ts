import { postcodeFormats } from "#/kernel/values/postcodes/check.ts";

const onlyDigits = new Map<string, boolean>();

/** True if postcodes of the country can consist of digits alone, so that leading letters name the country. */
function isOfDigits(country: string): boolean {
  const known = onlyDigits.get(country);
  if (known !== undefined) return known;
  const answer = (postcodeFormats(country) ?? []).some((mask) => /^[9 -]+$/.test(mask));
  onlyDigits.set(country, answer);
  return answer;
}

/**
 * Countries whose first part has two to four characters, so that only the blank separates `PH2 0AA` from `PH20 1AA`.
 */
const ofTwoParts: ReadonlySet<string> = new Set(["GB", "GG", "IM", "JE"]);

/**
 * A postcode, or a prefix of one, in the form that zones compare: capitals and digits, without blanks and dashes, and
 * without a leading country (`SE-123 45`, `L-1234`). A British postcode keeps its blank; a whole one without a blank
 * gets it.
 *
 * @param country ISO 3166-1 alpha-2.
 */
export function comparablePostcode(text: string, country: string): string {
  const plain = text.toUpperCase().replace(/[^A-Z0-9]/g, "");
  if (ofTwoParts.has(country)) {
    const [, first, second] = /^([A-Z]{1,2}\d[A-Z\d]?)(\d[A-Z]{2})$/.exec(plain) ?? [];
    if (first !== undefined) return `${first} ${second}`;
    return text
      .trim()
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, " ");
  }
  if (!isOfDigits(country)) return plain;
  const [letters = ""] = /^[A-Z]+(?=\d)/.exec(plain) ?? [];
  return letters === country || (country === "LU" && letters === "L") ? plain.slice(letters.length) : plain;
}

/** The positions of letters and digits: `IV27` is `AA99`. A range covers only postcodes of the same form. */
export function formOf(comparable: string): string {
  return comparable.replace(/[A-Z]/g, "A").replace(/\d/g, "9");
}
